/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "emit/loops.h"
#include "expr/derivative.h"
#include "expr/sign.h"

/* Outputs of a kernel that one function computes. */
typedef enum loops_outputs {
  OUTPUTS_NONE,
  OUTPUTS_VALUE,
  OUTPUTS_MAGNITUDE,
  OUTPUTS_GRADIENT,
  OUTPUTS_GRADIENT_Q, /* gradient entries of positions */
  OUTPUTS_GRADIENT_P, /* gradient entries of momenta */
  OUTPUTS_HESSIAN,
  OUTPUTS_HESSIAN_TIMES, /* lambda[row] times the Hessian */
  OUTPUTS_ALONG,         /* derivative of the gradient along v */
  OUTPUTS_THIRD,         /* derivative of the Hessian along u; of constraints, times lambda[row] */
  OUTPUTS_FOURTH,        /* second derivative of the Hessian along u and w */
  OUTPUTS_FLOW,          /* entries of the flow that are not constant */
  OUTPUTS_INCREMENT,     /* their increments */
  OUTPUTS_FLOW_Z         /* entries of the flow's derivative */
} loops_outputs;

/* A quantity that is computed from the kernels of a list of families. */
typedef struct loops_quantity {
  loops_outputs outputs;
  loops_factor factor;
  /* Writes the use of the outputs, in the innermost block. */
  void (*statements)(loops_frame *f, loops_kernel *k);
  /* Written once per instance, before its kernels; NULL: nothing. */
  void (*begin)(loops_frame *f, const ir_looped_family *family);
  int counts_rows;   /* 1: uses the number of the instance */
  int counts_values; /* 1: uses the number of each value, counted over all kernels */
  int is_pattern;    /* 1: computes nothing */
} loops_quantity;

/* A family with its kernels that have outputs. */
typedef struct loops_plan_family {
  const ir_looped_family *of;
  int n;
  loops_kernel *kernels;
  long stride;      /* number of values in one iteration of the family's own loops */
  const char *rows; /* number of instances before this family, as text */
} loops_plan_family;

/* The plan of a quantity over a list of families. */
typedef struct loops_plan {
  const loops_quantity *quantity;
  loops_kind kind;
  int n;
  loops_plan_family *families;
  int parts; /* number of kernels that have outputs */
  /* 1: rows and values need counters, since their numbers are no simple functions of the loops'
   * variables */
  int is_counting;
  const char *values; /* number of values, as text, if is_counting is 0 */
} loops_plan;

/* The loops of a list of families around the statements that use their kernels. */

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
    if (k->n && !q->is_pattern) {
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

static loops_plan loops_plan_of(loops_frame *f, const loops_quantity *q, loops_kind kind)
{
  static const ir_nest nothing = {0, NULL, NULL};
  loops_emission *e = f->emission;
  const loops_list *list = &e->lists[kind];
  loops_plan plan = {q, kind, list->n, NULL, 0, 0, "0"};
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
        (q->counts_rows && !loops_families_is_plain(e, &family->of->nest, &nothing)) ||
        (q->counts_values && !has_plain_values(e, family));
  }
  return plan;
}

/* ---- loops ---- */

/* The number of a kernel's first value in the present iteration. */
static const char *loops_families_place_of(loops_frame *f, const loops_plan_family *family,
                                           const loops_kernel *k)
{
  return loops_iteration(f, k->base, k->outer->n + k->inner->n,
                         joined(f->memory, k->outer, k->inner),
                         k->inner->n ? k->n : family->stride);
}

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
  if (q->counts_values) {
    f->at = plan->is_counting ? "t" : loops_families_place_of(f, family, k);
  }
  if (!q->is_pattern) {
    loops_kernel_gather(f, k, q->factor);
  }
  q->statements(f, k);
  loops_close(f, braces);
  loops_nest_close(f, k->inner, blocks);
  loops_close(f, k->strength != NULL);
}

static void emit_family(loops_frame *f, const loops_plan *plan, const loops_plan_family *family)
{
  const loops_quantity *q = plan->quantity;
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
  if (q->counts_rows) {
    f->row =
        plan->is_counting ? "row" : loops_iteration(f, family->rows, nest->n, nest->binders, 1);
  }
  if (q->begin) {
    q->begin(f, family->of);
  }
  for (int i = 0; i < family->n; i++) {
    if (each) {
      comment_on(f, "", &family->kernels[i]);
    }
    emit_part(f, plan, family, &family->kernels[i],
              family->n == 1 && (blocks > 0 || plan->parts == 1));
  }
  if (q->counts_rows && plan->is_counting) {
    loops_line(f, "row++;");
  }
  loops_nest_close(f, nest, blocks);
}

