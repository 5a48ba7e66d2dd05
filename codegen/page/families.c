/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * families.c -- formulas with their indices: H as sums over sets, and what the kernels of a looped model say
 * about each family of constraints.
 */
#include "page/page.h"

#include <limits.h>
#include <string.h>

#include "page/algebra.h"

#define ROOM 400
/* Derivatives of one family that are shown, and operations of each. */
#define LISTED 8
#define SHORT  60.0

typedef struct notes {
  arena *memory;
  const compilation *c;
  spelling style;
  sheet *sheet;
  algebra *algebra;
  int universal; /* a universal function was written */
} notes;

static notes take_notes(sheet *s, const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  return (notes){a, c, sheet_style(s), s, algebra_create(a, sheet_style(s), c->model), 0};
}

/* The terms, and what stands behind all of them. */
static void show_sum(notes *n, const char *left, const char *relation, page_sum sum,
                     const char *behind)
{
  const char **text = ARENA_ARRAY(n->memory, sum.n + 1, const char *);
  memcpy(text, sum.text, (size_t)sum.n * sizeof *text);
  if (*behind && sum.n == sum.n_terms) {
    text[sum.n++] = behind;
    sum.n_terms++;
  }
  sum.text = text;
  sheet_formula(n->sheet, left, relation, &sum);
}

/* left = right, and what stands behind it. */
static void show(notes *n, const char *left, const formula *right, const char *behind)
{
  page_sum sum = page_formula(n->memory, n->style, right, INT_MAX);
  show_sum(n, left, "=", sum, behind);
}

/* "   (i in link)" behind a formula that holds for all of these; "" without binders. */
static const char *for_all(notes *n, int count, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *domain = algebra_domain(n->algebra, count, binders, condition);
  const char *form = n->style == SPELL_LATEX ? " \\qquad (%s)" : "   (%s)";
  return *domain ? arena_printf(n->memory, form, domain) : "";
}

static void write_lets(notes *n)
{
  const char *left = NULL;
  const formula *right = NULL;
  while (algebra_next_let(n->algebra, &left, &right)) {
    show(n, left, right, "");
  }
}

void page_terms_of_H(sheet *s, const compilation *c)
{
  if (sheet_style(s) == SPELL_ASCII) {
    return; /* which is what the file says */
  }
  notes n = take_notes(s, c);
  const model *m = c->model;
  const formula **term = ARENA_ARRAY(n.memory, m->n_terms + 1, const formula *);
  for (int i = 0; i < m->n_terms; i++) {
    term[i] = algebra_total(n.algebra, m->terms[i]);
  }
  show(&n, spelled_name(n.memory, n.style, m->hamiltonian_name),
       formula_list(n.memory, FORMULA_SUM, m->n_terms, term), "");
  write_lets(&n);
}

/* ---- kernels ---- */

static const formula *site_name(arena *a, spelling s, const char *text)
{
  return formula_atom(a, FORMULA_ATOM, spelled_name(a, s, text));
}

ir_names page_kernel_names(arena *a, spelling s, const ir_kernel *k)
{
  const formula **z = ARENA_ARRAY(a, 2 * k->n_sites + 1, const formula *);
  const formula **values = ARENA_ARRAY(a, k->n_values + 1, const formula *);
  const formula **lambda = ARENA_ARRAY(a, 1, const formula *);
  for (int i = 0; i < k->n_sites; i++) {
    const char *text = k->sites[i].text;
    const char *momentum = k->sites[i].coordinate->momentum;
    z[i] = site_name(a, s, text);
    z[k->n_sites + i] =
        site_name(a, s, arena_printf(a, "%s%s", momentum, text + strcspn(text, "[")));
  }
  for (int i = 0; i < k->n_values; i++) {
    const char *text = spelled_name(a, s, k->values[i].text);
    values[i] = formula_atom(a, k->values[i].parameter ? FORMULA_ATOM : FORMULA_INDEX, text);
  }
  lambda[0] = formula_atom(a, FORMULA_ATOM, spelled_letter(s, LETTER_LAMBDA));
  return (ir_names){{[IR_K] = values, [IR_LAMBDA] = lambda, [IR_Z] = z}};
}

static void write_value(notes *n, const ir_names *names, const char *left, const char *relation,
                        const ir_expr *value, int lead, const char *behind)
{
  const ir_expr *first = lead < 0 ? NULL : ir_input(n->c->context, IR_Z, lead);
  page_printer *f = page_printer_create(n->memory, n->style);
  show_sum(n, left, relation, page_terms(f, names, value, first, ROOM), behind);
  n->universal |= page_met_universal(f);
}

/* ---- the hidden constraint ---- */

/* (dH/dx), which is a factor of its own. */
static const formula *slope_name(notes *n, const formula *x)
{
  static const char *const forms[] = {"(d%s/d%s)", "(∂%s/∂%s)",
                                      "\\frac{\\partial %s}{\\partial %s}"};
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  return formula_atom(n->memory, FORMULA_ATOM,
                      arena_printf(n->memory, forms[n->style], H, x->text));
}

/* rho = g_q . H_p - g_p . H_q, in which the derivatives of H are what the multipliers stand for. */
static void write_hidden(notes *n, const char *g, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  ir_names names = page_kernel_names(n->memory, n->style, k);
  const formula **slopes = ARENA_ARRAY(n->memory, 2 * k->n_sites + 1, const formula *);
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
  const char *form = n->style == SPELL_LATEX ? "\\{%s, %s\\}" : "{%s, %s}";
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
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
  const char *arrow = spelled_letter(n->style, LETTER_MAPS_TO);
  const ir_kernel *k = &part->kernel;
  ir_names names = page_kernel_names(n->memory, n->style, k);
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
    write_value(n, &names, names.of[IR_Z][row]->text, arrow, value, row, all);
  }
}

/* name[i,j], by the names of the binders. */
static const char *family_name(notes *n, const model_family *f)
{
  const char *text = f->name;
  for (int i = 0; i < f->n_binders; i++) {
    text = arena_printf(n->memory, "%s%s%s", text, i ? "," : "[", f->binders[i]->name);
  }
  return spelled_name(n->memory, n->style,
                      f->n_binders ? arena_printf(n->memory, "%s]", text) : text);
}

static void write_family(notes *n, const ir_looped_family *f)
{
  const model_family *own = f->family;
  const char *name = family_name(n, own);
  sheet_section(n->sheet, arena_printf(n->memory, "Constraint %s, for all sizes", own->heading));
  show(n, name, algebra_formula(n->algebra, own->body),
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
