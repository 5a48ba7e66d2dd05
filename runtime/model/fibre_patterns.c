/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fibre_patterns.c -- a fibre flow composed of the flows of the families: the patterns of its
 * derivatives, and the positions of their terms.
 */
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/system_plan.h"

/* Sets flows[i] to 1 for the degrees of freedom on which a family with its own flow depends. */
static void mark_flows(const sw_system *system, sw_plan *plan, char flows[])
{
  const sw_family_table *table = &plan->constraints;

  for (int f = 0; f < table->n; f++) {
    const int from = plan->jac_start[table->start[f]];
    const int to = plan->jac_start[table->start[f + 1]];
    if (table->start[f] == table->start[f + 1]) {
      continue;
    }
    if (table->family[f].fibre != SW_FIBRE_FLOW) {
      plan->has_shift = 1;
      continue;
    }
    plan->has_flow = 1;
    for (int e = from; e < to; e++) {
      flows[system->constraint_jac_pattern.col[e] % system->nq] = 1;
    }
  }
}

/* Appends the ones, and the positions to which shifts add the entries of Hess(lambda . g): for
 * g(q), entry (q_i,q_j) is added to (p_i,q_j); for g(p), (p_i,p_j) to (q_i,p_j); and the same for
 * (j,i).  All other entries, such as (p_i,q_j), belong to families with their own flow, since
 * families of different kinds share no degree of freedom. */
static void append_shifts(const sw_system *system, const sw_plan *plan, const char flows[],
                          sw_listed *c)
{
  const sw_pattern *hess = &system->constraint_hess_pattern;
  const int d = system->nq;

  for (int i = 0; i < 2 * d; i++) {
    plan->one_place[i] = c->n;
    c->row[c->n] = i;
    c->col[c->n++] = i;
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    plan->shift_place[2 * (size_t)e] = plan->shift_place[2 * (size_t)e + 1] = -1;
    if (flows[i % d] || flows[j % d]) {
      continue;
    }
    const int shift = i < d ? d : -d;
    plan->shift_place[2 * (size_t)e] = c->n;
    c->row[c->n] = i + shift;
    c->col[c->n++] = j;
    if (i != j) {
      plan->shift_place[2 * (size_t)e + 1] = c->n;
      c->row[c->n] = j + shift;
      c->col[c->n++] = i;
    }
  }
}

static sw_status plan_flow_z(sw_system *system, sw_plan *plan, const char flows[], sw_listed *c)
{
  const int own = c->n;
  const size_t hess = (size_t)system->constraint_hess_pattern.entries;
  const size_t dim = 2 * (size_t)system->nq;
  int *place;
  sw_status status;

  plan->flow_places = own;
  plan->flow_place = sw_plan_ints((size_t)own);
  plan->one_place = sw_plan_ints(dim);
  plan->shift_place = sw_plan_ints(2 * hess);
  if (!plan->flow_place || !plan->one_place || !plan->shift_place) {
    return SW_ERR_MEMORY;
  }
  append_shifts(system, plan, flows, c);
  place = sw_plan_ints((size_t)c->n);
  if (!place) {
    return SW_ERR_MEMORY;
  }
  status = sw_pattern_create((int)dim, (int)dim, c->n, c->row, c->col,
                             &system->fibre_flow_z_pattern, place);
  if (status == SW_OK) {
    for (int t = 0; t < own; t++) {
      plan->flow_place[t] = place[t];
    }
    for (size_t i = 0; i < dim; i++) {
      plan->one_place[i] = place[plan->one_place[i]];
    }
    for (size_t e = 0; e < 2 * hess; e++) {
      plan->shift_place[e] = plan->shift_place[e] < 0 ? -1 : place[plan->shift_place[e]];
    }
  }
  free(place);
  return status;
}

/* Plans the composed flow.  It requires the model's family_flow if a family is not a shift. */
static sw_status plan_composed(sw_system *system, sw_plan *plan, const char flows[], char message[])
{
  static const sw_places none = {0, NULL, NULL, NULL};
  const int dim = 2 * system->nq;
  const size_t more = (size_t)dim + 2 * (size_t)system->constraint_hess_pattern.entries;
  sw_listed c = {0, NULL, NULL};

  plan->is_composed = !plan->has_flow || plan->model->family_flow;
  if (!plan->is_composed) {
    return SW_OK;
  }
  sw_status status = sw_plan_list(plan, plan->has_flow ? &plan->model->family_flow_z.places : &none,
                                  "the derivative of the fibre flow", dim, dim, more, &c, message);
  if (status == SW_OK) {
    status = plan_flow_z(system, plan, flows, &c);
  }
  if (status == SW_OK) {
    status = sw_pattern_copy(&plan->field_pattern, &system->fibre_flow_lambda_pattern);
  }
  sw_listed_free(&c);
  return status;
}

sw_status sw_plan_flow(sw_system *system, char message[])
{
  char *flows = calloc((size_t)system->nq, sizeof *flows);
  sw_status status = SW_ERR_MEMORY;

  if (flows) {
    mark_flows(system, system->plan, flows);
    status = plan_composed(system, system->plan, flows, message);
  }
  free(flows);
  return status;
}
