/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_text.c -- indices, counts and entries of a looped model as C expressions.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/loops_frame.h"

emit_words *loops_words(const loops_frame *f, size_t more)
{
  emit_words *words = emit_words_copy(f->memory, f->emission->words, (size_t)f->n_binders + more);
  for (int i = 0; i < f->n_binders; i++) {
    emit_words_take(f->memory, words, f->binder_names[i]);
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

static const char *term_name(loops_frame *f, const index_term *term)
{
  return term->binder ? binder_name(f, term->binder) : size_name(f, term->size);
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
  int atom = form->n == 1 && form->constant == 0 && form->terms[0].factor == 1;
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

/* last - first + 1, where it is known not to be negative. */
static index_form plain_count(const model_set *set)
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

const char *loops_count(loops_frame *f, const model_set *set)
{
  index_form count = plain_count(set);
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
  arena *a = f->memory;
  long constant = 1;
  const char *text = "";
  for (int i = 0; i < n; i++) {
    index_form count = plain_count(sets[i]);
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

static int is_number(const char *text)
{
  return *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 12;
}

const char *loops_plus(arena *a, const char *x, const char *y)
{
  if (!strcmp(x, "0")) {
    return y;
  }
  if (!strcmp(y, "0")) {
    return x;
  }
  if (is_number(x) && is_number(y)) {
    return arena_printf(a, "%ld", strtol(x, NULL, 10) + strtol(y, NULL, 10));
  }
  return *y == '-' ? arena_printf(a, "%s - %s", x, y + 1) : arena_printf(a, "%s + %s", x, y);
}

/* ---- entries ---- */

int loops_is_atom(const char *text)
{
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
         strlen(text);
}

const char *loops_as_int(arena *a, const char *text)
{
  return arena_printf(a, loops_is_atom(text) ? "(int)%s" : "(int)(%s)", text);
}

/* An offset while it is made: what is linear is a form, and the rest is text before it. */
typedef struct offset {
  const char *prefix;
  index_form form;
} offset;

static const char *offset_text(loops_frame *f, const offset *at)
{
  return loops_plus(f->memory, at->prefix, loops_index(f, &at->form));
}

static void offset_times(loops_frame *f, offset *at, const model_set *set)
{
  index_form zero = index_form_constant(0);
  index_form count = plain_count(set);
  if (!strcmp(at->prefix, "0") && index_form_is_constant(&count)) {
    index_form scaled = index_form_add(&zero, &at->form, count.constant);
    if (scaled.linear) {
      at->form = scaled;
      return;
    }
  }
  const char *before = offset_text(f, at);
  if (strcmp(before, "0") != 0) {
    at->prefix = arena_printf(f->memory, loops_is_atom(before) ? "%s * %s" : "(%s) * %s", before,
                              loops_count(f, set));
  }
  at->form = zero;
}

static void offset_plus(loops_frame *f, offset *at, const model_index *index, const model_set *set)
{
  index_form first = index_form_first(set);
  index_form own = index_form_of(index);
  index_form relative = index_form_add(&own, &first, -1);
  index_form next = index_form_add(&at->form, &relative, 1);
  if (next.linear) {
    at->form = next;
    return;
  }
  const char *start = loops_index(f, &first);
  at->prefix = arena_printf(f->memory, loops_is_atom(start) ? "%s + %s - %s" : "%s + %s - (%s)",
                            offset_text(f, at), loops_index(f, &own), start);
  at->form = index_form_constant(0);
}

/* Row-major, by Horner's rule. */
const char *loops_offset(loops_frame *f, const char *base, int n, const model_set *const sets[],
                         const model_index *const index[])
{
  offset at = {"0", index_form_constant(0)};
  for (int i = 0; i < n; i++) {
    offset_times(f, &at, sets[i]);
    offset_plus(f, &at, index[i], sets[i]);
  }
  if (is_number(base)) {
    at.form.constant += strtol(base, NULL, 10);
    base = "0";
  }
  return loops_plus(f->memory, base, offset_text(f, &at));
}

static int coordinate_number(const model *m, const model_coordinate *coordinate)
{
  int i = 0;
  while (i < m->n_coordinates - 1 && m->coordinates[i] != coordinate) {
    i++;
  }
  return i;
}

static int parameter_number(const model *m, const model_parameter *parameter)
{
  int i = 0;
  while (i < m->n_parameters - 1 && m->parameters[i] != parameter) {
    i++;
  }
  return i;
}

static const char *sum_of_counts(loops_frame *f, int n, const model_shape *const shapes[])
{
  const char *sum = "0";
  for (int i = 0; i < n; i++) {
    sum = loops_plus(f->memory, sum, loops_shape_count(f, shapes[i]->n, shapes[i]->sets));
  }
  return sum;
}

const char *loops_coordinate_base(loops_frame *f, int n)
{
  const model_shape **shapes = ARENA_ARRAY(f->memory, n + 1, const model_shape *);
  for (int i = 0; i < n; i++) {
    shapes[i] = &f->emission->model->coordinates[i]->shape;
  }
  return sum_of_counts(f, n, shapes);
}

const char *loops_parameter_base(loops_frame *f, int n)
{
  const model_shape **shapes = ARENA_ARRAY(f->memory, n + 1, const model_shape *);
  for (int i = 0; i < n; i++) {
    shapes[i] = &f->emission->model->parameters[i]->shape;
  }
  return sum_of_counts(f, n, shapes);
}

/* Entry of lambda. */
static const char *row_of_constraint(loops_frame *f, const ir_reference *r)
{
  const model *m = f->emission->model;
  const char *base = "0";
  for (int i = 0; i < m->n_constraints && m->constraints[i] != r->constraint; i++) {
    base = loops_plus(f->memory, base, loops_family_count(f, LOOPS_CONSTRAINTS, i));
  }
  const model_set **sets = ARENA_ARRAY(f->memory, r->n_index + 1, const model_set *);
  for (int i = 0; i < r->n_index; i++) {
    sets[i] = r->constraint->binders[i]->set;
  }
  return loops_offset(f, base, r->n_index, sets, r->index);
}

const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum)
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  if (r->constraint) {
    return row_of_constraint(f, r);
  }
  const model_shape *shape = r->coordinate ? &r->coordinate->shape : &r->parameter->shape;
  const char *base = r->coordinate ? loops_coordinate_base(f, coordinate_number(m, r->coordinate))
                                   : loops_parameter_base(f, parameter_number(m, r->parameter));
  const char *place = loops_offset(f, base, shape->n, shape->sets, r->index);
  f->d_used |= is_momentum;
  return is_momentum ? loops_plus(a, "d", place) : place;
}

const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum)
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  if (r->coordinate) {
    int i = coordinate_number(m, r->coordinate);
    f->used[ARGUMENT_Z] = 1;
    if (r->coordinate->shape.n == 0 || f->writes_state) {
      return arena_printf(a, "z[%s]", loops_place(f, r, is_momentum));
    }
    (is_momentum ? f->momentum_used : f->position_used)[i] = 1;
    return arena_printf(
        a, "%s[%s]", is_momentum ? f->emission->momenta[i] : f->emission->positions[i],
        loops_offset(f, "0", r->coordinate->shape.n, r->coordinate->shape.sets, r->index));
  }
  if (r->parameter) {
    int i = parameter_number(m, r->parameter);
    f->parameter_used[i] = 1;
    f->used[ARGUMENT_K] = 1;
    return r->parameter->shape.n == 0
               ? f->emission->parameters[i]
               : arena_printf(a, "%s[%s]", f->emission->parameters[i],
                              loops_offset(f, "0", r->parameter->shape.n, r->parameter->shape.sets,
                                           r->index));
  }
  if (r->constraint) {
    f->used[ARGUMENT_LAMBDA] = 1;
    return arena_printf(a, "lambda[%s]", row_of_constraint(f, r));
  }
  index_form number = index_form_of(r->index[0]);
  return number.linear ? loops_index_double(f, &number)
                       : arena_printf(a, "(%s)", loops_index_double(f, &number));
}

const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum)
{
  size_t n = r->coordinate ? strlen(r->coordinate->name) : 0;
  if (!is_momentum || !n || strncmp(r->text, r->coordinate->name, n) != 0) {
    return r->text;
  }
  return arena_printf(f->memory, "%s%s", r->coordinate->momentum, r->text + n);
}
