// SPDX-License-Identifier: Apache-2.0
//
// Pictures of the commands: a few SVG elements, sizes in pixels. Colours are class numbers 0..7 of one palette.
#ifndef WG_COSIM_CLI_SVG_H
#define WG_COSIM_CLI_SVG_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begin a picture of that many pixels, on white. Coordinates below are pixels from its upper left corner. */
void svg_begin(FILE *f, double width, double height);
/** @param tip shown when the pointer rests on it; NULL = none */
void svg_rect(FILE *f, double x, double y, double w, double h, unsigned colour, const char *tip);
/** @param colour one of eight, from 0, of rectangles too: six that stay apart in print, 6 grey, 7 black */
void svg_line(FILE *f, double x0, double y0, double x1, double y1, unsigned colour);
/** @param anchor "start", "middle", "end" */
void svg_text(FILE *f, double x, double y, const char *anchor, double size, const char *text);
/** End the picture; the file stays open. */
void svg_end(FILE *f);

#ifdef __cplusplus
}
#endif
#endif
