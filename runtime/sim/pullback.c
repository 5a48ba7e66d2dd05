/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pullback.c -- the transpose of the derivative of a step.
 *
 * The phases of a step are passed backwards.  A phase solves F(u; z) = 0 and ends at e(u; z); with
 * the weights lambda1 of its end, the weights of its start are
 *
 *   F_u^T mu = e_u^T lambda1,   lambda0 = e_z^T lambda1 - F_z^T mu.
 *
 * The columns of e and F are directions along unit vectors.
 */
#include <stdlib.h>

#include "sidewinder/derivatives.h"
#include "sim/linearised.h"

typedef struct sw_pull {
  sw_linearised of;
  double *weight[SW_PHASES_MOST + 1]; /* 2d each: weights of the starts of phases, and of the end */
  double *earlier;                    /* 2d: weights of the previous state */
  double *lambda;                     /* 2d: weights of the end of a part */
  double *added;                      /* 2d: contribution of a phase */
  double *mu;                         /* weights of F */
  double *left;                       /* remainder of the equations for mu */
  sw_state *start;                    /* the starts of the parts of the step */
  void *block;                        /* memory of these arrays */
} sw_pull;

static void pull_carve(sw_carver *c, void *of)
{
  sw_pull *s = of;
  const sw_sim *sim = s->of.sim;
  const size_t dim = 2 * (size_t)sim->system->nq;
  const int parts = sim->plan->composition->n;

  for (int i = 0; i <= sim->plan->step_phases; i++) {
    s->weight[i] = sw_carve(c, dim, 1);
  }
  SW_CARVE(c, dim, 1, &s->earlier, &s->lambda, &s->added);
  SW_CARVE(c, (size_t)s->of.tall, 1, &s->mu, &s->left);
  for (int i = 0; i < parts; i++) {
    s->start[i].z = sw_carve(c, dim, 1);
    s->start[i].lambda = sw_carve(c, (size_t)sim->system->nc, 1);
    s->start[i].more = sw_carve(c, sim->plan->n_more, 1);
  }
}

/* out_j = lambda . e_j - mu . F_j for the derivatives of e and F along unit vector j of the start,
 * or of the unknowns. */
static void weigh_columns(sw_linearised *s, int phase, int of_unknowns, const double lambda[],
                          const double mu[], double out[])
{
  sw_phase *mine = &s->phase[phase];
  const int rows = mine->plan->n;
  const int dim = 2 * s->sim->system->nq;
  const int count = of_unknowns ? rows : dim;

  for (int first = 0; first < count; first += s->n) {
    const int n = count - first < s->width ? count - first : s->width;
    double *seed = of_unknowns ? s->DU : s->V;
    s->n = n;
    sw_zero(s->V, (size_t)dim * (size_t)n);
    sw_zero(s->DU, (size_t)s->tall * (size_t)n);
    for (int j = 0; j < n; j++) {
      sw_row(seed, n, first + j)[j] = 1.0;
    }
    const double *end = sw_phase_directions(mine, n, s->V, s->DU, s->DF);
    sw_zero(out + first, (size_t)n);
    for (int i = 0; i < dim; i++) {
      sw_add_scaled(n, lambda[i], sw_const_row(end, n, i), out + first);
    }
    for (int i = 0; i < rows; i++) {
      sw_add_scaled(n, -mu[i], sw_const_row(s->DF, n, i), out + first);
    }
  }
}

/* Adds the weights of the three states of a weighted sum. */
static void pull_combination(sw_pull *s, int phase)
{
  const sw_combination *c = s->of.phase[phase].plan->combination;
  double *to[3] = {s->weight[phase], phase > s->of.sim->work.from ? s->weight[phase - 1] : NULL,
                   s->earlier};
  const double *by[3] = {c->now, c->before, c->earlier};
  const int d = s->of.sim->system->nq;

  for (int i = 0; i < 3; i++) {
    for (int half = 0; half < 2; half++) {
      if (by[i][half] != 0.0) {
        sw_add_scaled(d, by[i][half], s->weight[phase + 1] + half * d, to[i] + half * d);
      }
    }
  }
}

/* Adds the weights of the start of a phase, from those of its end. */
static void pull_phase(sw_pull *s, int phase)
{
  sw_linearised *of = &s->of;
  const int rows = of->phase[phase].plan->n;
  const int dim = 2 * of->sim->system->nq;

  if (of->phase[phase].plan->combination) {
    pull_combination(s, phase);
    return;
  }
  sw_phase_along(&of->phase[phase]);
  sw_zero(s->mu, (size_t)rows);
  for (int round = 0; round < SW_LINEARISED_ROUNDS && rows > 0; round++) {
    weigh_columns(of, phase, 1, s->weight[phase + 1], s->mu, s->left);
    sw_deficient_solve(of->linear[phase], s->left);
    sw_add_scaled(rows, 1.0, s->left, s->mu);
  }
  weigh_columns(of, phase, 0, s->weight[phase + 1], s->mu, s->added);
  sw_add_scaled(dim, 1.0, s->added, s->weight[phase]);
}

