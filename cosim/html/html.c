// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cosim/html/html.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "toolchain/obj/wg_files.h"

void html_fail(html_page_t *p, const char *fmt, ...) {
  if (p->error[0] != '\0') return;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(p->error, sizeof p->error, fmt, ap);
  va_end(ap);
}

/* Bytes of the UTF-8 character that begins here; 0: none does, as where a text was cut. */
static size_t utf8(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  size_t n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
  }
  return n;
}

void html_text(FILE *f, const char *text) {
  for (; *text != '\0'; text++) {
    size_t n = utf8(text);
    if (n != 1) {
      if (n == 0) fputc('?', f);
      else fwrite(text, 1, n, f);
      text += n == 0 ? 0 : n - 1;
      continue;
    }
    switch (*text) {
      case '<':
        fputs("&lt;", f);
        break;
      case '>':
        fputs("&gt;", f);
        break;
      case '&':
        fputs("&amp;", f);
        break;
      case '"':
        fputs("&quot;", f);
        break;
      default:
        /* control characters are no HTML; a line of text may hold a tab */
        fputc((unsigned char)*text < 32 && *text != '\t' && *text != '\n' ? '?' : *text, f);
    }
  }
}

/* ---- a page ---- */

void html_page_begin(html_page_t *p, const char *title, const char *plots) {
  memset(p, 0, sizeof *p);
  p->plots = plots;
  p->f = open_memstream(&p->text, &p->bytes);
  if (p->f == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  if (plots != NULL && mkdir(plots, 0777) != 0 && errno != EEXIST)
    html_fail(p, "cannot make the folder '%s': %s", plots, strerror(errno));
  /* the policy lets the page load nothing at all */
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"generator\" content=\"warpglass\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>",
      p->f);
  html_text(p->f, title);
  fputs("</title>\n<style>\n", p->f);
  html_style_page(p->f);
  fputs("</style>\n</head>\n<body>\n<main>\n<h1>", p->f);
  html_text(p->f, title);
  fputs("</h1>\n", p->f);
}

bool html_page_end(html_page_t *p, const char *path) {
  if (p->f != NULL) {
    fputs("</main>\n</body>\n</html>\n", p->f);
    if (fclose(p->f) != 0) html_fail(p, "out of memory");
  }
  if (p->error[0] == '\0') {
    errno = 0;
    bool is_stdout = strcmp(path, "-") == 0;
    FILE *f = is_stdout ? stdout : wg_file_create(path);
    if (f == NULL) {
      html_fail(p, "cannot write '%s': %s", path, strerror(errno));
    } else {
      bool ok = fwrite(p->text, 1, p->bytes, f) == p->bytes;
      ok = (is_stdout ? fflush(f) == 0 : wg_file_close(f, path, true)) && ok;
      if (!ok) html_fail(p, "cannot write '%s': %s", path, strerror(errno != 0 ? errno : EIO));
    }
  }
  free(p->text);
  p->text = NULL;
  p->f = NULL;
  return p->error[0] == '\0';
}

void html_heading(html_page_t *p, int level, const char *id, const char *text) {
  if (p->f == NULL) return;
  fprintf(p->f, "<h%d", level);
  if (id != NULL) fprintf(p->f, " id=\"%s\"", id);
  fputc('>', p->f);
  html_text(p->f, text);
  fprintf(p->f, "</h%d>\n", level);
}

void html_paragraph(html_page_t *p, const char *cls, const char *fmt, ...) {
  char text[2048];
  va_list ap;
  if (p->f == NULL) return;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  fputs("<p", p->f);
  if (cls[0] != '\0') fprintf(p->f, " class=\"%s\"", cls);
  fputc('>', p->f);
  html_text(p->f, text);
  fputs("</p>\n", p->f);
}

/* ---- tables ---- */

void html_table_begin(html_table_t *t, size_t cols) {
  memset(t, 0, sizeof *t);
  t->cols = cols;
}

static void push(html_table_t *t, const char *text) {
  if (t->n == t->cap) {
    size_t cap = t->cap == 0 ? 64 : 2 * t->cap;
    char **grown = realloc(t->cell, cap * sizeof *grown);
    if (grown == NULL) {
      t->full = true;
      return;
    }
    t->cell = grown;
    t->cap = cap;
  }
  t->cell[t->n] = strdup(text);
  if (t->cell[t->n] == NULL) t->full = true;
  else t->n++;
}

