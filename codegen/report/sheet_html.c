/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/sheet_html.h"

#include "formula/mathml.h"

static void sheet_html_end_list(html_sheet *h)
{
  if (h->in_list) {
    writer_printf(h->out, "</dl>\n");
  }
  h->in_list = 0;
}

void html_end(html_sheet *h)
{
  sheet_html_end_list(h);
  if (h->in_section) {
    writer_printf(h->out, "</section>\n");
  }
  h->in_section = 0;
}

void html_section(html_sheet *h, const char *heading)
{
  html_end(h);
  writer_printf(h->out, "<section>\n<h2>%s</h2>\n", heading);
  h->in_section = 1;
}

void html_source(html_sheet *h, const char *text)
{
  sheet_html_end_list(h);
  writer_printf(h->out, "<p class=\"source\"><code>%s</code></p>\n", text);
}

void html_words(html_sheet *h, const char *words)
{
  if (h->in_list) {
    writer_printf(h->out, "<dd>%s</dd>\n", words);
  } else {
    writer_printf(h->out, "<p>%s</p>\n", words);
  }
}

void html_item(html_sheet *h, const char *label, const char *words)
{
  if (!h->in_list) {
    writer_printf(h->out, "<dl>\n");
    h->in_list = 1;
  }
  if (*label) {
    writer_printf(h->out, "<dt>%s</dt>\n", label);
  }
  writer_printf(h->out, "<dd>%s</dd>\n", words);
}

/* Writes a formula as a separate element, so that a line can break after it. */
static void put_math(html_sheet *h, const char *formula)
{
  if (*formula) {
    writer_printf(h->out, "<math displaystyle=\"true\">%s</math> ",
                  mathml_mixed(writer_memory(h->out), formula));
  }
}

void html_formula(html_sheet *h, const char *left, const char *relation, int n,
                  const char *const terms[], const char *behind)
{
  arena *a = writer_memory(h->out);
  sheet_html_end_list(h);
  writer_printf(h->out, "<p class=\"formula\">");
  put_math(h, *left ? arena_printf(a, "%s %s", left, relation) : "");
  for (int i = 0; i < n; i++) {
    put_math(h, terms[i]);
  }
  put_math(h, behind);
  writer_printf(h->out, "</p>\n");
}

void html_matrix(html_sheet *h, const char *left, int rows, int cols, const char *const cells[])
{
  arena *a = writer_memory(h->out);
  sheet_html_end_list(h);
  writer_printf(h->out,
                "<p class=\"formula\"><math displaystyle=\"true\">%s<mo>=</mo><mrow><mo>[</mo>"
                "<mtable>\n",
                mathml_mixed(a, left));
  for (int i = 0; i < rows; i++) {
    writer_printf(h->out, "<mtr>");
    for (int j = 0; j < cols; j++) {
      writer_printf(h->out, "<mtd>%s</mtd>", mathml_mixed(a, cells[i * cols + j]));
    }
    writer_printf(h->out, "</mtr>\n");
  }
  writer_printf(h->out, "</mtable><mo>]</mo></mrow></math></p>\n");
}
