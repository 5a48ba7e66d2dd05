/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/values.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

fused_values *fused_values_create(ir_context *c)
{
  fused_values *f = ARENA_NEW(ir_context_arena(c), fused_values);
  f->context = c;
  return f;
}

/* ---- which value a formula is ---- */

static void make_room_for(fused_values *f, unsigned id)
{
  if (id < f->formulas) {
    return;
  }
  const unsigned length = 2 * ir_context_size(f->context);
  const ir_expr **wider = ARENA_ARRAY(ir_context_arena(f->context), length, const ir_expr *);
  if (f->formulas) {
    memcpy(wider, f->value_of, f->formulas * sizeof(const ir_expr *));
  }
  f->value_of = wider;
  f->formulas = length;
}

void fused_equate(fused_values *f, const ir_expr *formula, const ir_expr *value)
{
  make_room_for(f, formula->id);
  f->value_of[formula->id] = value;
}

fused_value *fused_of(const fused_values *f, const ir_expr *value)
{
  return value->kind == IR_INPUT && value->space == IR_VALUE ? &f->at[value->index] : NULL;
}

/* ---- what depends on what ---- */

void fused_reads(const fused_values *f, const ir_expr *formula, char reads[])
{
  ir_inputs_read(f->context, IR_VALUE, f->n, formula, reads);
}

unsigned fused_depends(const fused_values *f, const ir_expr *formula)
{
  char *reads = ir_zeros((size_t)f->n + 1, 1);
  unsigned all = 0;
  fused_reads(f, formula, reads);
  for (int i = 0; i < f->n; i++) {
    all |= reads[i] ? f->at[i].reads : 0;
  }
  free(reads);
  return all;
}

int fused_level(unsigned reads)
{
  for (int phase = 13; phase >= 0; phase--) {
    if (reads & FUSED_NEW(phase)) {
      return FUSED_BEGIN(phase + 1);
    }
    if (reads & FUSED_U(phase)) {
      return FUSED_TRY(phase);
    }
  }
  return !(reads & FUSED_Z) ? FUSED_SETUP : reads & FUSED_H ? FUSED_BEGIN(0) : FUSED_PLACE;
}

static int is_tried(const fused_values *f, unsigned reads)
{
  return (reads & FUSED_U(f->phase)) != 0;
}

/* ---- new values ---- */

static const ir_expr *add(fused_values *f, fused_value value)
{
  f->at = arena_grow(ir_context_arena(f->context), f->at, (size_t)f->n, &f->room, sizeof *f->at);
  f->at[f->n] = value;
  return ir_input(f->context, IR_VALUE, f->n++);
}

const ir_expr *fused_given(fused_values *f, unsigned reads, const char *name, const char *note)
{
  return add(f, (fused_value){name, note, NULL, f->n, reads, -1, NULL, NULL});
}

const ir_expr *fused_unknown(fused_values *f, const char *name, const char *note)
{
  const ir_expr *u = fused_given(f, FUSED_U(f->phase), name, note);
  f->unknown[f->n_unknowns] = u->index;
  f->at[u->index].unknown = f->n_unknowns++;
  f->at[u->index].free = ir_integer(f->context, 0);
  return u;
}

const ir_expr *fused_renewed(fused_values *f, const ir_expr *value)
{
  const fused_value *old = fused_of(f, value);
  return old ? add(f, (fused_value){old->name, old->note, NULL, old->home, FUSED_NEW(f->phase), -1,
                                    NULL, NULL})
             : value;
}

static const ir_expr *register_value(fused_values *f, const char *name, const char *note,
                                     const ir_expr *formula, const ir_expr *free)
{
  const unsigned reads = fused_depends(f, formula);
  const ir_expr *value = add(f, (fused_value){name, note, formula, f->n, reads, -1, NULL, free});
  fused_equate(f, formula, value);
  return value;
}

/* ---- derivatives ---- */

/* The derivative of a value by unknown j. */
static const ir_expr *slope_of_value(fused_values *f, int i, int j)
{
  ir_context *c = f->context;
  fused_value *v = &f->at[i];
  if (!is_tried(f, v->reads)) {
    return ir_integer(c, 0);
  }
  if (v->unknown >= 0) {
    return ir_integer(c, v->unknown == j);
  }
  if (!v->slope) {
    v->slope = ARENA_ARRAY(ir_context_arena(c), FUSED_UNKNOWNS_MOST, const ir_expr *);
  }
  if (!f->at[i].slope[j]) {
    const char *name = arena_printf(ir_context_arena(c), "d_%s_%d", v->name, j + 1);
    const ir_expr *slope = fused_define(f, name, "", fused_slope(f, v->formula, j));
    f->at[i].slope[j] = slope;
  }
  return f->at[i].slope[j];
}