/* Writes the loops of the families, one after the other. */
static void loops_families(loops_frame *f, const loops_plan *plan)
{
  const loops_quantity *q = plan->quantity;
  int left = q->begin ? plan->n : plan->parts; /* number of remaining families, or parts */
  f->is_counting = plan->is_counting;
  if (q->counts_values && plan->is_counting) {
    loops_line(f, "long t = 0;");
  }
  if (q->counts_rows && left && plan->is_counting) {
    loops_line(f, "long row = 0;");
  }
  for (int i = 0; i < plan->n && left; i++) {
    const loops_plan_family *family = &plan->families[i];
    if (family->n || q->begin) {
      emit_family(f, plan, family);
      left -= q->begin ? 1 : family->n;
    } else if (q->counts_rows && plan->is_counting) {
      loops_line(f, "row += %s; /* %s */", loops_family_count(f, plan->kind, i),
                 family->of->family->heading);
    }
  }
}

/* A half of the gradient of H in pieces, which threads compute in parallel.
 *
 * A piece has the entries of some rows of the arrays: those whose first index is from `begin` to
 * `end` - 1. Let i be the variable of a kernel's outermost loop. If all its entries are in rows i +
 * c, the loop covers those i that lead to a row of the piece. It adds to these rows alone, so each
 * entry is a sum in the order of the loops, for any division into pieces. Other kernels, such as
 * kernels of pairs, follow in one piece.
 *
 * If the strength of a term is a parameter and is 0, its loops are skipped, provided that its
 * forces are defined at all states. Otherwise a step beyond an edge of H must fail for any
 * strength. */

/* ---- selection of kernels ---- */

/* The set of the rows: the set of the first index of the first array; NULL if it does not grow with
 * a size. */
static const model_set *set_of_rows(const model *m)
{
  const model_shape *shape = m->n_coordinates ? &m->coordinates[0]->shape : NULL;
  if (!shape || shape->n == 0 || shape->sets[0]->is_dependent) {
    return NULL;
  }
  index_form count = index_form_count(shape->sets[0]);
  return count.linear && !index_form_is_constant(&count) ? shape->sets[0] : NULL;
}

/* 1 if all entries of a kernel are in rows i + low .. i + high, which are then set in *k. */
static int find_window(loops_kernel *k, const model_set *set)
{
  if (k->inner->n == 0) {
    return 0;
  }
  const model_binder *binder = k->inner->binders[0];
  for (int e = 0; e < k->n; e++) {
    const ir_reference *site = &k->kernel->sites[k->entries[e].row % k->kernel->n_sites];
    if (site->n_index == 0 || site->coordinate->shape.sets[0] != set) {
      return 0;
    }
    int other = 0;
    index_form row = index_form_of(site->index[0]);
    index_form rest = index_form_without(&row, binder);
    if (!row.linear || index_form_factor(&row, binder, &other) != 1 || other ||
        !index_form_is_constant(&rest)) {
      return 0;
    }
    k->low = e == 0 || rest.constant < k->low ? rest.constant : k->low;
    k->high = e == 0 || rest.constant > k->high ? rest.constant : k->high;
  }
  k->is_all_rows = binder->set == set && k->low == 0 && k->high == 0 && !k->inner->condition;
  return 1;
}

/* ---- terms that are switched off ---- */

static int may_be_zero(const model_parameter *p)
{
  const int below = p->lower ? mpq_sgn(p->lower) + !p->lower_closed : -1;
  const int above = p->upper ? mpq_sgn(p->upper) - !p->upper_closed : 1;
  return below <= 0 && above >= 0;
}

/* 1 if forces of the kernel may be undefined in a whole region, where steps must fail. Sizes and
 * indices are constant during a run, so the state at the start reveals errors that depend on
 * them. */
static int loops_rows_may_be_undefined(loops_frame *f, const ir_kernel *kernel)
{
  ir_bounds *bounds = ARENA_ARRAY(f->memory, kernel->n_values + 1, ir_bounds);
  const ir_program within = {.k_bounds = bounds};
  int found = 0;
  mpq_t zero;
  mpq_init(zero);
  for (int i = 0; i < kernel->n_values; i++) {
    const model_parameter *p = kernel->values[i].parameter;
    bounds[i] = p ? (ir_bounds){p->lower, p->upper, p->lower_closed, p->upper_closed}
                  : (ir_bounds){.lower = zero};
  }
  for (int e = 0; e < kernel->gradient.n && !found; e++) {
    found = ir_may_be_undefined(&within, kernel->gradient.entries[e].value);
  }
  mpq_clear(zero);
  return found;
}

