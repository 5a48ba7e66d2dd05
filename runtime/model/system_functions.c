/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_functions.c -- the functions of a system: the model's own, at its sizes, or
 * contractions if the model omits them.
 */
#include <math.h>

#include "common/vectors.h"
#include "linear/sparse.h"
#include "model/system_plan.h"

/* Functions that a model omits: brackets from gradients and Hessians, and the fibre flow from the
 * flows of the families.
 *
 * With the field F = J Dg^T, whose columns are the X_{g_j} (system_plan.h):
 *
 *   rho  = Dg X_H                       hidden constraints, rho_i = {g_i,H}
 *   Drho = (g_i,zz X_H)_i - F^T Hess H  since the derivative of X_H = J grad H is J Hess H
 *   C    = Dg F                         C_ij = {g_i,g_j}
 *   N    = Drho F                       N_ij = {rho_i,g_j}
 *
 * If all flows have a closed form, the constraints commute, and Gamma_lambda is the composition of
 * the families' flows.  Families of different kinds then share no degree of freedom
 * (sw_model.structure).  The flow of one kind thus does not change the derivatives of the others,
 * and all of them may be evaluated at z.  All other fibre flows are integrated numerically
 * (numerical_fibre.h). */

/* X_H = (H_p, -H_q), in scratch memory. */
static const double *contractions_velocity(const sw_system *system, const double z[],
                                           const double k[])
{
  const sw_scratch *scratch = system->scratch;

  system->hamiltonian_grad(system, z, k, scratch->gradient);
  sw_turn((size_t)system->nq, scratch->gradient, scratch->velocity);
  return scratch->velocity;
}

/* F at z.  Leaves Dg in scratch memory. */
static void field_at(const sw_system *system, const double z[], const double k[], double field[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const double *jac = scratch->jac;
  const int *source = plan->field_source;
  const int entries = system->constraint_jac_pattern.entries;

  system->constraint_jac(system, z, k, scratch->jac);
  for (int e = 0; e < plan->field_split; e++) {
    field[e] = jac[source[e]];
  }
  for (int e = plan->field_split; e < entries; e++) {
    field[e] = -jac[source[e]];
  }
}

/* ---- brackets ---- */

/* Dg X_H, or the same sum of absolute values. */
static void contract(const sw_system *system, const double z[], const double k[], int magnitudes,
                     double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const int *col = system->constraint_jac_pattern.col;
  const double *v = contractions_velocity(system, z, k);

  system->constraint_jac(system, z, k, scratch->jac);
  for (int i = 0; i < system->nc; i++) {
    double sum = 0.0;
    for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
      const double term = scratch->jac[e] * v[col[e]];
      sum += magnitudes ? fabs(term) : term;
    }
    out[i] = sum;
  }
}

static void sw_contract_hidden(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  contract(system, z, k, 0, out);
}

/* sum_j |Dg_ij| |X_H,j|. This estimate ignores the rounding within Dg_ij and X_H,j if their own
 * terms cancel. */
static void sw_contract_hidden_scale(const sw_system *system, const double z[], const double k[],
                                     double out[])
{
  contract(system, z, k, 1, out);
}

/* Evaluates F and Hess H at z into scratch memory. */
static void evaluate_factors(const sw_system *system, const double z[], const double k[])
{
  const sw_scratch *scratch = system->scratch;

  field_at(system, z, k, scratch->field);
  system->hamiltonian_hess(system, z, k, scratch->hess_H);
}

/* out = -F^T Hess H, for the entries of the product. */
static void add_curvature_term(const sw_scratch *scratch, const sw_product *product, double out[])
{
  sw_product_scaled(product, -1.0, scratch->field, scratch->hess_H, out);
}

/* Drho.  Leaves F in scratch memory. */
static void sw_contract_hidden_jac(const sw_system *system, const double z[], const double k[],
                                   double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  evaluate_factors(system, z, k);
  add_curvature_term(scratch, &plan->curvature, out);
  plan->model->constraint_jac_along(plan->n, z, k, contractions_velocity(system, z, k),
                                    scratch->given);
  sw_add_at(plan->placed[SW_PLACED_constraint_jac].n, plan->along_place, scratch->given, out);
}

static void sw_contract_nondegeneracy(const sw_system *system, const double z[], const double k[],
                                      double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  if (plan->needs_hidden_jac) {
    system->hidden_jac(system, z, k, scratch->hidden_jac);
    if (!plan->along_place) { /* the model's own function does not compute the field */
      field_at(system, z, k, scratch->field);
    }
  } else {
    evaluate_factors(system, z, k);
    add_curvature_term(scratch, &plan->reached, scratch->hidden_jac);
  }
  sw_product_values(&plan->nondegeneracy, scratch->hidden_jac, scratch->field, out);
}

