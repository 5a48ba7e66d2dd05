/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/equations.h"

#include <math.h>
#include <string.h>

#include "ir/derivative.h"
#include "ir/magnitude.h"

static ir_function column(arena *a, int n, const ir_expr *const values[])
{
  ir_function f = {n, 0, n, ARENA_ARRAY(a, n + 1, ir_entry)};
  for (int i = 0; i < n; i++) {
    f.entries[i] = (ir_entry){i, 0, values[i]};
  }
  return f;
}

equations *equations_create(arena *a, ir_context *c, const ir_program *p, int n,
                            const ir_expr *const values[])
{
  equations *e = ARENA_NEW(a, equations);
  int columns = 2 * p->nq;
  size_t entries = (size_t)n * (size_t)columns;
  e->n = n;
  e->values = values;
  e->gradients = ARENA_ARRAY(a, entries + 1, const ir_expr *);
  e->value = column(a, n, values);
  e->jac = (ir_function){n, columns, 0, ARENA_ARRAY(a, entries + 1, ir_entry)};
  for (int i = 0; i < n; i++) {
    const ir_expr **row = e->gradients + (size_t)i * (size_t)columns;
    ir_gradient(c, columns, values[i], row);
    for (int j = 0; j < columns; j++) {
      if (!ir_is_zero(row[j])) {
        e->jac.entries[e->jac.n++] = (ir_entry){i, j, row[j]};
      }
    }
  }
  const ir_expr **bounds = ARENA_ARRAY(a, n + 1, const ir_expr *);
  ir_magnitudes(c, n, values, bounds);
  e->scale = column(a, n, bounds);
  return e;
}

sampler_equations equations_part(const equations *e)
{
  sampler_equations part = {&e->value, &e->jac, &e->scale};
  return part;
}

double points_spread(int n_points, double *const z[], int n)
{
  double spread = 0;
  for (int j = 0; j < n && n_points > 0; j++) {
    double low = z[0][j];
    double high = z[0][j];
    for (int i = 1; i < n_points; i++) {
      low = fmin(low, z[i][j]);
      high = fmax(high, z[i][j]);
    }
    spread = fmax(spread, high - low);
  }
  return spread;
}

equations_points equations_sample(arena *a, ir_context *c, const ir_program *p, int n_parts,
                                  const sampler_equations parts[], int most, int rounds,
                                  double growth)
{
  equations_points found = {{0, 0, 0}, ARENA_ARRAY(a, most + 1, double *)};
  int rows = 0;
  for (int i = 0; i < n_parts; i++) {
    rows += parts[i].value->rows;
  }
  sampler *s = sampler_create(a, c, p, rows);
  while (found.sample.tried < rounds && found.sample.points < most && !sampler_exhausted(s)) {
    sampler_start(s, found.sample.tried++);
    double farthest = growth * sampler_state_size(s);
    if (sampler_solve(s, n_parts, parts) && sampler_state_size(s) <= farthest) {
      double *z = ARENA_ARRAY(a, s->n, double);
      memcpy(z, s->z, (size_t)s->n * sizeof *z);
      found.z[found.sample.points++] = z;
    }
  }
  found.sample.spread = points_spread(found.sample.points, found.z, s->n);
  sampler_free(s);
  return found;
}

double equations_largest(arena *a, ir_context *c, const ir_program *p, const ir_expr *e,
                         const equations_points *points, const double **at)
{
  const ir_expr *const *single = &e;
  const equations *f = equations_create(a, c, p, 1, single);
  int n = 2 * p->nq;
  ir_evaluator *evaluator = ir_evaluator_create(c);
  double largest = 0;
  *at = NULL;
  for (int i = 0; i < points->sample.points; i++) {
    const ir_values values = {{p->k_default, NULL, points->z[i]}};
    ir_evaluator_begin(evaluator, &values);
    double slope = 0;
    double size = 0;
    for (int j = 0; j < n; j++) {
      slope = hypot(slope, ir_evaluator_value(evaluator, f->gradients[j]));
      size = fmax(size, fabs(points->z[i][j]));
    }
    double unit = fmax(ir_evaluator_value(evaluator, f->scale.entries[0].value), slope * size);
    double value = fabs(ir_evaluator_value(evaluator, e)) / (unit > 0 ? unit : 1);
    value = isfinite(value) ? value : (double)INFINITY;
    if (!*at || value > largest) {
      largest = value;
      *at = points->z[i];
    }
  }
  ir_evaluator_free(evaluator);
  return largest;
}
