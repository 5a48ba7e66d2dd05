/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_shapes.c -- functions that depend on sizes alone: bounds of sets, filtered families,
 * defaults and initial states; and first the sums in these, with the loops of the assignments
 * around them.
 */
#include "emit/loops.h"
#include "emit/tables.h"
#include "expr/nest_bounds.h"

/* ---- sums that grow ---- */

/* A sum in which a variable of the assignment occurs in one end only. */
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

/* Opens the loops of an assignment and returns the number of blocks. If a sum gains a few terms
 * from one iteration of a loop to the next, this loop becomes the innermost one. Then k->sums has
 * the names of these sums, which are updated in every iteration. */
static int loops_sums_open(loops_frame *f, const ir_assignment *as, loops_kernel *k)
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

/* ---- ranges ---- */

static void emit_ranges(loops_emission *e)
{
  const model *m = e->model;
  loops_frame *f = loops_frame_create(e);
  const char *head = "";
  if (m->n_sets == 0) {
    return;
  }
  for (int i = 0; i < m->n_sets; i++) {
    const model_set *set = m->sets[i];
    const char *first = set->is_range ? loops_bound(f, set->lower) : "0.0";
    const char *last = set->is_range ? loops_bound(f, set->upper)
                                     : writer_double(e->memory, (double)(set->count - 1));
    loops_line(f, "first[%d] = %s; /* %s */", i, first, set->name);
    loops_line(f, "last[%d] = %s;", i, last);
  }
  const char *body = writer_text(f->body);
  for (int i = 0; i < m->n_sizes; i++) {
    if (writer_mentions(body, e->sizes[i])) {
      head = arena_printf(e->memory, "%s  const double %s = sizes[%d];\n", head, e->sizes[i], i);
    }
  }
  emit_function(e->functions, "First and last element of every set.", "void", "ranges",
                "const double sizes[], double first[], double last[]", head, body);
}

/* ---- filtered families ---- */

/* Writes the function that counts a filtered family; nothing for a family without a filter. */
static void emit_instances(loops_emission *e, const ir_looped_family *family, const char *name)
{
  const ir_nest *nest = &family->nest;
  loops_frame *f = loops_frame_create(e);
  if (!name) {
    return;
  }
  loops_line(f, "long count = 0;");
  int blocks = loops_nest_open(f, nest);
  loops_open(f, "if (index) {");
  for (int j = 0; j < nest->n; j++) {
    const char *at = nest->n == 1 ? "count" : arena_printf(e->memory, "%d * count", nest->n);
    const char *plus = j ? arena_printf(e->memory, " + %d", j) : "";
    loops_line(f, "index[%s%s] = %s;", at, plus, f->binder_names[j]);
  }
  loops_close(f, 1);
  loops_line(f, "count++;");
  e->is_limited = 1;
  loops_open(f, "if (count > MOST) {");
  loops_line(f, "return count;");
  loops_close(f, 1);
  loops_nest_close(f, nest, blocks);
  loops_line(f, "return count;");
  loops_frame_finish(f,
                     arena_printf(e->memory,
                                  "Indices of the instances of %s, and how many they are.",
                                  family->family->heading),
                     "long", name, EMIT_SIZES ", long index[]");
}

/* ---- assignments ---- */

static void emit_assignment(loops_frame *f, const ir_assignment *as, const char *array)
{
  loops_kernel k = loops_kernel_of_value(f->emission, &as->kernel, &as->nest);
  int is_simple = k.code->n_temporaries == 0;
  int is_data = as->target.parameter && as->target.parameter->is_data;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_reference *r = &as->kernel.values[i];
    int is_gathered = r->sum || (r->parameter && r->parameter->shape.n);
    is_simple = is_simple && !(k.code->used[IR_K][i] && is_gathered);
  }
  int before = f->n_binders;
  int blocks = loops_sums_open(f, as, &k);
  if (blocks == 0 && !is_simple) {
    loops_open(f, "{");
    blocks = 1;
  }
  loops_kernel_gather(f, &k, FACTOR_NONE);
  emit_noted(f->body, f->indent, loops_text(f, &as->target, as->is_momentum), "%s[%s] = %s;", array,
             loops_place(f, &as->target, as->is_momentum),
             is_data ? "NAN" : loops_kernel_value(f, &k, 0, 0));
  f->n_binders = before;
  loops_close(f, blocks);
}

void loops_emit_shapes(loops_emission *e)
{
  const ir_loops *l = e->loops;
  emit_ranges(e);
  loops_emit_references(e);
  for (int kind = 0; kind < LOOPS_OF_MODEL; kind++) {
    for (int i = 0; i < e->lists[kind].n; i++) {
      emit_instances(e, &e->lists[kind].families[i], e->lists[kind].instances[i]);
    }
  }
  if (e->model->n_parameters > 0) {
    loops_frame *f = loops_frame_create(e);
    for (int i = 0; i < l->n_defaults; i++) {
      emit_assignment(f, &l->defaults[i], "k");
    }
    loops_frame_finish(f, "The defaults of the parameters.", "void", "parameter_values",
                       EMIT_SIZES ", double k[]");
    loops_member(e, "parameter_values");
  }
  for (int i = 0; i < l->n_states + l->has_bath; i++) {
    loops_frame *f = loops_frame_create(e);
    for (int j = 0; j < l->states[i].n; j++) {
      emit_assignment(f, &l->states[i].assignments[j], "z");
    }
    const int is_bath = i == l->n_states;
    loops_frame_finish(f, emit_state_comment(e->memory, l->states[i].name, is_bath), "void",
                       emit_state_name(e->memory, i), EMIT_SIZES ", const double k[], double z[]");
    if (is_bath) {
      writer_printf(e->members, "    .bath = %s,\n", emit_state_name(e->memory, i));
    }
  }
}
