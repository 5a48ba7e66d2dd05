/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/curve.h"

#include "expr/builders.h"

/* Defines a value with a label, which belongs to an entry of z or to a constraint. */
static const ir_expr *define(composer *c, const char *what, const char *label, const char *of,
                             const ir_expr *formula)
{
  return composer_define(c, arena_printf(c->memory, "%s_%s", what, label), of, formula);
}

/* *sum += factor part. */
static void curve_add(const composer *c, const ir_expr **sum, const ir_expr *factor,
                      const ir_expr *part)
{
  *sum = ir_plus(c->context, *sum, ir_times(c->context, factor, part));
}

/* n t, a value of the setup, where n is an entry of a tableau. */
static const ir_expr *part_of_t(composer *c, const curve_part *part, double n)
{
  return fused_define(c->values, arena_printf(c->memory, "part_of_t_%s", part->name),
                      arena_printf(c->memory, "%.6g t", n), composer_scaled(c, n, part->t));
}

/* ---- a stage ---- */

void curve_find_momentum(composer *c, const char *label, const ir_expr *z[],
                         const ir_expr *const v[], fused_matrix *mass)
{
  const int d = c->step->d;
  const ir_function *H_z = &c->program->functions[IR_HAMILTONIAN_GRAD];
  const ir_function *hess = &c->program->functions[IR_HAMILTONIAN_HESS];
  const ir_expr **at = composer_zeros(c, 2 * d); /* (q,0) */
  for (int i = 0; i < d; i++) {
    at[i] = z[i];
  }
  *mass = (fused_matrix){.n = d};
  for (int e = 0; e < hess->n; e++) {
    const int row = hess->entries[e].row - d;
    const int col = hess->entries[e].col - d;
    if (col >= 0) {
      const char *name = arena_printf(c->memory, "%d_%d", row + 1, col + 1);
      mass->at[row][col] = mass->at[col][row] =
          define(c, "H_pp", label, name, composer_at(c, hess->entries[e].value, at, NULL));
    }
  }
  composer_factorise(c, "H_pp", arena_printf(c->memory, "H_pp_%s", label), mass);
  for (int i = 0; i < d; i++) {
    const ir_expr *shift = composer_at(c, H_z->entries[d + i].value, at, NULL);
    z[d + i] = define(c, "y", label, c->program->q_names[i], ir_minus(c->context, v[i], shift));
  }
  if (!c->refusal) {
    fused_solve(c->values, arena_printf(c->memory, "P_%s", label), mass, z + d);
  }
}

void curve_find_multipliers(composer *c, const char *label, const ir_expr *const z[],
                            const fused_matrix *N, const ir_expr *lambda[])
{
  const ir_program *p = c->program;
  const ir_function *rates = &p->functions[IR_ACCELERATION];
  const ir_expr **none = composer_zeros(c, p->nc);
  for (int i = 0; i < p->nc; i++) {
    const ir_expr *rate = composer_at(c, rates->entries[p->nq + i].value, z, none);
    lambda[i] = define(c, "missed", label, p->c_names[i], ir_negated(c->context, rate));
  }
  if (!c->refusal) {
    fused_solve(c->values, arena_printf(c->memory, "lambda_%s", label), N, lambda);
  }
}

/* Computes A of a stage, with N, its factors and the multipliers. */
static void find_acceleration(composer *c, curve_stage *s)
{
  const ir_program *p = c->program;
  const ir_function *rates = &p->functions[IR_ACCELERATION];
  const char *name = arena_printf(c->memory, "N_%s", s->label);
  composer_find_N(c, name, s->z, &s->N);
  composer_factorise(c, "N", name, &s->N);
  s->lambda = composer_zeros(c, p->nc);
  curve_find_multipliers(c, s->label, s->z, &s->N, s->lambda);
  s->A = composer_zeros(c, p->nq);
  for (int i = 0; i < p->nq; i++) {
    s->A[i] = define(c, "A", s->label, p->q_names[i],
                     composer_at(c, rates->entries[i].value, s->z, s->lambda));
  }
}

/* ---- forwards ---- */

/* 1 if a later stage reads the slopes of stage i. */
static int is_read(const sw_tableau *t, int i)
{
  int read = 0;
  for (int j = i + 1; j < t->stages; j++) {
    read |= t->A[j * t->stages + i] != 0.0;
  }
  return read;
}

