/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * families.c -- formulas with indices: H as sums over sets, and formulas of a looped model's
 * kernels for each family of constraints.
 */
#include "report/notes.h"

#include <limits.h>

/* Writes left = right, followed by `behind`. */
static void write_formula(const notes *n, const char *left, const formula *right,
                          const char *behind)
{
  sheet_formula(n->sheet, left, "=", page_formula(n->memory, n->style, right, INT_MAX), behind);
}

/* The suffix " (i in link)" of a formula that holds for all these indices; "" without binders. */
static const char *for_all(const notes *n, int count, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *domain = algebra_domain(n->algebra, count, binders, condition);
  const char *form = n->style == SPELL_LATEX ? " \\qquad (%s)" : "   (%s)";
  return *domain ? arena_printf(n->memory, form, domain) : "";
}

static void write_lets(const notes *n)
{
  const char *left = NULL;
  const formula *right = NULL;
  while (algebra_next_let(n->algebra, &left, &right)) {
    write_formula(n, left, right, "");
  }
}

void page_terms_of(const notes *n, const char *name)
{
  if (n->style == SPELL_ASCII) {
    return; /* in ASCII it would repeat the model file */
  }
  const model *m = n->c->model;
  const formula **term = ARENA_ARRAY(n->memory, m->n_terms + 1, const formula *);
  for (int i = 0; i < m->n_terms; i++) {
    term[i] = algebra_total(n->algebra, m->terms[i]);
  }
  write_formula(n, spelled_name(n->memory, n->style, name),
                formula_list(n->memory, FORMULA_SUM, m->n_terms, term), "");
  write_lets(n);
}

/* sign * x * y */
static const ir_expr *families_product(ir_context *c, int sign, const ir_expr *x, const ir_expr *y)
{
  const ir_expr *factors[] = {ir_integer(c, sign), x, y};
  return ir_mul(c, 3, factors);
}

/* ---- the hidden constraint ---- */

/* The atom (dH/dx), used as a factor. */
static const formula *slope(const notes *n, const formula *x)
{
  static const char *const forms[] = {
      "(d%s/d%s)", "(∂%s/∂%s)", "\\frac{\\partial %s}{\\partial %s}",
      [SPELL_MATHML] = "<mfrac><mrow><mo>∂</mo>%s</mrow><mrow><mo>∂</mo>%s</mrow></mfrac>"};
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  return formula_atom(n->memory, FORMULA_ATOM,
                      arena_printf(n->memory, forms[n->style], H, x->text));
}

/* Writes rho = g_q . H_p - g_p . H_q. The derivatives of H are named as multipliers. */
static void write_hidden(const notes *n, const char *g, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  ir_names names = ir_kernel_names(n->memory, n->style, k);
  const formula **slopes = ARENA_ARRAY(n->memory, 2 * k->n_sites + 1, const formula *);
  const ir_expr **terms = ARENA_ARRAY(n->memory, k->gradient.n + 1, const ir_expr *);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    int is_position = e->row < k->n_sites;
    int other = is_position ? e->row + k->n_sites : e->row - k->n_sites;
    slopes[other] = slope(n, names.of[IR_Z][other]);
    terms[i] = families_product(c, is_position ? 1 : -1, ir_input(c, IR_LAMBDA, other), e->value);
  }
  names.of[IR_LAMBDA] = slopes;
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  page_sum sum = page_terms(n->printer, &names, ir_add(c, k->gradient.n, terms), NULL, ROOM);
  sheet_formula(n->sheet, notes_bracket(n, g, H), "=", sum,
                for_all(n, part->nest.n, part->nest.binders, part->nest.condition));
}

/* ---- the fibre flow ---- */

static void write_flow(const notes *n, const ir_looped_family *f, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  ir_names names = ir_kernel_names(n->memory, n->style, k);
  int is_closed = f->fibre == IR_FIBRE_CLOSED;
  const ir_function *of = is_closed ? &f->flow : &k->gradient;
  for (int i = 0; i < of->n && i < LISTED; i++) {
    int row = is_closed ? i : of->entries[i].row;
    const ir_expr *value = of->entries[i].value;
    if (!is_closed) {
      /* X_g = (g_p, -g_q): p changes by the derivative by q, and q by the derivative by p. */
      int sign = f->fibre == IR_FIBRE_SHIFT_P ? -1 : 1;
      row -= sign * k->n_sites;
      const ir_expr *moved[] = {ir_input(c, IR_Z, row),
                                families_product(c, sign, ir_input(c, IR_LAMBDA, 0), value)};
      value = ir_add(c, 2, moved);
    }
    page_sum sum = page_terms(n->printer, &names, value, ir_input(c, IR_Z, row), ROOM);
    sheet_formula(n->sheet, names.of[IR_Z][row]->text, spelled_letter(n->style, LETTER_MAPS_TO),
                  sum, for_all(n, part->nest.n, part->nest.binders, part->nest.condition));
  }
}

/* The name of a family with the names of its binders: name[i,j]. */
static const char *family_name(const notes *n, const model_family *f)
{
  const char *text = f->name;
  for (int i = 0; i < f->n_binders; i++) {
    text = arena_printf(n->memory, "%s%s%s", text, i ? "," : "[", f->binders[i]->name);
  }
  return spelled_name(n->memory, n->style,
                      f->n_binders ? arena_printf(n->memory, "%s]", text) : text);
}

static void families_write_family(const notes *n, const ir_looped_family *f)
{
  const model_family *own = f->family;
  const char *name = family_name(n, own);
  sheet_section(n->sheet, "Constraint %s, for all %s", own->heading, n->varied);
  write_formula(n, name, algebra_formula(n->algebra, own->body),
                for_all(n, own->n_binders, own->binders, own->condition));
  write_lets(n);
  for (int i = 0; i < f->n_parts; i++) {
    write_hidden(n, name, &f->parts[i]);
  }
  if (f->fibre == IR_FIBRE_NUMERICAL) {
    sheet_words(n->sheet, 0, "and its fibre flow is integrated numerically");
    return;
  }
  sheet_words(n->sheet, 0, "and its fibre flow with multiplier $\\lambda$ is");
  for (int i = 0; i < f->n_parts; i++) {
    write_flow(n, f, &f->parts[i]);
  }
}

void page_families(const notes *n)
{
  const ir_loops *l = n->c->loops;
  notes own = *n;
  /* so that lets are defined here as well */
  own.algebra = algebra_create(n->memory, n->style, n->c->model);
  for (int i = 0; i < l->n_constraints; i++) {
    families_write_family(&own, &l->constraints[i]);
  }
  page_explain_universal(n);
}
