// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/svg.h"

#include <stddef.h>

#include "cosim/html/html.h"

static const char *const kColours[8] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                        "#66ccee", "#aa3377", "#bbbbbb", "#222222"};

void svg_begin(FILE *f, double width, double height) {
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
          width, height);
}

void svg_rect(FILE *f, double x, double y, double w, double h, unsigned colour, const char *tip) {
  fprintf(f,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"#ffffff\" "
          "stroke-width=\"0.5\">",
          x, y, w, h, kColours[colour % 8]);
  if (tip != NULL) {
    fputs("<title>", f);
    html_text(f, tip);
    fputs("</title>", f);
  }
  fputs("</rect>\n", f);
}

void svg_line(FILE *f, double x0, double y0, double x1, double y1, unsigned colour) {
  fprintf(f, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\"/>\n", x0, y0, x1, y1,
          kColours[colour % 8]);
}

void svg_text(FILE *f, double x, double y, const char *anchor, double size, const char *text) {
  fprintf(f, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.1f\">", x, y, anchor, size);
  html_text(f, text);
  fputs("</text>\n", f);
}

void svg_end(FILE *f) { fputs("</svg>\n", f); }
