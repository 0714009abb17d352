// SPDX-License-Identifier: Apache-2.0
//
// Forwarder: programs include <cuda.h> for what cuda_runtime.h provides.
#ifndef WG_CUDA_H
#define WG_CUDA_H
#ifndef CUDA_VERSION
#define CUDA_VERSION 11050
#endif
#include "cuda_runtime.h"
#endif