/* The scalar parameter that may be 0 and is a factor of the kernel; NULL if there is none, or if
 * the kernel's forces may be undefined. */
static const ir_reference *strength_of(loops_frame *f, const ir_kernel *kernel)
{
  const ir_expr *value = kernel->value;
  if (value->kind == IR_SUM && value->n == 1) {
    value = value->terms[0].node;
  }
  for (int i = 0; value->kind == IR_PRODUCT && i < value->n; i++) {
    const ir_expr *base = value->factors[i].base;
    if (base->kind == IR_INPUT && base->space == IR_K && mpq_sgn(value->factors[i].exponent) > 0) {
      const ir_reference *r = &kernel->values[base->index];
      if (r->parameter && r->parameter->shape.n == 0 && may_be_zero(r->parameter)) {
        return loops_rows_may_be_undefined(f, kernel) ? NULL : r;
      }
    }
  }
  return NULL;
}

/* ---- both kinds of kernels ---- */

/* The plan with the kernels of H whose entries are in such rows, or with the remaining kernels. */
static loops_plan loops_rows_part_of(loops_frame *f, const loops_quantity *q, const model_set *set,
                                     int in_rows)
{
  loops_plan plan = loops_plan_of(f, q, LOOPS_HAMILTONIAN);
  plan.parts = 0;
  for (int i = 0; i < plan.n; i++) {
    loops_plan_family *family = &plan.families[i];
    int n = 0;
    for (int j = 0; j < family->n; j++) {
      loops_kernel *k = &family->kernels[j];
      if (find_window(k, set) == in_rows) {
        k->is_in_rows = in_rows;
        k->strength = strength_of(f, k->kernel);
        family->kernels[n++] = *k;
      }
    }
    family->n = n;
    plan.parts += n;
  }
  return plan;
}

/* ---- text ---- */

/* Sets the rows of all arrays to 0. The first piece sets arrays without such rows. */
static void emit_zero_rows(loops_frame *f, const model_set *set, const char *cuts[2])
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_shape *shape = &m->coordinates[i]->shape;
    const char *base = loops_coordinate_base(f, i);
    if (shape->n == 0 || shape->sets[0] != set) {
      loops_open(f, "if (piece == 0) {");
      loops_set_zeros(f, base, loops_coordinate_base(f, i + 1));
      loops_close(f, 1);
      continue;
    }
    const char *stride = loops_times(f, 1, shape->n - 1, shape->sets + 1);
    const char *ends[2];
    for (int side = 0; side < 2; side++) {
      const char *rows =
          strcmp(stride, "1") == 0 ? cuts[side] : arena_printf(a, "%s * %s", stride, cuts[side]);
      ends[side] = loops_plus(a, base, rows);
    }
    loops_set_zeros(f, ends[0], ends[1]);
  }
}

static const char *emit_piece(loops_emission *e, const char *name, const char *quantity,
                              const loops_quantity *q, const model_set *set)
{
  loops_frame *f = loops_frame_create(e);
  const loops_plan plan = loops_rows_part_of(f, q, set, 1);
  const char *piece = arena_printf(e->memory, "%s_piece", name);
  const char *count = loops_times(f, 1, 1, &set);
  index_form first = index_form_first(set);
  const char *cuts[2];
  for (int side = 0; side < 2; side++) {
    cuts[side] = arena_printf(e->memory, "cut(%s, piece%s, pieces)", count, side ? " + 1" : "");
    loops_line(f, "const long %s = %s;", side ? "end" : "begin",
               loops_plus(e->memory, loops_index(f, &first), cuts[side]));
  }
  writer_printf(f->body, "\n");
  emit_zero_rows(f, set, cuts);
  loops_families(f, &plan);
  loops_frame_finish(f, arena_printf(e->memory, "%s, of a piece of the rows.", quantity), "void",
                     piece, EMIT_PIECE ", double out[]");
  loops_member(e, piece);
  return piece;
}

/* Writes a half of the gradient of H of the rows of arrays: the functions NAME, NAME_piece and, for
 * remaining kernels, NAME_rest, and their members. Returns 0, without writing anything, if pieces
 * do not pay. */