void html_table_cell(html_table_t *t, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  push(t, text);
}

void html_table_number(html_table_t *t, double v) {
  char text[40] = "";
  if (isfinite(v)) snprintf(text, sizeof text, "%.12g", v);
  push(t, text);
}

void html_table_free(html_table_t *t) {
  for (size_t i = 0; i < t->n; i++) free(t->cell[i]);
  free(t->cell);
  memset(t, 0, sizeof *t);
}

static bool is_number(const char *text) {
  char *end = NULL;
  (void)strtod(text, &end);
  return text[0] != '\0' && *end == '\0' && text[0] != '+' && text[0] != ' ';
}

/* Numbers with a fraction lose the digits that nobody reads; the CSV has them. */
static void cell(FILE *f, const char *tag, const char *text) {
  char shown[1100];
  bool number = is_number(text);
  snprintf(shown, sizeof shown, "%s", text);
  const char *dot = strchr(text, '.');
  if (number && dot != NULL && strlen(dot) > 4 && fabs(strtod(text, NULL)) < 1e6)
    snprintf(shown, sizeof shown, "%.*f", fabs(strtod(text, NULL)) < 0.1 ? 4 : 3, strtod(text, NULL));
  fprintf(f, "<%s%s>", tag, number ? " class=\"n\"" : strncmp(text, "  ", 2) == 0 ? " class=\"in\"" : "");
  html_text(f, shown);
  fprintf(f, "</%s>", tag);
}

void html_table_write(html_page_t *p, const html_table_t *t, const char *caption, size_t most) {
  FILE *f = p->f;
  if (t->full) html_fail(p, "out of memory");
  if (f == NULL || t->cols == 0 || t->n < t->cols) return;
  size_t rows = t->n / t->cols - 1, shown = rows < most ? rows : most;
  fprintf(f, "<div class=\"wide\"><table%s>\n", t->cols > 8 ? " class=\"many\"" : "");
  if (caption != NULL) {
    fputs("<caption>", f);
    html_text(f, caption);
    fputs("</caption>\n", f);
  }
  fputs("<thead><tr>", f);
  for (size_t c = 0; c < t->cols; c++) {
    bool numbers = rows != 0 && is_number(t->cell[t->cols + c]);
    fprintf(f, "<th scope=\"col\"%s>", numbers ? " class=\"n\"" : "");
    const char *eq = strchr(t->cell[c], '='); /* "axis=value" may be broken there, and not within a word */
    if (eq != NULL && eq - t->cell[c] < 60) {
      char axis[64];
      snprintf(axis, sizeof axis, "%.*s", (int)(eq - t->cell[c]) + 1, t->cell[c]);
      html_text(f, axis);
      fputs("<wbr/>", f);
      html_text(f, eq + 1);
    } else {
      html_text(f, t->cell[c]);
    }
    fputs("</th>", f);
  }
  fputs("</tr></thead>\n<tbody>\n", f);
  for (size_t r = 1; r <= shown; r++) {
    fputs("<tr>", f);
    for (size_t c = 0; c < t->cols; c++) cell(f, "td", t->cell[r * t->cols + c]);
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
  if (shown < rows)
    html_paragraph(p, "note", "%zu further rows are left out here; the CSV file of --plots has them.", rows - shown);
}

void html_table_turn(html_table_t *t) {
  size_t rows = t->cols == 0 ? 0 : t->n / t->cols;
  char **turned = rows == 0 ? NULL : malloc(t->n * sizeof *turned);
  if (turned == NULL) return;
  for (size_t i = 0; i < rows * t->cols; i++) turned[i % t->cols * rows + i / t->cols] = t->cell[i];
  for (size_t i = rows * t->cols; i < t->n; i++) turned[i] = t->cell[i]; /* of a row that memory cut short */
  free(t->cell);
  t->cell = turned;
  t->cap = t->n;
  t->cols = rows;
}

static void csv_field(FILE *f, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, f);
    return;
  }
  fputc('"', f);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

void html_table_csv(FILE *f, const html_table_t *t) {
  for (size_t i = 0; t->cols != 0 && i < t->n / t->cols * t->cols; i++) {
    if (i % t->cols != 0) fputc(',', f);
    csv_field(f, t->cell[i]);
    if (i % t->cols == t->cols - 1) fputc('\n', f);
  }
}
