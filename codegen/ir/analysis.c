/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.c -- verdicts at sampled points of M and M^H.
 */
#include "ir/analysis.h"

#include <math.h>
#include <string.h>

#include "ir/redundancy.h"
#include "ir/sampler.h"

/* Brackets at a point of M, relative to the gradients; keeps the largest as the witness. */
static void examine_brackets(arena *a, sampler *s, analysis *found)
{
  const ir_structure *structure = &s->program->structure;
  for (int i = 0; i < structure->n_pairs; i++) {
    const ir_pair *pair = &structure->pairs[i];
    double size = sampler_row_norm(s, s->gz, pair->i) * sampler_row_norm(s, s->gz, pair->j);
    double value = fabs(ir_evaluator_value(s->evaluator, pair->bracket)) / (size > 0 ? size : 1);
    if (value > found->value || !found->witness) {
      found->value = value;
      found->pair = i;
      found->witness = ARENA_ARRAY(a, s->n, double);
      memcpy(found->witness, s->z, (size_t)s->n * sizeof *s->z);
    }
  }
}

/* The constraint with a vanishing gradient at this point of M, or -1. */
static int flat_constraint(sampler *s)
{
  double size = sampler_state_size(s);
  sampler_evaluate(s, IR_CONSTRAINT_SCALE, s->g);
  for (int i = 0; i < s->m; i++) {
    /* Not <=: at the origin the terms of a linear constraint vanish, and its gradient does not. */
    double norm = sampler_row_norm(s, s->gz, i);
    if (norm == 0.0 || norm * size < ANALYSIS_FLAT * s->g[i]) {
      return i;
    }
  }
  return -1;
}

static void examine_M(arena *a, sampler *s, analysis *found)
{
  found->on_M++;
  sampler_begin(s, s->z);
  sampler_evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  int flat = flat_constraint(s);
  found->flat = found->on_M == 1 || found->flat == flat ? flat : -1;
  examine_brackets(a, s, found);
  int rank = sampler_rank(s, s->gz);
  if (found->on_M == 1) {
    found->redundancy = redundancy_words(a, s);
  }
  found->least_rank = found->on_M == 1 || rank < found->least_rank ? rank : found->least_rank;
  found->rank = rank > found->rank ? rank : found->rank;
}

/* Ratio of the largest singular value to the one that `rank` has; inf where that counts as 0. */
static double condition_on_rank(const double singular[], int rank)
{
  int full = rank > 0 && singular[rank - 1] > ANALYSIS_SINGULAR * singular[0];
  return full ? singular[0] / singular[rank - 1] : (double)INFINITY;
}

/* N at the point in s->z, which is on M^H if on_MH. */
static void examine_N(sampler *s, analysis *found, int on_MH)
{
  double largest = 0;
  sampler_begin(s, s->z);
  double condition = sampler_condition_of_N(s, &largest);
  if (isnan(condition)) {
    found->undefined += on_MH;
    return;
  }
  s->typical_N = fmax(s->typical_N, largest);
  int vanishes = largest <= ANALYSIS_SMALL * s->typical_N;
  found->singular += on_MH && (isinf(condition) || vanishes);
  if (on_MH && isinf(condition)) {
    double *N = s->singular + s->m;
    memcpy(N, s->singular, (size_t)s->m * sizeof *N);
    condition = condition_on_rank(N, sampler_rank(s, s->gz));
  }
  found->deficient += on_MH && (isinf(condition) || vanishes);
}

static void sample(arena *a, sampler *s, analysis *found)
{
  int least = s->program->n_states + 4;
  for (int round = 0; round < 8 * ANALYSIS_POINTS && found->on_M < ANALYSIS_POINTS; round++) {
    if (sampler_exhausted(s) && round >= least) {
      break;
    }
    sampler_start(s, round);
    if (!sampler_reach(s, 0)) {
      continue;
    }
    examine_M(a, s, found);
    examine_N(s, found, 0);
    if (sampler_reach(s, 1)) {
      found->on_MH++;
      examine_N(s, found, 1);
    }
  }
}

static double residual(sampler *s, ir_function_id id)
{
  double r = 0;
  sampler_evaluate(s, id, s->g);
  for (int i = 0; i < s->m; i++) {
    r = isfinite(s->g[i]) ? fmax(r, fabs(s->g[i])) : (double)INFINITY;
  }
  return r;
}

static void examine_states(arena *a, sampler *s, analysis *found)
{
  const ir_program *p = s->program;
  found->states = ARENA_ARRAY(a, p->n_states + 1, analysis_state);
  for (int j = 0; j < p->n_states; j++) {
    analysis_state *state = &found->states[j];
    double largest = 0;
    sampler_state(s, j);
    sampler_begin(s, s->z);
    state->residual_g = residual(s, IR_CONSTRAINT);
    state->residual_hidden = residual(s, IR_HIDDEN);
    state->condition = sampler_condition_of_N(s, &largest);
    if (found->redundant && isinf(state->condition)) {
      state->condition = condition_on_rank(s->singular, found->rank);
    }
    state->finite = sampler_state_size(s) < (double)INFINITY && isfinite(state->residual_g) &&
                    isfinite(state->residual_hidden) && !isnan(state->condition);
  }
}

static analysis_refusal_kind reason_to_refuse(const ir_program *program, const analysis *found)
{
  if (found->on_M == 0) {
    return ANALYSIS_NO_POINT;
  }
  if (found->flat >= 0) {
    return ANALYSIS_FLAT_G;
  }
  if (found->rank < program->nc && !found->redundant) {
    return ANALYSIS_DEPENDENT;
  }
  if (found->coisotropy == IR_FAILS) {
    return ANALYSIS_SECOND_CLASS;
  }
  if (found->on_MH > 0 && found->singular == found->on_MH) {
    return ANALYSIS_DEGENERATE;
  }
  return program->structure.refusal.constraint >= 0 ? ANALYSIS_NO_FLOW : ANALYSIS_ACCEPTED;
}

const analysis *analyse(arena *a, const ir_context *c, const ir_program *program)
{
  analysis *found = ARENA_NEW(a, analysis);
  found->coisotropy = IR_PROVED;
  found->pair = -1;
  found->flat = -1;
  found->redundancy = "";
  if (program->nc == 0) {
    return found;
  }
  sampler *s = sampler_create(a, c, program);
  sample(a, s, found);
  /* Points of M were found, so that the constraints do not contradict each other. */
  if (found->on_M > 0 && found->rank < program->nc && found->least_rank == found->rank) {
    found->redundant = program->nc - found->rank;
    found->singular = found->deficient;
  }
  examine_states(a, s, found);
  sampler_free(s);
  if (program->structure.n_pairs > 0) {
    int holds = found->on_M > 0 && found->value <= ANALYSIS_ZERO;
    found->coisotropy = holds ? IR_SAMPLED : IR_FAILS;
  }
  if (found->coisotropy != IR_FAILS) {
    found->pair = -1;
  }
  found->refused = reason_to_refuse(program, found);
  return found;
}
