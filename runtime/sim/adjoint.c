/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adjoint.c -- the gradient of a loss over a trajectory, backwards through its steps.
 *
 * A trajectory of n steps has l = n + 1 states, which are visited in reverse order.  A visit of z_j
 * evaluates the loss there, and pulls the weights back through the step from z_j to z_{j+1}.  With
 * c checkpoints and at most r forward passes over each step, C(c+r, c) states can be visited.
 */
#include "sidewinder/adjoint.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "sim/sim_internal.h"

/* ---- the schedule ---- */

/* The binomial coefficient C(c+r, c) for c >= 0 and r >= -1, or LONG_MAX if it is larger. */
static long reachable_states(long c, long r)
{
  const long least = c < r ? c : r;
  const long most = c < r ? r : c;
  long b = r < 0 ? 0 : 1;

  for (long i = 1; i <= least; i++) {
    /* b (most + i) / i without overflow of the product; b (most + i) is a multiple of i */
    const long whole = b / i;
    if (whole >= LONG_MAX / (most + i) - 1) {
      return LONG_MAX;
    }
    b = whole * (most + i) + b % i * (most + i) / i;
  }
  return b;
}

/* The smallest r with l <= C(c+r, c). */
static long repetitions(long l, long c)
{
  long low = 0;
  long high = l;

  while (low < high) {
    const long r = low + (high - low) / 2;
    if (reachable_states(c, r) >= l) {
      high = r;
    } else {
      low = r + 1;
    }
  }
  return low;
}

long sw_gradient_forward_steps(long steps, long checkpoints)
{
  if (steps < 0 || checkpoints < 1 || steps == LONG_MAX) {
    return -1;
  }
  const long l = steps + 1;
  const long c = checkpoints < l ? checkpoints : l;
  const long r = repetitions(l, c);

  return r > LONG_MAX / l ? LONG_MAX : r * l - reachable_states(c + 1, r - 1);
}

/* The number of steps from the last checkpoint to the next one, for l >= 2 states from there on and
 * c >= 2 checkpoints including the last one.  Then the first part can be visited with r - 1 forward
 * passes, and the other one with r. */
static long next_distance(long l, long c)
{
  const long r = repetitions(l, c);
  const long few = reachable_states(c, r - 2);
  const long rest = l - reachable_states(c - 1, r);
  const long m = few > rest ? few : rest;

  return m > 1 ? m : 1;
}

/* ---- the sweep ---- */

typedef struct sw_checkpoint {
  long step;
  sw_state state;
  sw_energy_course energy;
} sw_checkpoint;

typedef struct sw_sweep {
  sw_sim *sim;
  const sw_trajectory *trajectory;
  sw_gradient *gradient;
  long at; /* step of the present state */
  int n_inputs;
  int of_k;  /* 1 if derivatives along k, h or inputs are wanted */
  long most; /* number of checkpoints */
  long kept; /* checkpoints in use */
  sw_checkpoint *checkpoint;
  sw_pull *pull;
  double *lambda; /* N: weights of the state */
  double *added;  /* 2d: derivative of a loss */
  double *slope;  /* nk + 1: derivatives along k and h of one step */
  double *total;  /* nk + 1: their sum */
  double *u;      /* inputs of a step */
  double *u0;     /* inputs of the simulation */
} sw_sweep;

static void sweep_carve(sw_carver *c, void *of)
{
  sw_sweep *s = of;
  const size_t dim = 2 * (size_t)s->sim->system->nq;

  s->checkpoint = sw_carve_bytes(c, (size_t)s->most * sizeof *s->checkpoint);
  s->lambda = sw_carve(c, (size_t)sw_sim_n_state(s->sim), 1);
  s->added = sw_carve(c, dim, 1);
  SW_CARVE(c, (size_t)s->sim->system->nk + 1, 1, &s->slope, &s->total, &s->u, &s->u0);
}

