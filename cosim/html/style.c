// SPDX-License-Identifier: Apache-2.0
//
// The look of the pages: one table of colours for light and dark, and the style sheet around it. A colour never
// stands alone: what it means is also said by the order of a stack, by a label and in the table below a plot.
#include "cosim/html/html.h"

/* Colours of series and of the text on them. The light ones can be told apart with the common forms of colour
   blindness as far as sixteen can; the dark ones are the same hues, bright enough for a dark page. */
static const struct {
  const char *light, *light_ink, *dark, *dark_ink;
} kSeries[kHtmlSeries] = {{"#4477aa", "#fff", "#6f9fd0", "#000"}, {"#ee6677", "#000", "#f07f8d", "#000"},
                          {"#228833", "#fff", "#45b35c", "#000"}, {"#ccbb44", "#000", "#d6c75c", "#000"},
                          {"#66ccee", "#000", "#66ccee", "#000"}, {"#aa3377", "#fff", "#d575ad", "#000"},
                          {"#aaaaaa", "#000", "#8f959c", "#000"}, {"#332288", "#fff", "#9a8ff0", "#000"},
                          {"#ee7733", "#000", "#f08a50", "#000"}, {"#007567", "#fff", "#2fb8a6", "#000"},
                          {"#882255", "#fff", "#cf6c9c", "#000"}, {"#888822", "#000", "#b0b04a", "#000"},
                          {"#ddaa33", "#000", "#ddaa33", "#000"}, {"#cc99bb", "#000", "#d8acc9", "#000"},
                          {"#d4d7da", "#000", "#565c64", "#fff"}, {"#99bbee", "#000", "#a9c6f2", "#000"}};

/* Colours of heat, from little to much, as above. */
static const struct {
  const char *light, *light_ink, *dark, *dark_ink;
} kHeat[kHtmlHeat] = {{"#fff7e0", "#000", "#2a2118", "#fff"}, {"#ffe9b8", "#000", "#3d2a17", "#fff"},
                      {"#fdd594", "#000", "#573516", "#fff"}, {"#fdbb6b", "#000", "#754214", "#fff"},
                      {"#f9974c", "#000", "#8f4e15", "#fff"}, {"#ec7a42", "#000", "#b96a22", "#000"},
                      {"#e0623c", "#000", "#d68439", "#000"}, {"#9c2416", "#fff", "#f0a35e", "#000"}};

/* Colours of the page: name, light, dark. */
static const char *const kPage[][3] = {{"bg", "#ffffff", "#15181c"},    {"ink", "#1a1d21", "#e4e7ea"},
                                       {"soft", "#565d66", "#a3abb4"},  {"line", "#c8cdd3", "#3b424b"},
                                       {"panel", "#f4f6f8", "#1e2329"}, {"good", "#14692b", "#5cc878"},
                                       {"bad", "#a3182b", "#ff8d97"},   {"link", "#1f5fa8", "#8ab8f0"}};

static void variables(FILE *f, bool dark) {
  fputs(":root{", f);
  for (size_t i = 0; i < sizeof kPage / sizeof kPage[0]; i++)
    fprintf(f, "--%s:%s;", kPage[i][0], kPage[i][dark ? 2 : 1]);
  for (int i = 0; i < kHtmlSeries; i++) {
    fprintf(f, "--s%d:%s;--t%d:%s;", i, dark ? kSeries[i].dark : kSeries[i].light, i,
            dark ? kSeries[i].dark_ink : kSeries[i].light_ink);
  }
  for (int i = 0; i < kHtmlHeat; i++) {
    fprintf(f, "--h%d:%s;--k%d:%s;", i, dark ? kHeat[i].dark : kHeat[i].light, i,
            dark ? kHeat[i].dark_ink : kHeat[i].light_ink);
  }
  fputs("}", f);
}

