/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/expr_formula.h"

#include <string.h>

static const formula *expr_formula_named(arena *a, spelling s, formula_kind kind, const char *text)
{
  return formula_atom(a, kind, spelled_name(a, s, text));
}

/* q[1,x] for q.1.x */
static const formula *expr_formula_entry_formula(arena *a, spelling s, const char *dotted)
{
  return expr_formula_named(a, s, FORMULA_ATOM, spelled_entry(a, dotted));
}

ir_names ir_program_names(arena *a, spelling s, const ir_program *p)
{
  const formula **z = ARENA_ARRAY(a, 2 * p->nq + 1, const formula *);
  const formula **k = ARENA_ARRAY(a, p->nk + 1, const formula *);
  const formula **lambda = ARENA_ARRAY(a, p->nc + 1, const formula *);
  for (int i = 0; i < p->nq; i++) {
    z[i] = expr_formula_entry_formula(a, s, p->q_names[i]);
    z[p->nq + i] = expr_formula_entry_formula(a, s, p->p_names[i]);
  }
  for (int i = 0; i < p->nk; i++) {
    k[i] = expr_formula_entry_formula(a, s, p->k_names[i]);
  }
  for (int i = 0; i < p->nc; i++) {
    const char *name = spelled_indexed(a, s, LETTER_LAMBDA, p->nc > 1 ? i + 1 : 0);
    lambda[i] = formula_atom(a, FORMULA_ATOM, name);
  }
  return (ir_names){{[IR_K] = k, [IR_LAMBDA] = lambda, [IR_Z] = z}};
}

ir_names ir_kernel_names(arena *a, spelling s, const ir_kernel *k)
{
  const formula **z = ARENA_ARRAY(a, 2 * k->n_sites + 1, const formula *);
  const formula **values = ARENA_ARRAY(a, k->n_values + 1, const formula *);
  const formula **lambda = ARENA_ARRAY(a, 1, const formula *);
  for (int i = 0; i < k->n_sites; i++) {
    const char *text = k->sites[i].text;
    const char *momentum = k->sites[i].coordinate->momentum;
    z[i] = expr_formula_named(a, s, FORMULA_ATOM, text);
    z[k->n_sites + i] = expr_formula_named(
        a, s, FORMULA_ATOM, arena_printf(a, "%s%s", momentum, text + strcspn(text, "[")));
  }
  for (int i = 0; i < k->n_values; i++) {
    const ir_reference *value = &k->values[i];
    int is_index = !value->parameter && !value->constraint && !value->sum;
    values[i] = expr_formula_named(a, s, is_index ? FORMULA_INDEX : FORMULA_ATOM, value->text);
  }
  lambda[0] = formula_atom(a, FORMULA_ATOM, spelled_letter(s, LETTER_LAMBDA));
  return (ir_names){{[IR_K] = values, [IR_LAMBDA] = lambda, [IR_Z] = z}};
}

/* ---- products and quotients ---- */

/* |coefficient| times the factors and `last`.  Factors with a negative exponent form the
 * denominator. */
static const formula *product_formula(arena *a, const ir_names *names, mpq_srcptr coefficient,
                                      int n, const ir_factor factors[], const formula *last)
{
  const formula **above = ARENA_ARRAY(a, n + 2, const formula *);
  const formula **below = ARENA_ARRAY(a, n + 1, const formula *);
  int n_above = 1;
  int n_below = 0;
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, coefficient);
  const formula *number = formula_number(a, size);
  mpq_clear(size);
  above[0] = number;
  if (number->kind == FORMULA_QUOTIENT) {
    above[0] = number->part[0];
    below[n_below++] = number->part[1];
  }
  for (int i = 0; i < n; i++) {
    const formula *power =
        formula_power(a, ir_formula(a, names, factors[i].base), factors[i].exponent);
    if (mpq_sgn(factors[i].exponent) > 0) {
      above[n_above++] = power;
    } else {
      below[n_below++] = power;
    }
  }
  if (last) {
    above[n_above++] = last;
  }
  int is_one = n_above > 1 && !strcmp(above[0]->text, "1");
  const formula *over = formula_list(a, FORMULA_PRODUCT, n_above - is_one, above + is_one);
  return n_below ? formula_of(a, FORMULA_QUOTIENT, over,
                              formula_list(a, FORMULA_PRODUCT, n_below, below))
                 : over;
}