static void checkpoint_carve(sw_carver *c, void *of)
{
  const sw_sweep *s = of;

  for (long i = 0; i < s->most; i++) {
    sw_state *state = &s->checkpoint[i].state;
    state->z = sw_carve(c, 2 * (size_t)s->sim->system->nq, 1);
    state->lambda = sw_carve(c, (size_t)s->sim->system->nc, 1);
    state->more = sw_carve(c, s->sim->plan->n_more, 1);
  }
}

static void keep_checkpoint(sw_sweep *s)
{
  sw_checkpoint *to = &s->checkpoint[s->kept++];

  to->step = s->at;
  to->energy = s->sim->energy;
  sw_state_copy(s->sim, &to->state, &s->sim->state);
}

static void return_to_checkpoint(sw_sweep *s, long i)
{
  const sw_checkpoint *from = &s->checkpoint[i];

  s->at = from->step;
  s->sim->energy = from->energy;
  sw_state_copy(s->sim, &s->sim->state, &from->state);
  s->sim->state.is_fused = 0;
  sw_step_forget(s->sim);
}

/* Sets the inputs of the step from the present state. */
static sw_status set_inputs(sw_sweep *s)
{
  const sw_trajectory *t = s->trajectory;

  if (!t->inputs) {
    return SW_OK;
  }
  if (t->inputs(t->user, s->at, s->u) != 0) {
    return sw_refuse(s->sim, SW_ERR_STOPPED, "the inputs asked to stop at step %ld", s->at);
  }
  return sw_sim_set_inputs(s->sim, s->u);
}

static sw_status advance_states(sw_sweep *s, long steps)
{
  const long one = s->trajectory->inputs ? 1 : steps;
  sw_status status = SW_OK;

  for (long done = 0; done < steps && status == SW_OK; done += one) {
    status = set_inputs(s);
    status = status == SW_OK ? sw_sim_run(s->sim, s->trajectory->h, one, NULL, NULL) : status;
    s->at += one;
    s->gradient->forward_steps += one;
  }
  return status;
}

/* Adds the derivatives of one step along k, h and its inputs. */
static void add_slopes(sw_sweep *s)
{
  const sw_system *system = s->sim->system;
  double *u = s->gradient->u ? s->gradient->u + s->at * s->n_inputs : NULL;

  sw_add_scaled(system->nk + 1, 1.0, s->slope, s->total);
  for (int i = 0; i < s->n_inputs && u; i++) {
    u[i] = s->slope[sw_sim_input(s->sim, i)];
  }
}

/* lambda <- dl/dz + (dPhi/dz)^T lambda at the present state; without a step at the last one. */
static sw_status visit(sw_sweep *s)
{
  const sw_trajectory *t = s->trajectory;
  const int dim = 2 * s->sim->system->nq;
  double value = 0.0;

  if (s->at < t->steps) {
    sw_zero(s->slope, (size_t)s->sim->system->nk + 1);
    sw_status status = set_inputs(s);
    if (status == SW_OK) {
      sw_say_nothing(s->sim);
      status = sw_pull_step(s->pull, t->h, s->lambda, s->lambda, s->of_k ? s->slope : NULL);
      status = sw_say(s->sim, "pullback", status);
    }
    if (status != SW_OK) {
      return status;
    }
    add_slopes(s);
  }
  sw_zero(s->added, (size_t)dim);
  if (t->loss(t->user, s->at, sw_sim_time(s->sim), sw_sim_state(s->sim), &value, s->added) != 0) {
    return sw_refuse(s->sim, SW_ERR_STOPPED, "the loss asked to stop at step %ld", s->at);
  }
  if (!isfinite(value) || !isfinite(sw_max_abs((size_t)dim, s->added))) {
    return sw_refuse(s->sim, SW_ERR_NOT_FINITE, "the loss of step %ld is not finite", s->at);
  }
  s->gradient->value += value;
  sw_add_scaled(dim, 1.0, s->added, s->lambda);
  return SW_OK;
}

