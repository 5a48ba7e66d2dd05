/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_families.c -- the loops of a list of families around the statements that use their kernels.
 */
#include <stdlib.h>

#include "emit/loops.h"
#include "expr/derivative.h"

/* ---- outputs ---- */

/* Order of the local unknowns of two gradient entries. Momenta come after positions. */
static loops_order order_of(const loops_kernel *k, const ir_entry *a, const ir_entry *b)
{
  const int n = k->kernel->n_sites;
  if (a->row / n != b->row / n) {
    return a->row < b->row ? ORDER_BEFORE : ORDER_BEHIND;
  }
  return loops_kernel_order(k, a->row % n, b->row % n);
}

/* Sorts the entries of a gradient by their numbers in z, if the order is the same in every
 * iteration. Then rows of a matrix built from them need no sorting. */
static void sort_entries(loops_kernel *k, ir_entry entries[])
{
  for (int i = 0; i < k->n; i++) {
    for (int j = 0; j < i; j++) {
      const loops_order order = order_of(k, &entries[i], &entries[j]);
      if (order != ORDER_BEFORE && order != ORDER_BEHIND) {
        return;
      }
    }
  }
  for (int i = 1; i < k->n; i++) {
    const ir_entry entry = entries[i];
    const ir_expr *value = k->values[i];
    int j = i;
    for (; j > 0 && order_of(k, &entry, &entries[j - 1]) == ORDER_BEFORE; j--) {
      entries[j] = entries[j - 1];
      k->values[j] = k->values[j - 1];
    }
    entries[j] = entry;
    k->values[j] = value;
  }
}

/* Selects the entries in the rows from first to last - 1. */
static void set_entries(loops_emission *e, loops_kernel *k, const ir_function *from, int first,
                        int last)
{
  ir_entry *entries = ARENA_ARRAY(e->memory, from->n + 1, ir_entry);
  k->entries = entries;
  k->values = ARENA_ARRAY(e->memory, from->n + 1, const ir_expr *);
  for (int i = 0; i < from->n; i++) {
    if (from->entries[i].row >= first && from->entries[i].row < last) {
      entries[k->n] = from->entries[i];
      k->values[k->n++] = from->entries[i].value;
    }
  }
  if (from == &k->kernel->gradient && k->family->family) {
    sort_entries(k, entries);
  }
}

static const ir_expr *loops_families_product(loops_emission *e, const ir_expr *x, int input)
{
  return ir_mul(e->context, 2, (const ir_expr *[]){x, ir_input(e->context, IR_LAMBDA, input)});
}

/* Row r of the Hessian times v. */
static const ir_expr *row_times_v(loops_emission *e, const ir_function *hessian, int r)
{
  const ir_expr **terms = ARENA_ARRAY(e->memory, hessian->n + 1, const ir_expr *);
  int n = 0;
  for (int i = 0; i < hessian->n; i++) {
    const ir_entry *entry = &hessian->entries[i];
    if (entry->row == r || entry->col == r) {
      terms[n++] =
          loops_families_product(e, entry->value, entry->row == r ? entry->col : entry->row);
    }
  }
  return ir_add(e->context, n, terms);
}

/* Derivatives of the Hessian along u, and along w, with FACTOR_DIRECTIONS. */
static void set_directions(loops_emission *e, loops_kernel *k, int order)
{
  int n = 2 * k->kernel->n_sites;
  ir_function along = k->kernel->hessian;
  for (int i = 2; i < order; i++) {
    along = ir_along(e->context, &along, n, (i - 2) * n);
  }
  set_entries(e, k, &along, 0, n);
  for (int i = 0; i < k->n && k->family->family; i++) {
    k->values[i] = loops_families_product(e, k->values[i], 2 * n);
  }
}

/* Selects the entries of the flow that change. */
static void set_flow(loops_emission *e, loops_kernel *k, const ir_function *from)
{
  const ir_function *flow = &k->family->flow;
  ir_function moving = {.entries = ARENA_ARRAY(e->memory, flow->n + 1, ir_entry)};
  for (int i = 0; i < flow->n; i++) {
    if (flow->entries[i].value != ir_input(e->context, IR_Z, flow->entries[i].row)) {
      moving.entries[moving.n++] = from->entries[i];
    }
  }
  set_entries(e, k, &moving, 0, 2 * k->kernel->n_sites);
}

