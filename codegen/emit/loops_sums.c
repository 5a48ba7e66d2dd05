/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/loops_sums.h"

#include "expr/nest_bounds.h"

/* ---- sums that grow ---- */

/* A sum of which one end, and nothing else, depends on a variable of the assignment. */
typedef struct growing {
  const ir_part *part; /* NULL: no such sum */
  int along;           /* number of the variable */
  int direction;       /* 1 or -1: the sum grows while the variable rises or falls */
  int at_last;         /* 1 if its last term depends on the variable, 0 if its first does */
  const char *name;
  const char *variable; /* variable of its first loop */
} growing;

static growing find_growing(loops_frame *f, const ir_assignment *as, const ir_part *part)
{
  growing none = {NULL, 0, 0, 0, NULL, NULL};
  const ir_nest *nest = &part->nest;
  index_form first;
  index_form last;
  if (nest->n == 0) {
    return none;
  }
  loops_nest_ends(f, nest, &first, &last);
  for (int i = 0; i < as->nest.n && first.linear && last.linear; i++) {
    const model_binder *b = as->nest.binders[i];
    const ir_nest inner = {nest->n - 1, nest->binders + 1, NULL};
    int other = bounds_kernel_reads(&part->kernel, b) || bounds_filter_reads(f->memory, nest, b) ||
                bounds_nest_reads(&inner, b);
    long at_first = index_form_factor(&first, b, &other);
    long at_last = index_form_factor(&last, b, &other);
    if (!other && (at_first == 0) != (at_last == 0)) {
      int direction = at_last > 0 || at_first < 0 ? 1 : -1;
      return (growing){part, i, direction, at_last != 0, NULL, NULL};
    }
  }
  return none;
}

/* Finds the sums that grow along the same variable, in the same direction, as the first one found.
 * Returns their number. */
static int find_all(loops_frame *f, const ir_assignment *as, const loops_kernel *k, growing list[])
{
  int n = 0;
  const growing *leader = NULL;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_reference *r = &as->kernel.values[i];
    list[i] = (growing){NULL, 0, 0, 0, NULL, NULL};
    if (!r->sum || !k->code->used[IR_K][i]) {
      continue;
    }
    growing found = find_growing(f, as, r->sum);
    if (found.part &&
        (!leader || (found.along == leader->along && found.direction == leader->direction))) {
      list[i] = found;
      leader = leader ? leader : &list[i];
      n++;
    }
  }
  return n;
}

static void begin_sum(loops_frame *f, growing *g)
{
  index_form first;
  index_form last;
  g->name = loops_nest_push(f, NULL, "total");
  loops_line(f, "double %s = 0.0;", g->name);
  loops_nest_ends(f, &g->part->nest, &first, &last);
  const char *start = loops_index(f, g->at_last ? &first : &last);
  g->variable = loops_nest_push(f, g->part->nest.binders[0], g->part->nest.binders[0]->name);
  loops_line(f, "long %s = %s;", g->variable, start);
}

/* Writes the loop that adds the new terms of this iteration. */
static void continue_sum(loops_frame *f, const growing *g)
{
  index_form first;
  index_form last;
  loops_nest_ends(f, &g->part->nest, &first, &last);
  const char *end = loops_index(f, g->at_last ? &last : &first);
  loops_open(f, g->at_last ? "for (; %s <= %s; %s++) {" : "for (; %s >= %s; %s--) {", g->variable,
             end, g->variable);
  int before = f->n_binders;
  int blocks = loops_nest_open_from(f, &g->part->nest, 1);
  loops_add_term(f, g->part, g->name);
  f->n_binders = before;
  loops_close(f, blocks + 1);
}

static void open_along(loops_frame *f, const model_binder *binder, int direction)
{
  index_form first = index_form_first(binder->set);
  index_form last = index_form_last(binder->set);
  const char *from = loops_index(f, &first);
  const char *to = loops_index(f, &last);
  const char *v = loops_nest_push(f, binder, binder->name);
  if (direction > 0) {
    loops_open(f, "for (long %s = %s; %s <= %s; %s++) {", v, from, v, to, v);
  } else {
    loops_open(f, "for (long %s = %s; %s >= %s; %s--) {", v, to, v, from, v);
  }
}

/* Writes the sums that are the same in all iterations first. Returns 1 if there are any. */
static int constant_sums(loops_frame *f, const ir_assignment *as, loops_kernel *k)
{
  int found = 0;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_part *sum = as->kernel.values[i].sum;
    int varies = !sum || !k->code->used[IR_K][i];
    for (int j = 0; j < as->nest.n && !varies; j++) {
      const model_binder *b = as->nest.binders[j];
      varies = bounds_nest_reads(&sum->nest, b) || bounds_kernel_reads(&sum->kernel, b);
    }
    if (varies || as->nest.n == 0) {
      continue;
    }
    if (!found) {
      loops_open(f, "{");
    }
    found = 1;
    k->sums[i] = loops_sum(f, sum);
  }
  return found;
}

/* Opens the loops of the assignment; the loop along which the sums grow is the innermost. */
static void open_growing(loops_frame *f, const ir_assignment *as, loops_kernel *k, growing list[],
                         int in_block)
{
  int n = as->kernel.n_values;
  const growing *leader = list;
  while (!leader->part) {
    leader++;
  }
  const model_binder **others = ARENA_ARRAY(f->memory, as->nest.n + 1, const model_binder *);
  ir_nest outer = {0, others, NULL};
  for (int i = 0; i < as->nest.n; i++) {
    if (i != leader->along) {
      others[outer.n++] = as->nest.binders[i];
    }
  }
  loops_nest_open(f, &outer);
  if (outer.n == 0 && !in_block) {
    loops_open(f, "{");
  }
  for (int i = 0; i < n; i++) {
    if (list[i].part) {
      begin_sum(f, &list[i]);
      k->sums[i] = list[i].name;
    }
  }
  open_along(f, as->nest.binders[leader->along], leader->direction);
  for (int i = 0; i < n; i++) {
    if (list[i].part) {
      continue_sum(f, &list[i]);
    }
  }
  const ir_nest rest = {0, NULL, as->nest.condition};
  loops_nest_open(f, &rest);
}

int loops_sums_open(loops_frame *f, const ir_assignment *as, loops_kernel *k)
{
  int before = f->indent;
  growing *list = ARENA_ARRAY(f->memory, as->kernel.n_values + 1, growing);
  k->sums = ARENA_ARRAY(f->memory, as->kernel.n_values + 1, const char *);
  int in_block = constant_sums(f, as, k);
  if (find_all(f, as, k, list) > 0) {
    open_growing(f, as, k, list, in_block);
  } else {
    loops_nest_open(f, &as->nest);
  }
  return (f->indent - before) / 2;
}
