// SPDX-License-Identifier: Apache-2.0
//
// An SM with a tape: records what it hands to the GPU, and plays a recorded tape in its place. The GPU cannot tell: it gets the same
// answers in the same cycles.
#ifndef WG_MODEL_SM_TAPE_H
#define WG_MODEL_SM_TAPE_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @param sm borrowed; lives longer. @return kWgOk or kWgNoSpace; passes through until told otherwise */
WG_NODISCARD wg_status_t wg_sm_tape_create(wg_sm_t *sm, wg_sm_t **out, wg_diag_t *diag);
/** Record from now on; an earlier tape goes. To be called between runs. */
void wg_sm_tape_record(wg_sm_t *tape);
/** End of the recording, if one is on. @param[out] bytes of the tape, valid until the next call of record or play @return them */
const uint8_t *wg_sm_tape_take(wg_sm_t *tape, size_t *bytes);
/** Play from now on: the SM itself stands still. @param data copied */
WG_NODISCARD wg_status_t wg_sm_tape_play(wg_sm_t *tape, const uint8_t *data, size_t bytes, wg_diag_t *diag);
/** End of playing. @return false if the tape was not played to its end, or something was asked that it does not hold */
bool wg_sm_tape_played(wg_sm_t *tape);

#ifdef __cplusplus
}
#endif
#endif