static int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                           const loops_quantity *q)
{
  const model_set *set = set_of_rows(e->model);
  loops_frame *rest = loops_frame_create(e);
  loops_frame *whole = loops_frame_create(e);
  if (!set || loops_rows_part_of(whole, q, set, 1).parts == 0) {
    return 0;
  }
  const char *left = arena_printf(e->memory, "%s_rest", name);
  const loops_plan others = loops_rows_part_of(rest, q, set, 0);
  loops_line(whole, "%s(sizes, 0, 1, z, k, out);", emit_piece(e, name, quantity, q, set));
  if (others.parts > 0) {
    loops_families(rest, &others);
    loops_frame_finish(rest, "What is left of it, added.", "void", left,
                       EMIT_STATE ", double out[]");
    loops_member(e, left);
    loops_line(whole, "%s(sizes, z, k, out);", left);
  }
  loops_frame_finish(whole, arena_printf(e->memory, "%s.", quantity), "void", name,
                     EMIT_STATE ", double out[]");
  loops_member(e, name);
  return 1;
}

/* ---- the table of a looped model's functions ---- */

/* Which models have a function. */
typedef enum loops_when { ALWAYS, SEPARABLE, NOT_SEPARABLE, WITH_FLOW, WITH_DIRECTIONS } loops_when;

typedef struct loops_function {
  const char *name;
  const char *quantity; /* description, for the comment */
  loops_kind kind; /* the families to which it belongs; a model without them has no such function */
  loops_when when;
  loops_quantity values;
  void (*places)(loops_frame *f, loops_kernel *k); /* of a matrix: writes the places */
  const char *zeroed;                              /* number of values that are set to 0 first */
  const char *first;                               /* a line before the loops */
  const char *last;                                /* a line after the loops */
  const char *arguments;                           /* NULL: the usual arguments */
  int is_of_two;                                   /* 1: a function of two states, z and z1 */
  int has_rows;   /* 1: threads may compute different rows of the arrays at the same time */
  int has_pieces; /* 1: threads may compute different instances at the same time */
} loops_function;

#define GRADIENT .name = "hamiltonian_grad", .quantity = "grad H = (H_q, H_p): 2d values"
#define ROWS     .statements = loops_set_row, .begin = loops_begin_row, .counts_rows = 1
#define MATRIX   .counts_values = 1
#define TRIANGLE_ALONG(outputs, ...)                                                               \
  .values = {outputs, FACTOR_DIRECTIONS, loops_set_triangle, MATRIX, __VA_ARGS__},                 \
  .places = loops_triangle_places, .when = WITH_DIRECTIONS

