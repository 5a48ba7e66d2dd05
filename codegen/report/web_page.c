/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/web_page.h"

#include <string.h>

#include "report/page.h"
#include "report/web_texts.h"
#include "sidewinder/version.h"

/* Content policy: the page loads nothing, even if its contents ask for it. */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

typedef struct page {
  arena *memory;
  writer *out;
  const compilation *c;
} page;

static const char *web_page_escaped(const page *p, const char *text)
{
  return page_words(p->memory, SPELL_MATHML, text);
}

static void put_head(const page *p)
{
  const model *m = p->c->model;
  const char *title = web_page_escaped(p, *m->title ? m->title : m->name);
  writer_printf(
      p->out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n"
      "<meta name=\"generator\" content=\"sidewinder %s\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>%s</title>\n<style>\n%s</style>\n</head>\n"
      "<body>\n<main>\n<header>\n<p class=\"name\"><code>%s</code></p>\n<h1>%s</h1>\n"
      "<p class=\"answer %s\">%s</p>\n</header>\n",
      policy, SW_VERSION, title, web_style, web_page_escaped(p, m->name), title,
      page_answer_name(p->c), web_page_escaped(p, page_conclusion(p->c)));
}

/* ---- the run ---- */

static void put_stage(const page *p, const web_run *run)
{
  writer_printf(
      p->out,
      "<div>\n<div class=\"stage\">\n<canvas id=\"stage\" role=\"img\" aria-label=\"Animation of "
      "the "
      "run\"%s></canvas>\n"
      "<div class=\"controls\">\n<button id=\"play\" type=\"button\">Play</button>\n"
      "<input id=\"at\" type=\"range\" min=\"0\" value=\"0\" step=\"any\" aria-label=\"Time\"/>\n"
      "<output id=\"clock\"></output>\n<select id=\"speed\" aria-label=\"Speed\">"
      "<option value=\"0.1\">&#215; 0.1</option><option value=\"0.3\">&#215; 0.3</option>"
      "<option value=\"1\" selected=\"selected\">&#215; 1</option><option value=\"3\">&#215; "
      "3</option>"
      "</select>\n</div>\n</div>\n<p class=\"note\">%s</p>\n</div>\n",
      run->is_turned ? " class=\"turns\"" : "", web_page_escaped(p, run->note));
}

static void put_facts(const page *p, const web_run *run)
{
  writer_printf(p->out, "<div>\n<table>\n");
  for (int i = 0; i < run->n_rows; i++) {
    writer_printf(p->out, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
                  web_page_escaped(p, run->rows[i].what), web_page_escaped(p, run->rows[i].value));
  }
  writer_printf(p->out, "</table>\n</div>\n");
}

static void put_run(const page *p, const web_run *run)
{
  writer_printf(p->out, "<section>\n<h2>A run</h2>\n<p class=\"source\"><code>%s</code></p>\n",
                web_page_escaped(p, run->command));
  if (*run->message) {
    writer_printf(p->out, "<p class=\"message\">%s</p>\n", web_page_escaped(p, run->message));
  }
  writer_printf(p->out, "<div class=\"run%s\">\n", run->motion ? "" : " plain");
  if (run->motion) {
    put_stage(p, run);
  }
  put_facts(p, run);
  writer_printf(p->out, "</div>\n</section>\n");
}

/* Writes an SVG element without the parts that only a separate file needs: a title that browsers
 * show as a hint, definitions of symbols that lines do not use, and ids that other figures
 * share. */
static void put_svg(const page *p, const web_figure *figure)
{
  static const char *const left_out[][2] = {{"<title>", "</title>"},
                                            {"<desc>", "</desc>"},
                                            {"<defs>", "</defs>"},
                                            {" id=\"gnuplot", "\""}};
  const char *text = figure->svg;
  const char *rest = text + strcspn(text, " ");
  writer_printf(p->out, "<svg role=\"img\" aria-label=\"%s\"", web_page_escaped(p, figure->title));
  while (*rest) {
    size_t skipped = 0;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out && !skipped; i++) {
      const size_t begin = strlen(left_out[i][0]);
      const char *end =
          strncmp(rest, left_out[i][0], begin) ? NULL : strstr(rest + begin, left_out[i][1]);
      skipped = end ? (size_t)(end - rest) + strlen(left_out[i][1]) : 0;
    }
    const size_t n = skipped ? 0 : 1 + strcspn(rest + 1, "< ");
    writer_append(p->out, rest, n);
    rest += skipped ? skipped : n;
  }
}

static void put_figures(const page *p, const web_run *run)
{
  if (run->n_figures == 0 && !*run->missing) {
    return;
  }
  writer_printf(p->out, "<section>\n<h2>Figures</h2>\n");
  if (*run->missing) {
    writer_printf(p->out, "<p class=\"message\">%s</p>\n", web_page_escaped(p, run->missing));
  }
  writer_printf(p->out, "<div class=\"figures\">\n");
  for (int i = 0; i < run->n_figures; i++) {
    writer_printf(p->out, "<figure>\n<figcaption>%s</figcaption>\n",
                  web_page_escaped(p, run->figures[i].title));
    put_svg(p, &run->figures[i]);
    writer_printf(p->out, "</figure>\n");
  }
  writer_printf(p->out, "</div>\n</section>\n");
}

const char *web_page(arena *a, const compilation *c, const web_run *run)
{
  const page p = {a, writer_create(a), c};
  put_head(&p);
  if (run) {
    put_run(&p, run);
    put_figures(&p, run);
  }
  writer_printf(p.out, "%s", page_write(c, SPELL_MATHML, 0));
  writer_printf(p.out,
                "<section>\n<h2>The model file</h2>\n<pre><code>%s</code></pre>\n</section>\n"
                "<footer>sidewinder %s, model <code>%s</code>, digest <code>%.16s</code></footer>\n"
                "</main>\n",
                web_page_escaped(&p, c->model->text), SW_VERSION,
                web_page_escaped(&p, c->model->name), c->digest);
  if (run && run->motion) {
    writer_printf(
        p.out,
        "<script id=\"motion\" type=\"application/json\">%s</script>\n<script>\n%s</script>\n",
        run->motion, web_script);
  }
  writer_printf(p.out, "</body>\n</html>\n");
  return writer_text(p.out);
}
