// SPDX-License-Identifier: Apache-2.0
//
// Heat of a launch by line, of an event trace: the kernel's PTX, which is in the trace, and its source files, as they
// are now.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_report_parts.h"
#include "cosim/html/html_run.h"
#include "cosim/html/plot.h"

enum { kMostRows = 400, kMostFiles = 8, kColumns = 4, kAround = 2, kMostGap = 12 };

/* What the code of a line did. */
typedef struct line_sum {
  uint64_t issues, lanes, stalls, sectors;
} line_sum_t;

/* Rows of a plot. */
typedef struct heat {
  unsigned *place;
  char **text;
  double *value; /* [rows][kColumns] */
  size_t rows, cap;
  bool full;
} heat_t;

static const char *const kColumn[kColumns] = {"warp instructions", "active lanes", "stall cycles", "sectors"};
static const double kFull[kColumns] = {0, 32, 0, 0};

static void add(line_sum_t *s, const trace_pc_t *x) {
  s->issues += x->issues;
  s->lanes += x->lanes;
  s->sectors += x->sectors;
  for (unsigned k = 0; k < kWgReasonCount; k++) s->stalls += k == kWgReasonIssued ? 0 : x->cycles[k];
}

static void row(heat_t *h, unsigned place, const char *text, size_t n, const line_sum_t *s) {
  if (h->rows == h->cap) {
    size_t cap = h->cap == 0 ? 64 : 2 * h->cap;
    unsigned *places = realloc(h->place, cap * sizeof *places);
    if (places != NULL) h->place = places;
    char **texts = realloc(h->text, cap * sizeof *texts);
    if (texts != NULL) h->text = texts;
    double *values = realloc(h->value, cap * kColumns * sizeof *values);
    if (values != NULL) h->value = values;
    h->full = h->full || places == NULL || texts == NULL || values == NULL;
    if (h->full) return;
    h->cap = cap;
  }
  char *copy = malloc(n + 1);
  if (copy == NULL) {
    h->full = true;
    return;
  }
  memcpy(copy, text, n);
  copy[n] = '\0';
  double *v = &h->value[h->rows * kColumns];
  bool any = s->issues != 0;
  v[0] = any ? (double)s->issues : NAN;
  v[1] = any ? (double)s->lanes / (double)s->issues : NAN;
  v[2] = any ? (double)s->stalls : NAN;
  v[3] = any && s->sectors != 0 ? (double)s->sectors : NAN;
  h->place[h->rows] = place;
  h->text[h->rows++] = copy;
}

/* Draw it and free it. */
static void draw(html_page_t *p, const json_t *l, heat_t *h, const char *what, const char *title, const char *note) {
  char id[64], caption[800];
  snprintf(id, sizeof id, "launch%d-%s", (int)json_integer_value(cli_at(l, "launch")), what);
  snprintf(caption, sizeof caption,
           "The stronger a colour, the more of the largest in its column; of the lanes it shows those of 32 that "
           "idle. Active lanes: mean over the issues of the lanes that run, whatever the guard of the instruction. Stall "
           "cycles: of warps whose next instruction is of this line. Sectors of 32 bytes at the "
           "L1's tags.%s", note);
  plot_heat_t plot = {h->place, (const char *const *)h->text, h->rows, kColumn, kFull, kColumns, h->value};
  if (h->full) html_fail(p, "out of memory");
  else plot_heat(p, id, title, &plot, caption);
  for (size_t i = 0; i < h->rows; i++) free(h->text[i]);
  free(h->place);
  free(h->text);
  free(h->value);
}

/* ---- PTX ---- */

/* Line n of a text. @return its first character, NULL: there are fewer @param[in,out] at cursor: the text and 1 */
static const char *next_line(const char **at, size_t *bytes) {
  const char *line = *at;
  if (line == NULL || *line == '\0') return NULL;
  *bytes = strcspn(line, "\n");
  *at = line + *bytes + (line[*bytes] == '\n');
  while (*bytes != 0 && line[*bytes - 1] == '\r') (*bytes)--;
  return line;
}

static bool has_word(const char *line, size_t bytes, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= bytes; i++) {
    if (memcmp(line + i, word, n) != 0) continue;
    bool begins = i == 0 || (!isalnum((unsigned char)line[i - 1]) && line[i - 1] != '_' && line[i - 1] != '$');
    bool ends = i + n == bytes || (!isalnum((unsigned char)line[i + n]) && line[i + n] != '_' && line[i + n] != '$');
    if (begins && ends) return true;
  }
  return false;
}

/* Lines of the kernel: from its .entry to the brace that closes it. */
static void body_of(const char *ptx, const char *kernel, unsigned *first, unsigned *last) {
  size_t bytes = 0;
  unsigned n = 0;
  int depth = 0;
  bool inside = false;
  *first = *last = 0;
  for (const char *at = ptx, *line; (line = next_line(&at, &bytes)) != NULL;) {
    n++;
    if (*first == 0 && has_word(line, bytes, ".entry") && has_word(line, bytes, kernel)) *first = n;
    if (*first == 0) continue;
    *last = n;
    for (size_t i = 0; i < bytes; i++) {
      if (line[i] == '/' && i + 1 < bytes && line[i + 1] == '/') break;
      depth += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
      inside = inside || line[i] == '{';
    }
    if (inside && depth <= 0) return;
  }
}

/* Nothing to read: blank, or a place in the source. */
static bool is_noise(const char *line, size_t bytes) {
  size_t i = 0;
  while (i < bytes && isspace((unsigned char)line[i])) i++;
  return i == bytes || (bytes - i > 4 && memcmp(line + i, ".loc", 4) == 0);
}