void html_style_page(FILE *f) {
  fputs(":root{color-scheme:light dark}\n", f);
  variables(f, false);
  fputs("\n@media screen and (prefers-color-scheme:dark){", f);
  variables(f, true);
  fputs("}\n", f);
  fputs(
      "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,'Segoe "
      "UI',Helvetica,Arial,sans-serif}\n"
      "main{max-width:960px;margin:0 auto;padding:16px 20px 60px}\n"
      "h1{font-size:1.6em;margin:.4em 0}h2{font-size:1.3em;margin:2em 0 .6em;border-bottom:2px solid var(--line)}\n"
      "h3{font-size:1.05em;margin:1.6em 0 .4em}p{margin:.5em 0}a{color:var(--link)}\n"
      ".note,figcaption,caption{color:var(--soft);font-size:.87em}caption{text-align:left;padding:.2em 0}\n"
      ".pass{color:var(--good);font-weight:600}.fail{color:var(--bad);font-weight:600}\n"
      ".formula{font-family:ui-monospace,Consolas,'DejaVu Sans Mono',monospace;background:var(--panel);"
      "border-left:3px solid var(--line);padding:.4em .8em;overflow-wrap:anywhere}\n"
      "table{border-collapse:collapse;font-size:.87em;font-variant-numeric:tabular-nums}\n"
      "th,td{padding:.18em .7em;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n"
      "th{background:var(--panel)}.n{text-align:right}td.n{white-space:nowrap}.wide{overflow-x:auto;margin:.4em 0}\n"
      ".wide td:first-child,.wide th:first-child{position:sticky;left:0;background:var(--bg)}"
      "table.many{font-size:.7em}.many th{overflow-wrap:anywhere;min-width:4em}"
      ".many th,.many td{padding:.15em .35em}.many td:first-child{white-space:nowrap}"
      "td.in{padding-left:2em}td.best{font-weight:600}\n"
      "figure{margin:.8em 0 1.4em}figure svg{display:block;width:100%;height:auto}\n"
      "nav{background:var(--panel);padding:.5em 1em;font-size:.9em}nav a{margin-right:1em;white-space:nowrap}\n"
      "svg text{fill:var(--ink)}svg text.soft{fill:var(--soft)}.grid{stroke:var(--line);stroke-width:1}\n"
      ".axis{stroke:var(--ink);stroke-width:1}.roof{stroke:var(--ink);stroke-width:2;fill:none}\n"
      ".dash{stroke-dasharray:4 3}.mark{stroke:var(--bg);stroke-width:.6}.err{stroke:var(--ink);stroke-width:1.2}\n",
      f);
  for (int i = 0; i < kHtmlSeries; i++) fprintf(f, ".s%d{fill:var(--s%d)}svg text.t%d{fill:var(--t%d)}", i, i, i, i);
  for (int i = 0; i < kHtmlHeat; i++) fprintf(f, ".h%d{fill:var(--h%d)}svg text.k%d{fill:var(--k%d)}", i, i, i, i);
  fputs("svg text.code{font-family:ui-monospace,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}", f);
  fputs(
      "\n@media print{body{font-size:10pt}main{max-width:none;padding:0}nav{display:none}h2{break-before:auto}"
      "h2,h3{break-after:avoid}figure,tr{break-inside:avoid}thead{display:table-header-group}"
      ".wide{overflow:visible}table{font-size:8pt}table.many{font-size:5.5pt}th,td{padding:.15em "
      ".4em}svg{print-color-adjust:exact}"
      "a{color:inherit;text-decoration:none}}\n",
      f);
}

void html_style_svg(FILE *f) {
  fputs(
      "svg{background:#ffffff}text{fill:#1a1d21;font-family:Helvetica,Arial,sans-serif}text.soft{fill:#565d66}"
      ".grid{stroke:#c8cdd3;stroke-width:1}.axis{stroke:#1a1d21;stroke-width:1}"
      ".roof{stroke:#1a1d21;stroke-width:2;fill:none}.dash{stroke-dasharray:4 3}"
      ".mark{stroke:#ffffff;stroke-width:.6}.err{stroke:#1a1d21;stroke-width:1.2}\n",
      f);
  for (int i = 0; i < kHtmlSeries; i++)
    fprintf(f, ".s%d{fill:%s}text.t%d{fill:%s}", i, kSeries[i].light, i, kSeries[i].light_ink);
  for (int i = 0; i < kHtmlHeat; i++)
    fprintf(f, ".h%d{fill:%s}text.k%d{fill:%s}", i, kHeat[i].light, i, kHeat[i].light_ink);
  fputs("text.code{font-family:'DejaVu Sans Mono',monospace;white-space:pre}\n", f);
}
