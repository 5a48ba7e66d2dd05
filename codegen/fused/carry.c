/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/carry.h"

#include "expr/builders.h"
#include "expr/secant.h"
#include "expr/substitute.h"

/* ---- increments ---- */

/* 1 if a part of a sum vanishes at zero multipliers. */
static int carry_vanishes(const composer *c, const ir_expr *part)
{
  const ir_expr **none = composer_zeros(c, 3 * c->program->nc);
  return ir_is_zero(ir_substitute(c->context, IR_LAMBDA, none, part));
}

const ir_expr *carry_of_slide(composer *c, int i)
{
  const ir_expr *by = ir_minus(c->context, c->flow.z[i], ir_input(c->context, IR_Z, i));
  int is_small = by->kind == IR_SUM || carry_vanishes(c, by);
  for (int j = 0; by->kind == IR_SUM && j < by->n; j++) {
    is_small &= carry_vanishes(c, by->terms[j].node);
  }
  if (!is_small) {
    c->refusal = "what its fibre flow adds to a state is a difference";
  }
  return by;
}

const ir_expr *carry_more(composer *c, int i, const ir_expr *by)
{
  const char *name = arena_printf(c->memory, "by_%s", composer_name(c, i));
  return fused_compute(c->values, name, "what is added", ir_plus(c->context, c->by[i], by));
}

const ir_expr *carry_reached(composer *c, int i, const char *name, const ir_expr *by)
{
  const ir_expr *const *z = c->step->z;
  if (ir_is_zero(by)) {
    return z[i];
  }
  const ir_expr *sum = fused_compute_as(c->values, ir_plus(c->context, z[2 * c->step->d + i], by),
                                        "all_by_%s", composer_name(c, i));
  return fused_compute(c->values, name, "", ir_plus(c->context, z[i], sum));
}

/* ---- residuals ---- */

/* If |g| is at most 2^WITHIN of its scale, which is 16 units in the last digit, a step removes the
 * fraction 2^-SLOWNESS of it. */
enum { WITHIN = -49, SLOWNESS = 6 };

/* g_i at z + c, the start with its carry. */
static const ir_expr *residual_at_start(composer *c, int i)
{
  const ir_expr *const *z = c->step->z;
  const char *name = arena_printf(c->memory, "g_%s_start", c->program->c_names[i]);
  const ir_expr *g = fused_define(c->values, name, "", composer_value(c, IR_CONSTRAINT, i, z));
  return fused_define(c->values, name, "with the carry",
                      ir_plus(c->context, g, composer_slope_of_g(c, z, i, z + 2 * c->step->d)));
}

/* 2^exponent. */
static const ir_expr *power_of_two(composer *c, int exponent)
{
  return ir_power(c->context, ir_integer(c->context, 2), exponent, 1);
}

/* The part of g that a step removes: g (1 - kept/(1 + x^2)), where x is g divided by 2^WITHIN of
 * its scale. */
static const ir_expr *taken_away(composer *c, int i, const ir_expr *g)
{
  ir_context *context = c->context;
  const char *name = c->program->c_names[i];
  const ir_expr *one = ir_integer(context, 1);
  const ir_expr *over = ir_power(context, c->step->scale_g[i], -1, 1);
  const ir_expr *x =
      fused_define(c->values, arena_printf(c->memory, "x_%s", name), "g in units of round-off",
                   ir_times(context, power_of_two(c, -WITHIN), ir_times(context, g, over)));
  const ir_expr *kept =
      ir_times(context, ir_minus(context, one, power_of_two(c, -SLOWNESS)),
               ir_power(context, ir_plus(context, one, ir_times(context, x, x)), -1, 1));
  return fused_define(c->values, arena_printf(c->memory, "g_%s_taken", name),
                      "what of it is taken away",
                      ir_times(context, g, ir_minus(context, one, kept)));
}

const ir_expr *carry_residual(composer *c, int i, double share, const ir_expr *const z[],
                              const ir_expr *const by[])
{
  const int dim = 2 * c->program->nq;
  const ir_expr **slope = composer_formulas(c, dim);
  const ir_expr *sum = composer_scaled(c, share, taken_away(c, i, residual_at_start(c, i)));
  ir_secants(c->context, dim, c->step->z, z, c->program->functions[IR_CONSTRAINT].entries[i].value,
             slope);
  for (int j = 0; j < dim; j++) {
    if (!ir_is_zero(slope[j])) {
      composer_add(c, &sum, composer_at(c, slope[j], NULL, NULL), by[j]);
    }
  }
  return sum;
}

/* ---- the end ---- */

/* A value with this name and number, computed as a sum or difference of two others. */
static const ir_expr *computed(composer *c, const char *name, int number, const ir_expr *formula)
{
  return fused_compute_as(c->values, formula, "%s_%d", name, number);
}

/* a + b, and its rounding error in *left (D. E. Knuth, The Art of Computer Programming 2, section
 * 4.2.2, Theorem B). Every operation is a separate value, so that no two operations are merged. */
static const ir_expr *sum_exactly(composer *c, const char *name, const ir_expr *a, const ir_expr *b,
                                  const ir_expr **left)
{
  ir_context *context = c->context;
  const ir_expr *sum = fused_compute(c->values, name, "", ir_plus(context, a, b));
  const ir_expr *of_a = computed(c, name, 1, ir_minus(context, sum, b));
  const ir_expr *of_b = computed(c, name, 2, ir_minus(context, sum, of_a));
  const ir_expr *left_of_a = computed(c, name, 3, ir_minus(context, a, of_a));
  const ir_expr *left_of_b = computed(c, name, 4, ir_minus(context, b, of_b));
  *left = fused_compute(c->values, arena_printf(c->memory, "%s_left", name),
                        "what rounding leaves out", ir_plus(context, left_of_a, left_of_b));
  return sum;
}

void carry_end(composer *c, int i)
{
  ir_context *context = c->context;
  fused_step *s = c->step;
  const ir_expr *z = s->z[i];
  const ir_expr *carry = s->z[2 * s->d + i];
  const char *name = composer_name(c, i);
  if (!ir_is_zero(c->by[i])) {
    const ir_expr *left[2];
    const char *all = arena_printf(c->memory, "all_by_%s", name);
    const char *sum = arena_printf(c->memory, "%s_sum", name);
    const ir_expr *by = sum_exactly(c, all, carry, c->by[i], &left[0]);
    const ir_expr *end = sum_exactly(c, sum, z, by, &left[1]);
    const ir_expr *both = computed(c, sum, 5, ir_plus(context, left[0], left[1]));
    z = fused_compute_as(c->values, ir_plus(context, end, both), "%s_end", name);
    const ir_expr *taken = computed(c, sum, 6, ir_minus(context, z, end));
    carry = fused_compute_as(c->values, ir_minus(context, both, taken), "carry_%s_end", name);
  }
  s->end[i] = z;
  s->end[2 * s->d + i] = carry;
}

void carry_end_early(composer *c, const sw_operation *rest)
{
  const int dim = 2 * c->step->d;
  const ir_expr **z = composer_formulas(c, dim);
  for (int i = 0; i < dim; i++) {
    z[i] = c->z[i];
    if (composer_is_final(c, rest, i) && !c->step->end[i]) {
      carry_end(c, i);
      z[i] = c->step->end[i];
    }
  }
  c->z = z;
}
