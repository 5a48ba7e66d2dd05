/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pullback.c -- the transpose of the derivative of a step.
 *
 * The phases of a step are passed backwards.  A phase solves F(u; z) = 0 and ends at e(u; z); with
 * the weights lambda1 of its end, the weights of its start are
 *
 *   F_u^T mu = e_u^T lambda1,   lambda0 = e_z^T lambda1 - F_z^T mu.
 *
 * Phases over tableaux and kicks have the transpose of their directions (sw_phase_pull,
 * sw_kick_pull).  For other solves, the columns of e and F are directions along unit vectors.
 */
#include <math.h>
#include <stdlib.h>

#include "sidewinder/derivatives.h"
#include "sim/linearised.h"

struct sw_pull {
  sw_linearised linear;
  /* 2d each: weights of the starts of solves, and of the end of the last */
  double *weight[SW_LINEARISED_SOLVES + 1];
  double *earlier; /* 2d: weights of the previous state */
  double *lambda;  /* 2d: weights of the end of a part */
  double *added;   /* 2d: contribution of a phase */
  double *mu;      /* weights of F */
  double *left;    /* remainder of the equations for mu */
  sw_state *start; /* the starts of the parts of the step */
  void *block;     /* memory of these arrays */
};

static void pull_carve(sw_carver *c, void *of)
{
  sw_pull *s = of;
  const sw_sim *sim = s->linear.of;
  const size_t dim = 2 * (size_t)sim->system->nq;
  const int operations = sw_linearised_operations(&s->linear);

  for (int i = 0; i <= SW_LINEARISED_SOLVES; i++) {
    s->weight[i] = sw_carve(c, dim, 1);
  }
  SW_CARVE(c, dim, 1, &s->earlier, &s->lambda, &s->added);
  SW_CARVE(c, (size_t)s->linear.tall, 1, &s->mu, &s->left);
  for (int i = 0; i < operations; i++) {
    s->start[i].z = sw_carve(c, dim, 1);
    s->start[i].lambda = sw_carve(c, (size_t)sim->system->nc, 1);
    s->start[i].more = sw_carve(c, s->linear.sim->plan->n_more, 1);
  }
}

/* out_j = lambda . e_j - mu . F_j for the derivatives of e and F along unit vector j of the start,
 * or of the unknowns. */
static void weigh_by_columns(sw_linearised *s, int phase, int of_unknowns, const double lambda[],
                             const double mu[], double out[])
{
  const int rows = sw_linearised_unknowns(s, phase);
  const int dim = 2 * s->of->system->nq;
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
    const double *end = sw_linearised_directions(s, phase, n, s->V, s->DU, s->DF);
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
  const sw_combination *c = s->linear.phase[phase].plan->combination;
  double *to[3] = {s->weight[phase], phase > s->linear.from ? s->weight[phase - 1] : NULL,
                   s->earlier};
  const double *by[3] = {c->now, c->before, c->earlier};
  const int d = s->linear.of->system->nq;

  for (int i = 0; i < 3; i++) {
    for (int half = 0; half < 2; half++) {
      if (by[i][half] != 0.0) {
        sw_add_scaled(d, by[i][half], s->weight[phase + 1] + half * d, to[i] + half * d);
      }
    }
  }
}

/* s->left or s->added = the derivatives of lambda . e - mu . F along the unknowns or the start, for
 * the weights lambda of the end of a solve. */
static void add_weights(sw_pull *s, int phase, int of_unknowns)
{
  const double *lambda = s->weight[phase + 1];
  sw_linearised *of = &s->linear;

  if (phase == SW_LINEARISED_KICK) {
    sw_kick_pull(&of->kick, lambda, s->mu, s->added, s->left);
  } else if (!sw_phase_pull(&of->phase[phase], lambda, s->mu, s->added, s->left)) {
    weigh_by_columns(of, phase, of_unknowns, lambda, s->mu, of_unknowns ? s->left : s->added);
  }
}

