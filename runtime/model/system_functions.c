/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_functions.c -- the functions of a system: the model's own, at its sizes, and where it leaves one out, what is
 * contracted or composed (contractions.c).
 */
#include "common/vectors.h"
#include "model/system_plan.h"

/* ---- vectors ---- */

#define OWN(function)                                                                              \
  static void function(const sw_system *system, const double z[], const double k[], double out[])  \
  {                                                                                                \
    system->model->function(system->plan->n, z, k, out);                                           \
  }
#define OWN_LAMBDA(function)                                                                       \
  static void function(const sw_system *system, const double z[], const double k[],                \
                       const double lambda[], double out[])                                        \
  {                                                                                                \
    system->model->function(system->plan->n, z, k, lambda, out);                                   \
  }

OWN(hamiltonian)
OWN(hamiltonian_grad)
/* ---- in pieces ---- */

/* One of the model's functions that the threads of a simulation share out. */
typedef struct pieces {
  const sw_system *system;
  sw_piece_function *function;     /* or */
  sw_piece_lambda_function *along; /* a vector */
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

/* Whether a function with about as many values is worth it. */
static inline int is_shared(const sw_system *system, int values)
{
  return system->team && sw_team_pieces(system->team, (size_t)values) > 1;
}

/* Returns 0 where the model has no such function: then nothing has been done. */
static int share_out(pieces *p, int values)
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

  return share_out(&all, values);
}

