// SPDX-License-Identifier: Apache-2.0
//
// The `rtl` back end of a session: the verilated SM behind cosim/sm_rtl.h.
#include "cosim/session_int.h"

static wg_status_t rtl_create(wg_session_t *s, uint32_t i, wg_sm_t **out, wg_diag_t *diag) {
  (void)s, (void)i, (void)out;
  wg_status_t st = wg_fail(diag, kWgUnsupported, "the RTL back end is not part of this build");
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "backend=func runs the golden model");
  return st;
}

const wg_session_backend_t wg_session_backend_rtl = {
    .name = "rtl", .timing = true, .lockstep = true, .create_sm = rtl_create};