/* Adds the weights of the start of a phase, from those of its end. */
static void pull_phase(sw_pull *s, int phase)
{
  sw_linearised *of = &s->linear;
  const int rows = sw_linearised_unknowns(of, phase);
  const int dim = 2 * of->of->system->nq;

  if (phase < SW_PHASES_MOST && of->phase[phase].plan->combination) {
    pull_combination(s, phase);
    return;
  }
  sw_linearised_along(of, phase);
  sw_zero(s->mu, (size_t)rows);
  for (int round = 0; round < SW_LINEARISED_ROUNDS && rows > 0; round++) {
    add_weights(s, phase, 1);
    sw_deficient_solve(of->linear[phase], s->left);
    sw_add_scaled(rows, 1.0, s->left, s->mu);
  }
  add_weights(s, phase, 0);
  sw_add_scaled(dim, 1.0, s->added, s->weight[phase]);
}

/* lambda <- (dz1/dz0)^T lambda for the operation that has been made. */
static sw_status pull_operation(sw_pull *s)
{
  const size_t dim = 2 * (size_t)s->linear.of->system->nq;
  const sw_status status = sw_linearised_prepare(&s->linear);

  if (status != SW_OK) {
    return status;
  }
  for (int i = s->linear.from; i < s->linear.to; i++) {
    sw_zero(s->weight[i], dim);
  }
  sw_copy(s->weight[s->linear.to], s->lambda, dim);
  sw_zero(s->earlier, dim);
  for (int i = s->linear.to - 1; i >= s->linear.from; i--) {
    pull_phase(s, i);
  }
  sw_copy(s->lambda, s->weight[s->linear.from], dim);
  return SW_OK;
}

/* Makes all operations and keeps their starts.  Leaves the state at the start of the last one. */
static sw_status keep_starts(sw_pull *s, double h)
{
  sw_sim *sim = s->linear.sim;
  const int last = sw_linearised_operations(&s->linear) - 1;

  sw_state_copy(sim, &s->start[0], &sim->state);
  sw_status status = sw_linearised_begin(&s->linear, h);
  for (int i = 0; i <= last && status == SW_OK; i++) {
    status = sw_linearised_make(&s->linear, i, h);
    if (status == SW_OK && i < last) {
      sw_linearised_take(&s->linear, i);
      sw_state_copy(sim, &s->start[i + 1], &sim->state);
    }
  }
  return status;
}

/* The operations of the step, backwards. */
static sw_status pull_through(sw_pull *s, double h)
{
  sw_sim *sim = s->linear.sim;
  const int last = sw_linearised_operations(&s->linear) - 1;
  sw_status status = keep_starts(s, h);

  for (int i = last; i >= 0 && status == SW_OK; i--) {
    if (i < last) {
      sw_state_copy(sim, &sim->state, &s->start[i]);
      sw_step_forget(sim);
      status = sw_linearised_make(&s->linear, i, h);
    }
    if (status == SW_OK) {
      status = pull_operation(s);
    }
  }
  sw_state_copy(sim, &sim->state, &s->start[0]);
  sw_step_settle(sim);
  return status;
}

/* Writes lambda0 for the weights in s->lambda. */
static void put_weights(const sw_pull *s, const double lambda1[], double lambda0[])
{
  const sw_sim *sim = s->linear.sim;
  const size_t d = (size_t)sim->system->nq;

  if (sim->plan->method->earlier) {
    sw_add_scaled((int)(2 * d), 1.0, lambda1 + 2 * d, s->lambda);
    sw_copy(lambda0 + 2 * d, s->earlier, 2 * d);
  }
  sw_copy(lambda0, s->lambda, d);
  sw_copy(lambda0 + d, s->lambda + s->linear.of->system->nq, d);
}

