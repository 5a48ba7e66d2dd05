/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/index_form.h"

#include <stdlib.h>

/* Largest sum of factors and largest constant of a linear form. */
#define MOST_FACTOR   (1L << 30)
#define MOST_CONSTANT (1L << 52)

static index_form opaque(const model_index *tree)
{
  return (index_form){.tree = tree};
}

index_form index_form_constant(long value)
{
  return (index_form){.linear = 1, .constant = value};
}

int index_form_is_constant(const index_form *a)
{
  return a->linear && a->n == 0;
}

int index_term_is_product(const index_term *term)
{
  return term->other_binder || term->other_size;
}

/* Variables are below 2^31 in magnitude, and what is made of two forms within LARGEST_MADE * 2^31. */
#define LARGEST_MADE 1024L

static long weight(const index_form *a)
{
  long sum = labs(a->constant) >> 31;
  for (int i = 0; i < a->n; i++) {
    sum += labs(a->terms[i].factor) * (a->terms[i].made ? LARGEST_MADE : 1);
  }
  return sum;
}

static int too_large(const index_form *a)
{
  long products = 0;
  for (int i = 0; i < a->n; i++) {
    products += index_term_is_product(&a->terms[i]) ? labs(a->terms[i].factor) : 0;
  }
  return weight(a) > MOST_FACTOR || products > 1 || labs(a->constant) > MOST_CONSTANT;
}

static int same_tree(const model_index *a, const model_index *b)
{
  if (!a || !b || a == b) {
    return a == b;
  }
  return a->kind == b->kind && a->value == b->value && a->size == b->size &&
         a->binder == b->binder && same_tree(a->a, b->a) && same_tree(a->b, b->b);
}

/* Adds factor * variable; 0 where there is no room. */
static int add_term(index_form *a, index_term term, long factor)
{
  for (int i = 0; i < a->n; i++) {
    index_term *own = &a->terms[i];
    if (own->binder == term.binder && own->size == term.size &&
        own->other_binder == term.other_binder && own->other_size == term.other_size &&
        same_tree(own->made, term.made)) {
      own->factor += factor * term.factor;
      if (own->factor == 0) {
        a->n--;
        for (int j = i; j < a->n; j++) {
          a->terms[j] = a->terms[j + 1];
        }
      }
      return 1;
    }
  }
  if (a->n == INDEX_TERMS) {
    return 0;
  }
  a->terms[a->n] = term;
  a->terms[a->n++].factor = factor * term.factor;
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
    if (!add_term(&sum, b->terms[i], factor)) {
      return opaque(NULL);
    }
  }
  return too_large(&sum) ? opaque(NULL) : sum;
}

static int is_variable(const index_form *a)
{
  return a->linear && a->n == 1 && a->constant == 0 && a->terms[0].factor == 1 &&
         !index_term_is_product(&a->terms[0]) && !a->terms[0].made;
}

static index_form product(const model_index *index)
{
  index_form a = index_form_of(index->a);
  index_form b = index_form_of(index->b);
  index_form zero = index_form_constant(0);
  if (index_form_is_constant(&a)) {
    return index_form_add(&zero, &b, a.constant);
  }
  if (index_form_is_constant(&b)) {
    return index_form_add(&zero, &a, b.constant);
  }
  if (!is_variable(&a) || !is_variable(&b)) {
    return opaque(NULL);
  }
  zero.terms[zero.n++] =
      (index_term){a.terms[0].binder, a.terms[0].size, b.terms[0].binder, b.terms[0].size, NULL, 1};
  return zero;
}

/* mod, min or max: one of the two where that is known, and else a variable. */
static index_form made(const model_index *index)
{
  index_form a = index_form_of(index->a);
  index_form b = index_form_of(index->b);
  index_form difference = index_form_add(&a, &b, -1);
  index_form form = index_form_constant(0);
  if (index->kind == INDEX_MOD && index_form_is_constant(&a) && index_form_is_constant(&b)) {
    return index_form_constant(model_index_modulo(a.constant, b.constant));
  }
  if (index->kind != INDEX_MOD && index_form_is_constant(&difference)) {
    return (difference.constant < 0) == (index->kind == INDEX_MIN) ? a : b;
  }
  if (!difference.linear || weight(&a) >= LARGEST_MADE || weight(&b) >= LARGEST_MADE) {
    return opaque(index);
  }
  form.terms[form.n++] = (index_term){.made = index, .factor = 1};
  return form;
}