/* Sets n, values and entries of *k for these outputs. */
static void set_outputs(loops_emission *e, loops_outputs which, loops_kernel *k)
{
  int n = k->kernel->n_sites;
  const ir_function *gradient = &k->kernel->gradient;
  const ir_function *hessian = &k->kernel->hessian;
  int is_closed = k->family->fibre == IR_FIBRE_CLOSED;
  switch (which) {
  case OUTPUTS_NONE:
    break;
  case OUTPUTS_VALUE:
  case OUTPUTS_MAGNITUDE:
    k->n = 1;
    k->values = ARENA_ARRAY(e->memory, 1, const ir_expr *);
    k->values[0] = which == OUTPUTS_VALUE ? k->kernel->value : k->kernel->magnitude;
    break;
  case OUTPUTS_GRADIENT:
  case OUTPUTS_GRADIENT_Q:
  case OUTPUTS_GRADIENT_P:
    set_entries(e, k, gradient, which == OUTPUTS_GRADIENT_P ? n : 0,
                which == OUTPUTS_GRADIENT_Q ? n : 2 * n);
    break;
  case OUTPUTS_HESSIAN:
  case OUTPUTS_HESSIAN_TIMES:
    set_entries(e, k, hessian, 0, 2 * n);
    for (int i = 0; i < k->n && which == OUTPUTS_HESSIAN_TIMES; i++) {
      k->values[i] = loops_families_product(e, k->values[i], 0);
    }
    break;
  case OUTPUTS_ALONG:
    set_entries(e, k, gradient, 0, 2 * n);
    for (int i = 0; i < k->n; i++) {
      k->values[i] = row_times_v(e, hessian, k->entries[i].row);
    }
    break;
  case OUTPUTS_THIRD:
  case OUTPUTS_FOURTH:
    set_directions(e, k, which == OUTPUTS_THIRD ? 3 : 4);
    break;
  case OUTPUTS_FLOW:
  case OUTPUTS_INCREMENT:
    if (is_closed) {
      set_flow(e, k, which == OUTPUTS_FLOW ? &k->family->flow : &k->family->increment);
    }
    break;
  case OUTPUTS_FLOW_Z:
    if (is_closed) {
      set_entries(e, k, &k->family->flow_z, 0, 2 * n);
    }
    break;
  }
}

/* Writes a comment about the sets of the loops and the cost of one iteration. */
static void comment_on(loops_frame *f, const char *title, const loops_kernel *k)
{
  arena *a = f->memory;
  const char *cost = k->code ? emit_cost(a, k->code) : "";
  const char *inner = loops_nest_text(a, k->inner);
  int is_scalar = k->outer->n + k->inner->n == 0;
  if (*inner || !*title) {
    const char *sum = *inner ? arena_printf(a, "sum(%s)", inner) : "without a sum";
    title = *title ? arena_printf(a, "%s, %s", title, sum) : sum;
  }
  if (*cost) {
    title = arena_printf(a, "%s: %s%s", title, cost, is_scalar ? "" : " per iteration");
  }
  loops_line(f, "/* %s. */", title);
}

/* ---- numbers of instances and of values ---- */

/* Limit on the product of counts of sets; beyond it a counter is used. */
#define MOST_ROUNDS (1L << 20)

/* 1 if the set is one of the model's sets. An anonymous set in a sum has a known length only if its
 * bounds are constants. */
static int has_name(const model *m, const model_set *set)
{
  return m->n_sets > 0 && m->sets[loops_set_number(m, set)] == set;
}

/* The binders of both nests. */
static const model_binder **joined(arena *a, const ir_nest *outer, const ir_nest *inner)
{
  const model_binder **binders = ARENA_ARRAY(a, outer->n + inner->n + 1, const model_binder *);
  for (int i = 0; i < outer->n + inner->n; i++) {
    binders[i] = i < outer->n ? outer->binders[i] : inner->binders[i - outer->n];
  }
  return binders;
}

/* 1 if both nests, one inside the other, cover all iterations, and at most one of their sets
 * depends on sizes. Then the numbers of iterations are simple and cannot overflow. */