/* |coefficient| times a node and `last`. */
static const formula *scaled_formula(arena *a, const ir_names *names, mpq_srcptr coefficient,
                                     const ir_expr *node, const formula *last)
{
  if (node->kind == IR_PRODUCT) {
    return product_formula(a, names, coefficient, node->n, node->factors, last);
  }
  mpq_t number;
  mpq_init(number);
  mpq_set_ui(number, 1, 1);
  const ir_factor alone = {node, number};
  int is_number = node->kind == IR_NUMBER;
  if (is_number) {
    mpq_mul(number, coefficient, node->value);
  }
  const formula *f = is_number ? product_formula(a, names, number, 0, NULL, last)
                               : product_formula(a, names, coefficient, 1, &alone, last);
  mpq_clear(number);
  return f;
}

/* ---- sums ---- */

static int is_negative(const ir_terms *terms, const ir_term *term)
{
  int sign = term->coefficient ? mpq_sgn(term->coefficient) : 1;
  sign *= term->node->kind == IR_NUMBER && mpq_sgn(term->node->value) < 0 ? -1 : 1;
  sign *= terms->scale && mpq_sgn(terms->scale) < 0 ? -1 : 1;
  return sign < 0;
}

ir_terms ir_terms_of(arena *a, const ir_expr *e, const ir_expr *lead)
{
  int is_sum = e->kind == IR_SUM;
  int is_scaled = is_sum && e->n == 1 && e->terms[0].node->kind == IR_SUM;
  const ir_expr *sum = is_scaled ? e->terms[0].node : e;
  ir_term *term = ARENA_ARRAY(a, is_sum ? sum->n : 1, ir_term);
  ir_terms terms = {is_sum ? sum->n : 1, term, is_scaled ? e->terms[0].coefficient : NULL};
  if (!is_sum) {
    *term = (ir_term){NULL, e};
    return terms;
  }
  int n = 0;
  int by_sign = is_negative(&terms, &sum->terms[0]);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < sum->n; i++) {
      int leads = sum->terms[i].node == lead;
      int place = leads ? 0 : by_sign && is_negative(&terms, &sum->terms[i]) ? 2 : 1;
      if (place == round) {
        term[n++] = sum->terms[i];
      }
    }
  }
  return terms;
}

/* Term i times `last`. */
static const formula *expr_formula_term_formula(arena *a, const ir_names *names,
                                                const ir_terms *terms, int i, const formula *last)
{
  const ir_term *term = &terms->term[i];
  mpq_t c;
  mpq_init(c);
  mpq_set_ui(c, 1, 1);
  if (term->coefficient) {
    mpq_set(c, term->coefficient);
  }
  if (terms->scale) {
    mpq_mul(c, c, terms->scale);
  }
  const formula *f = scaled_formula(a, names, c, term->node, last);
  mpq_clear(c);
  return is_negative(terms, term) ? formula_of(a, FORMULA_NEGATION, f, NULL) : f;
}

const formula *ir_term_formula(arena *a, const ir_names *names, const ir_terms *terms, int i)
{
  return expr_formula_term_formula(a, names, terms, i, NULL);
}

const formula *ir_product_formula(arena *a, const ir_names *names, const ir_expr *e,
                                  const formula *last)
{
  int is_scaled = e->kind == IR_SUM && e->n == 1;
  const ir_term alone = {NULL, e};
  const ir_terms one = {1, is_scaled ? e->terms : &alone, NULL};
  return expr_formula_term_formula(a, names, &one, 0, last);
}

/* ---- nodes ---- */

static const formula *expr_formula_call_formula(arena *a, const ir_names *names, const ir_expr *e)
{
  const formula *x = ir_formula(a, names, e->arguments[0]);
  const formula *y = e->n > 1 ? ir_formula(a, names, e->arguments[1]) : NULL;
  switch (e->call) {
  case IR_POW:
    return formula_of(a, FORMULA_POWER, x, y);
  case IR_INSIDE:
    return formula_of(a, FORMULA_NOT_NEGATIVE, x, NULL);
  case IR_HOLD:
    return formula_of(a, FORMULA_GROUP, x, NULL);
  case IR_ABS:
    return formula_of(a, FORMULA_ABS, x, NULL);
  default:
    return formula_call(a, ir_call_word(e->call), x, y);
  }
}

const formula *ir_formula(arena *a, const ir_names *names, const ir_expr *e)
{
  switch (e->kind) {
  case IR_INPUT:
    return names->of[e->space][e->index];
  case IR_PI:
    return formula_atom(a, FORMULA_PI, NULL);
  case IR_CALL:
    return expr_formula_call_formula(a, names, e);
  case IR_SUM:
  case IR_NUMBER:
  case IR_PRODUCT:
    break;
  }
  ir_terms terms = ir_terms_of(a, e, NULL);
  const formula **part = ARENA_ARRAY(a, terms.n, const formula *);
  for (int i = 0; i < terms.n; i++) {
    part[i] = ir_term_formula(a, names, &terms, i);
  }
  return formula_list(a, FORMULA_SUM, terms.n, part);
}
