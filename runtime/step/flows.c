/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/flows.h"

#include <math.h>

/* ---- properties ---- */

sw_status sw_flows_examine(const sw_flows *flows)
{
  if (!flows->name || flows->order < 1 || flows->n_maps < 1 || flows->n < flows->n_maps ||
      flows->n > SW_FLOWS_MOST || !flows->maps || !flows->map || !flows->weight) {
    return SW_ERR_OPTION;
  }
  for (int i = 0; i < flows->n; i++) {
    if (flows->map[i] < 0 || flows->map[i] >= flows->n_maps) {
      return SW_ERR_OPTION;
    }
  }
  for (int m = 0; m < flows->n_maps; m++) {
    double sum = 0.0;
    double size = 0.0;
    for (int i = 0; i < flows->n; i++) {
      sum += flows->map[i] == m ? flows->weight[i] : 0.0;
      size += flows->map[i] == m ? fabs(flows->weight[i]) : 0.0;
    }
    if (!flows->maps[m].values || !flows->maps[m].directions ||
        !(fabs(sum - 1.0) <= 1e-13 * size)) {
      return SW_ERR_OPTION;
    }
  }
  return SW_OK;
}

int sw_flows_have_adjoint(const sw_flows *flows)
{
  int m = 0;

  while (m < flows->n_maps && flows->maps[m].symmetric) {
    m++;
  }
  return m == flows->n_maps;
}

int sw_flows_are_symmetric(const sw_flows *flows)
{
  const int last = flows->n - 1;
  int i = 0;

  while (i <= last && flows->map[i] == flows->map[last - i] &&
         flows->weight[i] == flows->weight[last - i]) {
    i++;
  }
  return i > last && sw_flows_have_adjoint(flows);
}

/* ---- a step ---- */

void sw_flow_step_carve(sw_carver *c, size_t n, sw_flow_step *s)
{
  const size_t dim = 2 * (size_t)s->system->nq;

  const size_t parts = s->parts ? (size_t)s->flows->n_maps : 0;

  s->part = sw_carve_bytes(c, parts * sizeof *s->part);
  for (size_t i = 0; i < parts; i++) {
    sw_part_flow part = {.system = s->system, .plan = &s->parts[i]};
    sw_part_flow_carve(c, &part);
    if (s->part) {
      s->part[i] = part;
    }
  }
  s->state = sw_carve(c, (size_t)s->flows->n + 1, dim);
  SW_CARVE(c, n, dim, &s->V, &s->DV);
}

/* The i-th map of a step, with its context, and its weight. */
static sw_map map_at(const sw_flow_step *s, int i, double *weight)
{
  const sw_flows *flows = s->flows;
  const int at = flows->reversed ? flows->n - 1 - i : i;
  sw_map map = flows->maps[flows->map[at]];

  *weight = flows->weight[at];
  if (s->part) {
    map.context = &s->part[flows->map[at]];
  }
  return map;
}

void sw_flow_step_values(sw_flow_step *s, double h, const double y[], double z1[])
{
  const size_t dim = 2 * (size_t)s->system->nq;
  double weight = 0.0;

  s->h = h;
  sw_copy(s->state, y, dim);
  for (int i = 0; i < s->flows->n; i++) {
    const sw_map map = map_at(s, i, &weight);
    double *from = s->state + (size_t)i * dim;
    if (map.values(map.context, weight * h, from, s->k, from + dim) != 0) {
      sw_fill(from + dim, NAN, dim);
    }
  }
  sw_copy(z1, s->state + (size_t)s->flows->n * dim, dim);
}

void sw_flow_step_increment(sw_flow_step *s, double change[], sw_two_sums to)
{
  const size_t dim = 2 * (size_t)s->system->nq;
  double weight = 0.0;

  for (int i = 0; i < s->flows->n; i++) {
    const sw_map map = map_at(s, i, &weight);
    sw_part_flow_increment(map.context, weight * s->h, s->state + (size_t)i * dim, s->k, change);
    sw_two_sums_add(to, 0, dim, 1.0, change);
  }
}

void sw_flow_step_directions(sw_flow_step *s, int n, const double DY[], double DZ[])
{
  const size_t dim = 2 * (size_t)s->system->nq;
  const size_t count = (size_t)n;
  double weight = 0.0;

  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < dim; i++) {
      s->DV[j * dim + i] = DY[i * count + j];
    }
  }
  for (int i = 0; i < s->flows->n; i++) {
    const sw_map map = map_at(s, i, &weight);
    sw_copy(s->V, s->DV, count * dim);
    if (map.directions(map.context, weight * s->h, s->state + (size_t)i * dim, s->k, n, s->V,
                       s->DV) != 0) {
      sw_fill(s->DV, NAN, count * dim);
    }
  }
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < dim; i++) {
      DZ[i * count + j] = s->DV[j * dim + i];
    }
  }
}

sw_sizes sw_flow_step_moved(const sw_flow_step *s, const double z0[])
{
  const size_t d = (size_t)s->system->nq;
  sw_sizes most = {0.0, 0.0};

  for (int i = 1; i <= s->flows->n; i++) {
    const double *z = s->state + (size_t)i * 2 * d;
    most.q = sw_larger_or_nan(most.q, sw_distance(d, z, z0));
    most.p = sw_larger_or_nan(most.p, sw_distance(d, z + d, z0 + d));
  }
  return most;
}
