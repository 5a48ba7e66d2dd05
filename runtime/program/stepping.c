/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "common/vectors.h"
#include "sidewinder/methods.h"
#include "sidewinder/stepper.h"
#include "sim/sim_internal.h"

enum { MOST_UNKNOWNS = 3000, HALVINGS = 12 /* of a failed step */ };

/* The number of unknowns of a step: lambda and the implicit stages of the base method. */
static int unknowns(const sw_system *system, const sw_tableau *base)
{
  sw_stage_plan plan;
  if (base == NULL) {
    return system->nc;
  }
  sw_stage_plan_make(base, system->model->structure.separable, &plan);
  return system->nc + plan.blocks * system->nq;
}

int sw_stepping_affordable(const sw_system *system, const sw_tableau *base)
{
  return unknowns(system, base) <= MOST_UNKNOWNS;
}

static sw_options stepping_options_of(const sw_verifier *verifier, const char *method,
                                      const sw_tableau *base)
{
  sw_options options;
  sw_options_init(&options);
  options.redundant = verifier->redundant;
  if (verifier->base != NULL && strcmp(verifier->base, SW_SPLITTING) == 0) {
    options.base = SW_SPLITTING;
  }
  options.method = method;
  options.tableau = base;
  return options;
}

const char *sw_stepping_objection(const sw_verifier *verifier, const char *method,
                                  const sw_tableau *base)
{
  const sw_options options = stepping_options_of(verifier, method, base);
  return sw_options_objection(verifier->system->model, &options);
}

/* 1 if a step of the method has few enough unknowns.  Methods without a base method use discrete
 * gradients, with their unknowns. */
static int is_affordable(const sw_system *system, const char *name, const sw_tableau *base)
{
  const sw_method *method = sw_method_find(name);
  return sw_method_takes_base(method)
             ? sw_stepping_affordable(system, base ? base : method->tableau)
             : system->nc + 2 * system->nq <= MOST_UNKNOWNS;
}

/* 1 if the simulation can be created; else the finding says why not. */
static int is_possible(const sw_verifier *verifier, const char *method, const sw_tableau *base,
                       sw_finding *finding)
{
  const char *objection = sw_stepping_objection(verifier, method, base);
  if (objection[0] != '\0') {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "%s", objection);
    return 0;
  }
  if (!is_affordable(verifier->system, method, base)) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "more than %d unknowns a step take too long; try smaller sizes", MOST_UNKNOWNS);
    return 0;
  }
  return 1;
}

static int stepping_create(const sw_verifier *verifier, const sw_options *first,
                           const sw_options *second, sw_stepping *stepping, sw_finding *finding)
{
  sw_status status = sw_sim_create_on(verifier->system, first, &stepping->first);
  if (status == SW_OK) {
    status = sw_sim_create_on(verifier->system, second, &stepping->second);
  }
  if (status != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "%s", sw_status_text(status));
  }
  return status == SW_OK;
}

int sw_stepping_init(const sw_verifier *verifier, const char *method, const sw_tableau *base,
                     const char *second_method, const sw_tableau *second_base,
                     sw_stepping *stepping, sw_finding *finding)
{
  const sw_options first = stepping_options_of(verifier, method, base);
  const sw_options second = stepping_options_of(verifier, second_method, second_base);
  *stepping = (sw_stepping){NULL, NULL};
  if (!is_possible(verifier, method, base, finding) ||
      !is_possible(verifier, second_method, second_base, finding)) {
    return 0;
  }
  return stepping_create(verifier, &first, &second, stepping, finding);
}