static int loops_families_is_plain(const loops_emission *e, const ir_nest *outer,
                                   const ir_nest *inner)
{
  const model_binder **binders = joined(e->memory, outer, inner);
  long constant = 1;
  int sized = 0;
  for (int i = 0; i < outer->n + inner->n; i++) {
    const model_set *set = binders[i]->set;
    index_form count = index_form_count(set);
    int is_constant = index_form_is_constant(&count) && count.constant < MOST_ROUNDS;
    if (set->is_dependent || (!is_constant && !has_name(e->model, set))) {
      return 0;
    }
    sized += !is_constant;
    constant *= is_constant && constant < MOST_ROUNDS ? count.constant : 1;
  }
  return !outer->condition && !inner->condition && sized <= 1 && constant < MOST_ROUNDS;
}

/* The same for the values of all kernels of a family. It must have one kernel, or no kernel with
 * loops of its own, or no loops around the kernels. */
static int has_plain_values(const loops_emission *e, const loops_plan_family *family)
{
  int plain = 1;
  int inner = 0;
  for (int i = 0; i < family->n; i++) {
    const loops_kernel *k = &family->kernels[i];
    inner = inner || k->inner->n > 0;
    plain = plain && loops_families_is_plain(e, k->outer, k->inner);
  }
  return plain && (family->n <= 1 || !inner || family->of->nest.n == 0);
}

/* base + size * the number of iterations of the nests. */
static const char *past(loops_frame *f, const char *base, const ir_nest *outer,
                        const ir_nest *inner, long size)
{
  int n = outer->n + inner->n;
  const model_set **sets = loops_sets(f->memory, n, joined(f->memory, outer, inner));
  return loops_plus(f->memory, base, loops_times(f, size, n, sets));
}

/* ---- the plan ---- */

/* Collects the kernels of a family that have outputs, with code if the quantity computes values,
 * and counts. */
static loops_plan_family plan_family(loops_emission *e, const loops_quantity *q,
                                     const ir_looped_family *of)
{
  loops_plan_family family = {of, 0, ARENA_ARRAY(e->memory, of->n_parts + 1, loops_kernel), 0, ""};
  for (int i = 0; i < of->n_parts; i++) {
    const ir_part *part = &of->parts[i];
    loops_kernel *k = &family.kernels[family.n];
    *k = (loops_kernel){.kernel = &part->kernel,
                        .family = of,
                        .outer = &of->nest,
                        .inner = &part->nest,
                        .adds = of->n_parts > 1 || part->nest.n > 0 || part->nest.condition};
    set_outputs(e, q->outputs, k);
    if (k->n && q->statements) {
      loops_kernel_code(e, k, q->factor);
    }
    family.n += k->n > 0;
    family.stride += k->n;
  }
  return family;
}

/* Finds the number of each kernel's first value, if it does not depend on the iteration. */
static const char *place_values(loops_frame *f, loops_plan_family *family, const char *values)
{
  const char *in_iteration = values;
  for (int i = 0; i < family->n; i++) {
    loops_kernel *k = &family->kernels[i];
    k->base = family->of->nest.n ? in_iteration : values;
    in_iteration = loops_plus(f->memory, in_iteration, arena_printf(f->memory, "%d", k->n));
    values = past(f, values, k->outer, k->inner, k->n);
  }
  return values;
}

loops_plan loops_plan_of(loops_frame *f, const loops_quantity *q, loops_kind kind,
                         loops_places places)
{
  static const ir_nest nothing = {0, NULL, NULL};
  loops_emission *e = f->emission;
  const loops_list *list = &e->lists[kind];
  loops_plan plan = {.quantity = q, .kind = kind, .places = places, .n = list->n, .values = "0"};
  plan.sets_rows = q->statements == loops_set_row;
  plan.counts_rows = plan.sets_rows || q->factor == FACTOR_ROW || places == PLACES_ROW ||
                     (q->factor == FACTOR_DIRECTIONS && kind == LOOPS_CONSTRAINTS);
  plan.counts_values =
      places || q->statements == loops_set_values || q->statements == loops_set_triangle;
  const char *rows = "0";
  plan.families = ARENA_ARRAY(f->memory, list->n + 1, loops_plan_family);
  for (int i = 0; i < list->n; i++) {
    loops_plan_family *family = &plan.families[i];
    *family = plan_family(e, q, &list->families[i]);
    family->rows = rows;
    rows = past(f, rows, &family->of->nest, &nothing, 1);
    plan.values = place_values(f, family, plan.values);
    plan.parts += family->n;
    plan.is_counting =
        plan.is_counting ||
        (plan.counts_rows && !loops_families_is_plain(e, &family->of->nest, &nothing)) ||
        (plan.counts_values && !has_plain_values(e, family));
  }
  return plan;
}

