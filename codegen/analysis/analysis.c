/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.c -- the sequence of examinations that fills the record of facts.
 */
#include "analysis/analysis.h"

#include "analysis/examinations.h"
#include "analysis/ideal.h"
#include "analysis/record.h"
#include "analysis/study.h"

static record_refusal reason_to_refuse(const study *s, const record *r)
{
  if (r->independence.flat >= 0) {
    return REFUSED_FLAT;
  }
  if (r->M.points == 0) {
    return r->independence.empty ? REFUSED_NO_POINT : REFUSED_NOT;
  }
  if (r->independence.regular.answer == FACT_NO && r->independence.rank < s->p->nc &&
      !r->independence.redundant) {
    return REFUSED_DEPENDENT;
  }
  if (r->coisotropic.answer == FACT_NO) {
    return REFUSED_SECOND_CLASS;
  }
  return r->N.singular.answer == FACT_YES ? REFUSED_DEGENERATE : REFUSED_NOT;
}

/* 1 if g (and, with `hidden`, the hidden constraints) are proved to have no common zero. */
static int proved_empty(study *s, int hidden)
{
  return ideal_is_empty(s, hidden ? 2 * s->p->nc : s->p->nc, s->g);
}

/* Points with dependent equations satisfy some of these to 2^-100 only.  Forgets all points if such
 * a point occurs and the equations are proved to have no common zero. */
static void forget_unless_possible(study *s, points *p, int hidden)
{
  int dependent = 0;
  for (int i = 0; i < p->sample.points; i++) {
    dependent |= p->x[i]->square.rank < p->x[i]->f->rows;
  }
  if (dependent && proved_empty(s, hidden)) {
    p->n = 0;
    p->sample = (record_sample){.tried = p->sample.tried};
  }
}

/* Finds the reasons for a refusal. */
static void explain(study *s, record *r, const points *M)
{
  if (r->refused == REFUSED_DEPENDENT || r->independence.redundant) {
    find_redundant(s, r, M);
  }
  int follow =
      r->refused == REFUSED_DEGENERATE || (r->refused == REFUSED_NOT && r->M.points > 0 &&
                                           r->MH.points == 0 && !r->independence.redundant);
  if (follow) {
    find_conserved_combination(s, r, M);
    r->chain = follow_chain(s);
  }
  int may_be_empty =
      r->MH.points == 0 && (r->refused == REFUSED_NOT || r->refused == REFUSED_DEGENERATE);
  r->no_motion = may_be_empty && proved_empty(s, 1);
  if (r->no_motion || (may_be_empty && r->chain.end == CHAIN_CONTRADICTORY &&
                       r->chain.evidence == EVIDENCE_CERTIFICATE)) {
    r->refused = REFUSED_NO_MOTION;
  }
}

/* A certificate modulo g and rho says nothing about an empty set.  Withdraws it unless a point of
 * M^H is shown to exist. */
static void withdraw_empty_claims(record *r)
{
  record_nondegeneracy *n = &r->N;
  if (r->MH.shown > 0 || !n->modulo_hidden) {
    return;
  }
  const fact open = {FACT_UNDECIDED, EVIDENCE_NONE, RANGE_DEFAULTS, NULL};
  n->regular = open;
  n->singular = open;
  n->reduced = NULL;
  n->certificate = NULL;
  n->modulo_hidden = 0;
}

/* Examines N and M^H, for an M with points and without flat constraints.  Returns the points of
 * M^H. */
static points examine_motion(study *s, record *r, const points *M)
{
  char *vanishes = ARENA_ARRAY(s->memory, s->p->nc, char);
  find_conserved(s, r, M);
  for (int i = 0; i < r->n_conserved; i++) {
    vanishes[r->conserved[i].constraint] = 1;
  }
  points MH = sample_MH(s, M, vanishes);
  forget_unless_possible(s, &MH, 1);
  r->MH = MH.sample;
  /* With redundant constraints det N is 0 anyway, so its proof would say nothing. */
  if (!r->independence.redundant) {
    prove_determinant(s, r);
  }
  examine_N(s, r, &MH, vanishes);
  withdraw_empty_claims(r);
  return MH;
}

