/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_positions.c -- which positions form one cluster, and which sets enumerate the clusters.
 */
#include <stdlib.h>

#include "fused/cluster_making.h"
#include "fused/values.h"

static const char shares[] = "its constraints are no small clusters that share no coordinate";

int cluster_number_of(const cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (position_compare(&c->place[i], p) == 0) {
      return i;
    }
  }
  return -1;
}

int cluster_counts(const cluster *c, const model_set *set)
{
  const ir_nest *nest = &c->loops->constraints[0].nest;
  const model_set *first = nest->n ? nest->binders[0]->set : set;
  if (!set->is_range || !first->is_range || set->is_dependent) {
    return 0;
  }
  const index_form below = index_form_difference(set->lower, first->lower);
  const index_form above = index_form_difference(set->upper, first->upper);
  return index_form_is_constant(&below) && below.constant == 0 && index_form_is_constant(&above) &&
         above.constant == 0;
}

static void add_position(cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (positions_can_meet(&c->place[i], p)) {
      c->refusal = shares;
    }
  }
  if (cluster_number_of(c, p) >= 0 || c->refusal) {
    return;
  }
  if (c->d == CLUSTER_POSITIONS_MOST) {
    c->refusal = shares;
    return;
  }
  c->place[c->d++] = *p;
}

/* Collects the positions that a family of constraints reads. */
static void cluster_positions_collect(cluster *c, const ir_looped_family *family)
{
  const ir_nest *nest = &family->nest;
  if (nest->n != 1 || nest->condition || family->fibre != IR_FIBRE_SHIFT_P ||
      !cluster_counts(c, nest->binders[0]->set)) {
    c->refusal = shares;
    return;
  }
  const position_loops loops = {.binder = nest->binders[0]};
  for (int i = 0; i < family->n_parts && !c->refusal; i++) {
    const ir_part *part = &family->parts[i];
    if (part->nest.n || part->nest.condition) {
      c->refusal = shares;
    }
    for (int j = 0; j < part->kernel.n_sites && !c->refusal; j++) {
      position p;
      if (position_of(&part->kernel.sites[j], &loops, &p)) {
        add_position(c, &p);
      } else {
        c->refusal = shares;
      }
    }
  }
}

void cluster_find_positions(cluster *c)
{
  c->refusal = c->loops->n_constraints > FUSED_UNKNOWNS_MOST ? shares : NULL;
  for (int i = 0; i < c->loops->n_constraints && !c->refusal; i++) {
    cluster_positions_collect(c, &c->loops->constraints[i]);
  }
  qsort(c->place, (size_t)c->d, sizeof *c->place, position_compare);
}
