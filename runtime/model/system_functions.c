/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system_functions.c -- the functions of a system: the model's own, at its sizes, or those of
 * contractions.c if the model omits them.
 */
#include "common/vectors.h"
#include "model/system_plan.h"

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
  X(invariant, STATE, system->n_invariant > 0)

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
  return sw_placed_moves(placed) ? system->scratch->given : out;
}

static void settle(const sw_system *system, const sw_placed *placed, const sw_pattern *pattern,
                   double out[])
{
  if (sw_placed_moves(placed)) {
    sw_placed_settle(system->team, placed, system->scratch->given, pattern->entries, out);
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
  if (model->hamiltonian_grad_q) {
    system->hamiltonian_grad_q = hamiltonian_grad_q_in_pieces;
    system->hamiltonian_grad_p = hamiltonian_grad_p_in_pieces;
  }
  if (system->nc > 0) {
    set_constraints(system);
  }
}