#define OWN_PIECES(name)                                                                           \
  static void name(const sw_system *system, const double z[], const double k[], double out[])      \
  {                                                                                                \
    if (!is_shared(system, system->nc) ||                                                          \
        !share_values(system, system->model->name##_piece, system->nc, z, k, out)) {               \
      system->model->name(system->plan->n, z, k, out);                                             \
    }                                                                                              \
  }

#define OWN_ROWS(name)                                                                             \
  static void name(const sw_system *system, const double z[], const double k[], double out[])      \
  {                                                                                                \
    if (!is_shared(system, system->nq) ||                                                          \
        !share_values(system, system->model->name##_piece, system->nq, z, k, out)) {               \
      system->model->name(system->plan->n, z, k, out);                                             \
    } else if (system->model->name##_rest) {                                                       \
      system->model->name##_rest(system->plan->n, z, k, out);                                      \
    }                                                                                              \
  }

OWN_ROWS(hamiltonian_grad_q)
OWN_ROWS(hamiltonian_grad_p)
OWN_PIECES(constraint)
OWN_PIECES(constraint_scale)

/* ---- the others ---- */

OWN(hidden)
OWN(hidden_scale)
OWN_LAMBDA(fibre_flow)
OWN_LAMBDA(fibre_increment)
OWN_LAMBDA(observe)
OWN(invariant)

/* ---- matrices ---- */

/* Where the model writes its values, and what becomes of them there. */
static double *target(const sw_system *system, const sw_placed *placed, double out[])
{
  return sw_placed_moves(placed) ? system->scratch->given : out;
}

static void settle(const sw_system *system, const sw_placed *placed, const sw_pattern *pattern,
                   double out[])
{
  if (sw_placed_moves(placed)) {
    sw_placed_settle(system->team, placed, system->scratch->given, pattern->entries, out);
  }
}

#define OWN_MATRIX(function, placed)                                                               \
  static void function(const sw_system *system, const double z[], const double k[], double out[])  \
  {                                                                                                \
    const sw_plan *plan = system->plan;                                                            \
    system->model->function.values(plan->n, z, k, target(system, &plan->placed, out));             \
    settle(system, &plan->placed, &system->function##_pattern, out);                               \
  }
#define OWN_LAMBDA_MATRIX(function, placed)                                                        \
  static void function(const sw_system *system, const double z[], const double k[],                \
                       const double lambda[], double out[])                                        \
  {                                                                                                \
    const sw_plan *plan = system->plan;                                                            \
    system->model->function.values(plan->n, z, k, lambda, target(system, &plan->placed, out));     \
    settle(system, &plan->placed, &system->function##_pattern, out);                               \
  }

OWN_MATRIX(hamiltonian_hess, hamiltonian_hess)
static void constraint_jac(const sw_system *system, const double z[], const double k[],
                           double out[])
{
  const sw_plan *plan = system->plan;
  double *to = target(system, &plan->constraint_jac, out);

  if (!is_shared(system, system->nc) ||
      !share_values(system, system->model->constraint_jac_piece, system->nc, z, k, to)) {
    system->model->constraint_jac.values(plan->n, z, k, to);
  }
  settle(system, &plan->constraint_jac, &system->constraint_jac_pattern, out);
}

OWN_LAMBDA_MATRIX(constraint_hess, constraint_hess)
OWN_MATRIX(hidden_jac, closed_hidden_jac)
OWN_MATRIX(coisotropy, closed_coisotropy)
OWN_MATRIX(nondegeneracy, closed_nondegeneracy)
OWN_LAMBDA_MATRIX(fibre_flow_lambda, closed_flow_lambda)
OWN_LAMBDA_MATRIX(fibre_flow_z, closed_flow_z)
OWN_LAMBDA_MATRIX(constraint_third, constraint_third)
OWN_LAMBDA_MATRIX(hamiltonian_third, hamiltonian_third)
OWN_LAMBDA_MATRIX(hamiltonian_fourth, hamiltonian_fourth)
OWN_LAMBDA_MATRIX(constraint_fourth, constraint_fourth)

/* ---- accelerations, whose places are tables ---- */

#define OWN_TABLE(function)                                                                        \
  static void function(const sw_system *system, const double z[], const double k[],                \
                       const double weights[], double out[])                                       \
  {                                                                                                \
    system->model->function.values(system->plan->n, z, k, weights, out);                           \
  }

OWN_LAMBDA(acceleration)
OWN_TABLE(acceleration_jac)
OWN_TABLE(acceleration_hess)

static sw_pattern table_of(int rows, int cols, const sw_places *places)
{
  return (sw_pattern){rows, cols, places->n, places->row, places->col};
}

static void add_accelerations(sw_system *system)
{
  const sw_model *model = system->model;
  const int d = system->nq;
  const int m = system->nc;

  system->acceleration = acceleration;
  system->acceleration_jac = acceleration_jac;
  system->acceleration_hess = acceleration_hess;
  system->acceleration_jac_pattern = table_of(d + m, 2 * d + m, &model->acceleration_jac.places);
  system->acceleration_hess_pattern =
      table_of(2 * d + m, 2 * d + m, &model->acceleration_hess.places);
}

/* ---- of two states ---- */

static void discrete_grad(const sw_system *system, const double z[], const double z1[],
                          const double k[], double out[])
{
  system->model->discrete_grad(system->plan->n, z, z1, k, out);
}

#define OWN_PAIR_MATRIX(function)                                                                  \
  static void function(const sw_system *system, const double z[], const double z1[],               \
                       const double k[], double out[])                                             \
  {                                                                                                \
    const sw_placed *placed = &system->plan->function;                                             \
    system->model->function.values(system->plan->n, z, z1, k, target(system, placed, out));        \
    settle(system, placed, &system->function##_pattern, out);                                      \
  }

OWN_PAIR_MATRIX(discrete_grad_next)
OWN_PAIR_MATRIX(discrete_jac)

static void discrete_jac_next(const sw_system *system, const double z[], const double z1[],
                              const double k[], const double lambda[], double out[])
{
  const sw_placed *placed = &system->plan->discrete_jac_next;

  system->model->discrete_jac_next.values(system->plan->n, z, z1, k, lambda,
                                          target(system, placed, out));
  settle(system, placed, &system->discrete_jac_next_pattern, out);
}

/* Row i is g_i,zz v, in the entries of Dg. */
static void constraint_jac_along(const sw_system *system, const double z[], const double k[],
                                 const double v[], double out[])
{
  const sw_plan *plan = system->plan;
  double *to = target(system, &plan->constraint_jac, out);
  pieces all = {.system = system,
                .along = system->model->constraint_jac_along_piece,
                .z = z,
                .k = k,
                .v = v,
                .out = to};

  if (!is_shared(system, system->nc) || !share_out(&all, system->nc)) {
    system->model->constraint_jac_along(plan->n, z, k, v, to);
  }
  settle(system, &plan->constraint_jac, &system->constraint_jac_pattern, out);
}

/* ---- all of them ---- */

/* Without a closed form of all families create.c puts a numerical flow in the place of the last three. */
static void set_constraints(sw_system *system)
{
  const sw_model *model = system->model;
  const int composed = system->plan->is_composed;

  system->constraint = constraint;
  system->constraint_scale = constraint_scale;
  system->constraint_jac = constraint_jac;
  system->constraint_hess = constraint_hess;
  system->constraint_jac_along = model->constraint_jac_along ? constraint_jac_along : NULL;
  system->hidden = model->hidden ? hidden : sw_contract_hidden;
  system->hidden_scale = model->hidden_scale ? hidden_scale : sw_contract_hidden_scale;
  system->hidden_jac = model->hidden_jac.values ? hidden_jac : sw_contract_hidden_jac;
  system->coisotropy = model->coisotropy.values ? coisotropy : sw_contract_coisotropy;
  system->nondegeneracy = model->nondegeneracy.values ? nondegeneracy : sw_contract_nondegeneracy;
  system->fibre_flow = model->fibre_flow ? fibre_flow : composed ? sw_compose_flow : NULL;
  system->fibre_flow_lambda = model->fibre_flow ? fibre_flow_lambda
                              : composed        ? sw_compose_flow_lambda
                                                : NULL;
  system->fibre_flow_z = model->fibre_flow ? fibre_flow_z : composed ? sw_compose_flow_z : NULL;
  system->fibre_increment = !sw_has_increment(model)     ? NULL
                            : model->structure.holonomic ? sw_shift_increment
                            : model->fibre_increment     ? fibre_increment
                                                         : sw_compose_increment;
}

void sw_plan_functions(sw_system *system)
{
  const sw_model *model = system->model;

  system->hamiltonian = hamiltonian;
  system->hamiltonian_grad = hamiltonian_grad;
  system->hamiltonian_grad_q = model->hamiltonian_grad_q ? hamiltonian_grad_q : NULL;
  system->hamiltonian_grad_p = model->hamiltonian_grad_p ? hamiltonian_grad_p : NULL;
  system->hamiltonian_hess = hamiltonian_hess;
  if (system->nc > 0) {
    set_constraints(system);
  }
  if (model->acceleration) {
    add_accelerations(system);
  }
  system->constraint_third = model->constraint_third.values ? constraint_third : NULL;
  system->hamiltonian_third = model->hamiltonian_third.values ? hamiltonian_third : NULL;
  system->hamiltonian_fourth = model->hamiltonian_fourth.values ? hamiltonian_fourth : NULL;
  system->constraint_fourth = model->constraint_fourth.values ? constraint_fourth : NULL;
  if (model->discrete_grad) {
    system->discrete_grad = discrete_grad;
    system->discrete_grad_next = discrete_grad_next;
    system->discrete_jac = system->nc > 0 ? discrete_jac : NULL;
    system->discrete_jac_next = system->nc > 0 ? discrete_jac_next : NULL;
  }
  system->observe = system->n_observe > 0 ? observe : NULL;
  system->invariant = system->n_invariant > 0 ? invariant : NULL;
}