static void sw_contract_coisotropy(const sw_system *system, const double z[], const double k[],
                                   double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;

  if (plan->coisotropy.entries > 0) {
    field_at(system, z, k, scratch->field);
    sw_product_values(&plan->coisotropy, scratch->jac, scratch->field, out);
  }
}

/* ---- the fibre flow ---- */

/* out += the part of F lambda from shifts: -g_q for p, g_p for q. */
static void shift(const sw_system *system, const double z[], const double k[],
                  const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const sw_family_table *table = &plan->constraints;
  const int *col = system->constraint_jac_pattern.col;
  const int d = system->nq;

  system->constraint_jac(system, z, k, scratch->jac);
  for (int f = 0; f < table->n; f++) {
    const sw_fibre_kind kind = table->family[f].fibre;
    if (kind == SW_FIBRE_FLOW) {
      continue;
    }
    /* A family that shifts p has entries for q alone, and vice versa. */
    const int to = kind == SW_FIBRE_SHIFT_P ? d : -d;
    const double sign = kind == SW_FIBRE_SHIFT_P ? -1.0 : 1.0;
    for (int i = table->start[f]; i < table->start[f + 1]; i++) {
      const double step = sign * lambda[i];
      for (int e = plan->jac_start[i]; e < plan->jac_start[i + 1]; e++) {
        out[col[e] + to] += step * scratch->jac[e];
      }
    }
  }
}

static void sw_compose_flow(const sw_system *system, const double z[], const double k[],
                            const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;

  sw_copy(out, z, 2 * (size_t)system->nq);
  if (plan->has_shift) {
    shift(system, z, k, lambda, out);
  }
  if (plan->has_flow) {
    plan->model->family_flow(plan->n, k, lambda, out);
  }
}

static void sw_shift_increment(const sw_system *system, const double z[], const double k[],
                               const double lambda[], double out[])
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  double *values = system->scratch->jac;

  sw_zero(out, 2 * (size_t)system->nq);
  system->constraint_jac(system, z, k, values);
  for (int e = 0; e < jac->entries; e++) {
    out[jac->col[e] + system->nq] -= values[e] * lambda[jac->row[e]];
  }
}

static void sw_compose_increment(const sw_system *system, const double z[], const double k[],
                                 const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;

  sw_zero(out, 2 * (size_t)system->nq);
  if (plan->has_shift) {
    shift(system, z, k, lambda, out);
  }
  if (plan->has_flow) {
    plan->model->family_increment(plan->n, z, k, lambda, out);
  }
}

int sw_has_increment(const sw_model *model)
{
  int flows = 0;

  for (int f = 0; f < model->n_constraints; f++) {
    flows += model->constraints[f].fibre == SW_FIBRE_FLOW;
  }
  return model->n_constraints == 0 || model->structure.holonomic || model->fibre_increment ||
         (!model->fibre_flow && (flows == 0 || model->family_increment));
}

/* Column j is X_{g_j} at the end of the fibre flow, since the constraints commute. */
static void sw_compose_flow_lambda(const sw_system *system, const double z[], const double k[],
                                   const double lambda[], double out[])
{
  const sw_scratch *scratch = system->scratch;

  sw_compose_flow(system, z, k, lambda, scratch->state);
  field_at(system, scratch->state, k, out);
}

static void sw_compose_flow_z(const sw_system *system, const double z[], const double k[],
                              const double lambda[], double out[])
{
  const sw_plan *plan = system->plan;
  const sw_scratch *scratch = system->scratch;
  const sw_pattern *hess = &system->constraint_hess_pattern;

  sw_zero(out, (size_t)system->fibre_flow_z_pattern.entries);
  for (int i = 0; i < 2 * system->nq; i++) {
    out[plan->one_place[i]] = 1.0;
  }
  if (plan->has_shift) {
    system->constraint_hess(system, z, k, lambda, scratch->hess_g);
    for (int e = 0; e < hess->entries; e++) {
      const double value = hess->row[e] < system->nq ? -scratch->hess_g[e] : scratch->hess_g[e];
      for (size_t side = 0; side < 2; side++) {
        const int place = plan->shift_place[2 * (size_t)e + side];
        if (place >= 0) {
          out[place] += value;
        }
      }
    }
  }
  if (plan->has_flow) {
    plan->model->family_flow_z.values(plan->n, z, k, lambda, scratch->given);
    sw_add_at(plan->flow_places, plan->flow_place, scratch->given, out);
  }
}

/* Parameter lists and argument lists of the functions. */
#define WITH_STATE       const double z[], const double k[]
#define WITH_LAMBDA      WITH_STATE, const double lambda[]
#define WITH_PAIR        const double z[], const double z1[], const double k[]
#define WITH_PAIR_LAMBDA WITH_PAIR, const double lambda[]
#define OF_STATE         z, k
#define OF_LAMBDA        z, k, lambda
#define OF_PAIR          z, z1, k
#define OF_PAIR_LAMBDA   z, z1, k, lambda

