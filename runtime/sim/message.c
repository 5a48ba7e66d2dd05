/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_internal.h"

sw_status sw_fail(sw_sim *sim, sw_status status, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  (void)vsnprintf(sim->message, sizeof sim->message, format, arguments);
  va_end(arguments);
  return status;
}

sw_status sw_fail_not_finite(sw_sim *sim, const char *what)
{
  return sw_fail(sim, SW_ERR_NOT_FINITE,
                 "%s failed at t = %.6g: a function of the model is not finite near this state; "
                 "try a smaller step, or check the state and the parameters",
                 what, sim->t);
}

sw_status sw_fail_component(sw_sim *sim, const char *what)
{
  return sw_fail(sim, SW_ERR_COMPONENT, "step failed at t = %.6g: %s; try a smaller step", sim->t,
                 what);
}

/* 1 where constraints are dependent at the state, or, for a step, where its solve has got to. */
static int find_culprits(sw_sim *sim, const char *what, sw_dependence *found)
{
  const double *z[] = {sim->z, sim->phase[0].end};
  const int places = strcmp(what, "step") == 0 ? 2 : 1;

  for (int i = 0; i < places; i++) {
    if (sw_find_dependence(sim, z[i], found) && found->dependent > 0) {
      return 1;
    }
  }
  return 0;
}

sw_status sw_fail_solve(sw_sim *sim, sw_status status, const char *what,
                        const sw_solve_report *report)
{
  sw_dependence found = {0, 0, 0, ""};

  if (status == SW_ERR_NOT_FINITE) {
    return sw_fail_not_finite(sim, what);
  }
  if (status == SW_ERR_MEMORY) {
    return sw_fail(sim, status, "%s failed at t = %.6g: out of memory", what, sim->t);
  }
  if (status == SW_ERR_SINGULAR && sim->redundant == SW_REDUNDANT_ERROR &&
      find_culprits(sim, what, &found)) {
    return sw_fail(sim, status,
                   "%s failed at t = %.6g: the Jacobian of the solve is singular, because the "
                   "constraints are dependent: %s; remove those that follow from others, or ask "
                   "for --redundant drop or min-norm",
                   what, sim->t, found.text);
  }
  if (status == SW_ERR_SINGULAR && found.large > 0) {
    return sw_fail(sim, status,
                   "%s failed at t = %.6g: the Jacobian of the solve is singular; whether "
                   "constraints are dependent was not examined, because %d are connected, more "
                   "than %d",
                   what, sim->t, found.large, sw_dependence_limit(sim));
  }
  if (status == SW_ERR_SINGULAR) {
    return sw_fail(sim, status,
                   "%s failed at t = %.6g: the Jacobian of the solve is singular after %ld "
                   "iterations; try a smaller step, or remove dependent constraints, where the "
                   "matrix N_ij = {{g_i,H},g_j} is singular near this state",
                   what, sim->t, report->iterations);
  }
  return sw_fail(sim, status,
                 "%s failed at t = %.6g: Newton %s, residual %.2g > %.2g after %ld iterations; "
                 "try a smaller step",
                 what, sim->t, report->exhausted ? "did not converge" : "stalled", report->residual,
                 sim->options.tolerance, report->iterations);
}
