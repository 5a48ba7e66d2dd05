/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/builders.h"
#include "fused/composer.h"
#include "step/tableau.h"

/* One part of the curve that a variational integrator attaches to a state (q,p),
 * as values. The part is an explicit Runge-Kutta method R_t for q' = v, v' = A(q,v), S' = L(q,v)
 * with v = H_p(q,p) (runtime/step/layer.h):
 *
 *   Q_i = q + t sum_j a_ij V_j,   V_i = v + t sum_j a_ij A(Q_j,V_j),
 *   R^q = q + t sum_i b_i V_i,   S = t sum_i b_i L(Q_i,V_i). */

typedef struct curve_stage {
  const char *label;      /* suffix of the names of its values */
  const ir_expr **z;      /* 2d: Q_i, and the momentum P_i with the velocity V_i */
  const ir_expr **v;      /* d: V_i */
  const ir_expr **A;      /* d: A(Q_i,V_i), or NULL if unused */
  const ir_expr **lambda; /* m: multipliers that make the rate of rho 0, or NULL if unused */
  fused_matrix mass;      /* factors of H_pp */
  fused_matrix N;         /* factors of N */
} curve_stage;

typedef struct curve_part {
  const char *name;
  const ir_expr *alpha; /* t/h */
  const ir_expr *t;
  const ir_expr **q; /* d: R^q */
  const ir_expr **v; /* d: R^v, or NULL if not requested */
  curve_stage stage[SW_TABLEAU_STAGES];
} curve_part;

/* Defines a value with a label, which belongs to an entry of z or to a constraint. */
static const ir_expr *define(composer *c, const char *what, const char *label, const char *of,
                             const ir_expr *formula)
{
  return composer_define(c, arena_printf(c->memory, "%s_%s", what, label), of, formula);
}

/* n t, a value of the setup, where n is an entry of a tableau. */
static const ir_expr *part_of_t(composer *c, const curve_part *part, double n)
{
  return fused_define(c->values, arena_printf(c->memory, "part_of_t_%s", part->name),
                      arena_printf(c->memory, "%.6g t", n), composer_scaled(c, n, part->t));
}

/* ---- a stage ---- */

/* Sets z[d], ..., z[2d - 1] to the momentum of the velocity v at the positions z[0], ..., z[d - 1].
 * *mass: factors of H_pp. */
static void curve_find_momentum(composer *c, const char *label, const ir_expr *z[],
                                const ir_expr *const v[], fused_matrix *mass)
{
  const int d = c->step->d;
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
    const ir_expr *shift = composer_value(c, IR_HAMILTONIAN_GRAD, d + i, at);
    z[d + i] = define(c, "y", label, c->program->q_names[i], ir_minus(c->context, v[i], shift));
  }
  if (!c->refusal) {
    fused_solve(c->values, arena_printf(c->memory, "P_%s", label), mass, z + d);
  }
}

/* Solves N lambda = -rho'(z,0) with the factors of N at z. */
static void curve_find_multipliers(composer *c, const char *label, const ir_expr *const z[],
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
      composer_add(c, &x, part_of_t(c, part, weight[j]), half ? s->A[i] : s->v[i]);
    }
  }
  return define(c, half ? "V" : "Q", label, c->program->q_names[i], x);
}

/* Computes the part at the state z, whose velocity H_p is v, up to the time t = alpha h. Sets a
 * refusal if H_pp or N has a pivot that is always zero. */
