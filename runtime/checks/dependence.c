/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/failure.h"

#include <math.h>

#include "linear/sparse.h"

/* A combination of gradients counts as 0 below this fraction of its terms, and a term counts as 0
 * below this fraction of the combination. */
static const double vanishing = 1e-5;

typedef struct search {
  const sw_dependence_search *scratch;
  const sw_system *system;
  const double *jac;
  sw_gradients g;
  sw_dependence *found;
} search;

void sw_dependence_carve(sw_carver *c, const sw_system *system, sw_dependence_search *s)
{
  SW_CARVE(c, 2, (size_t)system->nq, &s->sum, &s->terms);
  s->weight = sw_carve(c, (size_t)system->nc, 1);
}

/* 1 if sum_i coefficient[i] grad g_i is 0 at the state. */
static int gradients_cancel(const search *s, int n, const int index[], const double coefficient[])
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;
  const size_t d = (size_t)s->system->nq;
  double *sum = s->scratch->sum;
  double *terms = s->scratch->terms;
  double *weight = s->scratch->weight;

  for (int i = 0; i < n; i++) {
    weight[index[i]] = coefficient[i];
  }
  sw_zero(sum, 2 * d);
  sw_zero(terms, 2 * d);
  for (int e = 0; e < Dg->entries; e++) {
    const double term = weight[Dg->row[e]] * s->jac[e];
    sum[Dg->col[e]] += term;
    terms[Dg->col[e]] += fabs(term);
  }
  for (int i = 0; i < n; i++) {
    weight[index[i]] = 0.0;
  }
  /* Each half is compared with its own terms, because the halves have different units. */
  return sw_max_abs(d, sum) <= vanishing * sw_max_abs(d, terms) &&
         sw_max_abs(d, sum + d) <= vanishing * sw_max_abs(d, terms + d);
}

/* 1 if `coefficient` times gradient i is a significant term of a sum equal to gradient
 * `dropped`. */
static int has_part(sw_gradients g, int i, double coefficient, int dropped)
{
  const double part = fabs(coefficient);

  return part * g.q[i] > vanishing * g.q[dropped] || part * g.p[i] > vanishing * g.p[dropped];
}

static void dependence_tell(const search *s, int dropped, int n, const int index[],
                            const double coefficient[])
{
  sw_told_relation *relation = &s->found->relation[s->found->dependent];

  relation->dropped = dropped;
  for (int i = 0; i < n; i++) {
    if (index[i] == dropped || !has_part(s->g, index[i], coefficient[i], dropped)) {
      continue;
    }
    if (relation->n < SW_RELATION_MEMBERS) {
      relation->from[relation->n] = index[i];
    }
    relation->n++;
  }
}

static void on_relation(void *context, int dropped, int n, const int index[],
                        const double coefficient[])
{
  const search *s = context;

  if (!gradients_cancel(s, n, index, coefficient)) {
    s->found->degenerate++;
    return;
  }
  if (s->found->dependent < SW_RELATIONS_TOLD) {
    dependence_tell(s, dropped, n, index, coefficient);
  }
  s->found->dependent++;
}

int sw_dependence_find(const sw_dependence_search *s, const sw_system *system, const double N[],
                       const double jac[], sw_gradients g, sw_dependence *found)
{
  search at = {s, system, jac, g, found};

  *found = (sw_dependence){.large = sw_redundancy_too_large(s->redundancy), .limit = s->limit};
  return sw_redundancy_find(s->redundancy, N, on_relation, &at) >= 0;
}
