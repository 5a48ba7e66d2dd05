/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Identities of the fibre flow Gamma_lambda = exp(sum_i lambda_i X_{g_i}) (paper 000, Corollary 3.7).
 * Where the constraints do not commute, the group property and the derivative hold along one
 * direction of lambda only, and that is what is checked then.
 */
#include <math.h>
#include <string.h>

#include "program/verifier.h"

/* Largest difference of two states, each entry relative to its own size and typical length. */
static void compare_states(sw_verifier *v, const double a[], const double b[], const char *what,
                           int point, sw_finding *finding)
{
  for (int i = 0; i < v->n; i++) {
    double error = fabs(a[i] - b[i]);
    sw_finding_take(finding, error == 0.0 ? 0.0 : error / (fabs(b[i]) + v->length[i]),
                    "%s: %s is %.17g, expected %.17g (point %d)", what, sw_verifier_z_name(v, i),
                    a[i], b[i], point);
  }
}

void sw_check_flow_zero(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  double *lambda = v->work[0];
  (void)base;
  memset(lambda, 0, (size_t)system->nc * sizeof *lambda);
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, z, k, lambda, v->values.flow, v->n);
    compare_states(v, v->values.flow, z, "Gamma_0(z)", point, finding);
  }
}

/* The scale of each g_i, and what an error of z in the units of `length` makes of it, at z: a constraint
 * of one term, such as p = 0, has a scale as small as itself on M. */
static void rounding_sizes(sw_verifier *v, const double z[], const double k[], double size[])
{
  sw_system *system = v->system;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  sw_verifier_evaluate(v->system, system->constraint_scale, z, k, size, system->nc);
  sw_verifier_evaluate(v->system, system->constraint_jac, z, k, v->values.constraint_jac,
                       pattern->entries);
  for (int e = 0; e < pattern->entries; e++) {
    size[pattern->row[e]] += fabs(v->values.constraint_jac[e]) * v->length[pattern->col[e]];
  }
}

void sw_check_flow_tangent(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  sw_values *at = &v->values;
  double *size = v->work[0];
  (void)base;
  for (int point = 0; point < v->reached; point++) {
    const double *z = v->on + (size_t)point * (size_t)v->n;
    const double *k = v->k_on + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda_on + (size_t)point * (size_t)system->nc;
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, z, k, lambda, at->flow, v->n);
    sw_verifier_evaluate(v->system, system->constraint, at->flow, k, at->constraint, system->nc);
    rounding_sizes(v, at->flow, k, size);
    for (int i = 0; i < system->nc; i++) {
      double off = fabs(at->constraint[i]);
      sw_finding_take(finding, off == 0.0 ? 0.0 : off / size[i],
                      "%s = %.3g after the flow (point %d)", v->names[SW_C][i], at->constraint[i],
                      point);
    }
  }
}

/* Gamma_b(Gamma_a(z)) = Gamma_{a+b}(z) */
void sw_check_flow_group(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  double *first = v->work[0];
  double *second = v->work[1];
  double *middle = v->work[2];
  double *end = v->work[3];
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)system->nc;
    double part = 0.4;
    for (int i = 0; i < system->nc; i++) {
      if (system->model->structure.commuting) {
        part = sw_verifier_random(v);
      }
      first[i] = part * lambda[i];
      second[i] = lambda[i] - first[i];
    }
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, z, k, first, middle, v->n);
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, middle, k, second, end, v->n);
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, z, k, lambda, v->values.flow, v->n);
    compare_states(v, end, v->values.flow, "Gamma_b(Gamma_a(z))", point, finding);
  }
}

