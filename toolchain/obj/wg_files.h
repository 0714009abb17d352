// SPDX-License-Identifier: Apache-2.0
//
// Names of files, and files that are written whole or not at all.
#ifndef WG_TOOLCHAIN_OBJ_FILES_H
#define WG_TOOLCHAIN_OBJ_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Would writing to `a` destroy what `b` names? Two names of one ordinary file; of one that is not there yet, the same name. Pipes and
 * devices may be named as often as one likes.
 */
bool wg_same_file(const char *a, const char *b);

/** Is this a pipe with a name of its own? To open it for reading would wait for somebody who writes. What the shell
    hands over by number (/dev/fd, /dev/stdin) is none. */
bool wg_named_pipe(const char *path);

/**
 * Open a file that is written whole or not at all: what is written goes to PATH.PID.part beside it (of a link: beside the file behind
 * it) and takes PATH's name at wg_file_close(). Whoever is killed in between leaves PATH as it was. A pipe or a device is
 * written itself, and so is a file in a folder in which none can be made. @return NULL with errno set
 */
FILE *wg_file_create(const char *path);
/**
 * Close what wg_file_create(path) gave. Unless `good`, and if anything could not be written, what was written is removed and PATH is as it
 * was. @return whether PATH is there whole; if not, errno says why
 */
bool wg_file_close(FILE *f, const char *path, bool good);

/**
 * The whole of a text file. A folder, and bytes that are no text (NUL), are refused.
 * @param[out] text ends with NUL; free() @return kWgOk; kWgIo: "cannot read 'x': why" with the remedy; kWgNoSpace
 */
WG_NODISCARD wg_status_t wg_file_read_text(const char *path, char **text, wg_diag_t *diag);

/** What helps where a message says only that a file cannot be read, opened or written. @return "" for any other message */
const char *wg_file_remedy(const char *msg);

#ifdef __cplusplus
}
#endif
#endif
