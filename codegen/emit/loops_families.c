/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_families.c -- the loops of a list of families around what one function does with their kernels.
 */
#include "emit/loops_functions.h"

/* ---- outputs ---- */

static void set_one(loops_emission *e, loops_kernel *k, const ir_expr *value)
{
  k->n = 1;
  k->values = ARENA_ARRAY(e->memory, 1, const ir_expr *);
  k->values[0] = value;
}

/* The entries in the rows from first to last - 1. */
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
}

static const ir_expr *product(loops_emission *e, const ir_expr *x, int input)
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
      terms[n++] = product(e, entry->value, entry->row == r ? entry->col : entry->row);
    }
  }
  return ir_add(e->context, n, terms);
}

/* Without the unknowns that stay what they are. */
static void set_flow(loops_emission *e, loops_kernel *k)
{
  const ir_function *flow = &k->family->flow;
  ir_function moving = {.entries = ARENA_ARRAY(e->memory, flow->n + 1, ir_entry)};
  for (int i = 0; i < flow->n; i++) {
    if (flow->entries[i].value != ir_input(e->context, IR_Z, flow->entries[i].row)) {
      moving.entries[moving.n++] = flow->entries[i];
    }
  }
  set_entries(e, k, &moving, 0, 2 * k->kernel->n_sites);
}

void loops_set_outputs(loops_emission *e, loops_outputs which, loops_kernel *k)
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
    set_one(e, k, which == OUTPUTS_VALUE ? k->kernel->value : k->kernel->magnitude);
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
      k->values[i] = product(e, k->values[i], 0);
    }
    break;
  case OUTPUTS_ALONG:
    set_entries(e, k, gradient, 0, 2 * n);
    for (int i = 0; i < k->n; i++) {
      k->values[i] = row_times_v(e, hessian, k->entries[i].row);
    }
    break;
  case OUTPUTS_FLOW:
    if (is_closed) {
      set_flow(e, k);
    }
    break;
  case OUTPUTS_FLOW_Z:
    if (is_closed) {
      set_entries(e, k, &k->family->flow_z, 0, 2 * n);
    }
    break;
  }
}

/* ---- kernels ---- */

/* A kernel for each part of the family, with code where the quantity computes; returns how many have
 * outputs. */
static int prepare(loops_emission *e, const loops_quantity *q, const ir_looped_family *family,
                   loops_kernel kernels[])
{
  int n = 0;
  for (int i = 0; i < family->n_parts; i++) {
    loops_kernel *k = &kernels[i];
    *k = (loops_kernel){.kernel = &family->parts[i].kernel,
                        .family = family,
                        .outer = &family->nest,
                        .inner = &family->parts[i].nest,
                        .adds = family->n_parts > 1 || family->parts[i].nest.n > 0 ||
                                family->parts[i].nest.condition};
    loops_set_outputs(e, q->outputs, k);
    n += k->n > 0;
    if (k->n && !q->is_pattern) {
      loops_kernel_code(e, k, q->factor);
    }
  }
  return n;
}

/* What the loops are over, and what one round of them costs. */
static void comment_on(loops_frame *f, const char *title, const ir_looped_family *family,
                       const ir_part *part, const loops_kernel *k)
{
  arena *a = f->memory;
  const char *cost = k->code ? emit_cost(a, k->code) : "";
  const char *inner = loops_nest_text(a, &part->nest);
  int is_scalar = family->nest.n + part->nest.n == 0;
  if (*inner || !*title) {
    const char *sum = *inner ? arena_printf(a, "sum(%s)", inner) : "without a sum";
    title = *title ? arena_printf(a, "%s, %s", title, sum) : sum;
  }
  if (*cost) {
    title = arena_printf(a, "%s: %s%s", title, cost, is_scalar ? "" : " a round");
  }
  loops_line(f, "/* %s. */", title);
}

/* ---- numbers of instances and of values ---- */

/* Counts of sets beyond this, multiplied, are left to a variable that counts. */
#define MOST_ROUNDS (1L << 20)

