/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic.h"

#include <math.h>
#include <string.h>

#include "linear/sparse.h"

/* ---- memory ---- */

/* From both frames, one after the other. */
static void cut_frames(const sw_holonomic *s, sw_frame *frame, double *memory)
{
  const size_t m = (size_t)s->system->nc;

  frame->jac = memory;
  frame->slope = frame->jac + s->system->constraint_jac_pattern.entries;
  frame->sums = frame->slope + sw_slope_pattern(&s->plan->short_way, s->system)->entries;
  frame->slope_sums = frame->sums + m;
}

void sw_holonomic_carve(sw_carver *c, sw_holonomic *s)
{
  const sw_system *system = s->system;
  const sw_holonomic_plan *plan = &s->plan->short_way;
  const size_t d = (size_t)system->nq;
  const size_t m = (size_t)system->nc;
  const size_t frame = 2 * m + (size_t)system->constraint_jac_pattern.entries +
                       (size_t)sw_slope_pattern(plan, system)->entries;
  const size_t given = (size_t)plan->mass.given;
  const int has_halves = system->hamiltonian_grad_q && system->hamiltonian_grad_p;

  s->frames = sw_carve(c, 2 * frame > given ? 2 * frame : given, 1);
  if (s->frames) {
    cut_frames(s, &s->start, s->frames);
    cut_frames(s, &s->end, s->frames + frame);
  }
  s->force = sw_carve(c, d, 1);
  s->gradient = sw_carve(c, has_halves ? 0 : 2 * d, 1);
  s->velocity = sw_carve(c, d, 1);
  s->mass = sw_carve(c, (size_t)plan->mass.entries, 1);
  s->free = sw_carve(c, d, 1);
  s->rho = sw_carve(c, m, 1);
  s->terms = sw_carve(c, m, 1);
  s->scale = sw_carve(c, m, 1);
  s->F = sw_carve(c, m, 1);
  s->factor = sw_carve(c, m, 1);
  s->matrix = sw_carve(c, (size_t)s->plan->jacobian.entries, 1);
  s->hidden_jac =
      sw_carve(c, system->constraint_jac_along ? 0 : (size_t)system->hidden_jac_pattern.entries, 1);
}

/* The slope of a diagonal H_pp, and the sums of a frame. */
static inline void slope_rows(const sw_run *run, int width, int is_dense, const int col[],
                              const double mass[], const sw_frame *frame)
{
  const double *jac = frame->jac + run->entry;
  const int *place = col + run->entry;
  double *slope = frame->slope + run->entry;
  int dense = run->col;

  for (int i = run->first; i < run->end;
       i++, jac += width, place += width, slope += width, dense += run->step) {
    double size = 0.0;
    double slope_size = 0.0;
    for (int t = 0; t < width; t++) {
      const double value = mass[sw_run_column(is_dense, dense, place, t)] * jac[t];
      size += fabs(jac[t]);
      slope_size += fabs(value);
      slope[t] = value;
    }
    frame->sums[i] = size;
    frame->slope_sums[i] = slope_size;
  }
}

/* ---- what is kept from step to step ---- */

/* H_q or H_p, d values, at a state of which the other half is not read. */
static void half_gradient(sw_holonomic *s, int half, const double z[], double out[])
{
  const sw_system *system = s->system;
  const size_t d = (size_t)system->nq;

  if (!s->gradient) {
    (half ? system->hamiltonian_grad_p : system->hamiltonian_grad_q)(system, z, s->k, out);
  } else {
    system->hamiltonian_grad(system, z, s->k, s->gradient);
    sw_copy(out, s->gradient + (size_t)half * d, d);
  }
}

const double *sw_holonomic_force(sw_holonomic *s, int at_end, const double z[])
{
  if (!(at_end ? s->force_at_end : s->force_at_start)) {
    half_gradient(s, 0, z, s->force);
    s->force_at_end = at_end;
    s->force_at_start = !at_end;
  }
  return s->force;
}

static const double *velocity_at(sw_holonomic *s, const double z[])
{
  const double *p = z + s->system->nq;

  if (s->mass_alone) {
    for (int i = 0; i < s->system->nq; i++) {
      s->velocity[i] = s->mass[i] * p[i];
    }
  } else {
    half_gradient(s, 1, z, s->velocity);
  }
  s->velocity_at_start = s->velocity_at_end = 0;
  return s->velocity;
}

