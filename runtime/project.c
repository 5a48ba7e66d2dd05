/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_internal.h"

#include <math.h>

/* The nearest point of M to sim->z, left in sim->u. */
static sw_status onto_m(sw_sim *sim)
{
  const sw_problem problem = {sw_projection_residual, sw_projection_jacobian, &sim->projection};
  sw_solve_report report = {0.0, 0, 0};

  if (!sw_projection_begin(&sim->projection, sim->z, sim->u)) {
    return sw_fail_not_finite(sim, "projection");
  }
  const sw_status status = sw_solver_solve(sim->projection_solver, &problem, sim->u, &report);

  sim->stats.solves++;
  sim->stats.newton_iterations += report.iterations;
  return status == SW_OK ? SW_OK : sw_fail_solve(sim, status, "projection", &report);
}

/* From sim->u along the fibre to M^H, left in sim->slide.z1. */
static sw_status onto_mh(sw_sim *sim)
{
  const sw_sizes size = sw_sizes_at(sim->model, sim->k, sim->u, 0.0, NULL);
  sw_solve_report report = {0.0, 0, 0};

  if (!sw_rattle_begin(&sim->slide, size, sim->u, sim->u, 1.0)) {
    return sw_fail_not_finite(sim, "projection");
  }
  const sw_status status = sw_slide(sim, &report);

  return status == SW_OK ? SW_OK : sw_fail_solve(sim, status, "projection", &report);
}

sw_status sw_sim_project(sw_sim *sim)
{
  const size_t dim = 2 * (size_t)sim->model->nq;
  const double *end = sim->u;
  sw_status status;

  sim->message[0] = '\0';
  if (sim->model->nc == 0) {
    return SW_OK;
  }
  status = onto_m(sim);
  if (status == SW_OK && sim->rattle) {
    status = onto_mh(sim);
    end = sim->slide.z1;
  }
  if (status != SW_OK) {
    return status;
  }
  for (size_t i = 0; i < dim; i++) {
    if (!isfinite(end[i])) {
      return sw_fail_not_finite(sim, "projection");
    }
  }
  sw_copy(sim->z, end, dim);
  sw_zero(sim->lambda, (size_t)sim->model->nc);
  sim->checked = 0;
  return SW_OK;
}
