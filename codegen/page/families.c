/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * families.c -- formulas with their indices: H as sums over sets, and what the kernels of a looped model say
 * about each family of constraints.
 */
#include "page/page.h"

#include <string.h>

#include "page/algebra.h"

#define ROOM 400
/* Derivatives of one family that are shown, and operations of each. */
#define LISTED 8
#define SHORT  60.0

typedef struct notes {
  arena *memory;
  const compilation *c;
  page_style style;
  sheet *sheet;
  algebra *algebra;
  int universal; /* a universal function was written */
} notes;

static notes take_notes(sheet *s, const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  return (notes){a, c, sheet_style(s), s, algebra_create(a, sheet_style(s), c->model), 0};
}

/* One text as a sum of one term, or of two where something stands behind it. */
static void formula(notes *n, const char *left, const char *relation, const char *right,
                    const char *behind)
{
  const char *text[] = {right, behind};
  page_sum sum = {*behind ? 2 : 1, *behind ? 2 : 1, text, 0};
  sheet_formula(n->sheet, left, relation, &sum);
}

/* "   (i in link)" behind a formula that holds for all of these; "" without binders. */
static const char *for_all(notes *n, int count, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *domain = algebra_domain(n->algebra, count, binders, condition);
  const char *form = n->style == PAGE_LATEX ? " \\qquad (%s)" : "   (%s)";
  return *domain ? arena_printf(n->memory, form, domain) : "";
}

static void write_lets(notes *n)
{
  const char *left = NULL;
  const char *right = NULL;
  while (algebra_next_let(n->algebra, &left, &right)) {
    formula(n, left, "=", right, "");
  }
}

/* A term of H behind its sign. */
static const char *term_text(notes *n, const model_family *f, int is_first)
{
  int minus = f->body->kind == EXPR_NEG;
  model_expr sum = {.kind = EXPR_SUM,
                    .n_binders = f->n_binders,
                    .binders = f->binders,
                    .condition = f->condition,
                    .a = minus ? f->body->a : f->body};
  const char *text = algebra_expression(n->algebra, f->n_binders ? &sum : sum.a);
  const char *sign = page_letter_text(n->style, LETTER_MINUS);
  if (is_first) {
    return minus ? arena_printf(n->memory, "%s%s", sign, text) : text;
  }
  return arena_printf(n->memory, " %s %s", minus ? sign : "+", text);
}

void page_terms_of_H(sheet *s, const compilation *c)
{
  if (sheet_style(s) == PAGE_ASCII) {
    return; /* which is what the file says */
  }
  notes n = take_notes(s, c);
  const model *m = c->model;
  const char **text = ARENA_ARRAY(n.memory, m->n_terms + 1, const char *);
  for (int i = 0; i < m->n_terms; i++) {
    text[i] = term_text(&n, m->terms[i], i == 0);
  }
  page_sum sum = {m->n_terms, m->n_terms, text, 0};
  sheet_formula(s, page_name(n.memory, n.style, m->hamiltonian_name), "=", &sum);
  write_lets(&n);
}

/* ---- kernels ---- */

page_names page_kernel_names(arena *a, page_style style, const ir_kernel *k)
{
  const char **z = ARENA_ARRAY(a, 2 * k->n_sites + 1, const char *);
  const char **values = ARENA_ARRAY(a, k->n_values + 1, const char *);
  const char **lambda = ARENA_ARRAY(a, 1, const char *);
  for (int i = 0; i < k->n_sites; i++) {
    const char *text = k->sites[i].text;
    const char *indices = text + strcspn(text, "[");
    z[i] = page_name(a, style, text);
    z[k->n_sites + i] =
        page_name(a, style, arena_printf(a, "%s%s", k->sites[i].coordinate->momentum, indices));
  }
  for (int i = 0; i < k->n_values; i++) {
    values[i] = page_name(a, style, k->values[i].text);
  }
  lambda[0] = page_letter_text(style, LETTER_LAMBDA);
  page_names names;
  names.of[IR_K] = values;
  names.of[IR_LAMBDA] = lambda;
  names.of[IR_Z] = z;
  return names;
}

static void write_value(notes *n, const page_names *names, const char *left, const char *relation,
                        const ir_expr *value, int lead, const char *behind)
{
  ir_context *c = n->c->context;
  const ir_expr *first = lead < 0 ? NULL : ir_input(c, IR_Z, lead);
  page_printer *f = page_printer_create(n->memory, c, n->style);
  page_sum sum = page_terms(f, names, value, first, ROOM);
  const char **text = ARENA_ARRAY(n->memory, sum.n + 1, const char *);
  memcpy(text, sum.text, (size_t)sum.n * sizeof *text);
  if (*behind && sum.n == sum.n_terms) {
    text[sum.n++] = behind;
    sum.n_terms++;
  }
  sum.text = text;
  sheet_formula(n->sheet, left, relation, &sum);
  n->universal |= page_met_universal(f);
}

/* ---- the hidden constraint ---- */

