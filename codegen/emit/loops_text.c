/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_text.c -- indices of a looped model, and conditions on them, as C expressions.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/loops_frame.h"
#include "model/index_text.h"

emit_words *loops_words(const loops_frame *f)
{
  emit_words *words = emit_words_inside(f->memory, f->emission->words);
  for (int i = 0; i < f->n_binders; i++) {
    emit_words_reserve(words, f->binder_names[i]);
  }
  return words;
}

/* ---- parts of indices ---- */

int loops_is_atom(const char *text)
{
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
         strlen(text);
}

/* The C name of a size or a variable. */
static const char *loops_text_name_of(const loops_frame *f, const model_index *variable)
{
  if (variable->size) {
    return f->emission->sizes[variable->size->number];
  }
  for (int i = f->n_binders; i-- > 0;) {
    if (f->binders[i] == variable->binder) {
      return f->binder_names[i];
    }
  }
  return variable->binder->name;
}

static const formula *loops_text_atom(const loops_frame *f, const char *text)
{
  return formula_atom(f->memory, FORMULA_ATOM, text);
}

static const formula *loops_text_number(const loops_frame *f, double value)
{
  const formula *size = loops_text_atom(f, writer_double(f->memory, value < 0 ? -value : value));
  return value < 0 ? formula_of(f->memory, FORMULA_NEGATION, size, NULL) : size;
}

static const formula *form_formula(loops_frame *f, const index_form *form);

/* C functions (emit/helpers.c) of two longs, and of two doubles. */
static const char *const functions[][2] = {[INDEX_MOD] = {"modulo", "modulo_of"},
                                           [INDEX_MIN] = {"smaller", "min_of"},
                                           [INDEX_MAX] = {"larger", "max_of"}};

/* mod, min or max of two forms. */
static const formula *made_formula(loops_frame *f, const model_index *made)
{
  index_form left = index_form_of(made->a);
  index_form right = index_form_of(made->b);
  return formula_call(f->memory, functions[made->kind][0], form_formula(f, &left),
                      form_formula(f, &right));
}

/* The entry of an array of indices: "a[e - 1]". */
static const formula *loops_text_entry_formula(loops_frame *f, const model_index *entry)
{
  index_form at = index_form_of(entry->a);
  index_form first = index_form_first(entry->indices->set);
  index_form place = index_form_add(&at, &first, -1);
  const char *name = f->emission->indices[entry->indices->number];
  return loops_text_atom(f, arena_printf(f->memory, "%s[%s]", name, loops_index(f, &place)));
}

/* An index in integers. */
static const formula *as_long(void *frame, arena *a, const model_index *index)
{
  loops_frame *f = frame;
  (void)a;
  return !index->a                           ? loops_text_atom(f, loops_text_name_of(f, index))
         : index->kind == INDEX_ENTRY        ? loops_text_entry_formula(f, index)
         : model_index_function(index->kind) ? made_formula(f, index)
                                             : NULL;
}

/* An index in doubles, from integer variables. */
static const formula *as_double(void *frame, arena *a, const model_index *index)
{
  if (index->kind == INDEX_INTEGER || index->kind == INDEX_LABEL) {
    return loops_text_number(frame, (double)index->value);
  }
  const formula *own = as_long(frame, a, index);
  return own ? loops_text_atom(frame, arena_printf(a, "(double)%s", formula_text(a, SPELL_C, own)))
             : NULL;
}

/* An index in doubles, from variables that are doubles. */
static const formula *as_bound(void *frame, arena *a, const model_index *index)
{
  loops_frame *f = frame;
  if (model_index_function(index->kind)) {
    return formula_call(a, functions[index->kind][1], text_index_formula(a, index->a, as_bound, f),
                        text_index_formula(a, index->b, as_bound, f));
  }
  return index->kind == INDEX_SIZE ? loops_text_atom(f, loops_text_name_of(f, index))
         : index->a                ? NULL
                                   : loops_text_number(f, (double)index->value);
}

const char *loops_bound(loops_frame *f, const model_index *index)
{
  return formula_text(f->memory, SPELL_C, text_index_formula(f->memory, index, as_bound, f));
}

/* ---- forms ---- */

/* |factor| times the index of a term. */
static const formula *loops_text_term_formula(loops_frame *f, const index_term *term)
{
  const formula *of = text_index_formula(f->memory, term->of, as_long, f);
  long factor = labs(term->factor);
  return factor == 1 ? of
                     : formula_of(f->memory, FORMULA_PRODUCT,
                                  loops_text_atom(f, arena_printf(f->memory, "%ld", factor)), of);
}