/* H_pp for the parameters of now.  Overwrites the end and both frames. */
static void find_mass(sw_holonomic *s, const double z[])
{
  const sw_mass *mass = &s->plan->short_way.mass;
  const size_t d = (size_t)s->system->nq;

  sw_mass_values(mass, s->system, z, s->k, s->frames, s->mass);
  s->start.known = s->end.known = 0;
  s->has_mass = 1;
  sw_copy(s->z1, z, d);
  sw_zero(s->z1 + d, d);
  half_gradient(s, 1, s->z1, s->velocity);
  s->mass_alone = sw_mass_is_diagonal(mass) && sw_is_zero(s->system->nq, s->velocity);
  s->velocity_at_start = s->velocity_at_end = 0;
}

int sw_holonomic_find_mass(sw_holonomic *s, const double z[])
{
  if (!s->has_mass) {
    find_mass(s, z);
  }
  return s->mass_alone;
}

void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[])
{
  const sw_system *system = s->system;
  const sw_holonomic_plan *plan = &s->plan->short_way;

  if (frame->known) {
    return;
  }
  system->constraint_jac(system, z, s->k, frame->jac);
  if (sw_mass_is_diagonal(&plan->mass)) {
    SW_ALONG_ROWS(&plan->jac_runs, slope_rows, system->constraint_jac_pattern.col, s->mass, frame)
  } else {
    sw_product_values(&plan->drift, frame->jac, s->mass, frame->slope);
    SW_ALONG_ROWS(&plan->jac_runs, sw_size_rows, frame->jac, frame->sums)
    SW_ALONG_ROWS(&plan->slope_runs, sw_size_rows, frame->slope, frame->slope_sums)
  }
  frame->known = 1;
}

void sw_holonomic_forget(sw_holonomic *s)
{
  s->start.known = s->end.known = 0;
  s->force_at_start = s->force_at_end = 0;
  s->velocity_at_start = s->velocity_at_end = s->has_mass = 0;
}

void sw_holonomic_recall(sw_holonomic *s, int knows_force)
{
  s->has_mass = 1;
  s->force_at_start = knows_force;
}

void sw_holonomic_commit(sw_holonomic *s)
{
  const sw_frame start = s->start;

  s->start = s->end;
  s->end = start;
  s->end.known = 0;
  s->force_at_start = s->force_at_end;
  s->velocity_at_start = s->velocity_at_end;
  s->force_at_end = s->velocity_at_end = 0;
}

/* ---- SHAKE ---- */

/* p_half without the part of the constraints, and q_free, at a velocity that is H_pp p_half or given.  Returns how far these
 * move. */
static sw_sizes kick_and_drift(sw_holonomic *s, const double force[], const double velocity[])
{
  const double *z0 = s->step->z0;
  const double h = s->step->h;
  const double kick = s->plan->kick * s->step->force * h;
  const size_t d = (size_t)s->system->nq;
  double *x = s->z1 + d;
  uint64_t most_force = 0;
  uint64_t most_velocity = 0;
  double force_size;
  double speed;

  for (size_t i = 0; i < d; i++) {
    const double half = kick != 0.0 ? z0[d + i] - kick * force[i] : z0[d + i];
    const double v = velocity ? velocity[i] : s->mass[i] * half;
    x[i] = half;
    s->free[i] = z0[i] + h * v;
    most_force = sw_larger_bits(most_force, sw_size_bits(force[i]));
    most_velocity = sw_larger_bits(most_velocity, sw_size_bits(v));
  }
  memcpy(&force_size, &most_force, sizeof force_size);
  memcpy(&speed, &most_velocity, sizeof speed);
  return (sw_sizes){fabs(h) * speed, fabs(h) * force_size};
}

/* The velocity where a step begins, NULL where kick_and_drift finds it. */
static const double *first_velocity(sw_holonomic *s, const double force[])
{
  const size_t d = (size_t)s->system->nq;

  /* Without a first kick these are the momenta of the start. */
  if (s->velocity_at_start && s->plan->kick == 0.0) {
    return s->velocity;
  }
  if (s->mass_alone) {
    s->velocity_at_start = s->velocity_at_end = 0;
    return NULL;
  }
  for (size_t i = 0; i < d; i++) {
    const double kick = s->plan->kick * s->step->force * s->step->h;
    s->z1[d + i] = s->step->z0[d + i] - kick * force[i];
  }
  return velocity_at(s, s->z1);
}