static void ptx_rows(heat_t *h, const char *ptx, const line_sum_t *sum, unsigned lines, const char *kernel, bool all) {
  unsigned first, last, n = 0;
  size_t bytes = 0;
  body_of(ptx, kernel, &first, &last);
  for (const char *at = ptx, *line; n < lines && (line = next_line(&at, &bytes)) != NULL;) {
    n++;
    bool body = all && n >= first && n <= last && !is_noise(line, bytes);
    if (body || sum[n].issues != 0) row(h, n, line, bytes, &sum[n]);
  }
}

static void heat_ptx(html_page_t *p, const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  unsigned lines = 1, line;
  char note[160] = "";
  const char *ptx = wg_events_ptx(r->events, x->grid, 0, &line);
  if (ptx == NULL) {
    html_paragraph(p, "note", "The event trace has no PTX of this kernel: it was not compiled from any when it ran.");
    return;
  }
  for (const char *c = ptx; *c != '\0'; c++) lines += *c == '\n';
  line_sum_t *sum = calloc((size_t)lines + 1, sizeof *sum);
  if (sum == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  size_t counted = 0;
  for (size_t i = 0; i < x->pcs; i++) {
    (void)wg_events_ptx(r->events, x->grid, (uint32_t)(16 * i), &line);
    if (x->pc[i].issues == 0 || line > lines) continue;
    counted += line != 0 && sum[line].issues == 0;
    add(&sum[line], &x->pc[i]);
  }
  if (sum[0].issues != 0)
    snprintf(note, sizeof note, " %llu warp instructions are of functions of the library, which stand in no line here.",
             (unsigned long long)sum[0].issues);
  heat_t h = {0};
  const char *kernel = cli_text_at(l, "kernel", "");
  ptx_rows(&h, ptx, sum, lines, kernel, true);
  if (h.rows > kMostRows && counted < h.rows) {
    for (size_t i = 0; i < h.rows; i++) free(h.text[i]);
    h.rows = 0;
    ptx_rows(&h, ptx, sum, lines, kernel, false);
  }
  free(sum);
  draw(p, l, &h, "heat-ptx", "Heat over PTX lines", note);
}

/* ---- source ---- */

typedef struct source_line {
  const char *file;
  unsigned line;
  line_sum_t sum;
} source_line_t;

static int by_file_and_line(const void *a, const void *b) {
  const source_line_t *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files != 0 ? files : x->line < y->line ? -1 : x->line > y->line;
}

static bool is_source(const char *file) {
  const char *dot = strrchr(file, '.');
  return dot != NULL && strcmp(dot, ".ptx") != 0;
}

/* @return how many lines of source files did anything; [pcs] places are enough */
static size_t lines_of(const html_run_t *r, const trace_launch_t *x, source_line_t *out) {
  size_t n = 0;
  for (size_t i = 0; i < x->pcs; i++) {
    const char *file = NULL;
    unsigned line = 0;
    if (x->pc[i].issues == 0 || !wg_events_line(r->events, x->grid, (uint32_t)(16 * i), &file, &line)) continue;
    if (!is_source(file)) continue;
    size_t k = 0;
    while (k < n && (out[k].line != line || strcmp(out[k].file, file) != 0)) k++;
    if (k == n) out[n++] = (source_line_t){file, line, {0, 0, 0, 0}};
    add(&out[k].sum, &x->pc[i]);
  }
  qsort(out, n, sizeof *out, by_file_and_line);
  return n;
}

/* One file's lines, those between them and around them too, where a gap is not long. */
static void source_rows(heat_t *h, const source_line_t *s, size_t n) {
  static const line_sum_t kNone = {0, 0, 0, 0};
  char text[400];
  for (size_t i = 0; i < n && h->rows < kMostRows; i++) {
    unsigned from = s[i].line, to = s[i].line;
    if (i == 0 || s[i].line - s[i - 1].line > kMostGap) from = s[i].line > kAround ? s[i].line - kAround : 1;
    else from = s[i - 1].line + 1;
    if (i + 1 == n || s[i + 1].line - s[i].line > kMostGap) to += 1;
    for (unsigned line = from; line <= to; line++) {
      html_source_line(s[i].file, line, text, sizeof text);
      if (line == s[i].line || text[strspn(text, " \t")] != '\0') row(h, line, text, strlen(text), line == s[i].line ? &s[i].sum : &kNone);
    }
  }
}

static void heat_source(html_page_t *p, const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  source_line_t *s = calloc(x->pcs + 1, sizeof *s);
  if (s == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  size_t n = lines_of(r, x, s), files = 0;
  for (size_t i = 0; i < n && files < kMostFiles; files++) {
    size_t end = i;
    char what[32], title[300];
    heat_t h = {0};
    while (end < n && strcmp(s[end].file, s[i].file) == 0) end++;
    source_rows(&h, &s[i], end - i);
    snprintf(what, sizeof what, files == 0 ? "heat-source" : "heat-source%zu", files + 1);
    const char *slash = strrchr(s[i].file, '/');
    snprintf(title, sizeof title, "Heat over the lines of %.200s", slash == NULL ? s[i].file : slash + 1);
    draw(p, l, &h, what, title, "");
    i = end;
  }
  free(s);
}

void html_heat(html_page_t *p, const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  html_heading(p, 3, NULL, "Heat: what each line cost");
  heat_source(p, r, l, x);
  heat_ptx(p, r, l, x);
}