/* x + t sum_j weight_j slope_j over the first n stages. The slopes are velocities, or (half 1)
 * accelerations. */
static const ir_expr *advanced(composer *c, const curve_part *part, const char *label,
                               const ir_expr *x, int n, const double weight[], int half, int i)
{
  for (int j = 0; j < n; j++) {
    if (weight[j] != 0.0) {
      const curve_stage *s = &part->stage[j];
      curve_add(c, &x, part_of_t(c, part, weight[j]), half ? s->A[i] : s->v[i]);
    }
  }
  return define(c, half ? "V" : "Q", label, c->program->q_names[i], x);
}

curve_part *curve_part_at(composer *c, const char *name, const sw_tableau *tableau,
                          const ir_expr *alpha, const ir_expr *const z[], const ir_expr *const v[],
                          int with_velocity)
{
  const int d = c->step->d;
  const int n = tableau->stages;
  curve_part *part = ARENA_NEW(c->memory, curve_part);
  *part = (curve_part){.name = name, .tableau = tableau, .alpha = alpha};
  part->t = fused_define(c->values, arena_printf(c->memory, "t_%s", name), "",
                         ir_times(c->context, alpha, c->step->h));
  for (int i = 0; i < n && !c->refusal; i++) {
    curve_stage *s = &part->stage[i];
    const int accelerates = is_read(tableau, i) || (with_velocity && tableau->b[i] != 0.0);
    s->label = arena_printf(c->memory, "%s_%d", name, i + 1);
    s->z = composer_zeros(c, 2 * d);
    s->v = composer_zeros(c, d);
    for (int j = 0; j < d; j++) {
      s->z[j] = advanced(c, part, s->label, z[j], i, tableau->A + i * n, 0, j);
      s->v[j] = advanced(c, part, s->label, v[j], i, tableau->A + i * n, 1, j);
    }
    if (accelerates || tableau->b[i] != 0.0) {
      curve_find_momentum(c, s->label, s->z, s->v, &s->mass);
    }
    if (accelerates) {
      find_acceleration(c, s);
    }
  }
  part->q = composer_zeros(c, d);
  part->v = with_velocity ? composer_zeros(c, d) : NULL;
  for (int j = 0; j < d && !c->refusal; j++) {
    part->q[j] = advanced(c, part, name, z[j], n, tableau->b, 0, j);
    if (with_velocity) {
      part->v[j] = advanced(c, part, name, v[j], n, tableau->b, 1, j);
    }
  }
  return part;
}

/* ---- reverse sweep ---- */

/* sum_i weight_i J_ij over the rows from `first` to last - 1 of the derivatives of rates by (q, p,
 * lambda). */
static const ir_expr *weighted(composer *c, const curve_stage *s, int first, int last, int j,
                               const ir_expr *const weight[])
{
  const ir_function *J = &c->program->functions[IR_ACCELERATION_JAC];
  const ir_expr *sum = ir_integer(c->context, 0);
  for (int e = 0; e < J->n; e++) {
    const ir_entry *entry = &J->entries[e];
    if (entry->col == j && entry->row >= first && entry->row < last) {
      curve_add(c, &sum, weight[entry->row - first], composer_at(c, entry->value, s->z, s->lambda));
    }
  }
  return sum;
}

/* Adds the derivatives of a.A(q,v) at a stage. They are those of a.A + b.rho' + w.(H_p - v), with
 * the weights b and w that make this sum stationary in lambda and in p. */
