// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a kernel for people and for gdb: the container knows their places in constant bank 0, the mangled name
// their types.
// Nothing knows their names: they are arg0, arg1, ...
#ifndef WG_COSIM_DEBUG_PARAM_H
#define WG_COSIM_DEBUG_PARAM_H

#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dbg_base {
  kDbgBytes, /* of no type that is known: a structure, or a name that says no types */
  kDbgSigned,
  kDbgUnsigned,
  kDbgFloat,
  kDbgBool,
  kDbgChar,
  kDbgVoid /* behind pointers only */
} dbg_base_t;

typedef struct dbg_param {
  char name[16], type[96]; /* "arg0", "float const*"; "" if no type is known */
  uint32_t offset, size;   /* bytes; the offset counts from kWgParamBase of bank 0 */
  unsigned pointers;       /* stars of the type */
  dbg_base_t base;         /* of the type without its stars */
  uint32_t base_size;
} dbg_param_t;

/** Parameter `i` of kernel `k`; i < o->kernels[k].num_params. */
void dbg_param(const wg_obj_t *o, size_t k, uint32_t i, dbg_param_t *out);

#ifdef __cplusplus
}
#endif
#endif
