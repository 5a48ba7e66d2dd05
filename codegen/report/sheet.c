/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/sheet.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "common/text_writer.h"
#include "formula/mathml.h"

/* ---- the sheet ---- */

/* Columns of a formula on one line of LaTeX; the source is longer than the typeset formula. */
#define LATEX_LINE 130

struct sheet {
  arena *memory;
  spelling style;
  int is_document;
  int margin;         /* text: blanks before all lines except headings */
  int columns;        /* text: maximal length of a line */
  const char *before; /* prefix of the words of items */
  int in_list;        /* LaTeX: a description is open; HTML: a list of items */
  int in_align;       /* LaTeX: an align environment is open */
  int in_section;     /* HTML: a section is open */
  writer *out;
};

sheet *sheet_create(arena *a, spelling style, int is_document)
{
  sheet *s = ARENA_NEW(a, sheet);
  s->memory = a;
  s->style = style;
  s->is_document = is_document;
  s->margin = 2;
  s->columns = SHEET_COLUMNS;
  s->before = "";
  s->out = writer_create(a);
  if (is_document) {
    writer_printf(s->out, "\\documentclass{article}\n"
                          "\\usepackage[T1]{fontenc}\n"
                          "\\usepackage[utf8]{inputenc}\n"
                          "\\usepackage{textcomp}\n"
                          "\\usepackage{amsmath}\n"
                          "\\allowdisplaybreaks\n"
                          "\\begin{document}\n");
  }
  return s;
}

sheet *sheet_plain(arena *a)
{
  sheet *s = sheet_create(a, SPELL_ASCII, 0);
  s->margin = 0;
  s->columns = INT_MAX / 2;
  return s;
}

spelling sheet_style(const sheet *s)
{
  return s->style;
}

void sheet_deeper(sheet *s)
{
  s->margin += 2;
}

void sheet_before(sheet *s, const char *words)
{
  s->before = words;
}

/* Declares `words`: the format with its arguments. */
#define FORMATTED(s, words, format)                                                                \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  const char *(words) = arena_vprintf((s)->memory, format, arguments);                             \
  va_end(arguments)

static int is_latex(const sheet *s)
{
  return s->style == SPELL_LATEX;
}

static int is_html(const sheet *s)
{
  return s->style == SPELL_MATHML;
}

static const char *sheet_escaped(sheet *s, const char *words)
{
  return page_words(s->memory, s->style, words);
}

/* Writes text from column `first` on; continuation lines start at column `next`. */
static void write_text(sheet *s, const char *text, int first, int next)
{
  page_break(s->out, text, first, next, s->columns);
}

static void end_formulas(sheet *s)
{
  if (s->in_align) {
    writer_printf(s->out, "\n\\end{align*}\n");
  }
  s->in_align = 0;
}

static void end_list(sheet *s)
{
  end_formulas(s);
  if (s->in_list) {
    writer_printf(s->out, is_html(s) ? "</dl>\n" : "\\end{description}\n");
  }
  s->in_list = 0;
}

/* Begins a section of HTML with this heading, which is escaped, after ending the previous one. */
static void html_section(sheet *s, const char *heading)
{
  writer_printf(s->out, "%s<section>\n<h2>%s</h2>\n", s->in_section ? "</section>\n" : "", heading);
  s->in_section = 1;
}

void sheet_title(sheet *s, const char *name, const char *title)
{
  const char *shown = sheet_escaped(s, title);
  if (is_html(s)) {
    return; /* the head of the document has the title */
  }
  if (is_latex(s)) {
    writer_printf(s->out, "\\section*{\\texttt{%s}%s%s}\n", sheet_escaped(s, name),
                  *title ? ": " : "", shown);
  } else {
    write_text(s, arena_printf(s->memory, "%s%s%s", name, *title ? ": " : "", shown), 0, 4);
  }
}

void sheet_section(sheet *s, const char *format, ...)
{
  FORMATTED(s, heading, format);
  end_list(s);
  if (is_html(s)) {
    html_section(s, sheet_escaped(s, heading));
  } else if (is_latex(s)) {
    writer_printf(s->out, "\n\\subsection*{%s}\n", sheet_escaped(s, heading));
  } else {
    writer_printf(s->out, "\n");
    write_text(s, sheet_escaped(s, heading), 0, 4);
  }
}

void sheet_section_of(sheet *s, const char *heading, const char *of, const char *behind)
{
  end_list(s);
  if (is_html(s)) {
    const char *words = arena_printf(s->memory, "%s, $%s$%s", heading, of, behind);
    html_section(s, page_prose(s->memory, s->style, words));
    return;
  }
  const char *form = is_latex(s) ? "\n\\subsection*{%s, $%s$%s}\n" : "\n%s, %s%s\n";
  writer_printf(s->out, form, sheet_escaped(s, heading), of, sheet_escaped(s, behind));
}

