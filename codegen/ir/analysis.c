/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.c -- verdicts at sampled points of M and M^H.
 */
#include "ir/analysis.h"

#include <math.h>
#include <string.h>

#include "ir/chain.h"
#include "ir/equations.h"
#include "ir/independence.h"
#include "ir/magnitude.h"
#include "ir/nondegeneracy.h"
#include "ir/redundancy.h"
#include "ir/sampler.h"

/* What an analysis works with. */
typedef struct examination {
  arena *memory;
  certifier k;
  sampler *s;
  analysis *found;
  verdict_bracket *brackets; /* one for each pair */
  const ir_expr **sizes;     /* of their terms */
  equations_points on_M;
  equations_points on_MH;
} examination;

static void keep_point(examination *x, equations_points *points)
{
  double *z = ARENA_ARRAY(x->memory, x->s->n, double);
  memcpy(z, x->s->z, (size_t)x->s->n * sizeof *z);
  points->z[points->sample.points++] = z;
}

/* Brackets at a point of M, relative to the gradients and to the terms; keeps the largest ones. */
static void examine_brackets(examination *x, const double z[])
{
  sampler *s = x->s;
  const ir_structure *structure = &s->program->structure;
  for (int i = 0; i < structure->n_pairs; i++) {
    const ir_pair *pair = &structure->pairs[i];
    verdict_bracket *b = &x->brackets[i];
    double size = sampler_row_norm(s, s->gz, pair->i) * sampler_row_norm(s, s->gz, pair->j);
    double terms = ir_evaluator_value(s->evaluator, x->sizes[i]);
    double bracket = ir_evaluator_value(s->evaluator, pair->bracket);
    double unit = fmax(size, terms);
    double value = fabs(bracket) / (unit > 0 ? unit : 1);
    value = isfinite(value) ? value : (double)INFINITY;
    if (value > b->largest || !b->at) {
      b->largest = value;
      b->value = bracket;
      b->at = z;
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

static void examine_M(examination *x)
{
  sampler *s = x->s;
  analysis *found = x->found;
  found->on_M++;
  keep_point(x, &x->on_M);
  sampler_begin(s, s->z);
  sampler_evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  int flat = flat_constraint(s);
  found->flat = found->on_M == 1 || found->flat == flat ? flat : -1;
  examine_brackets(x, x->on_M.z[x->on_M.sample.points - 1]);
  int rank = sampler_rank(s, s->gz);
  if (found->on_M == 1) {
    found->redundancy = redundancy_words(x->memory, s);
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

static void sample(examination *x)
{
  sampler *s = x->s;
  analysis *found = x->found;
  int least = s->program->n_states + 4;
  for (int round = 0; round < 8 * ANALYSIS_POINTS && found->on_M < ANALYSIS_POINTS; round++) {
    if (sampler_exhausted(s) && round >= least) {
      break;
    }
    sampler_start(s, round);
    x->on_M.sample.tried++;
    if (!sampler_reach(s, 0)) {
      continue;
    }
    examine_M(x);
    examine_N(s, found, 0);
    x->on_MH.sample.tried++;
    if (sampler_reach(s, 1)) {
      found->on_MH++;
      keep_point(x, &x->on_MH);
      examine_N(s, found, 1);
    }
  }
  x->on_M.sample.spread = points_spread(x->on_M.sample.points, x->on_M.z, s->n);
  x->on_MH.sample.spread = points_spread(x->on_MH.sample.points, x->on_MH.z, s->n);
  found->sample_M = x->on_M.sample;
  found->sample_MH = x->on_MH.sample;
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

/* Every pair by a certificate where there is one, otherwise by the points of M. */
static void judge_brackets(examination *x, const ir_program *p)
{
  analysis *found = x->found;
  int m = p->nc;
  certify_generator *g = ARENA_ARRAY(x->memory, m + 1, certify_generator);
  for (int i = 0; i < m; i++) {
    g[i] = (certify_generator){0, i, p->functions[IR_CONSTRAINT].entries[i].value};
  }
  found->coisotropy = IR_PROVED;
  for (int i = 0; i < p->structure.n_pairs; i++) {
    verdict_bracket *b = &x->brackets[i];
    int fails = found->on_M == 0 || b->largest > ANALYSIS_ZERO;
    b->certificate = fails ? NULL : certify(&x->k, p->structure.pairs[i].bracket, m, g, 0);
    b->kind = b->certificate     ? VERDICT_CERTIFICATE
              : found->on_M == 0 ? VERDICT_UNKNOWN
              : fails            ? VERDICT_WITNESS
                                 : VERDICT_SAMPLED;
    if (fails) {
      found->coisotropy = IR_FAILS;
    } else if (!b->certificate && found->coisotropy == IR_PROVED) {
      found->coisotropy = IR_SAMPLED;
    }
    if (b->at && (b->largest > found->value || !found->witness)) {
      found->value = b->largest;
      found->pair = i;
      found->witness = b->at;
    }
  }
  if (found->coisotropy != IR_FAILS) {
    found->pair = -1;
  }
}

/* What stands behind the verdict: det N, the constraints at fault, the chain. */
static void explain(examination *x, const ir_program *p)
{
  analysis *found = x->found;
  arena *a = x->memory;
  int everywhere = found->on_MH > 0 && found->singular == found->on_MH;
  if (found->refused == ANALYSIS_NO_POINT) {
    found->independence = find_conflicting(a, &x->k, p);
    return;
  }
  if (found->refused == ANALYSIS_DEPENDENT ||
      (found->redundant && found->refused == ANALYSIS_ACCEPTED)) {
    found->independence = find_redundant(a, &x->k, p, &x->on_M);
    return;
  }
  if (found->refused == ANALYSIS_FLAT_G || found->refused == ANALYSIS_SECOND_CLASS) {
    return;
  }
  found->nondegeneracy =
      examine_determinant(a, &x->k, p, &x->on_MH, everywhere, found->rank == p->nc);
  if (found->nondegeneracy.zeros == ZEROS_EVERYWHERE || found->on_MH == 0) {
    found->chain = follow_chain(a, &x->k, p);
  }
  int impossible =
      found->chain.end == CHAIN_CONTRADICTORY && found->chain.kind == VERDICT_CERTIFICATE;
  if (impossible && found->on_MH == 0) {
    found->refused = ANALYSIS_NO_MOTION;
  }
}

const analysis *analyse(arena *a, ir_context *c, const ir_program *program)
{
  analysis *found = ARENA_NEW(a, analysis);
  found->coisotropy = IR_PROVED;
  found->pair = -1;
  found->flat = -1;
  found->chain.energy = -1;
  found->redundancy = "";
  if (program->nc == 0) {
    return found;
  }
  examination x = {.memory = a, .k = certifier_create(c), .found = found};
  int n_pairs = program->structure.n_pairs;
  const ir_expr **brackets = ARENA_ARRAY(a, n_pairs + 1, const ir_expr *);
  for (int i = 0; i < n_pairs; i++) {
    brackets[i] = program->structure.pairs[i].bracket;
  }
  x.sizes = ARENA_ARRAY(a, n_pairs + 1, const ir_expr *);
  x.brackets = ARENA_ARRAY(a, n_pairs + 1, verdict_bracket);
  x.on_M.z = ARENA_ARRAY(a, ANALYSIS_POINTS, double *);
  x.on_MH.z = ARENA_ARRAY(a, ANALYSIS_POINTS, double *);
  ir_magnitudes(c, n_pairs, brackets, x.sizes);
  found->brackets = x.brackets;
  x.s = sampler_create(a, c, program, 0);
  sample(&x);
  /* Points of M were found, so that the constraints do not contradict each other. */
  if (found->on_M > 0 && found->rank < program->nc && found->least_rank == found->rank) {
    found->redundant = program->nc - found->rank;
    found->singular = found->deficient;
  }
  examine_states(a, x.s, found);
  sampler_free(x.s);
  judge_brackets(&x, program);
  found->refused = reason_to_refuse(program, found);
  explain(&x, program);
  certifier_free(&x.k);
  return found;
}
