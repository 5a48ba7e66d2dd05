/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verifier.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/carver.h"
#include "common/random.h"
#include "common/vectors.h"

/* Reserves count + 1 values, so that no array is empty. */
static double *verifier_carve(sw_carver *c, int count)
{
  return sw_carve(c, 1, (size_t)count + 1);
}

static void carve_all(sw_verifier *v, sw_carver *c)
{
  const sw_system *s = v->system;
  int work = v->n > s->nc ? v->n : s->nc;
  work = work > s->n_invariant ? work : s->n_invariant;
  for (int i = 0; i < 2 * v->options.points; i++) {
    v->near[i].z = verifier_carve(c, v->n);
    v->near[i].k = verifier_carve(c, s->nk);
    v->near[i].lambda = verifier_carve(c, s->nc);
  }
  for (int what = 0; what < SW_OUTPUTS; what++) {
    v->value[what] = verifier_carve(c, v->output[what].count);
  }
  for (int i = 0; i < SW_WORK; i++) {
    v->work[i] = verifier_carve(c, work);
  }
  const int of_H = s->discrete_grad_next_pattern.entries;
  const int of_g = s->discrete_jac_next_pattern.entries;
  v->discrete_next = verifier_carve(c, of_H > of_g ? of_H : of_g);
  v->hidden_terms = verifier_carve(c, s->hidden_jac_pattern.entries);
  v->length = verifier_carve(c, v->n);
  v->first_hess = verifier_carve(c, v->output[SW_WITNESS_HAMILTONIAN_HESS].count);
  v->k_default = verifier_carve(c, s->nk);
}

static int verifier_allocate(sw_verifier *v)
{
  sw_carver counted = {.block = NULL};
  v->near = calloc(2 * (size_t)v->options.points, sizeof *v->near);
  if (v->near == NULL) {
    return 0;
  }
  v->on = v->near + v->options.points;
  carve_all(v, &counted);
  v->block = counted.overflow ? NULL : calloc(counted.used, 1);
  if (v->block != NULL) {
    carve_all(v, &(sw_carver){.block = v->block});
  }
  return v->block != NULL;
}

double sw_verifier_random(sw_verifier *verifier)
{
  return sw_random(&verifier->random);
}

int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options)
{
  *verifier = (sw_verifier){
      .system = system, .options = *options, .random = options->seed, .n = 2 * system->nq};
  for (int kind = 0; kind <= SW_EVENT; kind++) {
    verifier->names[kind] = sw_system_names(system, (sw_name_kind)kind);
    if (verifier->names[kind] == NULL) {
      return 0;
    }
  }
  for (int what = 0; what < SW_OUTPUTS; what++) {
    verifier->output[what] = sw_output_of(system, what);
  }
  if (!verifier_allocate(verifier)) {
    return 0;
  }
  sw_copy(verifier->k_default, system->k_default, (size_t)system->nk);
  return 1;
}

void sw_verifier_clear(sw_verifier *verifier)
{
  for (int kind = 0; kind <= SW_EVENT; kind++) {
    free(verifier->names[kind]);
  }
  free(verifier->near);
  free(verifier->block);
  *verifier = (sw_verifier){.system = NULL};
}

double *sw_verifier_value(sw_verifier *v, int what, const sw_point *at)
{
  sw_output_evaluate(v->system, &v->output[what], at->z, at->k, at->lambda, NAN, v->value[what]);
  return v->value[what];
}

static void verifier_multiply(int rows, int entries, const int row[], const int col[],
                              const double a[], const double x[], double y[], double size[])
{
  sw_zero(y, (size_t)rows);
  sw_zero(size, (size_t)rows);
  for (int e = 0; e < entries; e++) {
    const double term = a[e] * x[col[e]];
    y[row[e]] += term;
    size[row[e]] += fabs(term);
  }
}