static curve_part *curve_part_at(composer *c, const char *name, const ir_expr *alpha,
                                 const ir_expr *const z[], const ir_expr *const v[],
                                 int with_velocity)
{
  const int d = c->step->d;
  const sw_tableau *tableau = c->base->tableau;
  const int n = tableau->stages;
  curve_part *part = ARENA_NEW(c->memory, curve_part);
  *part = (curve_part){.name = name, .alpha = alpha};
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
  const ir_expr *sum = composer_zero(c);
  for (int e = 0; e < J->n; e++) {
    const ir_entry *entry = &J->entries[e];
    if (entry->col == j && entry->row >= first && entry->row < last) {
      composer_add(c, &sum, weight[entry->row - first],
                   composer_at(c, entry->value, s->z, s->lambda));
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
      composer_add(c, &by_q[entry->col], w[entry->row - d],
                   composer_at(c, entry->value, s->z, NULL));
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
  const sw_tableau *tableau = c->base->tableau;
  const ir_expr *b = fused_define(c->values, arena_printf(c->memory, "weight_%s", s->label), "",
                                  composer_scaled(c, tableau->b[i], part->alpha));
  const ir_expr *signed_b = composer_scaled(c, sign, b);
  const ir_expr **by_A = composer_zeros(c, d);
  to->by_Q[i] = composer_zeros(c, d);
  to->by_V[i] = composer_zeros(c, d);
  for (int j = 0; j < d; j++) {
    if (tableau->b[i] != 0.0) { /* L_q = -H_q and L_v = p */
      composer_add(c, &to->by_Q[i][j], signed_b, composer_value(c, IR_HAMILTONIAN_GRAD, j, s->z));
      composer_add(c, &to->by_V[i][j], b, weight[j]);
      composer_add(c, &to->by_V[i][j], ir_negated(c->context, signed_b), s->z[d + j]);
    }
    for (int k = i + 1; k < tableau->stages; k++) {
      const ir_expr *a = part_of_t(c, part, tableau->A[k * tableau->stages + i]);
      composer_add(c, &to->by_V[i][j], a, to->by_Q[k][j]);
      composer_add(c, &by_A[j], a, to->by_V[k][j]);
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

/* Adds to by_q the derivatives of weight.R^q - sign S by q, and to by_v those by v, divided by h (d
 * each). */
static void curve_part_add_slopes(composer *c, const curve_part *part,
                                  const ir_expr *const weight[], int sign, const ir_expr *by_q[],
                                  const ir_expr *by_v[])
{
  const int stages = c->base->tableau->stages;
  sweep by = {{NULL}, {NULL}};
  for (int i = stages - 1; i >= 0; i--) {
    sweep_stage(c, part, i, weight, sign, &by);
  }
  for (int j = 0; j < c->step->d; j++) {
    by_q[j] = ir_plus(c->context, by_q[j], weight[j]);
    for (int i = 0; i < stages; i++) {
      composer_add(c, &by_q[j], c->step->h, by.by_Q[i][j]);
      by_v[j] = ir_plus(c->context, by_v[j], by.by_V[i][j]);
    }
  }
}

/* A step of a variational integrator (paper 004, Stage 4). It finds the state z1
 * whose curve begins where the curve of the start ends, with the same momentum
 * (runtime/step/variational_step.h).
 *
 * With Phi = mu^.R^q_near + lambda^.R^q_far - (S_near - S_far), the curve of a state w = (q,v), v =
 * H_p(q,p), satisfies
 *
 *   Phi_q + nu_1 Dg(q) + h nu_2 v^T D^2 g(q) = 0,   Phi_v/h + nu_2 Dg(q) = 0,
 *   Dg(x_near) mu^ = 0,   Dg(x_far) lambda^ = 0,
 *   x + Dg(x)^T theta = R^q at both ends,   g(x) = 0.
 *
 * For the start these are two solves: for the ends x, and then a linear one for the momenta. The
 * curve leads to x = x_near and to mu = (1 + D^2(theta.g)(x)) mu^.
 *
 * For the end, x and mu are known up to Dg(x)^T zeta. One solve finds (lambda^, q, p, x_far,
 * theta_far, theta_near, nu_2, nu_1), with g(q) = 0 and rho(q,p) = 0; mu^ and zeta are eliminated.
 * The order of rows keeps pivots from vanishing with h: lambda^ from Phi_q, q from R_near, p from
 * Phi_v/h, and multipliers from the equations that they enforce. */

/* g and its derivatives at positions x, as values. x has 2d entries; the first d are used. */

/* sum += Dg(x)^T weight; d entries. */
static void constraints_add_pulls(composer *c, const ir_expr *const x[],
                                  const ir_expr *const weight[], const ir_expr *sum[])
{
  const ir_function *Dg = &c->program->functions[IR_CONSTRAINT_JAC];
  for (int e = 0; e < Dg->n && c->program->nc; e++) {
    const ir_entry *entry = &Dg->entries[e];
    composer_add(c, &sum[entry->col], weight[entry->row], composer_at(c, entry->value, x, NULL));
  }
}

/* sum += D^2(weight.g)(x) u. */
static void constraints_add_bent(composer *c, const ir_expr *const x[],
                                 const ir_expr *const weight[], const ir_expr *const u[],
                                 const ir_expr *sum[])
{
  const ir_function *hess = &c->program->functions[IR_CONSTRAINT_HESS];
  for (int e = 0; e < hess->n && c->program->nc; e++) {
    const int row = hess->entries[e].row;
    const int col = hess->entries[e].col;
    const ir_expr *value = composer_at(c, hess->entries[e].value, x, weight);
    composer_add(c, &sum[row], value, u[col]);
    if (row != col) {
      composer_add(c, &sum[col], value, u[row]);
    }
  }
}

/* Solves (1 + D^2(theta.g)(x)) mu^ + Dg(x)^T zeta = mu, Dg(x) mu^ = 0 for mu^. */
static const ir_expr **constraints_straightened(composer *c, const ir_expr *const x[],
                                                const ir_expr *const theta[],
                                                const ir_expr *const mu[])
{
  const ir_program *p = c->program;
  const ir_function *hess = &p->functions[IR_CONSTRAINT_HESS];
  const ir_function *Dg = &p->functions[IR_CONSTRAINT_JAC];
  const int n = p->nc ? p->nq + p->nc : 0;
  fused_matrix saddle = {.n = n};
  const ir_expr **hat = composer_formulas(c, p->nq + p->nc);
  for (int i = 0; i < p->nq + p->nc; i++) {
    hat[i] = i < p->nq ? mu[i] : composer_zero(c);
    saddle.at[i][i] = i < p->nq ? ir_integer(c->context, 1) : NULL;
  }
  for (int e = 0; e < hess->n && n; e++) {
    const int row = hess->entries[e].row;
    const int col = hess->entries[e].col;
    const ir_expr *bent = composer_at(c, hess->entries[e].value, x, theta);
    bent = row == col ? ir_plus(c->context, saddle.at[row][row], bent) : bent;
    saddle.at[row][col] = saddle.at[col][row] = fused_define(c->values, "bent", "", bent);
  }
  for (int e = 0; e < Dg->n && n; e++) {
    const int row = p->nq + Dg->entries[e].row;
    const int col = Dg->entries[e].col;
    saddle.at[row][col] = saddle.at[col][row] =
        fused_define(c->values, "Dg", "", composer_at(c, Dg->entries[e].value, x, NULL));
  }
  if (!fused_factorise(c->values, "bent", &saddle)) {
    c->refusal = "a constraint reads no position";
    return hat;
  }
  fused_solve(c->values, "mu", &saddle, hat);
  return hat;
}

/* ---- unknowns and equations ---- */

/* Adds n unknowns called `what`; without guesses they begin at 0. `of`: names of the entries. The
 * array has 2n elements, because positions are read as a part of a state. */
static const ir_expr **unknowns(composer *c, const char *what, int n, const char *const of[],
                                const ir_expr *const guess[])
{
  const ir_expr **u = composer_zeros(c, 2 * n);
  for (int i = 0; i < n && !c->refusal; i++) {
    u[i] = composer_unknown(c, arena_printf(c->memory, "%s_%s", what, of[i]), "",
                            guess ? guess[i] : composer_zero(c));
  }
  return u;
}

static const ir_expr **multipliers(composer *c, const char *what)
{
  return unknowns(c, what, c->step->m, c->program->c_names, NULL);
}

/* Adds d equations in positions or momenta. Returns the next row. */
static int legendre_step_equate(composer *c, int row, int half, const ir_expr *const formula[])
{
  const int d = c->step->d;
  for (int i = 0; i < d; i++) {
    composer_miss(c, row + i, half, composer_name(c, half * d + i), formula[i]);
  }
  return row + d;
}

static int legendre_step_hold(composer *c, int row, const ir_expr *const x[])
{
  for (int i = 0; i < c->step->m; i++) {
    composer_hold(c, row + i, i, composer_value(c, IR_CONSTRAINT, i, x));
  }
  return row + c->step->m;
}

/* Adds the equations Dg(x) u = 0 for momenta u. */
static int keep_tangent(composer *c, int row, const ir_expr *const x[], const ir_expr *const u[])
{
  const fused_step *step = c->step;
  for (int i = 0; i < c->step->m; i++) {
    const ir_expr *scale = ir_times(c->context, step->size_p, step->slopes_of_g[0][i]);
    composer_equate(c, row + i, "along", i, composer_slope_of_g(c, x, i, u), scale);
  }
  return row + c->step->m;
}

static int hide(composer *c, int row, const ir_expr *const z[])
{
  for (int i = 0; i < c->step->m; i++) {
    composer_equate(c, row + i, "rho", i, composer_value(c, IR_HIDDEN, i, z),
                    c->step->scale_rho[i]);
  }
  return row + c->step->m;
}

static void close_phase(composer *c)
{
  if (!c->refusal) {
    c->phase->keeps_pivots = c->phase->keeps_first_sign = 1;
    composer_change(c);
  }
  if (!c->refusal) {
    composer_next_phase(c);
  }
}

/* ---- a curve ---- */

/* The arguments of Phi. */
typedef struct action {
  const ir_expr *const *z;
  const ir_expr *const *v;
  const curve_part *near;
  const curve_part *far;
  const ir_expr *const *mu;
  const ir_expr *const *lambda;
  const ir_expr *const *nu_1;
  const ir_expr *const *nu_2;
} action;

/* Adds the derivatives of Phi by q, and by v divided by h, including the multipliers' terms. */
static void find_slopes(composer *c, const action *of, const ir_expr *by_q[], const ir_expr *by_v[])
{
  const int d = c->step->d;
  const ir_expr **bent = composer_zeros(c, d);
  curve_part_add_slopes(c, of->near, of->mu, 1, by_q, by_v);
  curve_part_add_slopes(c, of->far, of->lambda, -1, by_q, by_v);
  constraints_add_pulls(c, of->z, of->nu_1, by_q);
  constraints_add_pulls(c, of->z, of->nu_2, by_v);
  constraints_add_bent(c, of->z, of->nu_2, of->v, bent);
  for (int i = 0; i < d; i++) {
    composer_add(c, &by_q[i], c->step->h, bent[i]);
  }
}

static const ir_expr **legendre_step_velocity(composer *c, const ir_expr *const z[])
{
  const int d = c->step->d;
  const ir_expr **v = composer_zeros(c, d);
  for (int i = 0; i < d; i++) {
    v[i] = composer_define_entry(c, "v", i, composer_value(c, IR_HAMILTONIAN_GRAD, d + i, z));
  }
  return v;
}

/* Adds the equations of the foot (x,theta) of the positions `above`. */
static int stand(composer *c, int row, const ir_expr *const x[], const ir_expr *const theta[],
                 const ir_expr *const above[])
{
  const int d = c->step->d;
  const ir_expr **missed = composer_zeros(c, d);
  for (int i = 0; i < d; i++) {
    missed[i] = ir_minus(c->context, x[i], above[i]);
  }
  constraints_add_pulls(c, x, theta, missed);
  return legendre_step_equate(c, row, 0, missed);
}

/* Initial guess of the solve for an end of a curve. */
static const ir_expr **straight_on(composer *c, const curve_part *part, const ir_expr *const z[],
                                   const ir_expr *const v[])
{
  const int d = c->step->d;
  const ir_expr **x = composer_zeros(c, d);
  for (int i = 0; i < d; i++) {
    x[i] = composer_define_entry(c, "guess", i,
                                 ir_plus(c->context, z[i], ir_times(c->context, part->t, v[i])));
  }
  return x;
}

/* Solves for the ends of the curve of the start: near in x[0] with theta[0], far in x[1]. */
static void find_feet(composer *c, const curve_part *const part[2], const ir_expr *const z[],
                      const ir_expr *const v[], const ir_expr **x[2], const ir_expr **theta[2])
{
  const int d = c->step->d;
  const char *const *names = c->program->q_names;
  int row = 0;
  for (int end = 0; end < 2; end++) {
    if (c->step->m == 0) {
      x[end] = composer_zeros(c, 2 * d);
      for (int i = 0; i < d; i++) {
        x[end][i] = part[end]->q[i];
      }
      continue;
    }
    const char *what = end ? "far" : "near";
    x[end] = unknowns(c, what, d, names, straight_on(c, part[end], z, v));
    theta[end] = multipliers(c, arena_printf(c->memory, "theta_%s", what));
    row = c->refusal ? row : stand(c, row, x[end], theta[end], part[end]->q);
    row = c->refusal ? row : legendre_step_hold(c, row, x[end]);
  }
  if (c->step->m > 0) {
    close_phase(c);
  }
}

/* Solves for mu^ of the curve of the start. */
static const ir_expr **find_momenta(composer *c, const curve_part *const part[2],
                                    const ir_expr *const z[], const ir_expr *const v[],
                                    const ir_expr **const x[2])
{
  const int d = c->step->d;
  const ir_expr **by_q = composer_zeros(c, d);
  const ir_expr **by_v = composer_zeros(c, d);
  const char *const *names = c->program->q_names;
  const ir_expr **lambda = unknowns(c, "lambda", d, names, NULL);
  const ir_expr **mu = unknowns(c, "mu", d, names, NULL);
  const ir_expr **nu_2 = multipliers(c, "nu_2");
  const ir_expr **nu_1 = multipliers(c, "nu_1");
  if (c->refusal) {
    return mu;
  }
  find_slopes(c, &(action){z, v, part[0], part[1], mu, lambda, nu_1, nu_2}, by_q, by_v);
  int row = legendre_step_equate(c, 0, 1, by_q);
  row = legendre_step_equate(c, row, 1, by_v);
  row = keep_tangent(c, row, x[0], mu);
  (void)keep_tangent(c, row, x[1], lambda);
  close_phase(c);
  return mu;
}

/* Initial guesses of the solve for the end: a step of the one-step method, and the far end of its
 * curve. */
typedef struct guesses {
  const ir_expr **z;    /* 2d */
  const ir_expr **push; /* d: change of the momenta during this step */
  const ir_expr **far;  /* d */
} guesses;

static guesses guess(composer *c, const ir_expr *const z[], const ir_expr *const v[])
{
  const int d = c->step->d;
  fused_matrix mass;
  guesses g = {composer_zeros(c, 2 * d), composer_zeros(c, d), composer_zeros(c, d)};
  const curve_part *one = curve_part_at(c, "one_step", ir_integer(c->context, 1), z, v, 1);
  if (c->refusal) {
    return g;
  }
  for (int i = 0; i < d; i++) {
    g.z[i] = one->q[i];
  }
  curve_find_momentum(c, "one_step", g.z, one->v, &mass);
  const curve_part *far = c->step->m && !c->refusal
                              ? curve_part_at(c, "guess", c->step->bias[1], g.z, one->v, 0)
                              : NULL;
  for (int i = 0; i < d && !c->refusal; i++) {
    g.push[i] = ir_minus(c->context, g.z[d + i], z[d + i]);
    g.far[i] = far ? far->q[i] : composer_zero(c);
  }
  return g;
}

/* Solves for the state whose curve begins at x with the momentum mu. */
static const ir_expr **find_end(composer *c, const ir_expr *const x[], const ir_expr *const mu[],
                                const ir_expr *const hat_of_start[], const guesses *g)
{
  const int d = c->step->d;
  const char *const *names = c->program->q_names;
  const ir_expr **by_q = composer_zeros(c, d);
  const ir_expr **by_v = composer_zeros(c, d);
  const ir_expr **z = composer_zeros(c, 2 * d);
  const ir_expr **from = composer_zeros(c, d);
  for (int i = 0; i < d; i++) {
    const ir_expr *far = ir_plus(c->context, hat_of_start[i], g->push[i]);
    from[i] = composer_define_entry(c, "guess", d + i, ir_negated(c->context, far));
  }
  const ir_expr **lambda = unknowns(c, "lambda", d, names, from);
  const ir_expr **q = unknowns(c, "end", d, names, g->z);
  const ir_expr **p = unknowns(c, "end", d, c->program->p_names, g->z + d);
  const ir_expr **far = unknowns(c, "far", c->step->m ? d : 0, names, g->far);
  const ir_expr **theta_far = multipliers(c, "theta_far");
  const ir_expr **theta = multipliers(c, "theta_near");
  const ir_expr **nu_2 = multipliers(c, "nu_2");
  const ir_expr **nu_1 = multipliers(c, "nu_1");
  for (int i = 0; i < d; i++) {
    z[i] = q[i];
    z[d + i] = p[i];
  }
  if (c->refusal) {
    return z;
  }
  const ir_expr **v = legendre_step_velocity(c, z);
  const curve_part *near = curve_part_at(c, "near", c->step->bias[0], z, v, 0);
  const curve_part *to = curve_part_at(c, "far", c->step->bias[1], z, v, 0);
  const ir_expr **hat = constraints_straightened(c, x, theta, mu);
  if (c->refusal) {
    return z;
  }
  find_slopes(c, &(action){z, v, near, to, hat, lambda, nu_1, nu_2}, by_q, by_v);
  int row = legendre_step_equate(c, 0, 1, by_q);
  row = stand(c, row, x, theta, near->q);
  row = legendre_step_equate(c, row, 1, by_v);
  if (c->step->m > 0) {
    row = stand(c, row, far, theta_far, to->q);
    row = legendre_step_hold(c, row, far);
    row = legendre_step_hold(c, row, z);
    row = hide(c, row, z);
    (void)keep_tangent(c, row, far, lambda);
  }
  close_phase(c);
  return z;
}

/* ---- the step ---- */

/* Why there is no such step, or NULL. */
static const char *legendre_step_objection_to(composer *c)
{
  const int d = c->step->d;
  const ir_program *p = c->program;
  const ir_function *hess = &p->functions[IR_HAMILTONIAN_HESS];
  /* number of unknowns of the solve for the end */
  const int unknowns = c->step->m ? 4 * (d + c->step->m) : 3 * d;
  if (!p->functions[IR_ACCELERATION].rows) {
    return "it has no accelerations, which `--with variational` makes";
  }
  if (unknowns > FUSED_UNKNOWNS_MOST) {
    return arena_printf(c->memory, "it has %d unknowns, more than %d", unknowns,
                        FUSED_UNKNOWNS_MOST);
  }
  if (!c->base->tableau || !sw_tableau_is_explicit(c->base->tableau)) {
    return "its base method is not explicit";
  }
  for (int i = d; i < 2 * d; i++) {
    int is_told = 0;
    for (int e = 0; e < hess->n; e++) {
      is_told |=
          hess->entries[e].col >= d && (hess->entries[e].row == i || hess->entries[e].col == i);
    }
    if (!is_told) {
      return "it depends on the time, whose momentum is the derivative of an action";
    }
  }
  return NULL;
}

void composer_legendre(composer *c, const sw_operation *o)
{
  fused_step *step = c->step;
  const ir_expr **x[2];
  const ir_expr **theta[2] = {composer_zeros(c, step->m), composer_zeros(c, step->m)};
  (void)o;
  c->refusal = legendre_step_objection_to(c);
  if (c->refusal) {
    return;
  }
  c->values->by_parts = 1;
  step->bias[0] = fused_given(c->values, FUSED_H, "alpha_minus", "the bias");
  step->bias[1] = fused_given(c->values, FUSED_H, "alpha_plus", "");
  const ir_expr **v = legendre_step_velocity(c, c->z);
  const curve_part *part[2] = {curve_part_at(c, "plus", step->bias[1], c->z, v, 0),
                               curve_part_at(c, "minus", step->bias[0], c->z, v, 0)};
  const guesses g = guess(c, c->z, v);
  if (c->refusal) {
    return;
  }
  find_feet(c, part, c->z, v, x, theta);
  const ir_expr **hat = c->refusal ? NULL : find_momenta(c, part, c->z, v, x);
  if (c->refusal) {
    return;
  }
  const ir_expr **mu = composer_zeros(c, step->d);
  for (int i = 0; i < step->d; i++) {
    mu[i] = hat[i];
  }
  constraints_add_bent(c, x[0], theta[0], hat, mu);
  for (int i = 0; i < step->d; i++) {
    mu[i] = composer_define_entry(c, "mu", i, mu[i]);
  }
  c->z = find_end(c, x[0], mu, hat, &g);
  if (step->m > 0 && !c->refusal) {
    fused_matrix N = step->N;
    (void)fused_factorise(c->values, "N", &N);
    curve_find_multipliers(c, "start", step->z, &N, step->lambda);
  }
}