void sheet_source(sheet *s, const char *format, ...)
{
  FORMATTED(s, text, format);
  end_list(s);
  if (is_html(s)) {
    writer_printf(s->out, "<p class=\"source\"><code>%s</code></p>\n", sheet_escaped(s, text));
  } else if (is_latex(s)) {
    writer_printf(s->out, "\\begin{flushleft}\\ttfamily\n%s\n\\end{flushleft}\n",
                  sheet_escaped(s, text));
  } else {
    write_text(s, sheet_escaped(s, text), s->margin, s->margin + 4);
  }
}

void sheet_words(sheet *s, int indent, const char *format, ...)
{
  FORMATTED(s, formatted, format);
  const char *words = page_prose(s->memory, s->style, formatted);
  end_formulas(s);
  if (is_html(s)) {
    writer_printf(s->out, s->in_list ? "<dd>%s</dd>\n" : "<p>%s</p>\n", words);
  } else if (is_latex(s)) {
    writer_printf(s->out, "%s%s\n", s->in_list ? "" : "\n\\noindent ", words);
  } else {
    write_text(s, words, s->margin + indent, s->margin + indent);
  }
}

void sheet_item(sheet *s, const char *label, const char *format, ...)
{
  enum { LABEL = 14 };
  FORMATTED(s, formatted, format);
  const char *words =
      page_prose(s->memory, s->style, arena_printf(s->memory, "%s%s", s->before, formatted));
  end_formulas(s);
  if (!is_latex(s) && !is_html(s)) {
    const char *line = *label ? arena_printf(s->memory, "%-13s %s", label, words) : words;
    write_text(s, line, s->margin + (*label ? 0 : LABEL), s->margin + LABEL);
    return;
  }
  writer_printf(s->out, "%s", s->in_list ? "" : is_html(s) ? "<dl>\n" : "\\begin{description}\n");
  s->in_list = 1;
  if (*label) {
    writer_printf(s->out, is_html(s) ? "<dt>%s</dt>\n" : "\\item[%s] ", sheet_escaped(s, label));
  }
  writer_printf(s->out, is_html(s) ? "<dd>%s</dd>\n" : "%s\n", words);
}

/* ---- formulas ---- */

/* The replacement of omitted terms, or `behind` if no term is omitted. */
static const char *left_out(sheet *s, page_sum sum, const char *behind)
{
  if (sum.n == sum.n_terms) {
    return behind;
  }
  const char *dots = spelled_letter(s->style, LETTER_DOTS);
  int more = sum.n_terms - sum.n;
  const char *words =
      sum.n == 0 ? arena_printf(s->memory, "(a formula of %.6g operations)", sum.operations)
                 : arena_printf(s->memory, "(%d more term%s)", more, more == 1 ? "" : "s");
  const char *form = is_latex(s) ? "%s%s \\;\\text{%s}" : "%s%s %s";
  return arena_printf(s->memory, form, sum.n ? " + " : "", dots, words);
}

/* Writes the terms as lines of an align environment. */
static void latex_formula(sheet *s, const char *left, const char *relation, page_sum sum,
                          const char *behind)
{
  writer *w = s->out;
  if (s->in_list) {
    end_list(s);
  }
  writer_printf(w, s->in_align ? " \\\\\n" : "\\begin{align*}\n");
  s->in_align = 1;
  writer_printf(w, "%s %s{}& ", left, *left ? relation : "");
  int used = 0;
  for (int i = 0; i <= sum.n; i++) {
    const char *text = i < sum.n ? sum.text[i] : left_out(s, sum, behind);
    int columns = page_columns(s->style, text);
    if (used > 0 && used + columns > LATEX_LINE && *text) {
      writer_printf(w, " \\\\\n&\\quad{}");
      used = 0;
    }
    writer_printf(w, "%s", text);
    used += columns;
  }
}

/* Writes a text as a separate element, so that a line can break after it. */
static void put_math(sheet *s, const char *text)
{
  if (*text) {
    writer_printf(s->out, "<math displaystyle=\"true\">%s</math> ", mathml_mixed(s->memory, text));
  }
}

static void html_formula(sheet *s, const char *left, const char *relation, page_sum right,
                         const char *behind)
{
  end_list(s);
  writer_printf(s->out, "<p class=\"formula\">");
  put_math(s, *left ? arena_printf(s->memory, "%s %s", left, relation) : "");
  for (int i = 0; i < right.n; i++) {
    put_math(s, right.text[i]);
  }
  put_math(s, left_out(s, right, behind));
  writer_printf(s->out, "</p>\n");
}

