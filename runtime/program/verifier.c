/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verifier.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array to be carved out of the block. */
typedef struct carving {
  double **where;
  size_t count;
} carving;

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static int carve(sw_verifier *v, const carving list[], size_t count)
{
  size_t total = 1;
  for (size_t i = 0; i < count; i++) {
    total += list[i].count;
  }
  v->block = calloc(total, sizeof *v->block);
  if (v->block == NULL) {
    return 0;
  }
  double *next = v->block;
  for (size_t i = 0; i < count; i++) {
    *list[i].where = next;
    next += list[i].count;
  }
  return 1;
}

static int allocate(sw_verifier *v)
{
  sw_system *system = v->system;
  sw_values *at = &v->values;
  size_t n = (size_t)v->n;
  size_t m = (size_t)system->nc;
  size_t points = (size_t)v->options.points;
  size_t invariants = (size_t)system->n_invariant;
  size_t work = larger(n, larger(m, invariants));
  const carving list[] = {{&v->length, n},
                          {&v->near, points * n},
                          {&v->k, points * (size_t)system->nk},
                          {&v->lambda, points * m},
                          {&v->on, points * n},
                          {&v->k_on, points * (size_t)system->nk},
                          {&v->lambda_on, points * m},
                          {&at->energy, 1},
                          {&at->energy_grad, n},
                          {&at->energy_hess, (size_t)system->hamiltonian_hess_pattern.entries},
                          {&at->constraint, m},
                          {&at->constraint_scale, m},
                          {&at->constraint_jac, (size_t)system->constraint_jac_pattern.entries},
                          {&at->constraint_hess, (size_t)system->constraint_hess_pattern.entries},
                          {&at->hidden, m},
                          {&at->hidden_scale, m},
                          {&at->hidden_jac, (size_t)system->hidden_jac_pattern.entries},
                          {&at->coisotropy, (size_t)system->coisotropy_pattern.entries},
                          {&at->nondegeneracy, (size_t)system->nondegeneracy_pattern.entries},
                          {&at->flow, n},
                          {&at->flow_lambda, (size_t)system->fibre_flow_lambda_pattern.entries},
                          {&at->flow_z, (size_t)system->fibre_flow_z_pattern.entries},
                          {&at->observe, (size_t)system->n_observe},
                          {&at->invariant, invariants},
                          {&v->work[0], work},
                          {&v->work[1], work},
                          {&v->work[2], work},
                          {&v->work[3], work},
                          {&v->work[4], work},
                          {&v->work[5], work},
                          {&v->scratch, (size_t)system->hamiltonian_hess_pattern.entries}};
  return carve(v, list, sizeof list / sizeof list[0]);
}

/* SplitMix64: short, and the same on every machine. */
double sw_verifier_random(sw_verifier *verifier)
{
  uint64_t x = verifier->random += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  return ldexp((double)(x >> 11), -52) - 1.0;
}

int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options)
{
  *verifier = (sw_verifier){
      .system = system, .options = *options, .random = options->seed, .n = 2 * system->nq};
  for (int kind = 0; kind <= SW_INVARIANT; kind++) {
    verifier->names[kind] = sw_system_names(system, (sw_name_kind)kind);
    if (verifier->names[kind] == NULL) {
      return 0;
    }
  }
  if (!allocate(verifier)) {
    return 0;
  }
  return sw_verifier_choose_points(verifier);
}

void sw_verifier_clear(sw_verifier *verifier)
{
  for (int kind = 0; kind <= SW_INVARIANT; kind++) {
    free(verifier->names[kind]);
    verifier->names[kind] = NULL;
  }
  free(verifier->block);
  verifier->block = NULL;
}

static void forget(double out[], int count)
{
  for (int i = 0; i < count; i++) {
    out[i] = NAN;
  }
}

void sw_verifier_evaluate(const sw_system *system, sw_system_function *function, const double z[],
                          const double k[], double out[], int count)
{
  forget(out, count);
  function(system, z, k, out);
}

void sw_verifier_evaluate_lambda(const sw_system *system, sw_system_lambda_function *function,
                                 const double z[], const double k[], const double lambda[],
                                 double out[], int count)
{
  forget(out, count);
  function(system, z, k, lambda, out);
}

const char *sw_verifier_z_name(const sw_verifier *verifier, int i)
{
  int d = verifier->system->nq;
  return i < d ? verifier->names[SW_Q][i] : verifier->names[SW_P][i - d];
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
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
}

void sw_finding_note(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
}

void sw_finding_fail(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
  finding->outcome = SW_CHECK_FAIL;
}

void sw_finding_exclude(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
  finding->outcome = SW_CHECK_NOT_APPLICABLE;
}