/* (dH/dx), which is a factor of its own. */
static const char *slope_name(notes *n, const char *x)
{
  static const char *const forms[] = {"(d%s/d%s)", "(∂%s/∂%s)",
                                      "\\frac{\\partial %s}{\\partial %s}"};
  const char *H = page_name(n->memory, n->style, n->c->model->hamiltonian_name);
  return arena_printf(n->memory, forms[n->style], H, x);
}

/* rho = g_q . H_p - g_p . H_q, in which the derivatives of H are what the multipliers stand for. */
static void write_hidden(notes *n, const char *g, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  page_names names = page_kernel_names(n->memory, n->style, k);
  const char **slopes = ARENA_ARRAY(n->memory, 2 * k->n_sites + 1, const char *);
  const ir_expr **terms = ARENA_ARRAY(n->memory, k->gradient.n + 1, const ir_expr *);
  mpq_t one;
  mpq_init(one);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    int is_position = e->row < k->n_sites;
    int other = is_position ? e->row + k->n_sites : e->row - k->n_sites;
    slopes[other] = slope_name(n, names.of[IR_Z][other]);
    const ir_expr *factors[] = {ir_input(c, IR_LAMBDA, other), e->value};
    mpq_set_si(one, is_position ? 1 : -1, 1);
    terms[i] = ir_scale(c, one, ir_mul(c, 2, factors));
  }
  mpq_clear(one);
  names.of[IR_LAMBDA] = slopes;
  const char *form = n->style == PAGE_LATEX ? "\\{%s, %s\\}" : "{%s, %s}";
  const char *H = page_name(n->memory, n->style, n->c->model->hamiltonian_name);
  write_value(n, &names, arena_printf(n->memory, form, g, H), "=", ir_add(c, k->gradient.n, terms),
              -1, for_all(n, part->nest.n, part->nest.binders, part->nest.condition));
}

/* ---- the fibre flow ---- */

/* x + t, where t is lambda times a derivative. */
static const ir_expr *shifted(ir_context *c, int x, int sign, const ir_expr *derivative)
{
  mpq_t one;
  mpq_init(one);
  mpq_set_si(one, sign, 1);
  const ir_expr *factors[] = {ir_input(c, IR_LAMBDA, 0), derivative};
  const ir_expr *terms[] = {ir_input(c, IR_Z, x), ir_scale(c, one, ir_mul(c, 2, factors))};
  mpq_clear(one);
  return ir_add(c, 2, terms);
}

static void write_flow(notes *n, const ir_looped_family *f, const ir_part *part)
{
  const char *arrow = page_letter_text(n->style, LETTER_MAPS_TO);
  const ir_kernel *k = &part->kernel;
  page_names names = page_kernel_names(n->memory, n->style, k);
  const ir_function *of = f->fibre == IR_FIBRE_CLOSED ? &f->flow : &k->gradient;
  const char *all = for_all(n, part->nest.n, part->nest.binders, part->nest.condition);
  for (int i = 0; i < of->n && i < LISTED; i++) {
    int row = f->fibre == IR_FIBRE_CLOSED ? i : of->entries[i].row;
    const ir_expr *value = of->entries[i].value;
    if (f->fibre != IR_FIBRE_CLOSED) {
      /* X_g = (g_p, -g_q): p moves by the derivative in q, and q by that in p. */
      int sign = f->fibre == IR_FIBRE_SHIFT_P ? -1 : 1;
      row += f->fibre == IR_FIBRE_SHIFT_P ? k->n_sites : -k->n_sites;
      value = shifted(n->c->context, row, sign, value);
    }
    write_value(n, &names, names.of[IR_Z][row], arrow, value, row, all);
  }
}

/* name[i,j], by the names of the binders. */
static const char *family_name(notes *n, const model_family *f)
{
  const char *text = f->name;
  for (int i = 0; i < f->n_binders; i++) {
    text = arena_printf(n->memory, "%s%s%s", text, i ? "," : "[", f->binders[i]->name);
  }
  return page_name(n->memory, n->style, f->n_binders ? arena_printf(n->memory, "%s]", text) : text);
}

static void write_family(notes *n, const ir_looped_family *f)
{
  const model_family *own = f->family;
  const char *name = family_name(n, own);
  sheet_section(n->sheet, arena_printf(n->memory, "Constraint %s, for all sizes", own->heading));
  formula(n, name, "=", algebra_expression(n->algebra, own->body),
          for_all(n, own->n_binders, own->binders, own->condition));
  write_lets(n);
  for (int i = 0; i < f->n_parts; i++) {
    write_hidden(n, name, &f->parts[i]);
  }
  if (f->fibre == IR_FIBRE_NUMERICAL) {
    sheet_words(n->sheet, 2, "and its fibre flow is integrated numerically");
    return;
  }
  sheet_words(n->sheet, 2, "and its fibre flow with multiplier lambda is");
  for (int i = 0; i < f->n_parts; i++) {
    write_flow(n, f, &f->parts[i]);
  }
}

void page_families(sheet *s, const compilation *c)
{
  notes n = take_notes(s, c);
  for (int i = 0; i < c->loops->n_constraints; i++) {
    write_family(&n, &c->loops->constraints[i]);
  }
  page_explain_universal(s, n.universal);
}
