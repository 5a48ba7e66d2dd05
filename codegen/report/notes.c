/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/notes.h"

notes notes_take(sheet *s, const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  notes n = {a, sheet_style(s), s, c, c->program, {{NULL}}, c->found, NULL, NULL};
  n.printer = page_printer_create(a, n.style);
  n.algebra = algebra_create(a, n.style, c->model);
  if (c->program) {
    n.names = ir_program_names(a, n.style, c->program);
  }
  return n;
}

void notes_value(const notes *n, const char *left, const char *relation, const ir_expr *value)
{
  sheet_formula(n->sheet, left, relation, page_terms(n->printer, &n->names, value, NULL, ROOM), "");
}

const char *notes_constraint_words(const notes *n, int i)
{
  return spelled_entry(n->memory, n->program->c_names[i]);
}

const char *notes_constraint(const notes *n, int i)
{
  return spelled_name(n->memory, n->style, notes_constraint_words(n, i));
}

int notes_number(const notes *n, int i)
{
  return n->program->nc > 1 ? i + 1 : 0;
}

void notes_more(const notes *n, int more, const char *of_them)
{
  if (more > 0) {
    sheet_words(n->sheet, 2, "... and %d more%s", more, of_them);
  }
}