/* Compares dGamma/dlambda . w with sum_i w_i X_{g_i}(Gamma), given dGamma/dlambda and Dg there. */
static void check_direction(sw_verifier *v, const double w[], int point, sw_finding *finding)
{
  sw_system *system = v->system;
  const sw_pattern *flow = &system->fibre_flow_lambda_pattern;
  const sw_pattern *jacobian = &system->constraint_jac_pattern;
  double *derivative = v->work[1];
  double *field = v->work[2];
  double *size = v->work[3];
  double largest = 0.0;
  int d = system->nq;
  for (int i = 0; i < v->n; i++) {
    derivative[i] = field[i] = size[i] = 0.0;
  }
  for (int e = 0; e < flow->entries; e++) {
    double term = v->values.flow_lambda[e] * w[flow->col[e]];
    derivative[flow->row[e]] += term;
    size[flow->row[e]] += fabs(term);
  }
  for (int e = 0; e < jacobian->entries; e++) {
    double term = w[jacobian->row[e]] * v->values.constraint_jac[e];
    int col = jacobian->col[e];
    int row = col < d ? col + d : col - d;
    field[row] += col < d ? -term : term;
    size[row] += fabs(term);
    largest = fmax(largest, fabs(term));
  }
  for (int i = 0; i < v->n; i++) {
    double error = fabs(derivative[i] - field[i]);
    sw_finding_take(finding, error == 0.0 ? 0.0 : error / (size[i] + 1e-3 * largest),
                    "%s: dGamma/dlambda gives %.17g, X_g %.17g (point %d)",
                    sw_verifier_z_name(v, i), derivative[i], field[i], point);
  }
}

void sw_check_flow_generator(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  double *w = v->work[0];
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)system->nc;
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow, z, k, lambda, v->values.flow, v->n);
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow_lambda, z, k, lambda,
                                v->values.flow_lambda, system->fibre_flow_lambda_pattern.entries);
    sw_verifier_evaluate(v->system, system->constraint_jac, v->values.flow, k,
                         v->values.constraint_jac, system->constraint_jac_pattern.entries);
    if (!system->model->structure.commuting) {
      check_direction(v, lambda, point, finding);
      continue;
    }
    memset(w, 0, (size_t)system->nc * sizeof *w);
    for (int i = 0; i < system->nc; i++) {
      w[i] = 1.0;
      check_direction(v, w, point, finding);
      w[i] = 0.0;
    }
  }
}

/* image = S u, and size_i = sum_j |S_ij u_j|, for S = dGamma/dz. */
static void apply(const sw_verifier *v, const double u[], double image[], double size[])
{
  const sw_pattern *pattern = &v->system->fibre_flow_z_pattern;
  for (int i = 0; i < v->n; i++) {
    image[i] = size[i] = 0.0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    double term = v->values.flow_z[e] * u[pattern->col[e]];
    image[pattern->row[e]] += term;
    size[pattern->row[e]] += fabs(term);
  }
}

/* omega(a,b) = a_q . b_p - a_p . b_q */
static double omega(const double a[], const double b[], int d)
{
  double sum = 0.0;
  for (int i = 0; i < d; i++) {
    sum += a[i] * b[i + d] - a[i + d] * b[i];
  }
  return sum;
}

/* The same sum of magnitudes, for a and b that have no sign. */
static double omega_size(const double a[], const double b[], int d)
{
  double sum = 0.0;
  for (int i = 0; i < d; i++) {
    sum += a[i] * b[i + d] + a[i + d] * b[i];
  }
  return sum;
}

/* Gamma is symplectic: omega(S u, S w) = omega(u, w), for random u and w in the units of `length`, as
 * many pairs as there are dimensions up to 16. */
void sw_check_flow_symplectic(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  int d = system->nq;
  double **work = v->work;
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    const double *lambda = v->lambda + (size_t)point * (size_t)system->nc;
    sw_verifier_evaluate_lambda(v->system, system->fibre_flow_z, z, k, lambda, v->values.flow_z,
                                system->fibre_flow_z_pattern.entries);
    for (int pair = 0; pair < v->n && pair < 16; pair++) {
      for (int i = 0; i < v->n; i++) {
        work[0][i] = v->length[i] * sw_verifier_random(v);
        work[1][i] = v->length[i] * sw_verifier_random(v);
      }
      apply(v, work[0], work[2], work[3]);
      apply(v, work[1], work[4], work[5]);
      double before = omega(work[0], work[1], d);
      double after = omega(work[2], work[4], d);
      sw_finding_take(finding, fabs(after - before) / omega_size(work[3], work[5], d),
                      "omega(Su,Sw) = %.17g, omega(u,w) = %.17g (point %d)", after, before, point);
    }
  }
}