void sheet_formula(sheet *s, const char *left, const char *relation, page_sum right,
                   const char *behind)
{
  if (is_html(s)) {
    html_formula(s, left, relation, right, behind);
    return;
  }
  if (is_latex(s)) {
    latex_formula(s, left, relation, right, behind);
    return;
  }
  writer *line = writer_create(s->memory);
  if (*left) {
    writer_printf(line, "%s %s ", left, relation);
  }
  int under = s->margin + page_columns(s->style, writer_text(line));
  for (int i = 0; i < right.n; i++) {
    writer_printf(line, "%s", right.text[i]);
  }
  writer_printf(line, "%s", left_out(s, right, behind));
  write_text(s, writer_text(line), s->margin, under < 24 ? under : s->margin + 4);
}

void sheet_line(sheet *s, const char *text)
{
  sheet_formula(s, "", "", (page_sum){.n_terms = 1, .n = 1, .text = &text}, "");
}

/* ---- matrices ---- */

static int latex_matrix(sheet *s, const char *left, int rows, int cols, const char *const cells[])
{
  int columns = 0;
  for (int i = 0; i < rows * cols; i++) {
    columns =
        page_columns(s->style, cells[i]) > columns ? page_columns(s->style, cells[i]) : columns;
  }
  if (cols > 8 || columns * cols > 2 * LATEX_LINE) {
    return 0;
  }
  end_list(s);
  writer_printf(s->out, "\\[ %s = \\begin{pmatrix}\n", left);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      writer_printf(s->out, "%s%s", j ? " & " : "", cells[i * cols + j]);
    }
    writer_printf(s->out, i + 1 < rows ? " \\\\\n" : "\n");
  }
  writer_printf(s->out, "\\end{pmatrix} \\]\n");
  return 1;
}

static void html_matrix(sheet *s, const char *left, int rows, int cols, const char *const cells[])
{
  end_list(s);
  writer_printf(s->out,
                "<p class=\"formula\"><math displaystyle=\"true\">%s<mo>=</mo><mrow><mo>[</mo>"
                "<mtable>\n",
                mathml_mixed(s->memory, left));
  for (int i = 0; i < rows; i++) {
    writer_printf(s->out, "<mtr>");
    for (int j = 0; j < cols; j++) {
      writer_printf(s->out, "<mtd>%s</mtd>", mathml_mixed(s->memory, cells[i * cols + j]));
    }
    writer_printf(s->out, "</mtr>\n");
  }
  writer_printf(s->out, "</mtable><mo>]</mo></mrow></math></p>\n");
}

/* The bracket at the left (side 0) or the right of row i. */
static const char *sheet_bracket(spelling style, int i, int rows, int side)
{
  static const char *const tall[2][3] = {{"⎡", "⎢", "⎣"}, {"⎤", "⎥", "⎦"}};
  if (style == SPELL_ASCII || rows == 1) {
    return side ? "]" : "[";
  }
  return tall[side][i == 0 ? 0 : i == rows - 1 ? 2 : 1];
}

int sheet_matrix(sheet *s, const char *left, int rows, int cols, const char *const cells[])
{
  if (is_html(s)) {
    html_matrix(s, left, rows, cols, cells);
    return 1;
  }
  if (is_latex(s)) {
    return latex_matrix(s, left, rows, cols, cells);
  }
  int *width = ARENA_ARRAY(s->memory, cols, int);
  int total = s->margin + page_columns(s->style, left) + 5 + 2 * (cols + 1);
  for (int j = 0; j < cols; j++) {
    for (int i = 0; i < rows; i++) {
      int columns = page_columns(s->style, cells[i * cols + j]);
      width[j] = columns > width[j] ? columns : width[j];
    }
    total += width[j];
  }
  if (total > s->columns) {
    return 0;
  }
  for (int i = 0; i < rows; i++) {
    const char *lead = i == (rows - 1) / 2 ? left : "";
    int blanks = s->margin + page_columns(s->style, left) - page_columns(s->style, lead);
    writer_printf(s->out, "%*s%s%s%s", blanks, "", lead, *lead ? " = " : "   ",
                  sheet_bracket(s->style, i, rows, 0));
    for (int j = 0; j < cols; j++) {
      const char *cell = cells[i * cols + j];
      int around = width[j] - page_columns(s->style, cell);
      writer_printf(s->out, "%s%*s%s%*s", j ? "  " : " ", around / 2, "", cell, around - around / 2,
                    "");
    }
    writer_printf(s->out, " %s\n", sheet_bracket(s->style, i, rows, 1));
  }
  return 1;
}

const char *sheet_text(sheet *s)
{
  end_list(s);
  writer_printf(s->out, "%s%s", s->in_section ? "</section>\n" : "",
                s->is_document ? "\\end{document}\n" : "");
  return writer_text(s->out);
}
