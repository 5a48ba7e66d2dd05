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

/* ---- loops ---- */

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

static void emit_part(loops_frame *f, const loops_quantity *q, const ir_looped_family *family,
                      int i, loops_kernel *k, int alone)
{
  const ir_part *part = &family->parts[i];
  int blocks = loops_nest_open(f, &part->nest);
  int braces = blocks == 0 && !alone;
  if (braces) {
    loops_open(f, "{");
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
                        loops_kernel kernels[], int parts, int alone)
{
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
    emit_part(f, q, family, i, &kernels[i], parts == 1 && (blocks > 0 || alone));
  }
  if (q->counts_rows) {
    loops_line(f, "row++;");
  }
  loops_nest_close(f, &family->nest, blocks);
}

void loops_families(loops_frame *f, const loops_quantity *q, loops_kind kind, int n,
                    const ir_looped_family list[])
{
  int all = loops_parts(f->emission, q, n, list);
  int left = q->begin ? n : all; /* families, or parts, that are still to come */
  if (q->counts_rows && left) {
    loops_line(f, "long row = 0;");
  }
  for (int i = 0; i < n && left; i++) {
    loops_kernel *kernels = ARENA_ARRAY(f->memory, list[i].n_parts + 1, loops_kernel);
    int parts = prepare(f->emission, q, &list[i], kernels);
    if (parts || q->begin) {
      emit_family(f, q, &list[i], kernels, parts, all == 1);
      left -= q->begin ? 1 : parts;
    } else if (q->counts_rows) {
      loops_line(f, "row += %s; /* %s */", loops_family_count(f, kind, i), list[i].family->heading);
    }
  }
}
