/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_values.c -- H and its gradient, g, observables and invariants of a looped model.
 */
#include "emit/function.h"
#include "emit/loops_functions.h"

#define SIZED        "const long sizes[], const double z[], const double k[], "
#define TAKES_SIZED  (TAKES(ARGUMENT_SIZES) | TAKES(ARGUMENT_Z) | TAKES(ARGUMENT_K))
#define TAKES_VALUES (TAKES_SIZED | TAKES(ARGUMENT_OUT))

/* ---- H ---- */

static void add_to_sum(loops_frame *f, loops_kernel *k)
{
  loops_line(f, "sum += %s;", loops_kernel_value(f, k, 0, 0));
}

static void emit_hamiltonian(loops_emission *e, writer *w)
{
  static const loops_quantity quantity = {.outputs = loops_outputs_value, .statements = add_to_sum};
  loops_frame *f = loops_frame_create(e);
  loops_line(f, "double sum = 0.0;");
  loops_families(f, &quantity, LOOPS_CONSTRAINTS, 1, &e->loops->hamiltonian);
  loops_line(f, "out[0] = sum;");
  f->used[ARGUMENT_OUT] = 1;
  loops_frame_finish(f, w, "H: 1 value.", "static void hamiltonian(" SIZED "double out[])",
                     TAKES_VALUES);
  loops_member(e, "hamiltonian");
}

static void add_to_gradient(loops_frame *f, loops_kernel *k)
{
  for (int i = 0; i < k->n; i++) {
    int unknown = k->entries[i].row;
    emit_noted(f->body, f->memory, f->indent,
               arena_printf(f->memory, "out[%s] += %s;", loops_kernel_unknown(f, k, unknown),
                            loops_kernel_value(f, k, i, 0)),
               loops_kernel_label(f, k, unknown));
  }
}

static void add_to_half(loops_frame *f, loops_kernel *k)
{
  for (int i = 0; i < k->n; i++) {
    int unknown = k->entries[i].row;
    int site = unknown % k->kernel->n_sites;
    emit_noted(f->body, f->memory, f->indent,
               arena_printf(f->memory, "out[%s] += %s;", loops_kernel_unknown(f, k, site),
                            loops_kernel_value(f, k, i, 0)),
               loops_kernel_label(f, k, unknown));
  }
}

static void zero_out(loops_frame *f, const char *count)
{
  loops_open(f, "for (long t = 0; t < %s; t++) {", count);
  loops_line(f, "out[t] = 0.0;");
  loops_close(f);
  f->d_used = 1;
  f->used[ARGUMENT_OUT] = 1;
}

/* One half of the gradient of a separable H. */
static void emit_half(loops_emission *e, writer *w, int momenta)
{
  static const loops_quantity halves[] = {
      {.outputs = loops_outputs_gradient_q, .statements = add_to_half},
      {.outputs = loops_outputs_gradient_p, .statements = add_to_half}};
  loops_frame *f = loops_frame_create(e);
  zero_out(f, "d");
  loops_families(f, &halves[momenta], LOOPS_CONSTRAINTS, 1, &e->loops->hamiltonian);
  loops_frame_finish(f, w, momenta ? "H_p: d values." : "H_q: d values.",
                     arena_printf(e->memory,
                                  "static void hamiltonian_grad_%c(" SIZED "double out[])",
                                  momenta ? 'p' : 'q'),
                     TAKES_VALUES);
  loops_member(e, momenta ? "hamiltonian_grad_p" : "hamiltonian_grad_q");
}

static void emit_gradient(loops_emission *e, writer *w)
{
  static const loops_quantity quantity = {.outputs = loops_outputs_gradient,
                                          .statements = add_to_gradient};
  loops_frame *f = loops_frame_create(e);
  if (e->loops->structure.separable) {
    emit_half(e, w, 0);
    emit_half(e, w, 1);
    loops_line(f, "hamiltonian_grad_q(sizes, z, k, out);");
    loops_line(f, "hamiltonian_grad_p(sizes, z, k, out + d);");
    f->d_used = 1;
    f->used[ARGUMENT_SIZES] = f->used[ARGUMENT_Z] = f->used[ARGUMENT_K] = 1;
    f->used[ARGUMENT_OUT] = 1;
  } else {
    zero_out(f, "2 * d");
    loops_families(f, &quantity, LOOPS_CONSTRAINTS, 1, &e->loops->hamiltonian);
  }
  loops_frame_finish(f, w, "grad H = (H_q, H_p): 2d values.",
                     "static void hamiltonian_grad(" SIZED "double out[])", TAKES_VALUES);
  loops_member(e, "hamiltonian_grad");
}

/* ---- one value for each instance ---- */

static void begin_row(loops_frame *f, const ir_looped_family *family)
{
  if (family->n_parts != 1 || family->parts[0].nest.n || family->parts[0].nest.condition) {
    loops_line(f, "out[%s] = 0.0;", f->row);
  }
  f->used[ARGUMENT_OUT] = 1;
}

static void set_row(loops_frame *f, loops_kernel *k)
{
  loops_line(f, "out[%s] %s %s;", f->row, k->adds ? "+=" : "=", loops_kernel_value(f, k, 0, 0));
}

static void emit_rows(loops_emission *e, writer *w, const loops_quantity *q, loops_kind kind, int n,
                      const ir_looped_family list[], const char *comment, const char *name)
{
  loops_frame *f = loops_frame_create(e);
  int has_lambda = q->factor == FACTOR_MULTIPLIERS;
  loops_families(f, q, kind, n, list);
  loops_frame_finish(f, w, comment,
                     arena_printf(e->memory, "static void %s(" SIZED "%sdouble out[])", name,
                                  has_lambda ? "const double lambda[], " : ""),
                     TAKES_VALUES | (has_lambda ? TAKES(ARGUMENT_LAMBDA) : 0));
  loops_member(e, name);
}

void loops_emit_values(loops_emission *e, writer *w)
{
  const ir_loops *l = e->loops;
  static const loops_quantity value = {
      .outputs = loops_outputs_value, .statements = set_row, .begin = begin_row, .counts_rows = 1};
  static const loops_quantity scale = {.outputs = loops_outputs_magnitude,
                                       .statements = set_row,
                                       .begin = begin_row,
                                       .counts_rows = 1};
  static const loops_quantity observable = {.outputs = loops_outputs_value,
                                            .factor = FACTOR_MULTIPLIERS,
                                            .statements = set_row,
                                            .begin = begin_row,
                                            .counts_rows = 1};
  emit_hamiltonian(e, w);
  emit_gradient(e, w);
  if (l->n_constraints) {
    emit_rows(e, w, &value, LOOPS_CONSTRAINTS, l->n_constraints, l->constraints, "g: m values.",
              "constraint");
    emit_rows(e, w, &scale, LOOPS_CONSTRAINTS, l->n_constraints, l->constraints,
              "Size of the terms of g: m values.", "constraint_scale");
  }
  if (l->n_observe) {
    emit_rows(e, w, &observable, LOOPS_OBSERVE, l->n_observe, l->observe, "Observables.",
              "observe");
  }
  if (l->n_invariants) {
    emit_rows(e, w, &value, LOOPS_INVARIANTS, l->n_invariants, l->invariants, "Invariants.",
              "invariant");
  }
}
