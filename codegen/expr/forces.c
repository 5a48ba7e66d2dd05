/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/forces.h"

#include <string.h>

#include "expr/derivative.h"

/* 1 if e reads one of the inputs z[first], ..., z[last - 1]. */
static int reads_between(ir_context *c, const ir_expr *e, int first, int last)
{
  char *reads = ARENA_ARRAY(ir_context_arena(c), last + 1, char);
  int found = 0;
  ir_inputs_read(c, IR_Z, last, e, reads);
  for (int i = first; i < last && !found; i++) {
    found = reads[i] != 0;
  }
  return found;
}

sw_force_kind ir_force_kind(ir_context *c, const ir_program *p)
{
  const ir_function *jac = &p->functions[IR_FORCE_JAC];
  const int d = p->nq;
  const ir_expr **slopes = ARENA_ARRAY(ir_context_arena(c), d + 1, const ir_expr *);
  int reads = 0;
  for (int e = 0; e < jac->n; e++) {
    const ir_entry *entry = &jac->entries[e];
    const int target = p->force_target[entry->row];
    if (entry->col < d) {
      continue;
    }
    if (entry->col != d + target || reads_between(c, entry->value, d, 2 * d)) {
      return SW_FORCE_ANY;
    }
    const ir_expr *sum[] = {entry->value, slopes[target]};
    slopes[target] = ir_add(c, slopes[target] ? 2 : 1, sum);
    reads = 1;
  }
  int same = 1;
  for (int i = 0; i < d && same; i++) {
    same = slopes[i] && slopes[i] == slopes[0] && !reads_between(c, slopes[i], 0, 2 * d);
  }
  return !reads ? SW_FORCE_OF_Q : same ? SW_FORCE_DAMPING : SW_FORCE_DIAGONAL;
}

/* ---- looped models ---- */

/* The part of a force that reads momenta, with its derivative in the momentum on which it acts. */
typedef struct damping {
  const ir_looped_family *force;
  const ir_reference *target;
  const ir_kernel *kernel;
  const ir_expr *slope; /* NULL: the part reads no momenta */
} damping;

/* Finds the derivative; returns 0 unless only that momentum is read, and linearly. */
static int find_slope(ir_context *c, damping *part)
{
  const ir_function *gradient = &part->kernel->gradient;
  const int n = part->kernel->n_sites;
  for (int e = 0; e < gradient->n; e++) {
    const ir_entry *entry = &gradient->entries[e];
    if (entry->row < n) {
      continue;
    }
    const ir_reference *site = &part->kernel->sites[entry->row - n];
    if (site->coordinate != part->target->coordinate ||
        strcmp(site->text, part->target->text) != 0 || reads_between(c, entry->value, n, 2 * n)) {
      return 0;
    }
    part->slope = entry->value;
  }
  return 1;
}

/* 1 if the part covers each entry of its array once, with a derivative in scalar parameters. */
static int covers_array(ir_context *c, const damping *part)
{
  const model_family *family = part->force->family;
  const model_shape *shape = &part->target->coordinate->shape;
  int covers = family->n_binders == shape->n && !family->condition;
  for (int j = 0; j < shape->n && covers; j++) {
    const model_index *index = part->target->index[j];
    covers = family->binders[j]->set == shape->sets[j] && index->kind == INDEX_VARIABLE &&
             index->binder == family->binders[j];
  }
  char *reads = ARENA_ARRAY(ir_context_arena(c), part->kernel->n_values + 1, char);
  ir_inputs_read(c, IR_K, part->kernel->n_values, part->slope, reads);
  for (int i = 0; i < part->kernel->n_values && covers; i++) {
    covers =
        !reads[i] || (part->kernel->values[i].parameter && part->kernel->values[i].n_index == 0);
  }
  return covers && !reads_between(c, part->slope, 0, 2 * part->kernel->n_sites);
}

/* 1 if both derivatives are the same function of scalar parameters. */
static int same_slope(const damping *a, const damping *b)
{
  int same = a->slope == b->slope;
  for (int i = 0; same && i < a->kernel->n_values && i < b->kernel->n_values; i++) {
    same = a->kernel->values[i].parameter == b->kernel->values[i].parameter;
  }
  return same;
}

sw_force_kind ir_loops_force_kind(ir_context *c, const model *m, const ir_loops *loops)
{
  damping *of = ARENA_ARRAY(ir_context_arena(c), m->n_coordinates + 1, damping);
  int reads = 0;
  int same = 1;
  for (int i = 0; i < loops->n_forces; i++) {
    const ir_looped_family *force = &loops->forces[i];
    for (int j = 0; j < force->n_parts; j++) {
      const ir_part *own = &force->parts[j];
      damping part = {force, &loops->force_targets[i].parts[0].kernel.sites[0], &own->kernel, NULL};
      if (!find_slope(c, &part)) {
        return SW_FORCE_ANY;
      }
      if (!part.slope) {
        continue;
      }
      damping *first = &of[part.target->coordinate->number];
      same = same && !first->slope && own->nest.n == 0 && !own->nest.condition &&
             covers_array(c, &part);
      *first = part;
      reads = 1;
    }
  }
  for (int i = 0; i < m->n_coordinates && same; i++) {
    same = of[i].slope && same_slope(&of[i], &of[0]);
  }
  return !reads ? SW_FORCE_OF_Q : same ? SW_FORCE_DAMPING : SW_FORCE_DIAGONAL;
}
