/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/nest_bounds.h"

/* ---- uses of binders ---- */

static int condition_reads(const model_condition *c, const model_binder *b)
{
  return c && (index_reads(c->left, b) || index_reads(c->right, b) || condition_reads(c->a, b) ||
               condition_reads(c->b, b));
}

int bounds_nest_reads(const ir_nest *nest, const model_binder *binder)
{
  int reads = condition_reads(nest->condition, binder);
  for (int i = 0; i < nest->n && !reads; i++) {
    const model_set *set = nest->binders[i]->set;
    reads =
        set->is_dependent && (index_reads(set->lower, binder) || index_reads(set->upper, binder));
  }
  return reads;
}

int bounds_kernel_reads(const ir_kernel *k, const model_binder *binder)
{
  for (int i = 0; i < k->n_values; i++) {
    const ir_reference *r = &k->values[i];
    for (int j = 0; j < r->n_index; j++) {
      if (index_reads(r->index[j], binder)) {
        return 1;
      }
    }
    if (r->sum && (bounds_nest_reads(&r->sum->nest, binder) ||
                   bounds_kernel_reads(&r->sum->kernel, binder))) {
      return 1;
    }
  }
  return 0;
}

int bounds_filter_reads(arena *a, const ir_nest *nest, const model_binder *binder)
{
  int n = 0;
  int reads = 0;
  const bounds_conjunct *list = bounds_of(a, nest, &n);
  for (int i = 0; i < n && !reads; i++) {
    int only_bounds = list[i].level == 0 && !list[i].filters;
    reads = !only_bounds && condition_reads(list[i].condition, binder);
  }
  return reads;
}

/* ---- comparisons ---- */

/* Turns a comparison into a bound if it reads the variable in one linear term with factor 1 or
 * -1. */
static void nest_bounds_compare(bounds_conjunct *j, const model_binder *v)
{
  index_form form = index_form_difference(j->condition->left, j->condition->right);
  index_form zero = index_form_constant(0);
  int other = 0;
  long factor = index_form_factor(&form, v, &other);
  if (other || (factor != 1 && factor != -1)) {
    return;
  }
  index_form rest = index_form_without(&form, v);
  index_form end = index_form_add(&zero, &rest, -factor);
  model_condition_kind kind = j->condition->kind;
  int below = kind == CONDITION_LT || kind == CONDITION_LE; /* form < 0 */
  int strict = kind == CONDITION_LT || kind == CONDITION_GT;
  int upper = kind == CONDITION_EQ || below == (factor > 0);
  if (strict) {
    end = index_form_plus(&end, upper ? -1 : 1);
  }
  if (end.linear) {
    j->filters = 0;
    j->upper = upper;
    j->lower = kind == CONDITION_EQ || !upper;
    j->first = j->last = end;
  }
}

static bounds_conjunct conjunct_of(const ir_nest *nest, const model_condition *c);

/* ---- alternatives ---- */

/* The lower (sign 1) or upper (-1) of two ends.  Sets *known to 0 if their order cannot be
 * proved. */
static index_form outer_end(const index_form *a, const index_form *b, int sign, int *known)
{
  index_form excess = index_form_add(b, a, -1);
  index_form lack = index_form_add(a, b, -1);
  if (index_form_never_negative(sign > 0 ? &excess : &lack)) {
    return *a;
  }
  *known = *known && index_form_never_negative(sign > 0 ? &lack : &excess);
  return *b;
}

/* Collects the bounds of a variable from conditions that all have to hold.  Any one bound per side
 * is valid. */
static void both_ends(const ir_nest *nest, const model_condition *c, int level, bounds_conjunct *j)
{
  if (c->kind == CONDITION_AND) {
    both_ends(nest, c->a, level, j);
    both_ends(nest, c->b, level, j);
    return;
  }
  bounds_conjunct own = conjunct_of(nest, c);
  if (own.level == level && own.lower && !j->lower) {
    j->lower = 1;
    j->first = own.first;
  }
  if (own.level == level && own.upper && !j->upper) {
    j->upper = 1;
    j->last = own.last;
  }
}

/* The union of the ranges of all alternatives.  A side is bounded only if every alternative bounds
 * it. */
static void hull(const ir_nest *nest, const model_condition *c, bounds_conjunct *j, int *is_first)
{
  if (c->kind == CONDITION_OR) {
    hull(nest, c->a, j, is_first);
    hull(nest, c->b, j, is_first);
    return;
  }
  bounds_conjunct own = {.lower = 0};
  both_ends(nest, c, j->level, &own);
  if (*is_first) {
    j->lower = own.lower;
    j->upper = own.upper;
    j->first = own.first;
    j->last = own.last;
  } else {
    j->lower = j->lower && own.lower;
    j->upper = j->upper && own.upper;
    if (j->lower) {
      j->first = outer_end(&j->first, &own.first, 1, &j->lower);
    }
    if (j->upper) {
      j->last = outer_end(&j->last, &own.last, -1, &j->upper);
    }
  }
  *is_first = 0;
}

static bounds_conjunct conjunct_of(const ir_nest *nest, const model_condition *c)
{
  bounds_conjunct j = {.condition = c, .level = nest->n - 1, .filters = 1};
  while (j.level >= 0 && !condition_reads(c, nest->binders[j.level])) {
    j.level--;
  }
  if (j.level >= 0 && c->left && c->kind != CONDITION_NE) {
    nest_bounds_compare(&j, nest->binders[j.level]);
  } else if (j.level >= 0 && c->kind == CONDITION_OR) {
    int is_first = 1;
    hull(nest, c, &j, &is_first);
  }
  return j;
}

/* ---- the whole ---- */

static int nest_bounds_count(const model_condition *c)
{
  return c && c->kind == CONDITION_AND ? nest_bounds_count(c->a) + nest_bounds_count(c->b)
                                       : c != NULL;
}

static int nest_bounds_collect(const ir_nest *nest, const model_condition *c,
                               bounds_conjunct list[], int n)
{
  if (c && c->kind == CONDITION_AND) {
    return nest_bounds_collect(nest, c->b, list, nest_bounds_collect(nest, c->a, list, n));
  }
  if (c) {
    list[n++] = conjunct_of(nest, c);
  }
  return n;
}

const bounds_conjunct *bounds_of(arena *a, const ir_nest *nest, int *n)
{
  bounds_conjunct *list = ARENA_ARRAY(a, nest_bounds_count(nest->condition) + 1, bounds_conjunct);
  *n = nest_bounds_collect(nest, nest->condition, list, 0);
  return list;
}