int sw_holonomic_begin(sw_holonomic *s)
{
  const sw_system *system = s->system;
  const double *z0 = s->step->z0;

  (void)sw_holonomic_find_mass(s, z0);
  const double *force = sw_holonomic_force(s, 0, z0);
  if (!sw_step_measure(s->step, kick_and_drift(s, force, first_velocity(s, force)))) {
    return 0;
  }
  sw_frame_at(s, &s->start, z0);
  s->end.known = s->force_at_end = 0;
  system->constraint_scale(system, z0, s->k, s->g->scale);
  for (int i = 0; i < s->plan->m; i++) {
    s->g->sums[i] = s->start.sums[i] * s->step->size.q;
  }
  return sw_larger_scales(s->plan->m, s->g->sums, s->g->scale);
}

void sw_holonomic_residual(sw_holonomic *s, const double lambda[], double F[])
{
  const sw_system *system = s->system;
  const sw_holonomic_plan *plan = &s->plan->short_way;
  const size_t d = (size_t)system->nq;
  const double *free = s->free;
  double *q1 = s->z1;

  /* The first guess costs no product. */
  if (sw_is_zero(s->plan->m, lambda)) {
    sw_copy(q1, free, d);
  } else {
    const double by = -s->step->h * s->step->h;
    sw_zero(q1, d);
    SW_ALONG_ROWS(sw_slope_runs(plan), sw_add_rows, sw_slope_pattern(plan, system)->col,
                  s->start.slope, 1.0, lambda, q1)
    for (size_t i = 0; i < d; i++) {
      q1[i] = free[i] + by * q1[i];
    }
  }
  system->constraint(system, s->z1, s->k, s->g->value);
  for (int i = 0; i < s->plan->m; i++) {
    F[i] = s->g->value[i] / s->g->scale[i];
  }
}

void sw_holonomic_jacobian(sw_holonomic *s, double J[])
{
  const double by = -s->step->h * s->step->h;

  s->system->constraint_jac(s->system, s->z1, s->k, s->end.jac);
  for (int i = 0; i < s->plan->m; i++) {
    s->factor[i] = by / s->g->scale[i];
  }
  sw_row_product_values(&s->plan->short_way.product, s->end.jac, s->start.slope, s->factor, J);
}

void sw_holonomic_end(sw_holonomic *s, const double lambda[])
{
  const size_t d = (size_t)s->system->nq;
  const double h = s->step->h;
  double *p1 = s->z1 + d;

  SW_ALONG_ROWS(&s->plan->short_way.jac_runs, sw_add_rows, s->system->constraint_jac_pattern.col,
                s->start.jac, -h, lambda, p1)
  if (s->plan->kick < 1.0) {
    const double *force = sw_holonomic_force(s, 1, s->z1);
    for (size_t i = 0; i < d; i++) {
      p1[i] -= (1.0 - s->plan->kick) * h * force[i];
    }
  }
  sw_frame_at(s, &s->end, s->z1);
}

/* ---- RATTLE's slide ---- */

double sw_holonomic_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

void sw_holonomic_product(sw_holonomic *s, const sw_frame *frame, double values[])
{
  sw_fill(s->factor, 1.0, (size_t)s->plan->m);
  sw_row_product_values(&s->plan->short_way.product, frame->jac, frame->slope, s->factor, values);
}

void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame)
{
  for (int i = 0; i < s->plan->m; i++) {
    s->factor[i] = 1.0 / sw_holonomic_measure(frame, i);
  }
  sw_row_product_values(&s->plan->short_way.product, frame->jac, frame->slope, s->factor,
                        s->matrix);
}

/* rho = Dg(q1) v and its terms. */
static void find_rho(sw_holonomic *s, const double v[])
{
  SW_ALONG_ROWS(&s->plan->short_way.jac_runs, sw_multiply_rows,
                s->system->constraint_jac_pattern.col, s->end.jac, v, s->rho, s->terms)
}

/* sums_i = sum_j |D rho_ij| size_j at a state of which H_p is the velocity and slope_sums those of its slope: D_q rho is
 * g_i,zz (H_p, 0), D_p rho is S^T.  along: scratch, one value per entry of Dg. */