static void examine_constraints(study *s, record *r)
{
  find_flat(s, r);
  points M = sample_M(s);
  forget_unless_possible(s, &M, 0);
  r->M = M.sample;
  examine_independence(s, r, &M);
  examine_coisotropy(s, r, &M);
  points MH = {.n = 0};
  if (r->M.points == 0) {
    find_conflicting(s, r);
    if (!r->independence.empty && (r->independence.contradiction || proved_empty(s, 0))) {
      r->independence.empty = EVIDENCE_CERTIFICATE;
    }
  }
  if (r->independence.flat < 0 && r->M.points > 0) {
    MH = examine_motion(s, r, &M);
  }
  r->refused = reason_to_refuse(s, r);
  explain(s, r, &M);
  examine_invariants(s, r, &MH);
}

/* An invariant that may jump on M^H is not proved constant by a vanishing derivative. */
static void withdraw_jumps(record *r)
{
  for (int i = 0; i < r->n_seams; i++) {
    const record_seam *seam = &r->seams[i];
    if (seam->invariant >= 0 && seam->at && seam_may_jump(seam->kind)) {
      r->invariants[seam->invariant].conserved.answer = FACT_UNDECIDED;
    }
  }
}

const record *analyse(arena *a, ir_context *c, const ir_program *program)
{
  record *r = ARENA_NEW(a, record);
  r->pair = -1;
  r->independence.flat = -1;
  r->independence.redundancy = "";
  r->chain.energy = -1;
  study *s = study_create(a, c, program);
  if (program->nc > 0) {
    examine_constraints(s, r);
  } else {
    surface *everywhere = surface_create(s, 0, NULL);
    points all =
        sample_surface(s, everywhere, &s->settings[0], SAMPLE_POINTS, SAMPLE_POINTS, 1e300);
    examine_invariants(s, r, &all);
  }
  find_seams(s, r);
  withdraw_jumps(r);
  examine_states(s, r);
  r->splitting = divide_H(s);
  examine_forces(s, r);
#define EXAMINE(key, ...) examine_##key(s, r);
  RECORD_LISTS(EXAMINE)
#undef EXAMINE
  r->spent = study_spent(s);
  study_free(s);
  return r;
}

/* ---- conclusions from the facts ---- */

record_zeros record_zeros_of_N(const record *r)
{
  const record_nondegeneracy *n = &r->N;
  if (n->singular.answer == FACT_YES) {
    return ZEROS_EVERYWHERE;
  }
  if (n->regular.answer == FACT_YES) {
    return n->regular.range == RANGE_ALL ? ZEROS_NEVER : ZEROS_NEVER_HERE;
  }
  if (n->regular.answer == FACT_NO) {
    return ZEROS_SOMEWHERE;
  }
  return n->by_masses && !r->independence.redundant ? ZEROS_DEPENDENT : ZEROS_UNKNOWN;
}

record_answer record_conclusion(const record *r, int constraints, int states)
{
  if (r->refused) {
    return ANSWER_NO;
  }
  if (constraints == 0) {
    return ANSWER_YES;
  }
  /* Proofs about an empty M^H are worthless. */
  int here = r->MH.shown > 0 && (r->N.regular.answer == FACT_YES || r->N.invertible > 0);
  if (!here || r->coisotropic.answer == FACT_UNDECIDED) {
    return ANSWER_UNEXAMINED;
  }
  int everywhere = r->N.regular.answer != FACT_NO && !r->coisotropic.except;
  for (int i = 0; i < states; i++) {
    everywhere = everywhere && !(r->states[i].finite && r->states[i].condition > 1e300);
  }
  return everywhere ? ANSWER_YES : ANSWER_NOT_EVERYWHERE;
}