static void add_slopes_of_acceleration(composer *c, const curve_stage *s, const ir_expr *const a[],
                                       const ir_expr *by_q[], const ir_expr *by_v[])
{
  const ir_program *p = c->program;
  const int d = p->nq;
  const int m = p->nc;
  const ir_function *hess = &p->functions[IR_HAMILTONIAN_HESS];
  const ir_expr **b = composer_zeros(c, m);
  const ir_expr **w = composer_zeros(c, d);
  for (int j = 0; j < m; j++) {
    const ir_expr *sum = weighted(c, s, 0, d, 2 * d + j, a);
    b[j] = define(c, "of_rho", s->label, p->c_names[j], ir_negated(c->context, sum));
  }
  fused_solve(c->values, arena_printf(c->memory, "of_rho_%s", s->label), &s->N, b);
  for (int j = 0; j < d; j++) {
    const ir_expr *sum =
        ir_plus(c->context, weighted(c, s, 0, d, d + j, a), weighted(c, s, d, d + m, d + j, b));
    w[j] = define(c, "of_v", s->label, p->q_names[j], ir_negated(c->context, sum));
  }
  fused_solve(c->values, arena_printf(c->memory, "of_v_%s", s->label), &s->mass, w);
  for (int j = 0; j < d; j++) {
    by_q[j] = ir_plus(c->context, by_q[j], weighted(c, s, 0, d, j, a));
    by_q[j] = ir_plus(c->context, by_q[j], weighted(c, s, d, d + m, j, b));
    by_v[j] = ir_minus(c->context, by_v[j], w[j]);
  }
  for (int e = 0; e < hess->n; e++) {
    const ir_entry *entry = &hess->entries[e];
    if (entry->row >= d && entry->col < d) {
      curve_add(c, &by_q[entry->col], w[entry->row - d], composer_at(c, entry->value, s->z, NULL));
    }
  }
}

/* The derivatives of weight.R^q - sign S by the stages, divided by h. */
typedef struct sweep {
  const ir_expr **by_Q[SW_TABLEAU_STAGES];
  const ir_expr **by_V[SW_TABLEAU_STAGES];
} sweep;

/* Computes the derivatives by stage i; those by later stages must be known. */
static void sweep_stage(composer *c, const curve_part *part, int i, const ir_expr *const weight[],
                        int sign, sweep *to)
{
  const ir_program *p = c->program;
  const int d = p->nq;
  const curve_stage *s = &part->stage[i];
  const sw_tableau *tableau = part->tableau;
  const ir_function *H_z = &p->functions[IR_HAMILTONIAN_GRAD];
  const ir_expr *b = fused_define(c->values, arena_printf(c->memory, "weight_%s", s->label), "",
                                  composer_scaled(c, tableau->b[i], part->alpha));
  const ir_expr *signed_b = composer_scaled(c, sign, b);
  const ir_expr **by_A = composer_zeros(c, d);
  to->by_Q[i] = composer_zeros(c, d);
  to->by_V[i] = composer_zeros(c, d);
  for (int j = 0; j < d; j++) {
    if (tableau->b[i] != 0.0) { /* L_q = -H_q and L_v = p */
      curve_add(c, &to->by_Q[i][j], signed_b, composer_at(c, H_z->entries[j].value, s->z, NULL));
      curve_add(c, &to->by_V[i][j], b, weight[j]);
      curve_add(c, &to->by_V[i][j], ir_negated(c->context, signed_b), s->z[d + j]);
    }
    for (int k = i + 1; k < tableau->stages; k++) {
      const ir_expr *a = part_of_t(c, part, tableau->A[k * tableau->stages + i]);
      curve_add(c, &to->by_V[i][j], a, to->by_Q[k][j]);
      curve_add(c, &by_A[j], a, to->by_V[k][j]);
    }
    by_A[j] = define(c, "by_A", s->label, p->q_names[j], by_A[j]);
  }
  if (is_read(tableau, i)) {
    add_slopes_of_acceleration(c, s, by_A, to->by_Q[i], to->by_V[i]);
  }
  for (int j = 0; j < d; j++) {
    to->by_Q[i][j] = define(c, "by_Q", s->label, p->q_names[j], to->by_Q[i][j]);
    to->by_V[i][j] = define(c, "by_V", s->label, p->q_names[j], to->by_V[i][j]);
  }
}

void curve_part_add_slopes(composer *c, const curve_part *part, const ir_expr *const weight[],
                           int sign, const ir_expr *by_q[], const ir_expr *by_v[])
{
  const int stages = part->tableau->stages;
  sweep by = {{NULL}, {NULL}};
  for (int i = stages - 1; i >= 0; i--) {
    sweep_stage(c, part, i, weight, sign, &by);
  }
  for (int j = 0; j < c->step->d; j++) {
    by_q[j] = ir_plus(c->context, by_q[j], weight[j]);
    for (int i = 0; i < stages; i++) {
      curve_add(c, &by_q[j], c->step->h, by.by_Q[i][j]);
      by_v[j] = ir_plus(c->context, by_v[j], by.by_V[i][j]);
    }
  }
}
