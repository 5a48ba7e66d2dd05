/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/index_form.h"

#include <stdlib.h>

/* Limits on the sum of factors and on the constant of a linear form. */
#define MOST_FACTOR   (1L << 30)
#define MOST_CONSTANT (1L << 52)

/* Limit on the weight of the two arguments of mod, min and max.  Variables are below 2^31 in
 * magnitude, so results of these functions are below LARGEST_MADE * 2^31. */
#define LARGEST_MADE 1024L

static index_form opaque(const model_index *tree)
{
  return (index_form){.tree = tree};
}

index_form index_form_constant(long value)
{
  return (index_form){.linear = 1, .constant = value};
}

static index_form of_term(const model_index *of)
{
  return (index_form){.linear = 1, .n = 1, .terms = {{of, 1}}};
}

int index_form_is_constant(const index_form *a)
{
  return a->linear && a->n == 0;
}

static int is_variable(const model_index *index)
{
  return index->kind == INDEX_SIZE || index->kind == INDEX_VARIABLE || index->kind == INDEX_ENTRY;
}

/* 1 for mod, min and max. */
static int is_made(const model_index *index)
{
  return model_index_function(index->kind) != NULL;
}

int index_reads(const model_index *index, const model_binder *binder)
{
  return index && (index->binder == binder || index_reads(index->a, binder) ||
                   index_reads(index->b, binder));
}

/* ---- sums ---- */

static long index_form_weight(const index_form *a)
{
  long sum = labs(a->constant) >> 31;
  for (int i = 0; i < a->n; i++) {
    sum += labs(a->terms[i].factor) * (is_made(a->terms[i].of) ? LARGEST_MADE : 1);
  }
  return sum;
}

static int index_form_too_large(const index_form *a)
{
  long products = 0;
  for (int i = 0; i < a->n; i++) {
    products += a->terms[i].of->kind == INDEX_MUL ? labs(a->terms[i].factor) : 0;
  }
  return index_form_weight(a) > MOST_FACTOR || products > 1 || labs(a->constant) > MOST_CONSTANT;
}

static int same_tree(const model_index *a, const model_index *b)
{
  if (!a || !b || a == b) {
    return a == b;
  }
  return a->kind == b->kind && a->value == b->value && a->size == b->size &&
         a->binder == b->binder && a->indices == b->indices && same_tree(a->a, b->a) &&
         same_tree(a->b, b->b);
}

static void remove_term(index_form *a, int i)
{
  a->n--;
  for (; i < a->n; i++) {
    a->terms[i] = a->terms[i + 1];
  }
}

/* Adds factor * variable; returns 0 if the form has no room for another term. */
static int index_form_add_term(index_form *a, const model_index *of, long factor)
{
  int i = 0;
  while (i < a->n && !same_tree(a->terms[i].of, of)) {
    i++;
  }
  if (i == INDEX_TERMS) {
    return 0;
  }
  if (i == a->n) {
    a->terms[a->n++] = (index_term){of, 0};
  }
  a->terms[i].factor += factor;
  if (a->terms[i].factor == 0) {
    remove_term(a, i);
  }
  return 1;
}

index_form index_form_add(const index_form *a, const index_form *b, long factor)
{
  if (!a->linear || !b->linear) {
    return opaque(NULL);
  }
  if (factor == 0) {
    return *a;
  }
  long largest = labs(b->constant);
  for (int i = 0; i < b->n; i++) {
    largest = labs(b->terms[i].factor) > largest ? labs(b->terms[i].factor) : largest;
  }
  if (labs(factor) > MOST_FACTOR || (largest && labs(factor) > MOST_CONSTANT / largest)) {
    return opaque(NULL);
  }
  index_form sum = *a;
  sum.tree = NULL;
  sum.constant += factor * b->constant;
  for (int i = 0; i < b->n; i++) {
    if (!index_form_add_term(&sum, b->terms[i].of, factor * b->terms[i].factor)) {
      return opaque(NULL);
    }
  }
  return index_form_too_large(&sum) ? opaque(NULL) : sum;
}

index_form index_form_plus(const index_form *a, long value)
{
  index_form b = index_form_constant(value);
  return index_form_add(a, &b, 1);
}

index_form index_form_difference(const model_index *a, const model_index *b)
{
  index_form left = index_form_of(a);
  index_form right = index_form_of(b);
  return index_form_add(&left, &right, -1);
}

/* ---- indices as forms ---- */

/* mod, min or max of two forms: computed if the result is known, else treated as a variable. */
static index_form made(const model_index *index, const index_form *a, const index_form *b)
{
  index_form difference = index_form_add(a, b, -1);
  if (index->kind == INDEX_MOD && index_form_is_constant(a) && index_form_is_constant(b)) {
    return index_form_constant(model_index_modulo(a->constant, b->constant));
  }
  if (index->kind != INDEX_MOD && index_form_is_constant(&difference)) {
    return (difference.constant < 0) == (index->kind == INDEX_MIN) ? *a : *b;
  }
  int fits = difference.linear && index_form_weight(a) < LARGEST_MADE &&
             index_form_weight(b) < LARGEST_MADE;
  return fits ? of_term(index) : opaque(index);
}

