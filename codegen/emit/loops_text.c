/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_text.c -- indices, conditions on them, and counts of a looped model as C expressions.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/loops_frame.h"

emit_words *loops_words(const loops_frame *f, size_t more)
{
  emit_words *words = emit_words_copy(f->memory, f->emission->words, (size_t)f->n_binders + more);
  for (int i = 0; i < f->n_binders; i++) {
    emit_words_reserve(words, f->binder_names[i]);
  }
  return words;
}

static const char *size_name(loops_frame *f, const model_size *size)
{
  const model *m = f->emission->model;
  int i = 0;
  while (i < m->n_sizes - 1 && m->sizes[i] != size) {
    i++;
  }
  f->size_used[i] = 1;
  return f->emission->sizes[i];
}

static const char *binder_name(loops_frame *f, const model_binder *binder)
{
  for (int i = f->n_binders; i-- > 0;) {
    if (f->binders[i] == binder) {
      return f->binder_names[i];
    }
  }
  return binder->name;
}

static const char *variable_name(loops_frame *f, const model_binder *binder, const model_size *size)
{
  return binder ? binder_name(f, binder) : size_name(f, size);
}

static const char *made_name(loops_frame *f, const model_index *made)
{
  const char *function = made->kind == INDEX_MOD   ? "modulo"
                         : made->kind == INDEX_MIN ? "smaller"
                                                   : "larger";
  index_form left = index_form_of(made->a);
  index_form right = index_form_of(made->b);
  return arena_printf(f->memory, "%s(%s, %s)", function, loops_index(f, &left),
                      loops_index(f, &right));
}

static const char *term_name(loops_frame *f, const index_term *term)
{
  if (term->made) {
    return made_name(f, term->made);
  }
  const char *name = variable_name(f, term->binder, term->size);
  return index_term_is_product(term)
             ? arena_printf(f->memory, "%s * %s", name,
                            variable_name(f, term->other_binder, term->other_size))
             : name;
}

/* ---- forms ---- */

static const char *add_text(arena *a, const char *text, long factor, const char *name)
{
  const char *sign = factor < 0 ? (*text ? " - " : "-") : (*text ? " + " : "");
  long size = labs(factor);
  return size == 1 ? arena_printf(a, "%s%s%s", text, sign, name)
                   : arena_printf(a, "%s%s%ld * %s", text, sign, size, name);
}

static int has_positive_term(const index_form *form)
{
  for (int i = 0; i < form->n; i++) {
    if (form->terms[i].factor > 0) {
      return 1;
    }
  }
  return 0;
}

/* The linear form, something positive first. */
static const char *linear_text(loops_frame *f, const index_form *form)
{
  arena *a = f->memory;
  int leads = form->constant > 0 && !has_positive_term(form);
  const char *text = leads ? arena_printf(a, "%ld", form->constant) : "";
  for (int negative = 0; negative < 2; negative++) {
    for (int i = 0; i < form->n; i++) {
      const index_term *term = &form->terms[i];
      if ((term->factor < 0) == negative) {
        text = add_text(a, text, term->factor, term_name(f, term));
      }
    }
  }
  if (form->constant && !leads) {
    const char *sign = form->constant < 0 ? (*text ? " - " : "-") : " + ";
    text = arena_printf(a, "%s%s%ld", text, sign, labs(form->constant));
  }
  return *text ? text : "0";
}

static const char *tree_double(loops_frame *f, const model_index *index)
{
  arena *a = f->memory;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return arena_printf(a, index->value < 0 ? "(%s)" : "%s",
                        writer_double(a, (double)index->value));
  case INDEX_SIZE:
    return arena_printf(a, "(double)%s", size_name(f, index->size));
  case INDEX_VARIABLE:
    return arena_printf(a, "(double)%s", binder_name(f, index->binder));
  case INDEX_ADD:
    return arena_printf(a, "(%s + %s)", tree_double(f, index->a), tree_double(f, index->b));
  case INDEX_SUB:
    return arena_printf(a, "(%s - %s)", tree_double(f, index->a), tree_double(f, index->b));
  case INDEX_MUL:
    return arena_printf(a, "%s * %s", tree_double(f, index->a), tree_double(f, index->b));
  case INDEX_NEG:
    return arena_printf(a, "(-%s)", tree_double(f, index->a));
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    return arena_printf(a, "(double)%s", made_name(f, index));
  }
  return "0.0";
}

