/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop_values.h -- what a looped lowering says at the present sizes of its model, by walking its
 * loops:
 * for tests, which compare it with the unrolled lowering of the same model.
 */
#ifndef SIDEWINDER_TESTS_LOOP_VALUES_H
#define SIDEWINDER_TESTS_LOOP_VALUES_H

#include <stdlib.h>
#include <string.h>

#include "expr/evaluate.h"
#include "expr/loops.h"

enum { LOOP_INPUTS = 256 };

typedef struct loop_point {
  const model *model;
  const ir_loops *loops;
  ir_evaluator *evaluator;
  const double *z;
  const double *k;
  const double *lambda;
  long *environment;
  long *scratch;
} loop_point;

/* The inputs of one kernel in one round, and where its local entries stand in z. */
typedef struct loop_round {
  double z[LOOP_INPUTS];
  double k[LOOP_INPUTS];
  double lambda[LOOP_INPUTS];
  long at[LOOP_INPUTS];
} loop_round;

static inline loop_point loop_point_create(const model *m, const ir_context *c, const ir_loops *l)
{
  loop_point p = {.model = m, .loops = l};
  p.evaluator = ir_evaluator_create(c);
  p.environment = calloc((size_t)l->n_slots + 1, sizeof *p.environment);
  p.scratch = calloc((size_t)l->n_slots + 1, sizeof *p.scratch);
  return p;
}

static inline void loop_point_free(loop_point *p)
{
  ir_evaluator_free(p->evaluator);
  free(p->environment);
  free(p->scratch);
}

static inline int loop_first(loop_point *p, const ir_nest *nest)
{
  return model_binders_next(0, nest->n, nest->binders, nest->condition, p->environment);
}

static inline int loop_next(loop_point *p, const ir_nest *nest)
{
  return model_binders_next(1, nest->n, nest->binders, nest->condition, p->environment);
}

static inline long loop_entry(const loop_point *p, const ir_reference *r)
{
  if (r->coordinate) {
    return r->coordinate->offset +
           model_shape_offset(&r->coordinate->shape, r->index, p->environment);
  }
  if (r->parameter) {
    return r->parameter->offset +
           model_shape_offset(&r->parameter->shape, r->index, p->environment);
  }
  return r->constraint->offset +
         model_family_position(r->constraint, r->index, p->environment, p->scratch);
}

/* Gathers, and starts the evaluator anew. */
static inline void loop_gather(loop_point *p, const ir_kernel *kernel, double own, loop_round *r)
{
  int n = kernel->n_sites;
  r->lambda[0] = own;
  for (int i = 0; i < n; i++) {
    long at = loop_entry(p, &kernel->sites[i]);
    r->at[i] = at;
    r->at[n + i] = at + p->model->nq;
    r->z[i] = p->z[at];
    r->z[n + i] = p->z[at + p->model->nq];
  }
  for (int i = 0; i < kernel->n_values; i++) {
    const ir_reference *v = &kernel->values[i];
    r->k[i] = v->parameter ? p->k[loop_entry(p, v)]
                           : (double)model_index_value(v->index[0], p->environment);
  }
  for (int i = 0; i < kernel->n_multipliers; i++) {
    r->lambda[i] = p->lambda[loop_entry(p, &kernel->multipliers[i])];
  }
  ir_values in = {{r->k, r->lambda, r->z}};
  ir_evaluator_begin(p->evaluator, &in);
}

/* One instance: value, gradient (2d) and Hessian (2d x 2d, full), each added where it is not
 * NULL. */
static inline void loop_instance(loop_point *p, const ir_looped_family *f, double weight,
                                 double *value, double *gradient, double *hessian)
{
  long n = 2 * p->model->nq;
  for (int j = 0; j < f->n_parts; j++) {
    const ir_kernel *kernel = &f->parts[j].kernel;
    for (int more = loop_first(p, &f->parts[j].nest); more;
         more = loop_next(p, &f->parts[j].nest)) {
      loop_round r;
      loop_gather(p, kernel, 0, &r);
      *value += ir_evaluator_value(p->evaluator, kernel->value);
      for (int e = 0; gradient && e < kernel->gradient.n; e++) {
        const ir_entry *entry = &kernel->gradient.entries[e];
        gradient[r.at[entry->row]] += ir_evaluator_value(p->evaluator, entry->value);
      }
      for (int e = 0; hessian && e < kernel->hessian.n; e++) {
        const ir_entry *entry = &kernel->hessian.entries[e];
        double h = weight * ir_evaluator_value(p->evaluator, entry->value);
        hessian[r.at[entry->row] * n + r.at[entry->col]] += h;
        if (entry->row != entry->col) {
          hessian[r.at[entry->col] * n + r.at[entry->row]] += h;
        }
      }
    }
  }
}