/* Adds the weights of the parameters and of h to the gradient. */
static void add_gradient(const sw_pull *s, double h, double gradient[])
{
  const int nk = s->linear.sim->system->nk;
  const double *of_k = s->lambda + s->linear.sim->system->nq;

  sw_add_scaled(nk, 1.0, of_k, gradient);
  gradient[nk] += of_k[nk] / h;
}

/* Puts the weights of (q,p) into s->lambda, with zeros for the other entries of a lifted model. */
static void take_weights(sw_pull *s, const double lambda1[])
{
  const size_t d = (size_t)s->linear.sim->system->nq;
  const size_t lifted = (size_t)s->linear.of->system->nq;

  sw_zero(s->lambda, 2 * lifted);
  sw_copy(s->lambda, lambda1, d);
  sw_copy(s->lambda + lifted, lambda1 + d, d);
}

sw_status sw_pull_create(sw_sim *sim, int of_k, sw_pull **pull)
{
  sw_status status = of_k ? sw_lifted_open(sim) : SW_OK;
  sw_pull *s = status == SW_OK ? calloc(1, sizeof *s) : NULL;

  *pull = s;
  if (!s) {
    return status == SW_OK ? SW_ERR_MEMORY : status;
  }
  s->linear.sim = sim;
  s->linear.of = of_k ? sim->lifted : sim;
  s->linear.width = SW_LINEARISED_WIDTH;
  s->linear.is_transposed = 1;
  s->start = calloc((size_t)sw_linearised_operations(&s->linear), sizeof *s->start);
  status = s->start ? sw_linearised_create(&s->linear) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    s->block = sw_carve_block(pull_carve, s);
    status = s->block ? SW_OK : SW_ERR_MEMORY;
  }
  if (status != SW_OK) {
    sw_pull_free(pull);
  }
  return status;
}

void sw_pull_free(sw_pull **pull)
{
  sw_pull *s = *pull;

  if (s) {
    sw_linearised_free(&s->linear);
    free(s->block);
    free(s->start);
    free(s);
  }
  *pull = NULL;
}

sw_status sw_pull_step(sw_pull *pull, double h, const double lambda1[], double lambda0[],
                       double gradient[])
{
  sw_pull *s = pull;
  sw_sim *sim = s->linear.sim;
  const size_t dim = 2 * (size_t)s->linear.of->system->nq;
  const sw_stats stats = sim->stats;

  take_weights(s, lambda1);
  sw_status status = pull_through(s, h);
  if (status == SW_OK &&
      !(isfinite(sw_max_abs(dim, s->lambda)) && isfinite(sw_max_abs(dim, s->earlier)))) {
    status = sw_linearised_not_finite(&s->linear);
  }
  if (status == SW_OK) {
    put_weights(s, lambda1, lambda0);
  }
  if (status == SW_OK && gradient) {
    add_gradient(s, h, gradient);
  }
  sim->stats = stats;
  sw_step_forget(sim);
  return status;
}

const char *sw_pull_objection(const sw_sim *sim, int of_k)
{
  return of_k ? sw_lifted_objection(sim) : sw_tangent_objection(sim);
}

sw_status sw_sim_pullback(sw_sim *sim, double h, const double lambda1[], double lambda0[],
                          double gradient[])
{
  const char *objection = sw_pull_objection(sim, gradient != NULL);
  sw_pull *pull = NULL;

  sw_say_nothing(sim);
  if (!lambda1 || !lambda0) {
    return sw_refuse(sim, SW_ERR_ARGUMENT, "pullback refused: no array of weights");
  }
  if (objection) {
    return sw_refuse(sim, SW_ERR_OPTION, "pullback refused: %s", objection);
  }
  sw_status status = sw_pull_create(sim, gradient != NULL, &pull);
  if (status == SW_OK) {
    status = sw_pull_step(pull, h, lambda1, lambda0, gradient);
  }
  sw_pull_free(&pull);
  return sw_say(sim, "pullback", status);
}