/* Visits all states, from the last one on. */
static sw_status sweep(sw_sweep *s)
{
  sw_status status = SW_OK;

  for (long end = s->trajectory->steps; end >= 0 && status == SW_OK; end--) {
    if (s->checkpoint[s->kept - 1].step > end) {
      s->kept--;
    }
    if (s->at != s->checkpoint[s->kept - 1].step) {
      return_to_checkpoint(s, s->kept - 1);
    }
    while (s->at < end && status == SW_OK) {
      const long free = s->most - s->kept;
      status = advance_states(s, free > 0 ? next_distance(end - s->at + 1, free + 1) : end - s->at);
      if (free > 0 && s->at < end) {
        keep_checkpoint(s);
      }
    }
    status = status == SW_OK ? visit(s) : status;
  }
  return status;
}

/* 1 if derivatives along k, h or inputs are wanted. */
static int wants_slopes(const sw_gradient *g)
{
  return g->k || g->h || g->u;
}

/* SW_OK, or the reason for which there is no gradient. */
static sw_status refuse_gradient(sw_sim *sim, const sw_trajectory *t, const sw_gradient *g)
{
  if (!t || !g || !t->loss) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "gradient refused: no trajectory, loss or result");
  }
  if (t->steps < 0 || t->steps == LONG_MAX || t->checkpoints < 1) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "gradient refused: %ld steps, %ld checkpoints", t->steps,
                     t->checkpoints);
  }
  if ((t->inputs || g->u) && sw_sim_n_inputs(sim) == 0) {
    return sw_refuse(sim, SW_ERR_OPTION, "gradient refused: the model has no inputs");
  }
  const char *objection = sw_pull_objection(sim, wants_slopes(g));
  if (objection) {
    return sw_refuse(sim, SW_ERR_OPTION, "gradient refused: %s", objection);
  }
  return SW_OK;
}

static void put_result(const sw_sweep *s)
{
  const sw_gradient *g = s->gradient;
  const size_t nk = (size_t)s->sim->system->nk;

  if (g->z0) {
    sw_copy(g->z0, s->lambda, (size_t)sw_sim_n_state(s->sim));
  }
  if (g->k) {
    sw_copy(g->k, s->total, nk);
  }
  if (g->h) {
    *g->h = s->total[nk];
  }
}

sw_status sw_sim_gradient(sw_sim *sim, const sw_trajectory *trajectory, sw_gradient *gradient)
{
  sw_say_nothing(sim);
  sw_status status = refuse_gradient(sim, trajectory, gradient);
  if (status != SW_OK) {
    return status;
  }
  const long states = trajectory->steps + 1;
  const sw_stats stats = sim->stats;
  sw_sweep s = {.sim = sim,
                .trajectory = trajectory,
                .gradient = gradient,
                .n_inputs = sw_sim_n_inputs(sim),
                .of_k = wants_slopes(gradient),
                .most = trajectory->checkpoints < states ? trajectory->checkpoints : states};
  void *block = sw_carve_block(sweep_carve, &s);
  void *states_block = block ? sw_carve_block(checkpoint_carve, &s) : NULL;

  gradient->value = 0.0;
  gradient->forward_steps = 0;
  status = states_block ? sw_pull_create(sim, s.of_k, &s.pull) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    for (int i = 0; i < s.n_inputs; i++) {
      s.u0[i] = sim->k[sw_sim_input(sim, i)];
    }
    keep_checkpoint(&s);
    status = sweep(&s);
    for (int i = 0; i < s.n_inputs; i++) {
      sim->k[sw_sim_input(sim, i)] = s.u0[i];
    }
    return_to_checkpoint(&s, 0);
    sim->stats = stats;
    put_result(&s);
  } else {
    status = sw_refuse(sim, status, "gradient refused: no memory for %ld checkpoints", s.most);
  }
  sw_pull_free(&s.pull);
  free(states_block);
  free(block);
  return status;
}
