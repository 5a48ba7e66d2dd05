/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/notes.h"

#include <math.h>
#include <string.h>

/* Maximal number of entries of a point, and of terms of a combination. */
#define SHOWN 12
/* Maximal number of operations of a formula in a text. */
#define SHORT 40.0

notes notes_take(sheet *s, const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  notes n = {.memory = a,
             .style = sheet_style(s),
             .sheet = s,
             .c = c,
             .program = c->program,
             .found = c->found,
             .structure = c->loops     ? &c->loops->structure
                          : c->program ? &c->program->structure
                                       : NULL,
             .at = "",
             .behind = "",
             .varied = model_first_data(c->model) ? "data" : "sizes",
             .parameters = c->data                        ? "given parameters"
                           : model_has_defaults(c->model) ? "default parameters"
                                                          : "sample parameters"};
  if (c->loops && *c->sibling) {
    n.at = arena_printf(a, "at %s: ", c->sibling);
    n.behind = arena_printf(a, ", at %s", c->sibling);
  }
  n.printer = page_printer_create(a, n.style);
  n.algebra = algebra_create(a, n.style, c->model);
  if (c->program) {
    n.names = ir_program_names(a, n.style, c->program);
  }
  return n;
}

notes notes_plain(const compilation *c)
{
  return notes_take(sheet_plain(ir_context_arena(c->context)), c);
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

const char *notes_hidden(const notes *n, int i)
{
  return spelled_indexed(n->memory, n->style, LETTER_RHO, n->program->nc > 1 ? i + 1 : 0);
}

const char *notes_bracket(const notes *n, const char *x, const char *y)
{
  return arena_printf(n->memory, n->style == SPELL_LATEX ? "\\{%s, %s\\}" : "{%s, %s}", x, y);
}

void notes_more(const notes *n, int more, const char *of_them)
{
  if (more > 0) {
    sheet_words(n->sheet, 0, "... and %d more%s", more, of_them);
  }
}

const char *notes_lacking(arena *a, const compilation *c)
{
  const model *m = c->examined;
  const char *list = "";
  for (int i = 0; m && i < m->n_constraints; i++) {
    if (m->constraints[i]->count == 0) {
      list = arena_printf(a, "%s%s'%s'", list, *list ? ", " : "", m->constraints[i]->name);
    }
  }
  return list;
}

/* ---- parts of texts ---- */

const char *notes_short(const notes *n, const ir_expr *e)
{
  const char *text = page_expression(n->printer, &n->names, e, SHORT);
  return text ? arena_printf(n->memory, "$%s$", text) : "(a long formula)";
}

const char *notes_second_class(const notes *n, int pair)
{
  const ir_pair *of = &n->program->structure.pairs[pair];
  return arena_printf(n->memory, "$%s$ is not 0 on M",
                      notes_bracket(n, notes_constraint(n, of->i), notes_constraint(n, of->j)));
}

const char *notes_point(const notes *n, const double z[])
{
  writer *w = writer_create(n->memory);
  int entries = 2 * n->program->nq;
  for (int i = 0; i < entries && i < SHOWN; i++) {
    writer_printf(w, "%s$%s$ = %.6g", i ? ", " : "", n->names.of[IR_Z][i]->text, z[i]);
  }
  writer_printf(w, "%s", entries > SHOWN ? ", ..." : "");
  return writer_text(w);
}

const char *notes_combination(const notes *n, const record_combination *x)
{
  arena *a = n->memory;
  const formula **part = ARENA_ARRAY(a, n->program->nc + 1, const formula *);
  int terms = 0;
  for (int i = 0; i < n->program->nc && terms <= SHOWN; i++) {
    double value = x->coefficients[i];
    if (value == 0) {
      continue;
    }
    int is_shown = terms < SHOWN;
    const char *name = is_shown ? notes_constraint(n, i) : spelled_letter(n->style, LETTER_DOTS);
    const char *size = arena_printf(a, "%.6g", fabs(value));
    const formula *f = formula_atom(a, FORMULA_ATOM, name);
    if (is_shown && strcmp(size, "1") != 0) {
      f = formula_of(a, FORMULA_PRODUCT, formula_atom(a, FORMULA_ATOM, size), f);
    }
    part[terms++] = is_shown && value < 0 ? formula_of(a, FORMULA_NEGATION, f, NULL) : f;
  }
  return arena_printf(a, "$%s$",
                      formula_text(a, n->style, formula_list(a, FORMULA_SUM, terms, part)));
}

const char *notes_constraints(const notes *n, int count, const int constraints[])
{
  writer *w = writer_create(n->memory);
  for (int i = 0; i < count; i++) {
    const char *between = i == 0 ? "" : i == count - 1 ? " and " : ", ";
    writer_printf(w, "%s'%s'", between, notes_constraint_words(n, constraints[i]));
  }
  return writer_text(w);
}

const char *notes_seam(const notes *n, const record_seam *seam)
{
  static const char *const forms[] = {
      [SEAM_ABS] = "abs in %s has no derivative where %s = 0",
      [SEAM_MIN] = "min or max in %s has no derivative where %s = 0",
      [SEAM_ROOT] = "a root in %s has no derivative where %s = 0",
      [SEAM_SIGN] = "sign in %s jumps where %s = 0",
      [SEAM_ATAN2] = "atan2 in %s jumps where %s = 0 on its negative side",
      [SEAM_TAN] = "tan in %s jumps where %s = 0",
      [SEAM_POLE] = "%s may jump where %s = 0",
      [SEAM_INFINITE] = "%s is infinite where %s = 0"};
  if (seam->order == 2) {
    static const char *const names[] = {
        [SEAM_ABS] = "abs", [SEAM_MIN] = "min or max", [SEAM_ROOT] = "a root"};
    return arena_printf(n->memory, "%s in %s has no second derivative where %s = 0",
                        names[seam->kind], seam->in, notes_short(n, seam->what));
  }
  return arena_printf(n->memory, forms[seam->kind], seam->in, notes_short(n, seam->what));
}

const char *notes_change(const notes *n, int i)
{
  const record_invariant *f = &n->found->invariants[i];
  return arena_printf(n->memory, "changes at the rate %.3g at %s", f->rate, notes_point(n, f->at));
}

const char *notes_range(const notes *n, fact_range range)
{
  return range == RANGE_DEFAULTS ? arena_printf(n->memory, " with the %s", n->parameters) : "";
}

const char *notes_dependent(const notes *n)
{
  const record_independence *d = &n->found->independence;
  return d->follow ? ""
                   : arena_printf(n->memory,
                                  "dependent gradients on all of M, where %d of %d constraints are "
                                  "independent: ",
                                  d->rank, n->program->nc);
}
