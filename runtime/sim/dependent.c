/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dependent.c -- which constraints follow from others at a state?
 *
 * Where the gradients of constraints depend on each other, so do the columns of N_ij = {{g_i,H},g_j}: a
 * rank-revealing factorisation finds the dependent columns, and Dg tells whether the gradients are
 * dependent, or H is the reason, which does not change along a fibre that the constraints do have.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_internal.h"

/* A combination of gradients is 0 below this part of its terms, and a term of it is below that. */
static const double vanishing = 1e-5;

enum { most_relations = 3, most_names = 4 };

typedef struct search {
  sw_sim *sim;
  sw_dependence *found;
} search;

/* Appends to the text, as far as it has room. */
static void append(sw_dependence *found, const char *text)
{
  const size_t used = strlen(found->text);

  (void)snprintf(found->text + used, sizeof found->text - used, "%s", text);
}

static void append_name(const search *s, int constraint)
{
  char name[SW_NAME_BYTES];

  append(s->found, "'");
  append(s->found, sw_system_name(s->sim->system, SW_C, constraint, name));
  append(s->found, "'");
}

/* 1 where sum_i coefficient[i] grad g_i is 0 at the state. */
static int gradients_cancel(sw_sim *sim, int n, const int index[], const double coefficient[])
{
  const sw_pattern *Dg = &sim->system->constraint_jac_pattern;
  const size_t d = (size_t)sim->system->nq;
  const size_t dim = 2 * d;
  const sw_dependence_scratch *s = &sim->dependence;

  for (int i = 0; i < n; i++) {
    s->weight[index[i]] = coefficient[i];
  }
  sw_zero(s->sum, dim);
  sw_zero(s->terms, dim);
  for (int e = 0; e < Dg->entries; e++) {
    const double term = s->weight[Dg->row[e]] * sim->g.jac[e];
    s->sum[Dg->col[e]] += term;
    s->terms[Dg->col[e]] += fabs(term);
  }
  for (int i = 0; i < n; i++) {
    s->weight[index[i]] = 0.0;
  }
  /* Each half against its own terms: they have different units. */
  return sw_max_abs(d, s->sum) <= vanishing * sw_max_abs(d, s->terms) &&
         sw_max_abs(d, s->sum + d) <= vanishing * sw_max_abs(d, s->terms + d);
}

/* Whether `coefficient` times gradient i counts in a sum that is gradient `dropped`. */
static int has_part(sw_gradients g, int i, double coefficient, int dropped)
{
  const double part = fabs(coefficient);

  return part * g.q[i] > vanishing * g.q[dropped] || part * g.p[i] > vanishing * g.p[dropped];
}

static void describe(search *s, int dropped, int n, const int index[], const double coefficient[])
{
  int names = 0;
  int more = 0;

  if (s->found->dependent > most_relations) {
    return;
  }
  if (s->found->dependent == most_relations) {
    append(s->found, "; and so on");
    return;
  }
  append(s->found, s->found->dependent ? "; " : "");
  append_name(s, dropped);
  for (int i = 0; i < n; i++) {
    if (index[i] == dropped || !has_part(s->sim->component.g, index[i], coefficient[i], dropped)) {
      continue;
    }
    if (names < most_names) {
      append(s->found, names ? ", " : " follows from ");
      append_name(s, index[i]);
    } else {
      more = 1;
    }
    names++;
  }
  append(s->found, more ? " and others" : names ? "" : " has no gradient");
}

static void on_relation(void *context, int dropped, int n, const int index[],
                        const double coefficient[])
{
  search *s = context;

  if (gradients_cancel(s->sim, n, index, coefficient)) {
    describe(s, dropped, n, index, coefficient);
    s->found->dependent++;
  } else {
    s->found->degenerate++;
  }
}

int sw_dependence_limit(const sw_sim *sim)
{
  return sim->redundant == SW_REDUNDANT_ERROR ? SW_REDUNDANCY_NAMED : SW_REDUNDANCY_BLOCK;
}

int sw_find_dependence(sw_sim *sim, const double z[], sw_dependence *found)
{
  search s = {sim, found};

  *found = (sw_dependence){0, 0, 0, ""};
  if (!sw_component_values(sim, z)) {
    return 0;
  }
  found->large = sw_redundancy_too_large(sim->dependence.redundancy);
  return sw_redundancy_find(sim->dependence.redundancy, sim->component.values, on_relation, &s) >=
         0;
}