/* lambda <- (dz1/dz0)^T lambda for one part of a step from the present state. */
static sw_status pull_part(sw_pull *s, double h, double lambda[])
{
  const sw_workspace *w = &s->of.sim->work;
  const size_t dim = 2 * (size_t)s->of.sim->system->nq;
  sw_made_step made;
  const sw_status status = sw_linearised_part(&s->of, h, &made);

  if (status != SW_OK) {
    return status;
  }
  for (int i = w->from; i < w->to; i++) {
    sw_zero(s->weight[i], dim);
  }
  sw_copy(s->weight[w->to], lambda, dim);
  sw_zero(s->earlier, dim);
  for (int i = w->to - 1; i >= w->from; i--) {
    pull_phase(s, i);
  }
  sw_copy(lambda, s->weight[w->from], dim);
  return SW_OK;
}

/* Takes all parts but the last, and keeps their starts. */
static sw_status keep_starts(sw_pull *s, double h)
{
  sw_sim *sim = s->of.sim;
  const sw_composition *composition = sim->plan->composition;
  sw_status status = SW_OK;

  sw_state_copy(sim, &s->start[0], &sim->state);
  for (int i = 0; i + 1 < composition->n && status == SW_OK; i++) {
    sw_made_step made;
    status = sw_step_make(sim, composition->factor[i] * h, &made);
    if (status == SW_OK) {
      sw_step_take(sim, composition->factor[i], i > 0, &made);
      sw_state_copy(sim, &s->start[i + 1], &sim->state);
    }
  }
  return status;
}

/* The parts of the step, backwards. */
static sw_status pull(sw_pull *s, double h, double lambda[])
{
  sw_sim *sim = s->of.sim;
  const sw_composition *composition = sim->plan->composition;
  sw_status status = keep_starts(s, h);

  for (int i = composition->n - 1; i >= 0 && status == SW_OK; i--) {
    if (composition->n > 1) {
      sw_state_copy(sim, &sim->state, &s->start[i]);
      sw_step_forget(sim);
    }
    status = pull_part(s, composition->factor[i] * h, lambda);
  }
  sw_state_copy(sim, &sim->state, &s->start[0]);
  sw_step_settle(sim);
  return status;
}

/* Writes lambda0 for the weights in s->lambda. */
static sw_status put_weights(sw_pull *s, const double lambda1[], double lambda0[])
{
  const sw_sim *sim = s->of.sim;
  const size_t dim = 2 * (size_t)sim->system->nq;
  double zero = 0.0; /* sum of x - x, which is NaN if an x is not finite */

  if (sim->plan->method->earlier) {
    sw_add_scaled((int)dim, 1.0, lambda1 + dim, s->lambda);
    sw_copy(lambda0 + dim, s->earlier, dim);
  }
  sw_copy(lambda0, s->lambda, dim);
  for (size_t i = 0; i < (size_t)sw_sim_n_state(sim); i++) {
    zero += lambda0[i] - lambda0[i];
  }
  return zero == 0.0 ? SW_OK : sw_fail_not_finite(&s->of.sim->failure);
}

sw_status sw_sim_pullback(sw_sim *sim, double h, const double lambda1[], double lambda0[],
                          double gradient[])
{
  const sw_stats stats = sim->stats;
  sw_pull s = {.of = {.sim = sim, .width = SW_LINEARISED_WIDTH, .is_transposed = 1}};

  sw_say_nothing(sim);
  if (!lambda1 || !lambda0) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "pullback refused: no array of weights");
  }
  if (!sw_sim_has_tangent(sim)) {
    return sw_refuse(sim, SW_ERR_OPTION, "pullback refused: %s",
                     sim->plan->is_forced ? sw_no_forced_tangent : sw_no_tangent);
  }
  if (gradient) {
    return sw_refuse(sim, SW_ERR_OPTION, "pullback refused: no derivatives along parameters");
  }
  s.start = calloc((size_t)sim->plan->composition->n, sizeof *s.start);
  sw_status status = s.start ? sw_linearised_create(&s.of) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    s.block = sw_carve_block(pull_carve, &s);
    status = s.block ? SW_OK : SW_ERR_MEMORY;
  }
  if (status == SW_OK) {
    sw_copy(s.lambda, lambda1, 2 * (size_t)sim->system->nq);
    status = pull(&s, h, s.lambda);
  }
  if (status == SW_OK) {
    status = put_weights(&s, lambda1, lambda0);
  }
  sw_linearised_free(&s.of);
  free(s.block);
  free(s.start);
  sim->stats = stats;
  sw_step_forget(sim);
  return sw_say(sim, "pullback", status);
}
