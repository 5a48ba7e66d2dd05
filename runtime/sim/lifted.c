/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lifted.c -- the hidden simulation of the lifted model, for derivatives of a step with respect to
 * the parameters and the step size.
 *
 * The lifted model (sw_model.lifted) has the parameters k, which include inputs, and a factor s of
 * H and of the forces as positions.  Its step from (q, k, 1; p, 0, 0) moves (q, p) like the step of
 * the model, and k and s stay.  So the derivatives of its step along k are dz1/dk.  A step of size
 * h with s H is a step of size s h with H, so the derivative along s is h dz1/dh.
 *
 * The hidden simulation of the lifted model solves nothing: linearised.c linearises its phases at
 * the solution of the simulation's step.
 */
#include <stdlib.h>

#include "model/system_plan.h"
#include "sim/sim_internal.h"

const char *sw_lifted_objection(const sw_sim *sim)
{
  const sw_sim_plan *plan = sim->plan;

  const char *objection = sw_tangent_objection(sim);

  if (objection) {
    return objection;
  }
  if (!sim->system->model->lifted) {
    return "the model was generated without them; generate or build it --with parameters";
  }
  if (plan->method->earlier || plan->method->staggered) {
    return "steps of the method depend on the size of the step before; rattle has them";
  }
  if (plan->phase[0].layer || plan->phase[0].discrete) {
    return "the method does not have them; rattle does";
  }
  return plan->flows ? "flows as a base method do not have them; verlet does" : NULL;
}

/* Creates the system of the lifted model, at the same sizes. */
static sw_status make_system(const sw_sim *sim, sw_system **system)
{
  const sw_model *model = sim->system->model;
  sw_size *sizes = sw_sizes_given(model, sim->system->plan->n);
  sw_system *reduced = NULL;

  *system = NULL;
  sw_status status = sizes ? sw_system_create(model->lifted, model->n_sizes + model->n_indices,
                                              sizes, system, NULL)
                           : SW_ERR_MEMORY;
  free(sizes);
  if (status != SW_OK) {
    return status;
  }
  (*system)->is_lifted = 1;
  if (sim->plan->options.numerical_fibre) {
    status = sw_system_integrate_fibre(*system);
  }
  if (status == SW_OK && sim->system->whole) {
    status = sw_system_reduce(*system, &reduced);
    sw_system_free(system);
    *system = reduced;
  }
  if (status != SW_OK) {
    sw_system_free(system);
  }
  return status;
}

sw_status sw_lifted_open(sw_sim *sim)
{
  sw_system *system = NULL;
  sw_shared *shared = NULL;

  if (sim->lifted) {
    return SW_OK;
  }
  sw_status status = make_system(sim, &system);
  if (status != SW_OK) {
    return status;
  }
  status = sw_shared_lift(sim->shared, system, &shared);
  if (status != SW_OK) {
    sw_system_free(&system);
    return status;
  }
  status = sw_sim_create_shared(shared, system, &sim->lifted);
  sw_shared_leave(shared);
  return status;
}

void sw_lifted_set_state(sw_sim *sim)
{
  const size_t d = (size_t)sim->system->nq;
  const size_t nk = (size_t)sim->system->nk;
  double *q = sim->lifted->state.z;
  double *p = q + d + nk + 1;

  sw_copy(q, sim->state.z, d);
  sw_copy(q + d, sim->k, nk);
  q[d + nk] = 1.0;
  sw_copy(p, sim->state.z + d, d);
  sw_zero(p + d, nk + 1);
}
