/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_entries.c -- entries of arrays of a looped model as C expressions: their counts, positions
 * and values.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/loops_frame.h"
#include "model/index_nodes.h"

/* ---- sums as text ---- */

static int loops_entries_is_number(const char *text)
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
  if (loops_entries_is_number(x) && loops_entries_is_number(y)) {
    return arena_printf(a, "%ld", strtol(x, NULL, 10) + strtol(y, NULL, 10));
  }
  const char *last = strrchr(x, '+');
  if (last && last > x + 1 && loops_entries_is_number(last + 2) && loops_entries_is_number(y)) {
    long number = strtol(last + 2, NULL, 10) + strtol(y, NULL, 10);
    return arena_printf(a, "%.*s+ %ld", (int)(last - x), x, number);
  }
  return *y == '-' ? arena_printf(a, "%s - %s", x, y + 1) : arena_printf(a, "%s + %s", x, y);
}

/* ---- counts ---- */

int loops_set_number(const model *m, const model_set *set)
{
  int i = 0;
  while (i < m->n_sets - 1 && m->sets[i] != set) {
    i++;
  }
  return i;
}

const model_set **loops_sets(arena *a, int n, const model_binder *const binders[])
{
  const model_set **sets = ARENA_ARRAY(a, n + 1, const model_set *);
  for (int i = 0; i < n; i++) {
    sets[i] = binders[i]->set;
  }
  return sets;
}

const char *loops_count_value(loops_frame *f, const model_set *set)
{
  arena *a = f->memory;
  index_form first = index_form_first(set);
  index_form last = index_form_last(set);
  index_form behind = index_form_plus(&last, 1);
  index_form count = index_form_add(&behind, &first, -1);
  if (!count.linear) {
    const char *text = arena_printf(a, "(long)(%s - (%s)) + 1", loops_index_double(f, &last),
                                    loops_index_double(f, &first));
    return arena_printf(a, "%s > 0 ? %s : 0", text, text);
  }
  return arena_printf(a, "%s ? %s : 0", loops_compare(f, &behind, FORMULA_GT, &first),
                      loops_index(f, &count));
}

/* The count of a set: a number, a size, or else a name. */
static const char *count_of(loops_frame *f, const model_set *set)
{
  index_form count = index_form_count(set);
  int plain = count.linear &&
              (count.n == 0 || (count.n == 1 && count.constant == 0 && count.terms[0].factor == 1));
  return plain ? loops_index(f, &count)
               : f->emission->counts[loops_set_number(f->emission->model, set)];
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
      text = arena_printf(a, "%s%s%s", text, *text ? " * " : "", count_of(f, sets[i]));
    }
  }
  if (!*text || constant == 0) {
    return arena_printf(a, "%ld", constant);
  }
  return constant == 1 ? text : arena_printf(a, "%ld * %s", constant, text);
}

const char *loops_family_count(loops_frame *f, loops_kind kind, int i)
{
  const loops_list *list = &f->emission->lists[kind];
  const model_family *family = list->families[i].family;
  return list->instances[i]
             ? arena_printf(f->memory, "%s(sizes, NULL)", list->instances[i])
             : loops_times(f, 1, family->n_binders,
                           loops_sets(f->memory, family->n_binders, family->binders));
}

/* ---- entries ---- */

const char *loops_as_int(arena *a, const char *text)
{
  return arena_printf(a, loops_is_atom(text) ? "(int)%s" : "(int)(%s)", text);
}

/* An offset under construction: a linear form, and a text for the preceding nonlinear part. */
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
  index_form count = index_form_count(set);
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
                              count_of(f, set));
  }
  at->form = zero;
}