const char *loops_index_double(loops_frame *f, const index_form *form)
{
  if (!form->linear) {
    return tree_double(f, form->tree);
  }
  const char *text = linear_text(f, form);
  if (form->n == 0) {
    return writer_double(f->memory, (double)form->constant);
  }
  int atom = loops_is_atom(text);
  return arena_printf(f->memory, atom ? "(double)%s" : "(double)(%s)", text);
}

const char *loops_index(loops_frame *f, const index_form *form)
{
  return form->linear ? linear_text(f, form)
                      : arena_printf(f->memory, "(long)(%s)", tree_double(f, form->tree));
}

/* The positive part of a form, and its negative part with the sign turned. */
static void split(const index_form *form, index_form *left, index_form *right)
{
  *left = *right = index_form_constant(0);
  for (int i = 0; i < form->n; i++) {
    index_form *side = form->terms[i].factor > 0 ? left : right;
    side->terms[side->n] = form->terms[i];
    side->terms[side->n++].factor = labs(form->terms[i].factor);
  }
  /* The constant goes where it is positive; "i > N - 1" reads better than "i + 1 > N". */
  if (form->constant > 0 && left->n == 0) {
    left->constant = form->constant;
  } else {
    right->constant = -form->constant;
  }
}

/* The relation with its sides exchanged. */
static const char *mirrored(const char *relation)
{
  static const char *const pairs[][2] = {{"<", ">"}, {">", "<"}, {"<=", ">="}, {">=", "<="}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (!strcmp(relation, pairs[i][0])) {
      return pairs[i][1];
    }
  }
  return relation;
}

const char *loops_compare(loops_frame *f, const index_form *left, const char *relation,
                          const index_form *right)
{
  index_form difference = index_form_add(left, right, -1);
  if (!difference.linear) {
    return arena_printf(f->memory, "%s %s %s", loops_index_double(f, left), relation,
                        loops_index_double(f, right));
  }
  index_form larger;
  index_form smaller;
  split(&difference, &larger, &smaller);
  if (larger.n == 0 && smaller.n > 0) {
    return arena_printf(f->memory, "%s %s %s", linear_text(f, &smaller), mirrored(relation),
                        linear_text(f, &larger));
  }
  return arena_printf(f->memory, "%s %s %s", linear_text(f, &larger), relation,
                      linear_text(f, &smaller));
}

/* ---- counts ---- */

int loops_set_number(const loops_emission *e, const model_set *set)
{
  int i = 0;
  while (i < e->model->n_sets - 1 && e->model->sets[i] != set) {
    i++;
  }
  return i;
}

const char *loops_count(loops_frame *f, const model_set *set)
{
  index_form count = index_form_count(set);
  int plain = count.linear &&
              (count.n == 0 || (count.n == 1 && count.constant == 0 && count.terms[0].factor == 1));
  if (plain) {
    return loops_index(f, &count);
  }
  int i = loops_set_number(f->emission, set);
  f->count_used[i] = 1;
  return f->emission->counts[i];
}

const char *loops_shape_count(loops_frame *f, int n, const model_set *const sets[])
{
  return loops_times(f, 1, n, sets);
}

const char *loops_times(loops_frame *f, long constant, int n, const model_set *const sets[])
{
  arena *a = f->memory;
  const char *text = "";
  for (int i = 0; i < n; i++) {
    index_form count = index_form_count(sets[i]);
    if (index_form_is_constant(&count) && count.constant <= 1000000000 / (constant + 1)) {
      constant *= count.constant;
    } else {
      text = arena_printf(a, "%s%s%s", text, *text ? " * " : "", loops_count(f, sets[i]));
    }
  }
  if (!*text || constant == 0) {
    return arena_printf(a, "%ld", constant);
  }
  return constant == 1 ? text : arena_printf(a, "%ld * %s", constant, text);
}

const char *loops_family_count(loops_frame *f, loops_kind kind, int i)
{
  const model *m = f->emission->model;
  const model_family *family = kind == LOOPS_CONSTRAINTS ? m->constraints[i]
                               : kind == LOOPS_OBSERVE   ? m->observe[i]
                                                         : m->invariants[i];
  if (family->condition) {
    f->used[ARGUMENT_SIZES] = 1;
    return arena_printf(f->memory, "%s(sizes, NULL)", f->emission->instances[kind][i]);
  }
  const model_set **sets = ARENA_ARRAY(f->memory, family->n_binders + 1, const model_set *);
  for (int j = 0; j < family->n_binders; j++) {
    sets[j] = family->binders[j]->set;
  }
  return loops_shape_count(f, family->n_binders, sets);
}
