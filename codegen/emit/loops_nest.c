/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/loops_nest.h"

#include "expr/nest_bounds.h"

/* ---- loops ---- */

/* A bound under construction: the largest (sign 1) or smallest (sign -1) of several. */
typedef struct loop_end {
  index_form form; /* linear if a single form is the bound */
  const char *text;
} loop_end;

static void loops_nest_tighten(loops_frame *f, loop_end *end, const index_form *other, int sign)
{
  index_form excess = index_form_add(&end->form, other, -1);
  index_form lack = index_form_add(other, &end->form, -1);
  if (index_form_never_negative(sign > 0 ? &excess : &lack)) {
    return;
  }
  const char *text = loops_index(f, other);
  if (index_form_never_negative(sign > 0 ? &lack : &excess)) {
    *end = (loop_end){*other, text};
    return;
  }
  end->text =
      arena_printf(f->memory, "%s(%s, %s)", sign > 0 ? "larger" : "smaller", end->text, text);
  end->form.linear = 0;
}

int loops_nest_grows(const ir_nest *nest)
{
  if (nest->n == 0) {
    return 0;
  }
  index_form count = index_form_count(nest->binders[0]->set);
  return !index_form_is_constant(&count);
}

const char *loops_nest_push(loops_frame *f, const model_binder *binder, const char *text)
{
  emit_words *words = loops_words(f);
  size_t n = (size_t)f->n_binders++;
  f->binders = arena_grow(f->memory, f->binders, n, &f->binder_room, sizeof *f->binders);
  f->binder_names =
      arena_grow(f->memory, f->binder_names, n, &f->name_room, sizeof *f->binder_names);
  f->binders[n] = binder;
  f->binder_names[n] = emit_words_take(f->memory, words, text);
  return f->binder_names[n];
}

/* The first and the last value of the variable of number `level`. */
static void loops_nest_ends_of(loops_frame *f, const ir_nest *nest, int level, int n,
                               const bounds_conjunct list[], loop_end *from, loop_end *to)
{
  index_form first = index_form_first(nest->binders[level]->set);
  index_form last = index_form_last(nest->binders[level]->set);
  *from = (loop_end){first, loops_index(f, &first)};
  *to = (loop_end){last, loops_index(f, &last)};
  for (int i = 0; i < n; i++) {
    if (list[i].level == level && list[i].lower) {
      loops_nest_tighten(f, from, &list[i].first, 1);
    }
    if (list[i].level == level && list[i].upper) {
      loops_nest_tighten(f, to, &list[i].last, -1);
    }
  }
}

static void open_loop(loops_frame *f, const ir_nest *nest, int level, int n,
                      const bounds_conjunct list[])
{
  const model_binder *binder = nest->binders[level];
  loop_end from;
  loop_end to;
  loops_nest_ends_of(f, nest, level, n, list, &from, &to);
  const char *v = loops_nest_push(f, binder, binder->name);
  if (f->divides) {
    const char *count = loops_times(f, 1, 1, &binder->set);
    const char *ends[2];
    for (int i = 0; i < 2; i++) {
      ends[i] =
          loops_plus(f->memory, from.text,
                     arena_printf(f->memory, "cut(%s, piece%s, pieces)", count, i ? " + 1" : ""));
    }
    f->divides = 0;
    loops_open(f, "for (long %s = %s; %s < %s; %s++) {", v, ends[0], v, ends[1], v);
    return;
  }
  if (f->rows_low) {
    if (f->all_rows) {
      loops_open(f, "for (long %s = begin; %s < end; %s++) {", v, v, v);
    } else {
      loops_open(f, "for (long %s = larger(%s, begin%s); %s <= smaller(%s, end%s); %s++) {", v,
                 from.text, f->rows_high, v, to.text, f->rows_low, v);
    }
    f->rows_low = NULL;
    return;
  }
  if (to.form.linear && index_form_is_constant(&to.form) && !binder->set->is_range) {
    loops_open(f, "for (long %s = %s; %s < %ld; %s++) {", v, from.text, v, to.form.constant + 1, v);
  } else {
    loops_open(f, "for (long %s = %s; %s <= %s; %s++) {", v, from.text, v, to.text, v);
  }
}

/* Opens the tests for the remaining conjuncts of the variables up to number `level`. */
static void open_filters(loops_frame *f, int level, int n, const bounds_conjunct list[])
{
  for (int i = 0; i < n; i++) {
    if (list[i].level != level || !list[i].filters) {
      continue;
    }
    if (level < 0) {
      loops_open(f, "if (%s) {", loops_condition(f, list[i].condition, 1));
    } else {
      loops_open(f, "if (%s) {", loops_condition(f, list[i].condition, 0));
      loops_line(f, "continue;");
      loops_close(f, 1);
    }
  }
}

int loops_nest_open_from(loops_frame *f, const ir_nest *nest, int first)
{
  int before = f->indent;
  int n = 0;
  const bounds_conjunct *list = bounds_of(f->memory, nest, &n);
  for (int level = -1; level < nest->n; level++) {
    if (level >= first) {
      open_loop(f, nest, level, n, list);
    }
    open_filters(f, level, n, list);
  }
  return (f->indent - before) / 2;
}

int loops_nest_open(loops_frame *f, const ir_nest *nest)
{
  return loops_nest_open_from(f, nest, 0);
}

void loops_nest_ends(loops_frame *f, const ir_nest *nest, index_form *first, index_form *last)
{
  int n = 0;
  const bounds_conjunct *list = bounds_of(f->memory, nest, &n);
  loop_end from;
  loop_end to;
  loops_nest_ends_of(f, nest, 0, n, list, &from, &to);
  *first = from.form;
  *last = to.form;
}

void loops_nest_close(loops_frame *f, const ir_nest *nest, int blocks)
{
  f->n_binders -= nest->n;
  loops_close(f, blocks);
}

const char *loops_nest_text(arena *a, const ir_nest *nest)
{
  const char *text = "";
  for (int i = 0; i < nest->n; i++) {
    text = arena_printf(a, "%s%s%s in %s", text, i ? ", " : "", nest->binders[i]->name,
                        nest->binders[i]->set->name);
  }
  return nest->n && nest->condition
             ? arena_printf(a, "%s where %s", text, loops_condition_words(a, nest->condition))
             : text;
}

/* ---- implications of a condition for two indices ---- */

/* The sign of every x with x + c REL 0, given that c REL 0 is false; 0 if it is unknown. */
static int sign_where(model_condition_kind kind, long c)
{
  return kind == CONDITION_LT || kind == CONDITION_LE   ? -1
         : kind == CONDITION_GT || kind == CONDITION_GE ? 1
         : kind == CONDITION_EQ                         ? (c < 0) - (c > 0)
                                                        : 0;
}

static int separates(const model_condition *c, const index_form *difference, int *sign)
{
  if (c->kind == CONDITION_AND) {
    return separates(c->a, difference, sign) || separates(c->b, difference, sign);
  }
  if (!c->left) {
    return 0;
  }
  index_form form = index_form_difference(c->left, c->right);
  for (int turn = 1; turn >= -1; turn -= 2) { /* left - right = +-difference + rest */
    index_form rest = index_form_add(&form, difference, -turn);
    if (index_form_is_constant(&rest) && !model_condition_holds(c->kind, rest.constant)) {
      *sign = turn * sign_where(c->kind, rest.constant);
      return 1;
    }
  }
  return 0;
}

int loops_nest_separates(const ir_nest *nest, const index_form *difference, int *sign)
{
  return nest->condition && difference->linear && separates(nest->condition, difference, sign);
}
