/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_forces.c -- which terms of H act within single clusters, and their forces; which terms
 * make other forces.
 */
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "fused/cluster_making.h"

enum { ITERATIONS_MOST = 64 };

/* ---- the loops of a term ---- */

static int cluster_forces_is_fixed(const model_set *set)
{
  const index_form first = index_form_first(set);
  const index_form count = index_form_count(set);
  return !set->is_dependent && index_form_is_constant(&first) && index_form_is_constant(&count);
}

/* Number of iterations of a nest for one cluster, in loops over sets that are fixed for all sizes.
 * Returns 0 if the nest has no loop over the clusters, or too many iterations. */
static long iterations_of(const cluster *c, const ir_nest *nest, position_loops *loops)
{
  long iterations = 1;
  *loops = (position_loops){.binder = NULL};
  for (int i = 0; i < nest->n; i++) {
    const model_binder *binder = nest->binders[i];
    if (!loops->binder && cluster_counts(c, binder->set)) {
      loops->binder = binder;
    } else if (loops->n < POSITION_INNER && cluster_forces_is_fixed(binder->set)) {
      const index_form count = index_form_count(binder->set);
      iterations *= count.constant < ITERATIONS_MOST ? count.constant : ITERATIONS_MOST + 1;
      loops->inner[loops->n++] = binder;
    } else {
      return 0;
    }
  }
  return loops->binder && !nest->condition && iterations <= ITERATIONS_MOST ? iterations : 0;
}

static void go_to(position_loops *loops, long iteration)
{
  for (int i = loops->n; i-- > 0;) {
    const index_form first = index_form_first(loops->inner[i]->set);
    const index_form count = index_form_count(loops->inner[i]->set);
    loops->at[i] = first.constant + iteration % count.constant;
    iteration /= count.constant;
  }
}

/* ---- forces ---- */

static int reads_momenta(const cluster *c, const ir_expr *e)
{
  char *reads = ARENA_ARRAY(c->memory, 2 * c->d + 1, char);
  ir_inputs_read(c->context, IR_Z, 2 * c->d, e, reads);
  return memchr(reads + c->d, 1, (size_t)c->d) != NULL;
}

/* Adds the gradient of the kernel to the forces on the positions of the cluster. Returns 0 if the
 * kernel reads other positions. */
static int add_forces(cluster *c, const ir_kernel *k, const position_loops *loops,
                      const ir_expr *force[])
{
  int place[CLUSTER_POSITIONS_MOST];
  for (int i = 0; i < k->n_sites; i++) {
    position p;
    if (i == CLUSTER_POSITIONS_MOST || !position_of(&k->sites[i], loops, &p) ||
        cluster_number_of(c, &p) < 0) {
      return 0;
    }
    place[i] = cluster_number_of(c, &p);
  }
  for (int e = 0; e < k->gradient.n; e++) {
    const ir_entry *entry = &k->gradient.entries[e];
    if (entry->row >= k->n_sites) {
      continue;
    }
    const ir_expr *slope = cluster_formula(c, k, loops, entry->value);
    if (!slope || reads_momenta(c, slope)) {
      return 0;
    }
    force[place[entry->row]] = ir_plus(c->context, force[place[entry->row]], slope);
  }
  return 1;
}

/* 1 if a term acts within clusters alone; its forces are then added. */
static int acts_within(cluster *c, const ir_part *part)
{
  const ir_expr **force = ARENA_ARRAY(c->memory, c->d, const ir_expr *);
  position_loops loops;
  const long iterations = iterations_of(c, &part->nest, &loops);
  const int n_values = c->n_values;
  int within = iterations > 0;
  memcpy(force, c->force, (size_t)c->d * sizeof *force);
  for (long i = 0; i < iterations && within; i++) {
    go_to(&loops, i);
    within = add_forces(c, &part->kernel, &loops, force);
  }
  if (within) {
    c->force = force;
  } else {
    c->n_values = n_values;
  }
  return within;
}

/* ---- other terms ---- */

static int moves_momenta(const ir_kernel *k)
{
  int moves = 0;
  for (int e = 0; e < k->gradient.n; e++) {
    moves |= k->gradient.entries[e].row < k->n_sites;
  }
  return moves;
}

/* The sets whose emptiness makes a term vanish. */
static fused_others others_of(const cluster *c, const ir_nest *nest)
{
  int *sets = ARENA_ARRAY(c->memory, nest->n + 1, int);
  fused_others others = {.sets = sets};
  for (int i = 0; i < c->model->n_sets; i++) {
    int is_there = 0;
    for (int j = 0; j < nest->n; j++) {
      is_there |= nest->binders[j]->set == c->model->sets[i];
    }
    if (is_there && !c->model->sets[i]->is_dependent) {
      sets[others.n++] = i;
    }
  }
  return others;
}

void cluster_find_forces(cluster *c)
{
  const ir_looped_family *H = &c->loops->hamiltonian;
  c->others = ARENA_ARRAY(c->memory, H->n_parts + 1, fused_others);
  c->force = ARENA_ARRAY(c->memory, c->d, const ir_expr *);
  for (int i = 0; i < c->d; i++) {
    c->force[i] = ir_integer(c->context, 0);
  }
  for (int i = 0; i < H->n_parts; i++) {
    const ir_part *part = &H->parts[i];
    if (moves_momenta(&part->kernel) && (H->nest.n || !acts_within(c, part))) {
      c->others[c->n_others++] = others_of(c, &part->nest);
    }
  }
}