static void change_of_rho(sw_holonomic *s, const double z[], const double velocity[],
                          const double slope_sums[], sw_sizes size, double along[], double sums[])
{
  s->system->constraint_jac_along(s->system, z, s->k, velocity, along);
  SW_ALONG_ROWS(&s->plan->short_way.jac_runs, sw_size_rows, along, sums)
  for (int i = 0; i < s->plan->m; i++) {
    sums[i] = slope_sums[i] * size.p + sums[i] * size.q;
  }
}

/* The scales of rho at the end of SHAKE, as scale.h says.  Returns 0 where one is not finite. */
static int slide_scales(sw_holonomic *s, const double velocity[])
{
  const sw_system *system = s->system;
  const sw_sizes size = s->step->size;
  double *along = s->start.jac; /* which SHAKE has needed last */
  double *sums = s->g->sums;

  s->start.known = 0;
  if (s->hidden_jac) {
    system->hidden_scale(system, s->z1, s->k, s->scale);
    system->hidden_jac(system, s->z1, s->k, s->hidden_jac);
    return sw_scales(&system->hidden_jac_pattern, s->hidden_jac, system->nq, size, s->scale, sums);
  }
  change_of_rho(s, s->z1, velocity, s->end.slope_sums, size, along, sums);
  sw_copy(s->scale, s->terms, (size_t)s->plan->m);
  return sw_larger_scales(s->plan->m, sums, s->scale);
}

int sw_slide_begin(sw_holonomic *s)
{
  const double *velocity = velocity_at(s, s->z1);

  find_rho(s, velocity);
  if (!slide_scales(s, velocity)) {
    return 0;
  }
  sw_holonomic_matrix(s, &s->end);
  for (int i = 0; i < s->plan->m; i++) {
    s->F[i] = s->rho[i] / s->scale[i];
    s->factor[i] *=
        s->scale[i]; /* of rho in units of the matrix: exact, since measures are powers of two */
  }
  return 1;
}

void sw_slide_residual(const sw_holonomic *s, const double sigma[], double F[])
{
  const sw_pattern *pattern = &s->plan->jacobian;
  const int *row = pattern->row;
  const int *col = pattern->col;
  const int entries = pattern->entries;

  sw_copy(F, s->F, (size_t)s->plan->m);
  for (int e = 0; e < entries;) {
    const int i = row[e];
    double sum = 0.0;
    do {
      sum += s->matrix[e] * sigma[col[e]];
    } while (++e < entries && row[e] == i);
    F[i] -= s->step->h * sum * (1.0 / s->factor[i]);
  }
}

void sw_slide_wanted(const sw_holonomic *s, const double F[], double b[])
{
  for (int i = 0; i < s->plan->m; i++) {
    b[i] = F[i] * s->factor[i] / s->step->h;
  }
}

void sw_slide_end(sw_holonomic *s, const double sigma[])
{
  const size_t d = (size_t)s->system->nq;

  SW_ALONG_ROWS(&s->plan->short_way.jac_runs, sw_add_rows, s->system->constraint_jac_pattern.col,
                s->end.jac, -s->step->h, sigma, s->z1 + d)
  find_rho(s, velocity_at(s, s->z1));
  s->velocity_at_end = 1;
}

int sw_holonomic_judge(sw_holonomic *s, int hidden, const double z[], sw_sizes size, double value[],
                       double scale[], double sums[])
{
  const sw_system *system = s->system;
  const int at_start = z == s->step->z0;
  sw_frame *frame = at_start ? &s->start : &s->end;
  /* Nothing else of a step is known where this is asked for. */
  double *along = at_start ? s->end.jac : s->start.jac;

  sw_frame_at(s, frame, z);
  if (hidden) {
    const double *velocity = velocity_at(s, z);
    SW_ALONG_ROWS(&s->plan->short_way.jac_runs, sw_multiply_rows,
                  system->constraint_jac_pattern.col, frame->jac, velocity, value, scale)
    (at_start ? &s->end : &s->start)->known = 0;
    change_of_rho(s, z, velocity, frame->slope_sums, size, along, sums);
  } else {
    system->constraint(system, z, s->k, value);
    system->constraint_scale(system, z, s->k, scale);
    for (int i = 0; i < s->plan->m; i++) {
      sums[i] = frame->sums[i] * size.q;
    }
  }
  return sw_larger_scales(s->plan->m, sums, scale);
}