void sw_verifier_multiply(const sw_verifier *v, int what, const double x[], double y[],
                          double size[])
{
  const sw_pattern *p = v->output[what].pattern;
  verifier_multiply(p->rows, p->entries, p->row, p->col, v->value[what], x, y, size);
}

void sw_verifier_multiply_transposed(const sw_verifier *v, int what, const double x[], double y[],
                                     double size[])
{
  const sw_pattern *p = v->output[what].pattern;
  verifier_multiply(p->cols, p->entries, p->col, p->row, v->value[what], x, y, size);
}

void sw_add_sizes(const sw_pattern *lower, const double A[], const double x[], double sizes[])
{
  for (int e = 0; e < lower->entries; e++) {
    const int row = lower->row[e];
    const int col = lower->col[e];
    sizes[row] += fabs(A[e] * x[col]);
    sizes[col] += row != col ? fabs(A[e] * x[row]) : 0.0;
  }
}

void sw_verifier_add_sizes(const sw_verifier *v, int what, const double x[], double sizes[])
{
  sw_add_sizes(v->output[what].pattern, v->value[what], x, sizes);
}

void sw_verifier_spread_row(const sw_verifier *v, int what, int row, int *next, double x[])
{
  const sw_pattern *pattern = v->output[what].pattern;
  sw_zero(x, (size_t)pattern->cols);
  for (; *next < pattern->entries && pattern->row[*next] == row; ++*next) {
    x[pattern->col[*next]] = v->value[what][*next];
  }
}

void sw_verifier_field(const sw_verifier *v, const double gradient[], double field[])
{
  const int d = v->system->nq;
  for (int i = 0; i < d; i++) {
    field[i] = gradient[i + d];
    field[i + d] = -gradient[i];
  }
}

void sw_verifier_contract_hidden(sw_verifier *v, const sw_point *at, double field[], double rho[],
                                 double size[])
{
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  sw_verifier_field(v, sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_GRAD, at), field);
  sw_verifier_multiply(v, SW_WITNESS_CONSTRAINT_JAC, field, rho, size);
}

const char *sw_verifier_z_name(const sw_verifier *verifier, int i)
{
  int d = verifier->system->nq;
  return i < d ? verifier->names[SW_Q][i] : verifier->names[SW_P][i - d];
}

/* ---- findings ---- */

double sw_figure(double error, double size)
{
  return error == 0.0 ? 0.0 : fabs(error) / size;
}

static void set_note(sw_finding *finding, const char *format, va_list arguments)
{
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
}

void sw_finding_take(sw_finding *finding, double figure, const char *format, ...)
{
  if (isnan(finding->worst) || figure <= finding->worst) {
    return;
  }
  finding->worst = figure;
  if (figure <= finding->tolerance) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  set_note(finding, format, arguments);
  va_end(arguments);
}

void sw_finding_take_state(sw_finding *finding, const sw_verifier *v, const double a[],
                           const double b[], const char *what, int point)
{
  for (int i = 0; i < v->n; i++) {
    sw_finding_take(finding, sw_figure(a[i] - b[i], fabs(b[i]) + v->length[i]),
                    "%s: %s is %.17g, expected %.17g (point %d)", what, sw_verifier_z_name(v, i),
                    a[i], b[i], point);
  }
}

void sw_verifier_compare(const sw_verifier *v, const sw_difference *of, int by_lambda, int point,
                         sw_finding *finding)
{
  sw_difference_worst worst;
  if (sw_difference_compare(of, &worst) != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    return;
  }
  sw_finding_take(finding, worst.figure,
                  "row %d, column %s: %.17g generated, %.17g by differences (point %d)", worst.row,
                  by_lambda ? v->names[SW_C][worst.col] : sw_verifier_z_name(v, worst.col),
                  worst.generated, worst.difference, point);
}

void sw_finding_say(sw_finding *finding, sw_outcome outcome, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  set_note(finding, format, arguments);
  va_end(arguments);
  finding->outcome = outcome;
}