/* The number of elements of a set that stands in a sum alone, without a name, is known only where it is fixed. */
static int has_name(const model *m, const model_set *set)
{
  int i = 0;
  while (i < m->n_sets && m->sets[i] != set) {
    i++;
  }
  return i < m->n_sets;
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

/* 1 where both nests, one inside of the other, go through all rounds and at most one of their sets depends on
 * sizes: then the numbers of rounds are simple, and too small to overflow. */
static int is_plain(const loops_emission *e, const ir_nest *outer, const ir_nest *inner)
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

static const ir_nest nothing = {0, NULL, NULL};

/* The same for the values of all kernels of a family: one kernel, or none with loops of its own, or no loops
 * around them. */
static int has_plain_values(loops_emission *e, const loops_quantity *q,
                            const ir_looped_family *family)
{
  int n = 0;
  int plain = 1;
  int inner = 0;
  for (int i = 0; i < family->n_parts; i++) {
    loops_kernel k = {.kernel = &family->parts[i].kernel, .family = family};
    loops_set_outputs(e, q->outputs, &k);
    if (k.n > 0) {
      n++;
      inner = inner || family->parts[i].nest.n > 0;
      plain = plain && is_plain(e, &family->nest, &family->parts[i].nest);
    }
  }
  return plain && (n <= 1 || !inner || family->nest.n == 0);
}

int loops_have_to_count(loops_emission *e, const loops_quantity *q, loops_kind kind)
{
  const loops_list *list = &e->lists[kind];
  for (int i = 0; i < list->n; i++) {
    if ((q->counts_rows && !is_plain(e, &list->families[i].nest, &nothing)) ||
        (q->counts_values && !has_plain_values(e, q, &list->families[i]))) {
      return 1;
    }
  }
  return 0;
}

/* What comes before the present family: instances and values, as text. */
typedef struct counted {
  const char *rows;
  const char *values;
} counted;

/* base + size * rounds of the nests, of which one may have binders only. */
static const char *past(loops_frame *f, const char *base, const ir_nest *outer,
                        const ir_nest *inner, long size)
{
  int n = outer->n + inner->n;
  const model_set **sets = loops_sets(f->memory, n, joined(f->memory, outer, inner));
  return loops_plus(f->memory, base, loops_times(f, size, n, sets));
}

/* Values in one round of the family's own loops. */
static long stride_of(const ir_looped_family *family, const loops_kernel kernels[])
{
  long stride = 0;
  for (int i = 0; i < family->n_parts; i++) {
    stride += kernels[i].n;
  }
  return stride;
}

/* The number of the first value of kernel i in the present round. */
static const char *place_of(loops_frame *f, const ir_looped_family *family,
                            const loops_kernel kernels[], int i, const char *base)
{
  const ir_nest *inner = &family->parts[i].nest;
  return loops_round(f, base, family->nest.n + inner->n, joined(f->memory, &family->nest, inner),
                     inner->n ? kernels[i].n : stride_of(family, kernels));
}

/* The base of the kernel after number i. */
static const char *after_kernel(loops_frame *f, const ir_looped_family *family,
                                const loops_kernel kernels[], int i, const char *base)
{
  return family->nest.n > 0
             ? loops_plus(f->memory, base, arena_printf(f->memory, "%d", kernels[i].n))
             : past(f, base, &nothing, &family->parts[i].nest, kernels[i].n);
}

/* Adds a family to what has been counted. */
static counted count_family(loops_frame *f, const loops_quantity *q, const ir_looped_family *family,
                            const loops_kernel kernels[], counted before)
{
  counted after = before;
  if (q->counts_rows) {
    after.rows = past(f, before.rows, &family->nest, &nothing, 1);
  }
  for (int i = 0; i < family->n_parts && q->counts_values; i++) {
    if (kernels[i].n) {
      after.values = past(f, after.values, &family->nest, &family->parts[i].nest, kernels[i].n);
    }
  }
  return after;
}

/* ---- loops ---- */

static void emit_part(loops_frame *f, const loops_quantity *q, const ir_looped_family *family,
                      int i, loops_kernel kernels[], int alone, const char *base)
{
  const ir_part *part = &family->parts[i];
  loops_kernel *k = &kernels[i];
  int blocks = loops_nest_open(f, &part->nest);
  int braces = blocks == 0 && !alone;
  if (braces) {
    loops_open(f, "{");
  }
  if (q->counts_values) {
    f->at = f->is_counting ? "t" : place_of(f, family, kernels, i, base);
  }
  if (!q->is_pattern) {
    loops_kernel_gather(f, k, q->factor);
  }
  q->statements(f, k);
  loops_close(f, braces);
  loops_nest_close(f, &part->nest, blocks);
}

int loops_parts(loops_emission *e, const loops_quantity *q, loops_kind kind)
{
  const loops_list *list = &e->lists[kind];
  loops_quantity pattern = *q;
  int count = 0;
  pattern.is_pattern = 1;
  for (int i = 0; i < list->n; i++) {
    loops_kernel *kernels = ARENA_ARRAY(e->memory, list->families[i].n_parts + 1, loops_kernel);
    count += prepare(e, &pattern, &list->families[i], kernels);
  }
  return count;
}

static void emit_family(loops_frame *f, const loops_quantity *q, const ir_looped_family *family,
                        loops_kernel kernels[], int parts, int alone, counted before)
{
  int left = parts;
  const char *title = family->family ? family->family->heading : "";
  int each = !*title || parts > 1; /* the parts have comments of their own */
  if (*title && each) {
    loops_line(f, "/* %s. */", title);
  }
  for (int i = 0; i < family->n_parts && !each; i++) {
    if (kernels[i].n) {
      comment_on(f, title, family, &family->parts[i], &kernels[i]);
    }
  }
  int blocks = loops_nest_open(f, &family->nest);
  if (q->counts_rows) {
    f->row = f->is_counting ? "row"
                            : loops_round(f, before.rows, family->nest.n, family->nest.binders, 1);
  }
  if (q->begin) {
    q->begin(f, family);
  }
  for (int i = 0; i < family->n_parts; i++) {
    if (kernels[i].n == 0) {
      continue;
    }
    if (each) {
      comment_on(f, "", family, &family->parts[i], &kernels[i]);
    }
    emit_part(f, q, family, i, kernels, parts == 1 && (blocks > 0 || alone), before.values);
    if (q->counts_values && !f->is_counting && --left > 0) {
      before.values = after_kernel(f, family, kernels, i, before.values);
    }
  }
  if (q->counts_rows && f->is_counting) {
    loops_line(f, "row++;");
  }
  loops_nest_close(f, &family->nest, blocks);
}

const char *loops_families(loops_frame *f, const loops_quantity *q, loops_kind kind)
{
  const loops_list *list = &f->emission->lists[kind];
  int all = loops_parts(f->emission, q, kind);
  int left = q->begin ? list->n : all; /* families, or parts, that are still to come */
  counted before = {"0", "0"};
  f->is_counting = loops_have_to_count(f->emission, q, kind);
  if (q->counts_values && f->is_counting) {
    loops_line(f, "long t = 0;");
  }
  if (q->counts_rows && left && f->is_counting) {
    loops_line(f, "long row = 0;");
  }
  for (int i = 0; i < list->n && left; i++) {
    const ir_looped_family *family = &list->families[i];
    loops_kernel *kernels = ARENA_ARRAY(f->memory, family->n_parts + 1, loops_kernel);
    int parts = prepare(f->emission, q, family, kernels);
    if (parts || q->begin) {
      emit_family(f, q, family, kernels, parts, all == 1, before);
      left -= q->begin ? 1 : parts;
    } else if (q->counts_rows && f->is_counting) {
      loops_line(f, "row += %s; /* %s */", loops_family_count(f, kind, i), family->family->heading);
    }
    if (!f->is_counting && (left || q->is_pattern)) {
      before = count_family(f, q, family, kernels, before);
    }
  }
  return before.values;
}