const ir_expr *fused_slope(fused_values *f, const ir_expr *formula, int j)
{
  ir_context *c = f->context;
  ir_entry entry = {0, 0, formula};
  const ir_function alone = {.rows = 1, .n = 1, .entries = &entry};
  const ir_function by_values = ir_jacobian(c, &alone, IR_VALUE, f->n);
  const ir_expr *sum = ir_integer(c, 0);
  for (int e = 0; e < by_values.n; e++) {
    const ir_expr *inner = slope_of_value(f, by_values.entries[e].col, j);
    if (!ir_is_zero(inner)) {
      sum = ir_plus(c, sum, ir_times(c, by_values.entries[e].value, inner));
    }
  }
  return sum;
}

/* ---- affine values ---- */

/* The formula where all unknowns are zero; NULL where a part of it is not affine in them. */
static const ir_expr *where_unknowns_are_zero(fused_values *f, const ir_expr *formula)
{
  ir_context *c = f->context;
  char *reads = ir_zeros((size_t)f->n + 1, 1);
  const ir_expr **values = ir_zeros((size_t)f->n + 1, sizeof *values);
  int is_affine = 1;
  fused_reads(f, formula, reads);
  for (int i = 0; i < f->n; i++) {
    values[i] = ir_input(c, IR_VALUE, i);
    if (reads[i] && is_tried(f, f->at[i].reads)) {
      values[i] = f->at[i].free;
      is_affine &= values[i] != NULL;
    }
  }
  const ir_expr *result = is_affine ? ir_substitute(c, IR_VALUE, values, formula) : NULL;
  free(values);
  free(reads);
  return result;
}

/* free + sum_j slope_j u_j with *free, or NULL where the formula is not affine in the unknowns. */
static const ir_expr *affine(fused_values *f, const char *name, const ir_expr *formula,
                             const ir_expr **free_part, const ir_expr *slope[])
{
  ir_context *c = f->context;
  arena *a = ir_context_arena(c);
  *free_part = where_unknowns_are_zero(f, formula);
  if (!*free_part) {
    return NULL;
  }
  for (int j = 0; j < f->n_unknowns; j++) {
    slope[j] = fused_slope(f, formula, j);
    if (is_tried(f, fused_depends(f, slope[j]))) {
      return NULL;
    }
  }
  *free_part = fused_define(f, arena_printf(a, "%s_free", name), "", *free_part);
  const ir_expr *sum = *free_part;
  for (int j = 0; j < f->n_unknowns; j++) {
    slope[j] = fused_define(f, arena_printf(a, "d_%s_%d", name, j + 1), "", slope[j]);
    const ir_expr *u = ir_input(c, IR_VALUE, f->unknown[j]);
    sum = ir_plus(c, sum, ir_times(c, slope[j], u));
  }
  return sum;
}

/* The value that a formula is already; NULL for a new one. */
static const ir_expr *known(fused_values *f, const ir_expr *formula)
{
  if (formula->kind == IR_NUMBER || formula->kind == IR_PI || fused_of(f, formula)) {
    return formula;
  }
  make_room_for(f, formula->id);
  return f->value_of[formula->id];
}

const ir_expr *fused_compute(fused_values *f, const char *name, const char *note,
                             const ir_expr *formula)
{
  const ir_expr *value = known(f, formula);
  return value ? value : register_value(f, name, note, formula, NULL);
}

const ir_expr *fused_define(fused_values *f, const char *name, const char *note,
                            const ir_expr *formula)
{
  const ir_expr *before = known(f, formula);
  if (before) {
    return before;
  }
  if (!is_tried(f, fused_depends(f, formula))) {
    return register_value(f, name, note, formula, NULL);
  }
  const ir_expr *slope[FUSED_UNKNOWNS_MOST];
  const ir_expr *free_part = NULL;
  const ir_expr *sum = affine(f, name, formula, &free_part, slope);
  if (!sum) {
    return register_value(f, name, note, formula, NULL);
  }
  const ir_expr *value = fused_of(f, sum) ? sum : register_value(f, name, note, sum, free_part);
  fused_value *v = fused_of(f, value);
  if (v->unknown < 0 && !v->slope) {
    v->slope = ARENA_ARRAY(ir_context_arena(f->context), FUSED_UNKNOWNS_MOST, const ir_expr *);
    memcpy(v->slope, slope, (size_t)f->n_unknowns * sizeof *slope);
  }
  fused_equate(f, formula, value);
  return value;
}

void fused_close_phase(fused_values *f)
{
  for (int i = 0; i < f->n; i++) {
    f->at[i].slope = NULL;
    f->at[i].free = NULL;
    f->at[i].unknown = -1;
  }
  f->phase++;
  f->n_unknowns = 0;
}