index_form index_form_of(const model_index *index)
{
  index_form form = index_form_constant(0);
  index_form a;
  index_form b;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    form.constant = index->value;
    form = too_large(&form) ? opaque(index) : form;
    break;
  case INDEX_SIZE:
    form.terms[form.n++] = (index_term){.size = index->size, .factor = 1};
    break;
  case INDEX_VARIABLE:
    form.terms[form.n++] = (index_term){.binder = index->binder, .factor = 1};
    break;
  case INDEX_ADD:
  case INDEX_SUB:
    a = index_form_of(index->a);
    b = index_form_of(index->b);
    form = index_form_add(&a, &b, index->kind == INDEX_ADD ? 1 : -1);
    break;
  case INDEX_NEG:
    a = index_form_of(index->a);
    form = index_form_add(&form, &a, -1);
    break;
  case INDEX_MUL:
    form = product(index);
    break;
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    form = made(index);
    break;
  }
  form.tree = index;
  return form;
}

index_form index_form_first(const model_set *set)
{
  return set->is_range ? index_form_of(set->lower) : index_form_constant(0);
}

index_form index_form_last(const model_set *set)
{
  return set->is_range ? index_form_of(set->upper) : index_form_constant(set->count - 1);
}

/* The form with its first binder at the end of its set where the form is smallest. */
static index_form at_its_least(const index_form *a, int i)
{
  index_term term = a->terms[i];
  const model_set *set = term.binder->set;
  index_form end = term.factor > 0 ? index_form_first(set) : index_form_last(set);
  index_form rest = *a;
  add_term(&rest, (index_term){.binder = term.binder, .factor = 1}, -term.factor);
  return index_form_add(&rest, &end, term.factor);
}

static int tree_reads(const model_index *tree, const model_binder *binder)
{
  return tree &&
         (tree->binder == binder || tree_reads(tree->a, binder) || tree_reads(tree->b, binder));
}

int index_term_reads(const index_term *term, const model_binder *binder)
{
  return term->binder == binder || term->other_binder == binder || tree_reads(term->made, binder);
}

/* Term number i replaced by a form. */
static index_form with(const index_form *a, int i, const index_form *value)
{
  index_term term = a->terms[i];
  index_form rest = *a;
  long factor = term.factor;
  add_term(&rest, (index_term){.made = term.made, .factor = 1}, -factor);
  return index_form_add(&rest, value, factor);
}

/* index_form_never_negative, where term i is a function of two forms. */
static int made_never_negative(const index_form *a, int i)
{
  const model_index *made = a->terms[i].made;
  int is_positive = a->terms[i].factor > 0;
  index_form left = index_form_of(made->a);
  index_form right = index_form_of(made->b);
  if (made->kind == INDEX_MOD) {
    index_form one = index_form_constant(1);
    index_form end = is_positive ? index_form_constant(0) : index_form_add(&right, &one, -1);
    index_form least = with(a, i, &end);
    return index_form_never_negative(&least);
  }
  left = with(a, i, &left);
  right = with(a, i, &right);
  int by_left = index_form_never_negative(&left);
  int by_right = index_form_never_negative(&right);
  return (made->kind == INDEX_MIN) == is_positive ? by_left && by_right : by_left || by_right;
}

int index_form_never_negative(const index_form *a)
{
  index_form least = *a;
  int i = 0;
  while (least.linear && i < least.n) {
    const index_term *term = &least.terms[i];
    if (index_term_is_product(term) && (term->binder || term->other_binder)) {
      return 0;
    }
    if (term->made) {
      return made_never_negative(&least, i);
    }
    if (term->binder) {
      least = at_its_least(&least, i);
      i = 0;
    } else {
      i++;
    }
  }
  for (i = 0; least.linear && i < least.n; i++) {
    if (least.terms[i].factor < 0) {
      return 0;
    }
  }
  return least.linear && least.constant >= 0;
}

index_form index_form_count(const model_set *set)
{
  index_form first = index_form_first(set);
  index_form count = index_form_last(set);
  index_form one = index_form_constant(1);
  count = index_form_add(&count, &first, -1);
  count = index_form_add(&count, &one, 1);
  if (index_form_is_constant(&count) && count.constant < 0) {
    count.constant = 0;
  }
  count.linear = count.linear && index_form_never_negative(&count);
  return count;
}
