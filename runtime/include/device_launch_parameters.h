// SPDX-License-Identifier: Apache-2.0
//
// Forwarder: programs include <device_launch_parameters.h> for what cuda_runtime.h provides.
#ifndef WG_DEVICE_LAUNCH_PARAMETERS_H
#define WG_DEVICE_LAUNCH_PARAMETERS_H
#ifndef CUDA_VERSION
#define CUDA_VERSION 11050
#endif
#include "cuda_runtime.h"
#endif