/* The form of an index; with at_sizes, sizes have their present values. */
static index_form form_of(const model_index *index, int at_sizes)
{
  const index_form zero = index_form_constant(0);
  index_form form = index_form_constant(index->value);
  index_form a = index->a ? form_of(index->a, at_sizes) : zero;
  index_form b = index->b ? form_of(index->b, at_sizes) : zero;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    form = index_form_too_large(&form) ? opaque(index) : form;
    break;
  case INDEX_SIZE:
    form = at_sizes ? index_form_constant(index->size->value) : of_term(index);
    break;
  case INDEX_VARIABLE:
  case INDEX_ENTRY:
    form = of_term(index);
    break;
  case INDEX_ADD:
  case INDEX_SUB:
    form = index_form_add(&a, &b, index->kind == INDEX_ADD ? 1 : -1);
    break;
  case INDEX_NEG:
    form = index_form_add(&zero, &a, -1);
    break;
  case INDEX_MUL:
    form = index_form_is_constant(&a)                       ? index_form_add(&zero, &b, a.constant)
           : index_form_is_constant(&b)                     ? index_form_add(&zero, &a, b.constant)
           : is_variable(index->a) && is_variable(index->b) ? of_term(index)
                                                            : opaque(index);
    break;
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    form = made(index, &a, &b);
    break;
  }
  form.tree = index;
  return form;
}

index_form index_form_of(const model_index *index)
{
  return form_of(index, 0);
}

index_form index_form_at_sizes(const model_index *index)
{
  return form_of(index, 1);
}

/* ---- variables ---- */

long index_form_factor(const index_form *a, const model_binder *binder, int *other)
{
  long factor = 0;
  for (int i = 0; i < a->n; i++) {
    if (a->terms[i].of->binder == binder) {
      factor = a->terms[i].factor;
    } else if (index_reads(a->terms[i].of, binder)) {
      *other = 1;
    }
  }
  return factor;
}

index_form index_form_without(const index_form *a, const model_binder *binder)
{
  index_form rest = *a;
  for (int i = rest.n; i-- > 0;) {
    if (rest.terms[i].of->binder == binder) {
      remove_term(&rest, i);
    }
  }
  return rest;
}

/* ---- sets ---- */

index_form index_form_first(const model_set *set)
{
  return set->is_range ? index_form_of(set->lower) : index_form_constant(0);
}

index_form index_form_last(const model_set *set)
{
  return set->is_range ? index_form_of(set->upper) : index_form_constant(set->count - 1);
}

index_form index_form_count(const model_set *set)
{
  index_form first = index_form_first(set);
  index_form count = index_form_last(set);
  count = index_form_add(&count, &first, -1);
  count = index_form_plus(&count, 1);
  if (index_form_is_constant(&count) && count.constant < 0) {
    count.constant = 0;
  }
  count.linear = index_form_never_negative(&count);
  return count;
}

/* ---- signs ---- */

/* 1 if the form with `end` in place of term i is never negative. */
static int holds_with(const index_form *a, int i, const index_form *end)
{
  index_form rest = *a;
  remove_term(&rest, i);
  index_form least = index_form_add(&rest, end, a->terms[i].factor);
  return index_form_never_negative(&least);
}

/* index_form_never_negative for a form whose term i is a mod, min or max of two forms. */
static int made_never_negative(const index_form *a, int i)
{
  const model_index *made = a->terms[i].of;
  int is_positive = a->terms[i].factor > 0;
  index_form left = index_form_of(made->a);
  index_form right = index_form_of(made->b);
  if (made->kind == INDEX_MOD) {
    index_form end = is_positive ? index_form_constant(0) : index_form_plus(&right, -1);
    return holds_with(a, i, &end);
  }
  int by_left = holds_with(a, i, &left);
  int by_right = holds_with(a, i, &right);
  return (made->kind == INDEX_MIN) == is_positive ? by_left && by_right : by_left || by_right;
}

int index_form_never_negative(const index_form *a)
{
  for (int i = 0; i < a->n; i++) {
    const model_index *of = a->terms[i].of;
    if (of->kind == INDEX_MUL && (of->a->kind != INDEX_SIZE || of->b->kind != INDEX_SIZE)) {
      return 0;
    }
    if (is_made(of)) {
      return made_never_negative(a, i);
    }
    if (of->binder || of->indices) {
      const model_set *set = of->binder ? of->binder->set : of->indices->target;
      index_form end = a->terms[i].factor > 0 ? index_form_first(set) : index_form_last(set);
      return holds_with(a, i, &end);
    }
  }
  for (int i = 0; i < a->n; i++) {
    if (a->terms[i].factor < 0) {
      return 0;
    }
  }
  return a->linear && a->constant >= 0;
}

int index_form_is_inside(const model_index *index, const model_set *set)
{
  index_form own = index_form_of(index);
  index_form first = index_form_first(set);
  index_form last = index_form_last(set);
  index_form above = index_form_add(&own, &first, -1);
  index_form below = index_form_add(&last, &own, -1);
  return index_form_never_negative(&above) && index_form_never_negative(&below);
}