static void offset_plus(loops_frame *f, offset *at, index_form own, const model_set *set)
{
  index_form first = index_form_first(set);
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

static const char *offset_from(loops_frame *f, const char *base, offset at)
{
  if (loops_entries_is_number(base)) {
    at.form.constant += strtol(base, NULL, 10);
    base = "0";
  }
  return loops_plus(f->memory, base, offset_text(f, &at));
}

/* The offset of an entry in its array, starting from `base`: row-major, by Horner's rule. */
static const char *offset_of(loops_frame *f, const char *base, int n, const model_set *const sets[],
                             const model_index *const index[])
{
  offset at = {"0", index_form_constant(0)};
  for (int i = 0; i < n; i++) {
    offset_times(f, &at, sets[i]);
    offset_plus(f, &at, index_form_of(index[i]), sets[i]);
  }
  return offset_from(f, base, at);
}

const char *loops_iteration(loops_frame *f, const char *base, int n,
                            const model_binder *const binders[], long scale)
{
  index_form zero = index_form_constant(0);
  offset at = {"0", zero};
  for (int i = 0; i < n; i++) {
    const model_index *own = indices_variable(f->memory, binders[i], (span){0, 0});
    offset_times(f, &at, binders[i]->set);
    offset_plus(f, &at, index_form_of(own), binders[i]->set);
  }
  index_form scaled = index_form_add(&zero, &at.form, scale);
  if (!strcmp(at.prefix, "0") && scaled.linear) {
    at.form = scaled;
  } else if (scale != 1) {
    at = (offset){arena_printf(f->memory, "%ld * (%s)", scale, offset_text(f, &at)), zero};
  }
  return offset_from(f, base, at);
}

static const char *plus_count(loops_frame *f, const char *sum, const model_shape *shape)
{
  return loops_plus(f->memory, sum, loops_times(f, 1, shape->n, shape->sets));
}

const char *loops_coordinate_base(loops_frame *f, int n)
{
  const char *sum = "0";
  for (int i = 0; i < n; i++) {
    sum = plus_count(f, sum, &f->emission->model->coordinates[i]->shape);
  }
  return sum;
}

const char *loops_parameter_base(loops_frame *f, int n)
{
  const char *sum = "0";
  for (int i = 0; i < n; i++) {
    sum = plus_count(f, sum, &f->emission->model->parameters[i]->shape);
  }
  return sum;
}

const char *loops_indices_base(loops_frame *f, int n)
{
  const model *m = f->emission->model;
  const char *sum = arena_printf(f->memory, "%d", m->n_sizes);
  for (int i = 0; i < n; i++) {
    const model_shape shape = {1, &m->indices[i]->set, m->indices[i]->set->count};
    sum = plus_count(f, sum, &shape);
  }
  return sum;
}

/* The number of an entry of lambda. */
static const char *row_of_constraint(loops_frame *f, const ir_reference *r)
{
  const model *m = f->emission->model;
  const char *base = "0";
  for (int i = 0; i < m->n_constraints && m->constraints[i] != r->constraint; i++) {
    base = loops_plus(f->memory, base, loops_family_count(f, LOOPS_CONSTRAINTS, i));
  }
  return offset_of(f, base, r->n_index, loops_sets(f->memory, r->n_index, r->constraint->binders),
                   r->index);
}

const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum)
{
  arena *a = f->memory;
  if (r->constraint) {
    return row_of_constraint(f, r);
  }
  const model_shape *shape = r->coordinate ? &r->coordinate->shape : &r->parameter->shape;
  const char *base = r->coordinate ? loops_coordinate_base(f, r->coordinate->number)
                                   : loops_parameter_base(f, r->parameter->number);
  const char *place = offset_of(f, base, shape->n, shape->sets, r->index);
  return is_momentum ? loops_plus(a, "d", place) : place;
}

const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum)
{
  const loops_emission *e = f->emission;
  arena *a = f->memory;
  if (r->constraint) {
    return arena_printf(a, "lambda[%s]", row_of_constraint(f, r));
  }
  if (!r->coordinate && !r->parameter) {
    index_form number = index_form_of(r->index[0]);
    return arena_printf(a, number.linear ? "%s" : "(%s)", loops_index_double(f, &number));
  }
  const model_shape *shape = r->coordinate ? &r->coordinate->shape : &r->parameter->shape;
  if (r->coordinate && (shape->n == 0 || f->writes_state)) {
    return arena_printf(a, "z[%s]", loops_place(f, r, is_momentum));
  }
  const char *name = r->parameter
                         ? e->parameters[r->parameter->number]
                         : (is_momentum ? e->momenta : e->positions)[r->coordinate->number];
  return shape->n
             ? arena_printf(a, "%s[%s]", name, offset_of(f, "0", shape->n, shape->sets, r->index))
             : name;
}

const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum)
{
  size_t n = r->coordinate ? strlen(r->coordinate->name) : 0;
  if (!is_momentum || !n || strncmp(r->text, r->coordinate->name, n) != 0) {
    return r->text;
  }
  return arena_printf(f->memory, "%s%s", r->coordinate->momentum, r->text + n);
}