static const formula *linear_formula(loops_frame *f, const index_form *form)
{
  arena *a = f->memory;
  const formula **part = ARENA_ARRAY(a, form->n + 2, const formula *);
  const formula *constant = loops_text_atom(f, arena_printf(a, "%ld", labs(form->constant)));
  int n = 0;
  for (int i = 0; i < form->n; i++) {
    if (form->terms[i].factor > 0) {
      part[n++] = loops_text_term_formula(f, &form->terms[i]);
    }
  }
  /* a positive constant comes first if no term is positive */
  int leads = n == 0 && (form->constant > 0 || form->n == 0);
  if (leads && form->constant >= 0) {
    part[n++] = constant;
  }
  for (int i = 0; i < form->n; i++) {
    if (form->terms[i].factor < 0) {
      part[n++] =
          formula_of(a, FORMULA_NEGATION, loops_text_term_formula(f, &form->terms[i]), NULL);
    }
  }
  if (form->constant < 0) {
    part[n++] = formula_of(a, FORMULA_NEGATION, constant, NULL);
  } else if (form->constant > 0 && !leads) {
    part[n++] = constant;
  }
  return formula_list(a, FORMULA_SUM, n, part);
}

static const formula *double_formula(loops_frame *f, const index_form *form)
{
  if (!form->linear) {
    return text_index_formula(f->memory, form->tree, as_double, f);
  }
  if (form->n == 0) {
    return loops_text_number(f, (double)form->constant);
  }
  const char *text = formula_text(f->memory, SPELL_C, linear_formula(f, form));
  return loops_text_atom(
      f, arena_printf(f->memory, loops_is_atom(text) ? "(double)%s" : "(double)(%s)", text));
}

static const formula *form_formula(loops_frame *f, const index_form *form)
{
  return form->linear ? linear_formula(f, form)
                      : loops_text_atom(
                            f, arena_printf(f->memory, "(long)(%s)", loops_index_double(f, form)));
}

const char *loops_index_double(loops_frame *f, const index_form *form)
{
  return formula_text(f->memory, SPELL_C, double_formula(f, form));
}

const char *loops_index(loops_frame *f, const index_form *form)
{
  return formula_text(f->memory, SPELL_C, form_formula(f, form));
}

/* ---- conditions ---- */

/* Splits a form into its positive part and its negated negative part. */
static void loops_text_split(const index_form *form, index_form *left, index_form *right)
{
  *left = *right = index_form_constant(0);
  for (int i = 0; i < form->n; i++) {
    index_form *side = form->terms[i].factor > 0 ? left : right;
    side->terms[side->n] = form->terms[i];
    side->terms[side->n++].factor = labs(form->terms[i].factor);
  }
  /* The constant goes to the right unless the left side would be empty: "i > N - 1" reads better
   * than "i + 1 > N". */
  if (form->constant > 0 && left->n == 0) {
    left->constant = form->constant;
  } else {
    right->constant = -form->constant;
  }
}

static const formula *loops_text_compare(loops_frame *f, const index_form *left,
                                         formula_kind relation, const index_form *right)
{
  static const formula_kind mirrored[] = {FORMULA_EQ, FORMULA_NE, FORMULA_GT,
                                          FORMULA_GE, FORMULA_LT, FORMULA_LE};
  index_form difference = index_form_add(left, right, -1);
  if (!difference.linear) {
    return formula_of(f->memory, relation, double_formula(f, left), double_formula(f, right));
  }
  index_form larger;
  index_form smaller;
  loops_text_split(&difference, &larger, &smaller);
  return larger.n == 0 && smaller.n > 0
             ? formula_of(f->memory, mirrored[relation - FORMULA_EQ], linear_formula(f, &smaller),
                          linear_formula(f, &larger))
             : formula_of(f->memory, relation, linear_formula(f, &larger),
                          linear_formula(f, &smaller));
}

const char *loops_compare(loops_frame *f, const index_form *left, formula_kind relation,
                          const index_form *right)
{
  return formula_text(f->memory, SPELL_C, loops_text_compare(f, left, relation, right));
}

static const formula *loops_text_condition_formula(loops_frame *f, const model_condition *c,
                                                   int holds)
{
  if (c->kind == CONDITION_NOT) {
    return loops_text_condition_formula(f, c->a, !holds);
  }
  model_condition_kind own = holds ? c->kind : model_condition_opposite(c->kind);
  formula_kind kind = (formula_kind)(FORMULA_EQ + own);
  if (c->left) {
    index_form left = index_form_of(c->left);
    index_form right = index_form_of(c->right);
    return loops_text_compare(f, &left, kind, &right);
  }
  return formula_of(f->memory, kind, loops_text_condition_formula(f, c->a, holds),
                    loops_text_condition_formula(f, c->b, holds));
}

const char *loops_condition(loops_frame *f, const model_condition *c, int holds)
{
  return formula_text(f->memory, SPELL_C, loops_text_condition_formula(f, c, holds));
}

static const formula *loops_text_words_of(arena *a, const model_condition *c)
{
  formula_kind kind = (formula_kind)(FORMULA_EQ + c->kind);
  return c->left ? formula_of(a, kind, text_index_formula(a, c->left, text_by_name, NULL),
                              text_index_formula(a, c->right, text_by_name, NULL))
                 : formula_of(a, kind, loops_text_words_of(a, c->a),
                              c->b ? loops_text_words_of(a, c->b) : NULL);
}

const char *loops_condition_words(arena *a, const model_condition *c)
{
  return formula_text(a, SPELL_ASCII, loops_text_words_of(a, c));
}
