/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_families.c -- the loops of a list of families around what one function does with their kernels.
 */
#include "emit/function.h"
#include "emit/loops_functions.h"

/* ---- outputs ---- */

static void set_entries(loops_emission *e, loops_kernel *k, const ir_function *from)
{
  k->n = from->n;
  k->entries = from->entries;
  k->values = ARENA_ARRAY(e->memory, from->n + 1, const ir_expr *);
  for (int i = 0; i < from->n; i++) {
    k->values[i] = from->entries[i].value;
  }
}

static void set_one(loops_emission *e, loops_kernel *k, const ir_expr *value)
{
  k->n = 1;
  k->values = ARENA_ARRAY(e->memory, 1, const ir_expr *);
  k->values[0] = value;
}

void loops_outputs_value(loops_emission *e, loops_kernel *k)
{
  set_one(e, k, k->kernel->value);
}

void loops_outputs_magnitude(loops_emission *e, loops_kernel *k)
{
  set_one(e, k, k->kernel->magnitude);
}

void loops_outputs_gradient(loops_emission *e, loops_kernel *k)
{
  set_entries(e, k, &k->kernel->gradient);
}

/* The entries of the gradient in one half of the unknowns. */
static void set_half(loops_emission *e, loops_kernel *k, int momenta)
{
  const ir_function *gradient = &k->kernel->gradient;
  int first = momenta ? k->kernel->n_sites : 0;
  ir_function half = {.rows = gradient->rows,
                      .entries = ARENA_ARRAY(e->memory, gradient->n + 1, ir_entry)};
  for (int i = 0; i < gradient->n; i++) {
    int row = gradient->entries[i].row;
    if (row >= first && row < first + k->kernel->n_sites) {
      half.entries[half.n++] = gradient->entries[i];
    }
  }
  set_entries(e, k, &half);
}

void loops_outputs_gradient_q(loops_emission *e, loops_kernel *k)
{
  set_half(e, k, 0);
}

void loops_outputs_gradient_p(loops_emission *e, loops_kernel *k)
{
  set_half(e, k, 1);
}

void loops_outputs_hessian(loops_emission *e, loops_kernel *k)
{
  set_entries(e, k, &k->kernel->hessian);
}

void loops_outputs_hessian_times(loops_emission *e, loops_kernel *k)
{
  set_entries(e, k, &k->kernel->hessian);
  const ir_expr *lambda = ir_input(e->context, IR_LAMBDA, 0);
  for (int i = 0; i < k->n; i++) {
    k->values[i] = ir_mul(e->context, 2, (const ir_expr *[]){lambda, k->values[i]});
  }
}

/* Row r of the Hessian times v. */
static const ir_expr *row_times_v(loops_emission *e, const ir_function *hessian, int r)
{
  const ir_expr **terms = ARENA_ARRAY(e->memory, hessian->n + 1, const ir_expr *);
  int n = 0;
  for (int i = 0; i < hessian->n; i++) {
    const ir_entry *entry = &hessian->entries[i];
    if (entry->row == r || entry->col == r) {
      int other = entry->row == r ? entry->col : entry->row;
      terms[n++] = ir_mul(
          e->context, 2, (const ir_expr *[]){entry->value, ir_input(e->context, IR_LAMBDA, other)});
    }
  }
  return ir_add(e->context, n, terms);
}

void loops_outputs_along(loops_emission *e, loops_kernel *k)
{
  set_entries(e, k, &k->kernel->gradient);
  for (int i = 0; i < k->n; i++) {
    k->values[i] = row_times_v(e, &k->kernel->hessian, k->entries[i].row);
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
    q->outputs(e, k);
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

/* 1 where both nests, one inside of the other, go through all rounds and at most one of their sets depends on
 * sizes: then the numbers of rounds are simple, and too small to overflow. */
static int is_plain(const model *m, const ir_nest *outer, const ir_nest *inner)
{
  long constant = 1;
  int sized = 0;
  for (int i = 0; i < outer->n + inner->n; i++) {
    const model_set *set =
        i < outer->n ? outer->binders[i]->set : inner->binders[i - outer->n]->set;
    index_form count = index_form_count(set);
    int is_constant = index_form_is_constant(&count) && count.constant < MOST_ROUNDS;
    if (set->is_dependent || (!is_constant && !has_name(m, set))) {
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
    q->outputs(e, &k);
    if (k.n > 0) {
      n++;
      inner = inner || family->parts[i].nest.n > 0;
      plain = plain && is_plain(e->model, &family->nest, &family->parts[i].nest);
    }
  }
  return plain && (n <= 1 || !inner || family->nest.n == 0);
}

int loops_have_to_count(loops_emission *e, const loops_quantity *q, int n,
                        const ir_looped_family list[])
{
  for (int i = 0; i < n; i++) {
    if ((q->counts_rows && !is_plain(e->model, &list[i].nest, &nothing)) ||
        (q->counts_values && !has_plain_values(e, q, &list[i]))) {
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
  const model_set **sets = ARENA_ARRAY(f->memory, outer->n + inner->n + 1, const model_set *);
  for (int i = 0; i < outer->n + inner->n; i++) {
    sets[i] = i < outer->n ? outer->binders[i]->set : inner->binders[i - outer->n]->set;
  }
  return loops_plus(f->memory, base, loops_times(f, size, outer->n + inner->n, sets));
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
  int n = family->nest.n + inner->n;
  if (inner->n == 0) {
    return loops_round(f, base, n, family->nest.binders, stride_of(family, kernels));
  }
  const model_binder **binders = ARENA_ARRAY(f->memory, n, const model_binder *);
  for (int j = 0; j < n; j++) {
    binders[j] = j < family->nest.n ? family->nest.binders[j] : inner->binders[j - family->nest.n];
  }
  return loops_round(f, base, n, binders, kernels[i].n);
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
  if (braces) {
    loops_close(f);
  }
  loops_nest_close(f, &part->nest, blocks);
}

int loops_parts(loops_emission *e, const loops_quantity *q, int n, const ir_looped_family list[])
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    loops_kernel *kernels = ARENA_ARRAY(e->memory, list[i].n_parts + 1, loops_kernel);
    loops_quantity pattern = *q;
    pattern.is_pattern = 1;
    count += prepare(e, &pattern, &list[i], kernels);
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

const char *loops_families(loops_frame *f, const loops_quantity *q, loops_kind kind, int n,
                           const ir_looped_family list[])
{
  int all = loops_parts(f->emission, q, n, list);
  int left = q->begin ? n : all; /* families, or parts, that are still to come */
  counted before = {"0", "0"};
  f->is_counting = loops_have_to_count(f->emission, q, n, list);
  if (q->counts_values && f->is_counting) {
    loops_line(f, "long t = 0;");
  }
  if (q->counts_rows && left && f->is_counting) {
    loops_line(f, "long row = 0;");
  }
  for (int i = 0; i < n && left; i++) {
    loops_kernel *kernels = ARENA_ARRAY(f->memory, list[i].n_parts + 1, loops_kernel);
    int parts = prepare(f->emission, q, &list[i], kernels);
    if (parts || q->begin) {
      emit_family(f, q, &list[i], kernels, parts, all == 1, before);
      left -= q->begin ? 1 : parts;
    } else if (q->counts_rows && f->is_counting) {
      loops_line(f, "row += %s; /* %s */", loops_family_count(f, kind, i), list[i].family->heading);
    }
    if (!f->is_counting && (left || q->is_pattern)) {
      before = count_family(f, q, &list[i], kernels, before);
    }
  }
  return before.values;
}
