/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/energy_watch.h"

#include <math.h>

#include "common/vectors.h"

static const double leaves_at = 1e3;
static const double stays_within = 1e-3;
static const double moves = 1e-10; /* fraction of |q| per step */
static const double credible = 0.25;

void sw_energy_course_save(const sw_energy_course *course, double to[SW_COURSE_NUMBERS])
{
  to[0] = course->first;
  to[1] = course->scale;
  to[2] = (double)course->steps;
  to[3] = course->begun;
}

sw_energy_course sw_energy_course_restore(const double from[SW_COURSE_NUMBERS])
{
  return (sw_energy_course){
      .first = from[0], .scale = from[1], .steps = (long)from[2], .begun = from[3] != 0.0};
}

long sw_energy_until_look(const sw_energy_course *course)
{
  return SW_LOOK_EVERY - course->steps % SW_LOOK_EVERY;
}

double sw_energy_of(const sw_energy_state *at)
{
  double H = NAN;

  at->system->hamiltonian(at->system, at->z, at->k, &H);
  return H;
}

/* sum_i |p_i H_{p_i}|, with the gradient in at->gradient; 0 if it is not finite. */
static double kinetic(const sw_energy_state *at)
{
  const int d = at->system->nq;
  double sum = 0.0;

  at->system->hamiltonian_grad(at->system, at->z, at->k, at->gradient);
  for (int i = 0; i < d; i++) {
    sum += fabs(at->z[d + i] * at->gradient[d + i]);
  }
  return isfinite(sum) ? sum : 0.0;
}

void sw_energy_begin(sw_energy_course *course, const sw_energy_state *at, double H)
{
  if (!course->begun && isfinite(H)) {
    *course = (sw_energy_course){.first = H, .scale = fmax(fabs(H), kinetic(at)), .begun = 1};
  }
}

/* Raises the scale to `sum` if `change` = |H - H_0| is small compared with it. Returns 1 if it
 * is. */
static int raise_scale(sw_energy_course *course, double change, double sum)
{
  const int is_credible = change <= credible * sum;

  course->scale = is_credible ? fmax(course->scale, sum) : course->scale;
  return is_credible;
}

int sw_energy_leaves(sw_energy_course *course, const sw_energy_state *at, double H)
{
  const size_t d = (size_t)at->system->nq;
  const double change = fabs(H - course->first);

  if (!course->begun || !isfinite(H)) {
    return course->begun;
  }
  if (change <= leaves_at * course->scale || raise_scale(course, change, kinetic(at)) ||
      course->scale == 0.0) {
    return 0;
  }
  return fabs(at->h) * sw_max_abs(d, at->gradient + d) > moves * sw_max_abs(d, at->z);
}

void sw_energy_count(sw_energy_course *course, const sw_energy_state *at, double H, long taken)
{
  course->steps += taken;
  if (course->begun && course->steps % SW_LOOK_EVERY == 0) {
    sw_energy_look(course, at, H, 0);
  }
}

void sw_energy_look(sw_energy_course *course, const sw_energy_state *at, double H, int full)
{
  const double change = fabs(H - course->first);

  if (full || change > stays_within * course->scale) {
    (void)raise_scale(course, change, kinetic(at));
  }
}