/* Families one after the other: values, rows of the Jacobian, sum of lambda times Hessians. */
static inline long loop_families(loop_point *p, int n, const ir_looped_family families[],
                                 double *values, double *jacobian, double *hessian)
{
  long row = 0;
  for (int i = 0; i < n; i++) {
    for (int more = loop_first(p, &families[i].nest); more;
         more = loop_next(p, &families[i].nest)) {
      values[row] = 0;
      loop_instance(p, &families[i], hessian ? p->lambda[row] : 0, &values[row],
                    jacobian ? jacobian + row * 2 * p->model->nq : NULL, hessian);
      row++;
    }
  }
  return row;
}

static inline void loop_move_closed(loop_point *p, const ir_looped_family *f, double lambda,
                                    double *z)
{
  loop_round r;
  double moved[LOOP_INPUTS];
  loop_gather(p, &f->parts[0].kernel, lambda, &r);
  for (int i = 0; i < f->flow.n; i++) {
    moved[i] = ir_evaluator_value(p->evaluator, f->flow.entries[i].value);
  }
  for (int i = 0; i < f->flow.n; i++) {
    z[r.at[i]] = moved[i];
  }
}

/* z <- Gamma_lambda(z), instance by instance. */
static inline void loop_move(loop_point *p, double *z)
{
  long nq = p->model->nq;
  double *slope = calloc((size_t)(2 * nq), sizeof *slope);
  long row = 0;
  p->z = z;
  for (int i = 0; i < p->loops->n_constraints; i++) {
    const ir_looped_family *f = &p->loops->constraints[i];
    for (int more = loop_first(p, &f->nest); more; more = loop_next(p, &f->nest)) {
      double unused = 0;
      double lambda = p->lambda[row++];
      if (f->fibre == IR_FIBRE_CLOSED) {
        loop_move_closed(p, f, lambda, z);
        continue;
      }
      memset(slope, 0, (size_t)(2 * nq) * sizeof *slope);
      loop_instance(p, f, 0, &unused, slope, NULL);
      for (long j = 0; j < nq; j++) {
        z[j] += lambda * slope[nq + j];
        z[nq + j] -= lambda * slope[j];
      }
    }
  }
  free(slope);
}

/* dGamma/dz, 2d x 2d, of a model in which all families flow in closed form. */
static inline void loop_flow_z(loop_point *p, double *D)
{
  long n = 2 * p->model->nq;
  long row = 0;
  for (long i = 0; i < n; i++) {
    D[i * n + i] = 1;
  }
  for (int i = 0; i < p->loops->n_constraints; i++) {
    const ir_looped_family *f = &p->loops->constraints[i];
    for (int more = loop_first(p, &f->nest); more; more = loop_next(p, &f->nest)) {
      loop_round r;
      loop_gather(p, &f->parts[0].kernel, p->lambda[row++], &r);
      for (int e = 0; e < f->flow_z.n; e++) {
        const ir_entry *entry = &f->flow_z.entries[e];
        D[r.at[entry->row] * n + r.at[entry->col]] +=
            ir_evaluator_value(p->evaluator, entry->value);
      }
    }
  }
}

/* Defaults of parameters (into k), or a state (into z). */
static inline void loop_assign(loop_point *p, int n, const ir_assignment list[], double *out)
{
  for (int i = 0; i < n; i++) {
    const ir_assignment *a = &list[i];
    for (int more = loop_first(p, &a->nest); more; more = loop_next(p, &a->nest)) {
      loop_round r;
      loop_gather(p, &a->kernel, 0, &r);
      out[loop_entry(p, &a->target) + (a->is_momentum ? p->model->nq : 0)] =
          ir_evaluator_value(p->evaluator, a->kernel.value);
    }
  }
}

#endif