/* ---- vectors ---- */

/* The vectors that the model may give, and whether they have entries. */
#define VECTORS(X)                                                                                 \
  X(hamiltonian, STATE, 1)                                                                         \
  X(hamiltonian_grad, STATE, 1)                                                                    \
  X(hamiltonian_grad_q, STATE, 1)                                                                  \
  X(hamiltonian_grad_p, STATE, 1)                                                                  \
  X(constraint, STATE, system->nc > 0)                                                             \
  X(constraint_scale, STATE, system->nc > 0)                                                       \
  X(hidden, STATE, system->nc > 0)                                                                 \
  X(hidden_scale, STATE, system->nc > 0)                                                           \
  X(fibre_flow, LAMBDA, system->nc > 0)                                                            \
  X(fibre_increment, LAMBDA, system->nc > 0)                                                       \
  X(acceleration, LAMBDA, 1)                                                                       \
  X(discrete_grad, PAIR, 1)                                                                        \
  X(observe, LAMBDA, system->n_observe > 0)                                                        \
  X(invariant, STATE, system->n_invariant > 0)                                                     \
  X(event, STATE, system->n_event > 0)

#define OWN_VECTOR(name, form, is_there)                                                           \
  static void name(const sw_system *system, WITH_##form, double out[])                             \
  {                                                                                                \
    system->model->name(system->plan->n, OF_##form, out);                                          \
  }
VECTORS(OWN_VECTOR)

/* ---- matrices ---- */

/* `target` is the buffer that the model writes to; `settle` then moves the values to out. */
static double *target(const sw_system *system, const sw_placed *placed, double out[])
{
  return placed->place ? system->scratch->given : out;
}

static void settle(const sw_system *system, const sw_placed *placed, const sw_pattern *pattern,
                   double out[])
{
  if (placed->place) {
    sw_zero(out, (size_t)pattern->entries);
    sw_add_at(placed->n, placed->place, system->scratch->given, out);
  }
}

#define OWN_MATRIX(name, of, form, ...)                                                            \
  static void name(const sw_system *system, WITH_##form, double out[])                             \
  {                                                                                                \
    const sw_placed *placed = &system->plan->placed[SW_PLACED_##name];                             \
    system->model->name.values(system->plan->n, OF_##form, target(system, placed, out));           \
    settle(system, placed, &system->name##_pattern, out);                                          \
  }
SW_MATRICES(OWN_MATRIX)

/* Sums the instances of each target. */
static void force(const sw_system *system, const double z[], const double k[], double out[])
{
  double *values = system->scratch->given;

  system->model->force(system->plan->n, z, k, values);
  sw_zero(out, (size_t)system->nq);
  sw_add_at(system->n_force, system->plan->force_target, values, out);
}

/* ---- in pieces ---- */

/* A function of the model whose pieces are shared among the threads of a simulation. */
typedef struct pieces {
  const sw_system *system;
  sw_piece_function *function;     /* NULL if `along` is set */
  sw_piece_lambda_function *along; /* a function with the additional vector v */
  const double *z;
  const double *k;
  const double *v;
  double *out;
  long n;
} pieces;

static void do_piece(void *context, long piece, int worker)
{
  const pieces *p = context;
  const long *sizes = p->system->plan->n;

  (void)worker;
  if (p->function) {
    p->function(sizes, piece, p->n, p->z, p->k, p->out);
  } else {
    p->along(sizes, piece, p->n, p->z, p->k, p->v, p->out);
  }
}

/* Returns 1 if a function with about this many values is worth sharing. */
static inline int is_shared(const sw_system *system, int values)
{
  return system->team && sw_team_pieces(system->team, (size_t)values) > 1;
}

/* Returns 0, without doing anything, if the model has no such function. */
static int system_functions_share_out(pieces *p, int values)
{
  if (!p->function && !p->along) {
    return 0;
  }
  p->n = sw_team_pieces(p->system->team, (size_t)values);
  sw_team_run(p->system->team, do_piece, p, p->n);
  return 1;
}

static int share_values(const sw_system *system, sw_piece_function *function, int values,
                        const double z[], const double k[], double out[])
{
  pieces all = {.system = system, .function = function, .z = z, .k = k, .out = out};

  return system_functions_share_out(&all, values);
}

#define IN_PIECES(name, values)                                                                    \
  static void name##_in_pieces(const sw_system *system, const double z[], const double k[],        \
                               double out[])                                                       \
  {                                                                                                \
    if (!is_shared(system, values) ||                                                              \
        !share_values(system, system->model->name##_piece, values, z, k, out)) {                   \
      name(system, z, k, out);                                                                     \
    }                                                                                              \
  }
IN_PIECES(constraint, system->nc)
IN_PIECES(constraint_scale, system->nc)

#define ROWS_IN_PIECES(name)                                                                       \
  static void name##_in_pieces(const sw_system *system, const double z[], const double k[],        \
                               double out[])                                                       \
  {                                                                                                \
    if (!is_shared(system, system->nq) ||                                                          \
        !share_values(system, system->model->name##_piece, system->nq, z, k, out)) {               \
      name(system, z, k, out);                                                                     \
    } else if (system->model->name##_rest) {                                                       \
      system->model->name##_rest(system->plan->n, z, k, out);                                      \
    }                                                                                              \
  }
ROWS_IN_PIECES(hamiltonian_grad_q)
ROWS_IN_PIECES(hamiltonian_grad_p)

static void constraint_jac_in_pieces(const sw_system *system, const double z[], const double k[],
                                     double out[])
{
  const sw_placed *placed = &system->plan->placed[SW_PLACED_constraint_jac];

  if (is_shared(system, system->nc) &&
      share_values(system, system->model->constraint_jac_piece, system->nc, z, k,
                   target(system, placed, out))) {
    settle(system, placed, &system->constraint_jac_pattern, out);
  } else {
    constraint_jac(system, z, k, out);
  }
}

/* Row i is g_i,zz v, with the pattern of Dg. */
static void system_functions_constraint_jac_along(const sw_system *system, const double z[],
                                                  const double k[], const double v[], double out[])
{
  const sw_placed *placed = &system->plan->placed[SW_PLACED_constraint_jac];
  double *to = target(system, placed, out);
  pieces all = {.system = system,
                .along = system->model->constraint_jac_along_piece,
                .z = z,
                .k = k,
                .v = v,
                .out = to};

  if (!is_shared(system, system->nc) || !system_functions_share_out(&all, system->nc)) {
    system->model->constraint_jac_along(system->plan->n, z, k, v, to);
  }
  settle(system, placed, &system->constraint_jac_pattern, out);
}

/* ---- all functions ---- */

/* If a family has no closed form, create.c replaces the last three functions of the fibre flow by
 * numerical ones. */
static void set_constraints(sw_system *system)
{
  const sw_model *model = system->model;

  system->constraint = constraint_in_pieces;
  system->constraint_scale = constraint_scale_in_pieces;
  system->constraint_jac = constraint_jac_in_pieces;
  system->constraint_jac_along =
      model->constraint_jac_along ? system_functions_constraint_jac_along : NULL;
  system->hidden = model->hidden ? hidden : sw_contract_hidden;
  system->hidden_scale = model->hidden_scale ? hidden_scale : sw_contract_hidden_scale;
  system->hidden_jac = model->hidden_jac.values ? hidden_jac : sw_contract_hidden_jac;
  system->coisotropy = model->coisotropy.values ? coisotropy : sw_contract_coisotropy;
  system->nondegeneracy = model->nondegeneracy.values ? nondegeneracy : sw_contract_nondegeneracy;
  if (!model->fibre_flow && system->plan->is_composed) {
    system->fibre_flow = sw_compose_flow;
    system->fibre_flow_lambda = sw_compose_flow_lambda;
    system->fibre_flow_z = sw_compose_flow_z;
  }
  system->fibre_increment = !sw_has_increment(model)     ? NULL
                            : model->structure.holonomic ? sw_shift_increment
                            : model->fibre_increment     ? fibre_increment
                                                         : sw_compose_increment;
}

void sw_plan_functions(sw_system *system)
{
  const sw_model *model = system->model;
  const int is_of_H = 1;
  const int is_of_G = system->nc > 0;

#define SET_VECTOR(name, form, is_there) system->name = (is_there) && model->name ? (name) : NULL;
  VECTORS(SET_VECTOR)
#define SET_MATRIX(name, of, ...) system->name = is_of_##of && model->name.values ? (name) : NULL;
  SW_MATRICES(SET_MATRIX)
  system->force = system->n_force > 0 ? force : NULL;
  if (model->hamiltonian_grad_q) {
    system->hamiltonian_grad_q = hamiltonian_grad_q_in_pieces;
    system->hamiltonian_grad_p = hamiltonian_grad_p_in_pieces;
  }
  if (system->nc > 0) {
    set_constraints(system);
  }
}

/* The family of instance i. */
static int family_at(const sw_family_table *table, int i)
{
  int f = 0;

  while (i >= table->start[f + 1]) {
    f++;
  }
  return f;
}

int sw_system_reads_lambda(const sw_system *system, int observable)
{
  const unsigned char *reads = system->model->reads_lambda;

  return reads ? reads[family_at(&system->plan->observe, observable)] : 0;
}

sw_event_kind sw_system_event_kind(const sw_system *system, int i)
{
  return system->model->event_kinds[family_at(&system->plan->events, i)];
}
