/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_values.c -- kernels of a looped model, rewritten in the entries and the parameters of one
 * cluster.
 */
#include <stdlib.h>

#include "expr/builders.h"
#include "expr/substitute.h"
#include "fused/cluster_making.h"

/* ---- names ---- */

static const char *indexed_name(const cluster *c, const char *name, const model_shape *shape,
                                const long at[], int along, long factor)
{
  for (int i = 0; i < shape->n; i++) {
    if (i != along) {
      name = arena_printf(c->memory, "%s.%s", name,
                          model_element_text(c->memory, shape->sets[i], at[i]));
    } else if (factor != 1 && factor != -1) {
      name = arena_printf(c->memory, "%s.%ld", name, model_index_modulo(at[i], labs(factor)));
    }
  }
  return name;
}

const char *cluster_position_name(const cluster *c, int i, const char *name)
{
  const position *p = &c->place[i];
  return indexed_name(c, name, &c->model->coordinates[p->coordinate]->shape, p->at, p->along,
                      p->factor);
}

/* ---- parameters ---- */

/* Finds the entry of its array that a value of a kernel is. at[] gets its indices, except the
 * cluster's index, which has the number *along (-1: none). Returns 0 if the entry is not the same
 * for all sizes. */
static int cluster_values_entry_of(const ir_reference *value, const position_loops *loops,
                                   fused_parameter *p, long at[], int *along)
{
  const model_shape *shape = &value->parameter->shape;
  const index_form start = index_form_first(loops->binder->set);
  *along = -1;
  for (int i = 0; i < value->n_index; i++) {
    long factor = 0;
    const index_form first = index_form_first(shape->sets[i]);
    const index_form last = index_form_last(shape->sets[i]);
    /* Only the first index may range over a set of variable length. */
    if (i >= POSITION_INDICES || !position_index(value->index[i], loops, &factor, &at[i]) ||
        !index_form_is_constant(&first) || (i > 0 && !index_form_is_constant(&last)) ||
        (factor && !index_form_is_constant(&start))) {
      return 0;
    }
    const long count = i > 0 ? last.constant - first.constant + 1 : 1;
    *along = factor ? i : *along;
    p->entry = p->entry * count + at[i] + factor * start.constant - first.constant;
    p->by = p->by * count + factor;
  }
  return 1;
}

/* The input for a value of a kernel; NULL if it has none. */
static const ir_expr *value_of(cluster *c, const ir_reference *value, const position_loops *loops)
{
  long at[POSITION_INDICES] = {0};
  int along = -1;
  if (!value->parameter) {
    const int is_number = !value->coordinate && !value->constraint && !value->sum;
    long factor = 0;
    long number = 0;
    return is_number && position_index(value->index[0], loops, &factor, &number) && factor == 0
               ? ir_integer(c->context, number)
               : NULL;
  }
  fused_parameter p = {.array = value->parameter->number};
  if (!cluster_values_entry_of(value, loops, &p, at, &along)) {
    return NULL;
  }
  for (int i = 0; i < c->n_values; i++) {
    const fused_parameter *other = &c->values[i];
    if (other->array == p.array && other->entry == p.entry && other->by == p.by) {
      return ir_input(c->context, IR_K, i);
    }
  }
  const size_t n = (size_t)c->n_values;
  c->values = arena_grow(c->memory, c->values, n, &c->room, sizeof *c->values);
  c->values[n] = p;
  c->values[n].name =
      indexed_name(c, value->parameter->name, &value->parameter->shape, at, along, 1);
  return ir_input(c->context, IR_K, c->n_values++);
}

/* ---- kernels ---- */

const ir_expr *cluster_formula(cluster *c, const ir_kernel *k, const position_loops *loops,
                               const ir_expr *formula)
{
  const ir_expr **z = ARENA_ARRAY(c->memory, 2 * k->n_sites + 1, const ir_expr *);
  const ir_expr **values = ARENA_ARRAY(c->memory, k->n_values + 1, const ir_expr *);
  for (int i = 0; i < k->n_sites; i++) {
    position p;
    (void)position_of(&k->sites[i], loops, &p);
    z[i] = ir_input(c->context, IR_Z, cluster_number_of(c, &p));
    z[k->n_sites + i] = ir_input(c->context, IR_Z, c->d + cluster_number_of(c, &p));
  }
  for (int i = 0; i < k->n_values; i++) {
    values[i] = value_of(c, &k->values[i], loops);
    if (!values[i]) {
      return NULL;
    }
  }
  formula = ir_substitute(c->context, IR_Z, z, formula);
  return ir_substitute(c->context, IR_K, values, formula);
}