static const loops_function functions[] = {
    {.name = "hamiltonian",
     .quantity = "H: 1 value",
     .values = {OUTPUTS_VALUE, .statements = loops_add_to_sum},
     .first = "double sum = 0.0;",
     .last = "out[0] = sum;"},
    {.name = "hamiltonian_grad_q",
     .quantity = "H_q: d values",
     .when = SEPARABLE,
     .values = {OUTPUTS_GRADIENT_Q, .statements = loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {.name = "hamiltonian_grad_p",
     .quantity = "H_p: d values",
     .when = SEPARABLE,
     .values = {OUTPUTS_GRADIENT_P, .statements = loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {GRADIENT, .when = SEPARABLE, .first = "hamiltonian_grad_q(sizes, z, k, out);",
     .last = "hamiltonian_grad_p(sizes, z, k, out + d);"},
    {GRADIENT, .when = NOT_SEPARABLE,
     .values = {OUTPUTS_GRADIENT, .statements = loops_add_to_gradient}, .zeroed = "2 * d"},
    {.name = "constraint",
     .quantity = "g: m values",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_VALUE, ROWS},
     .has_pieces = 1},
    {.name = "constraint_scale",
     .quantity = "Size of the terms of g: m values",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_MAGNITUDE, ROWS},
     .has_pieces = 1},
    {.name = "observe",
     .quantity = "Observables",
     .kind = LOOPS_OBSERVE,
     .values = {OUTPUTS_VALUE, FACTOR_MULTIPLIERS, ROWS}},
    {.name = "invariant",
     .quantity = "Invariants",
     .kind = LOOPS_INVARIANTS,
     .values = {OUTPUTS_VALUE, ROWS}},
    {.name = "hamiltonian_hess",
     .quantity = "Hess H, lower triangle",
     .values = {OUTPUTS_HESSIAN, .statements = loops_set_triangle, MATRIX},
     .places = loops_triangle_places},
    {.name = "constraint_jac",
     .quantity = "Dg",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_GRADIENT, .statements = loops_set_values, MATRIX},
     .places = loops_row_places,
     .has_pieces = 1},
    {.name = "constraint_hess",
     .quantity = "Hess(lambda . g), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_triangle, .counts_rows = 1, MATRIX},
     .places = loops_triangle_places},
    {.name = "constraint_jac_along",
     .quantity = "Row i: g_i,zz v, at the places of Dg",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_ALONG, FACTOR_V, loops_set_values, MATRIX},
     .has_pieces = 1},
    {.name = "family_flow",
     .quantity =
         "z <- Gamma_lambda(z), for the constraints that are neither in q alone nor in p alone",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_FLOW, FACTOR_ROW, loops_move, .counts_rows = 1},
     .arguments = EMIT_SIZES ", const double k[], const double lambda[], double z[]"},
    {.name = "family_flow_z",
     .quantity = "dGamma/dz - 1, likewise",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_FLOW_Z, FACTOR_ROW, loops_set_values, .counts_rows = 1, MATRIX},
     .places = loops_square_places},
    {.name = "family_increment",
     .quantity = "out += Gamma_lambda(z) - z, likewise, with errors relative to it",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_INCREMENT, FACTOR_ROW, loops_add_to_gradient, .counts_rows = 1}},
    {.name = "discrete_grad",
     .quantity = "DH, discrete gradient of H between z and z1: 2d values",
     .kind = LOOPS_DISCRETE_H,
     .values = {OUTPUTS_GRADIENT, .statements = loops_add_to_gradient},
     .zeroed = "2 * d",
     .is_of_two = 1},
    {.name = "discrete_grad_next",
     .quantity = "dDH/dz1",
     .kind = LOOPS_DISCRETE_H,
     .values = {OUTPUTS_HESSIAN, .statements = loops_set_values, MATRIX},
     .places = loops_square_places,
     .is_of_two = 1},
    {.name = "discrete_jac",
     .quantity = "Dg, discrete gradients of g between z and z1",
     .kind = LOOPS_DISCRETE_G,
     .values = {OUTPUTS_GRADIENT, .statements = loops_set_values, MATRIX},
     .places = loops_row_places,
     .is_of_two = 1},
    {.name = "discrete_jac_next",
     .quantity = "d(lambda . Dg)/dz1",
     .kind = LOOPS_DISCRETE_G,
     .values = {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_values, .counts_rows = 1, MATRIX},
     .places = loops_square_places,
     .is_of_two = 1},
    {.name = "hamiltonian_third",
     .quantity = "Hess(grad H . u) for lambda = u, lower triangle",
     TRIANGLE_ALONG(OUTPUTS_THIRD, .counts_rows = 0)},
    {.name = "hamiltonian_fourth",
     .quantity = "Hess(u . Hess H w) for lambda = (u, w), lower triangle",
     TRIANGLE_ALONG(OUTPUTS_FOURTH, .counts_rows = 0)},
    {.name = "constraint_third",
     .quantity = "Hess(tau . Dg u) for lambda = (tau, u), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     TRIANGLE_ALONG(OUTPUTS_THIRD, .counts_rows = 1)},
    {.name = "constraint_fourth",
     .quantity = "Hess(u . Hess(tau . g) w) for lambda = (tau, u, w), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     TRIANGLE_ALONG(OUTPUTS_FOURTH, .counts_rows = 1)},
};

/* 1 if all families have a closed flow and at least one of them is not a shift; the flow of all
 * families needs each of them. */
static int has_flow(const ir_loops *loops)
{
  int closed = 0;
  for (int i = 0; i < loops->n_constraints; i++) {
    if (loops->constraints[i].fibre == IR_FIBRE_NUMERICAL) {
      return 0;
    }
    closed = closed || loops->constraints[i].fibre == IR_FIBRE_CLOSED;
  }
  return closed;
}

static int loops_functions_is_wanted(const loops_emission *e, const loops_function *function)
{
  int separable = e->loops->structure.separable;
  return e->lists[function->kind].n > 0 &&
         (function->when == SEPARABLE         ? separable
          : function->when == NOT_SEPARABLE   ? !separable
          : function->when == WITH_FLOW       ? has_flow(e->loops)
          : function->when == WITH_DIRECTIONS ? e->loops->has_directions
                                              : 1);
}

/* Writes the number of constraints; other values follow their multipliers in lambda. */
static void count_constraints(loops_frame *f)
{
  const char *sum = "0";
  for (int i = 0; i < f->emission->lists[LOOPS_CONSTRAINTS].n; i++) {
    sum = loops_plus(f->memory, sum, loops_family_count(f, LOOPS_CONSTRAINTS, i));
  }
  loops_line(f, "const long count = %s;", sum);
}

/* Writes the function for the places of contributions to a matrix, in the order of the values. */
static void emit_places(loops_emission *e, const loops_function *function)
{
  loops_frame *f = loops_frame_create(e);
  loops_quantity q = {.outputs = function->values.outputs,
                      .statements = function->places,
                      .counts_rows = function->places == loops_row_places,
                      .counts_values = 1,
                      .is_pattern = 1};
  const loops_plan plan = loops_plan_of(f, &q, function->kind);
  int is_tested = plan.parts > 0 && !plan.is_counting;
  if (is_tested) {
    loops_open(f, "if (rows) {");
  }
  if (plan.parts > 0) {
    loops_families(f, &plan);
  }
  loops_close(f, is_tested);
  loops_line(f, "return %s;", plan.parts > 0 && plan.is_counting ? "t" : plan.values);
  loops_frame_finish(
      f,
      arena_printf(e->memory, "%s: rows and columns, and how many they are.", function->quantity),
      "long", arena_printf(e->memory, "%s_places", function->name),
      EMIT_SIZES ", int rows[], int cols[]");
}

/* 1 if pieces pay: the number of instances grows with a size, and their numbers follow from the
 * loops' variables. */
static int is_divided(const loops_function *function, const loops_plan *plan)
{
  int grows = 0;
  for (int i = 0; i < plan->n; i++) {
    grows = grows || loops_nest_grows(&plan->families[i].of->nest);
  }
  return function->has_pieces && !plan->is_counting && plan->parts > 0 && grows;
}

/* Writes the function of all instances as a call with a single piece. */
static void emit_whole(loops_emission *e, const loops_function *function, const char *piece,
                       const char *more)
{
  loops_frame *f = loops_frame_create(e);
  const char *vector = function->values.factor == FACTOR_V ? "v, " : "";
  loops_line(f, "%s(sizes, 0, 1, z, k, %sout);", piece, vector);
  loops_frame_finish(f, arena_printf(e->memory, "%s.", function->quantity), "void", function->name,
                     arena_printf(e->memory, "%s, %sdouble out[]", EMIT_STATE, more));
  loops_member(e, piece);
}

static void emit_values(loops_emission *e, const loops_function *function)
{
  const loops_quantity *q = &function->values;
  loops_frame *f = loops_frame_create(e);
  f->writes_state = q->statements == loops_move;
  if (function->zeroed) {
    loops_set_zeros(f, "0", function->zeroed);
  }
  if (function->first) {
    loops_line(f, "%s", function->first);
  }
  const loops_plan plan = loops_plan_of(f, q, function->kind);
  f->is_divided = is_divided(function, &plan);
  if (q->factor == FACTOR_DIRECTIONS && function->kind == LOOPS_CONSTRAINTS && plan.parts > 0) {
    count_constraints(f);
  }
  if (q->begin || plan.parts > 0) {
    loops_families(f, &plan);
  }
  if (function->last) {
    loops_line(f, "%s", function->last);
  }
  const char *more = q->factor == FACTOR_NONE ? ""
                     : q->factor == FACTOR_V  ? "const double v[], "
                                              : "const double lambda[], ";
  const char *first = f->is_divided ? EMIT_PIECE : function->is_of_two ? EMIT_STATES : EMIT_STATE;
  const char *name = arena_printf(e->memory, "%s%s", function->name, f->is_divided ? "_piece" : "");
  loops_frame_finish(f,
                     arena_printf(e->memory, "%s%s.", function->quantity,
                                  f->is_divided ? ", of a piece of the instances" : ""),
                     "void", name,
                     function->arguments
                         ? function->arguments
                         : arena_printf(e->memory, "%s, %sdouble out[]", first, more));
  if (f->is_divided) {
    emit_whole(e, function, name, more);
  }
}

void loops_emit_functions(loops_emission *e)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const loops_function *function = &functions[i];
    if (!loops_functions_is_wanted(e, function)) {
      continue;
    }
    if (function->has_rows &&
        loops_emit_rows(e, function->name, function->quantity, &function->values)) {
      continue;
    }
    if (function->places) {
      emit_places(e, function);
      writer_printf(e->members, "    .%s = {{.list = %s_places}, %s},\n", function->name,
                    function->name, function->name);
    } else {
      loops_member(e, function->name);
    }
    emit_values(e, function);
  }
}