int sw_stepping_init_straight(const sw_verifier *verifier, const char *composition,
                              sw_stepping *stepping, sw_finding *finding)
{
  const sw_stepper *stepper = verifier->options.stepper;
  sw_options first;
  sw_options_init(&first);
  first.method = stepper->method;
  first.base = stepper->base;
  first.redundant = verifier->redundant;
  first.compensated = stepper->compensated;
  first.compose = composition;
  sw_options second = first;
  first.stepper = stepper;
  second.solver = "kinsol";
  *stepping = (sw_stepping){NULL, NULL};
  if (sw_options_objection(verifier->system->model, &second)[0] != '\0') {
    return 0;
  }
  if (!stepping_create(verifier, &first, &second, stepping, finding)) {
    return 0;
  }
  if (stepping->first->plan->stepper == NULL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "no run takes the generated step with these constraints: they are redundant");
  }
  return stepping->first->plan->stepper != NULL;
}

void sw_stepping_clear(sw_stepping *stepping)
{
  sw_sim_free(&stepping->first);
  sw_sim_free(&stepping->second);
}

double sw_stepping_first_step(const sw_system *system)
{
  double step = fabs(system->model->run.step);
  return isfinite(step) && step > 0.0 ? step : 0.01;
}

/* Merges the finding of one trial into the overall finding. */
static void stepping_take_in(const sw_finding *one, sw_finding *all)
{
  if (!isnan(all->worst) && !(one->worst <= all->worst)) {
    all->worst = one->worst;
    memcpy(all->note, one->note, sizeof all->note);
  }
  all->outcome = one->outcome != SW_CHECK_PASS ? one->outcome : all->outcome;
}

/* If half the step reduces a figure by more than this factor, the whole step has converged to
 * another root.  No order of a method explains so large a factor. */
static const double of_another_root = 4096.0;

/* Runs the trial with step h.  Uses half of it if h leads to another root. */
static sw_status try_once(sw_verifier *v, const sw_stepping *stepping, sw_trial *trial,
                          const sw_point *at, double h, sw_finding *finding)
{
  const sw_finding none = {.name = finding->name, .worst = -1.0, .tolerance = finding->tolerance};
  sw_finding whole = none;
  sw_finding half = none;
  const sw_status status = trial(v, stepping, at, h, &whole);
  const int is_other = status == SW_OK && whole.worst > none.tolerance &&
                       trial(v, stepping, at, h / 2.0, &half) == SW_OK &&
                       half.worst <= none.tolerance &&
                       whole.worst > of_another_root * fmax(half.worst, DBL_EPSILON);
  stepping_take_in(is_other ? &half : &whole, finding);
  return status;
}

/* Runs the trial at one point, with smaller steps if it fails. */
static void try_at(sw_verifier *v, const sw_stepping *stepping, sw_trial *trial, const char *what,
                   const sw_point *at, sw_finding *finding)
{
  double h = sw_stepping_first_step(v->system);
  sw_status status = sw_sim_set_parameters(stepping->first, at->k);
  if (status == SW_OK) {
    status = sw_sim_set_parameters(stepping->second, at->k);
  }
  if (status != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "the parameters of point %d are refused", at->number);
    return;
  }
  status = try_once(v, stepping, trial, at, h, finding);
  for (int i = 0; i < HALVINGS && status != SW_OK; i++) {
    h /= 2.0;
    status = try_once(v, stepping, trial, at, h, finding);
  }
  if (status != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "no step of %s down to h = %g succeeds at point %d: %s",
                   what, h, at->number, sw_status_name(status));
  }
}

void sw_stepping_try(sw_verifier *v, sw_stepping *stepping, sw_trial *trial, const char *what,
                     sw_finding *finding)
{
  for (int i = 0; i < v->reached && finding->outcome == SW_CHECK_PASS; i++) {
    try_at(v, stepping, trial, what, &v->on[i], finding);
  }
}

sw_status sw_stepping_run(sw_sim *sim, const double z[], double h, long steps, double end[])
{
  sw_status status = sw_sim_set_state(sim, 0.0, z);
  if (status == SW_OK) {
    status = sw_sim_run(sim, h, steps, NULL, NULL);
  }
  sw_copy(end, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim));
  return status;
}