/* ---- loops ---- */

/* " + 2", " - 1", or "". */
static const char *shift_of(loops_frame *f, long shift)
{
  return shift == 0 ? "" : arena_printf(f->memory, " %c %ld", shift < 0 ? '-' : '+', labs(shift));
}

static void emit_part(loops_frame *f, const loops_plan *plan, const loops_plan_family *family,
                      loops_kernel *k, int alone)
{
  const loops_quantity *q = plan->quantity;
  if (k->is_in_rows) {
    f->rows_low = shift_of(f, -k->low - 1);
    f->rows_high = shift_of(f, -k->high);
    f->all_rows = k->is_all_rows;
  }
  if (k->strength) {
    loops_open(f, "if (%s != 0.0) {", loops_value(f, k->strength, 0));
  }
  int blocks = loops_nest_open(f, k->inner);
  int braces = blocks == 0 && !alone;
  if (braces) {
    loops_open(f, "{");
  }
  if (plan->counts_values) { /* the number of the kernel's first value in this iteration */
    f->at = plan->is_counting ? "t"
                              : loops_iteration(f, k->base, k->outer->n + k->inner->n,
                                                joined(f->memory, k->outer, k->inner),
                                                k->inner->n ? k->n : family->stride);
  }
  if (plan->places) {
    loops_set_places(f, k, plan->places);
  } else {
    loops_kernel_gather(f, k, q->factor);
    q->statements(f, k);
  }
  loops_close(f, braces);
  loops_nest_close(f, k->inner, blocks);
  loops_close(f, k->strength != NULL);
}

static void emit_family(loops_frame *f, const loops_plan *plan, const loops_plan_family *family)
{
  const ir_nest *nest = &family->of->nest;
  const char *title = family->of->family ? family->of->family->heading : "";
  int each = !*title || family->n > 1; /* each part has a comment */
  if (*title && each) {
    loops_line(f, "/* %s. */", title);
  }
  if (!each && family->n) {
    comment_on(f, title, &family->kernels[0]);
  }
  int whole = f->is_divided && !loops_nest_grows(nest); /* the whole family is in the first piece */
  if (whole) {
    loops_open(f, "if (piece == 0) {");
  }
  f->divides = f->is_divided && !whole;
  int blocks = loops_nest_open(f, nest) + whole;
  if (plan->counts_rows) {
    f->row =
        plan->is_counting ? "row" : loops_iteration(f, family->rows, nest->n, nest->binders, 1);
  }
  const ir_part *first = family->of->parts;
  if (plan->sets_rows && (family->of->n_parts != 1 || first->nest.n || first->nest.condition)) {
    loops_line(f, "out[%s] = 0.0;", f->row); /* its kernels are added */
  }
  for (int i = 0; i < family->n; i++) {
    if (each) {
      comment_on(f, "", &family->kernels[i]);
    }
    emit_part(f, plan, family, &family->kernels[i],
              family->n == 1 && (blocks > 0 || plan->parts == 1));
  }
  if (plan->counts_rows && plan->is_counting) {
    loops_line(f, "row++;");
  }
  loops_nest_close(f, nest, blocks);
}

void loops_families(loops_frame *f, const loops_plan *plan)
{
  int left = plan->sets_rows ? plan->n : plan->parts; /* number of remaining families, or parts */
  f->is_counting = plan->is_counting;
  if (plan->counts_values && plan->is_counting) {
    loops_line(f, "long t = 0;");
  }
  if (plan->counts_rows && left && plan->is_counting) {
    loops_line(f, "long row = 0;");
  }
  for (int i = 0; i < plan->n && left; i++) {
    const loops_plan_family *family = &plan->families[i];
    if (family->n || plan->sets_rows) {
      emit_family(f, plan, family);
      left -= plan->sets_rows ? 1 : family->n;
    } else if (plan->counts_rows && plan->is_counting) {
      loops_line(f, "row += %s; /* %s */", loops_family_count(f, plan->kind, i),
                 family->of->family->heading);
    }
  }
}
