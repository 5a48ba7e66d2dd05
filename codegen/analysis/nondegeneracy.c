/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <string.h>

#include "analysis/dependence_means.h"
#include "analysis/proof.h"
#include "expr/derivative.h"

/* Limit on the terms of an expanded determinant that is shown. */
#define SHORT_TERMS 24
/* Number of starting points for a zero of det N, and of candidates that are examined. */
#define ZERO_ROUNDS     40
#define ZERO_CANDIDATES 4
/* Limit on the distance of a zero, relative to the start. */
#define FARTHEST 100.0

/* ---- proofs ---- */

/* Proves that a row of N is zero on M: H conserves a constraint, which commutes with all
 * constraints on M. */
static int by_conservation(record *r)
{
  record_nondegeneracy *n = &r->N;
  if (!fact_proved(&r->coisotropic) || r->coisotropic.answer != FACT_YES) {
    return 0;
  }
  for (int i = 0; i < r->n_conserved; i++) {
    if (fact_proved(&r->conserved[i].zero)) {
      n->singular = r->conserved[i].zero;
      if (r->coisotropic.range == RANGE_DEFAULTS) {
        n->singular.range = RANGE_DEFAULTS;
      }
      return 1;
    }
  }
  return 0;
}

/* Proves that det N has one sign: by its form, modulo g, or modulo g and rho.  Returns 1 on
 * success. */
static int by_sign(study *s, const ir_expr *det, record_nondegeneracy *n)
{
  certify_generator *all = ARENA_ARRAY(s->memory, 2 * s->p->nc, certify_generator);
  int off = 1;
  for (int used = 0; used <= 2; used++) {
    int known = proof_generators(s, used == 2, all);
    for (int i = 0; i < known && used > 0; i++) {
      off = off && poles_are_off(s, all[i].value, 0);
    }
    if (!off || !poles_are_off(s, det, 0)) {
      return 0;
    }
    const ir_expr *rest = reduced_modulo(s->c, det, used ? known : 0, all);
    if (ir_sign(s->p, rest) != 0 || definite_bound(s->c, rest) != 0) {
      n->regular = (fact){FACT_YES, EVIDENCE_CERTIFICATE, RANGE_ALL, NULL};
      n->reduced = rest;
      n->modulo_hidden = used == 2;
      return 1;
    }
  }
  return 0;
}

/* Looks for det N = reduced + ..., where reduced reads parameters only.  Returns 1 if this decides
 * the question. */
static int by_certificate(study *s, const ir_expr *det, record_nondegeneracy *n)
{
  proof found = prove_on_M(s, det, 1, 1);
  n->certificate = found.certificate;
  n->certificate_range = found.range;
  n->modulo_hidden = found.hidden;
  if (!n->certificate) {
    return 0;
  }
  n->reduced = n->certificate->rest;
  n->reduced_value = study_default(s, n->reduced);
  if (ir_is_zero(n->reduced)) {
    n->singular = (fact){FACT_YES, EVIDENCE_CERTIFICATE, n->certificate_range, NULL};
    return 1;
  }
  /* For the default parameters, a ball decides. */
  study_begin_defaults(s);
  ball_answer here = ball_decide(s->balls, n->reduced);
  if (n->certificate_range == RANGE_ALL && !ir_may_vanish(s->p, n->reduced)) {
    n->regular = (fact){FACT_YES, EVIDENCE_CERTIFICATE, RANGE_ALL, NULL};
  } else if (here == BALL_NOT_ZERO) {
    n->regular = (fact){FACT_YES, EVIDENCE_CERTIFICATE, RANGE_DEFAULTS, NULL};
  } else if (here == BALL_ZERO) {
    n->singular = (fact){FACT_YES, EVIDENCE_CERTIFICATE, RANGE_DEFAULTS, NULL};
  }
  return here != BALL_UNDECIDED;
}

/* Examines whether H_pp is diagonal with entries of one sign, by their form or by their values with
 * the default parameters. */
static void by_masses(study *s, record_nondegeneracy *n)
{
  const ir_function *h = &s->p->functions[IR_HAMILTONIAN_HESS];
  int d = s->p->nq;
  int sign = 0;
  int entries = 0;
  n->masses = RANGE_ALL;
  if (!s->p->structure.holonomic) {
    return;
  }
  study_begin_defaults(s);
  for (int e = 0; e < h->n; e++) {
    if (h->entries[e].col < d) {
      continue;
    }
    const ir_expr *value = h->entries[e].value;
    int own = ir_sign(s->p, value);
    if (own == 0 && !ir_reads_state(s->c, value)) {
      arb_srcptr number = ball_value(s->balls, value);
      own = arb_is_positive(number) ? 1 : arb_is_negative(number) ? -1 : 0;
      n->masses = RANGE_DEFAULTS;
    }
    if (h->entries[e].row != h->entries[e].col || own == 0 || (sign != 0 && own != sign)) {
      return;
    }
    sign = own;
    entries++;
  }
  n->by_masses = entries == d;
}

/* Examines the explicit det N; returns 1 if this decides the question. */
static int by_determinant(study *s, record_nondegeneracy *n)
{
  const ir_expr *det = determinant_of(s, &s->p->functions[IR_NONDEGENERACY]);
  n->determinant = multiplied_out(s->c, det, SHORT_TERMS);
  det = n->determinant ? n->determinant : det;
  if (ir_is_zero(det)) {
    n->singular = (fact){FACT_YES, EVIDENCE_IDENTITY, RANGE_ALL, NULL};
    return 1;
  }
  return by_certificate(s, det, n) || by_sign(s, det, n);
}

void prove_determinant(study *s, record *r)
{
  record_nondegeneracy *n = &r->N;
  const fact *gradients = &r->independence.regular;
  by_masses(s, n);
  if ((s->p->nc <= MINORS_ORDER && by_determinant(s, n)) || by_conservation(r)) {
    return;
  }
  if (n->by_masses && fact_proved(gradients) && gradients->answer == FACT_YES) {
    int all = n->masses == RANGE_ALL && gradients->range == RANGE_ALL;
    n->regular = (fact){FACT_YES, EVIDENCE_STRUCTURE, all ? RANGE_ALL : RANGE_DEFAULTS, NULL};
  }
}

/* ---- at points ---- */

/* Looks for a point of M^H with det N = 0.  A definite H_pp implies that the gradients of g are
 * dependent there.  The search then uses zeros of all their minors instead, because det N has a
 * double zero. */
static void seek_zero(study *s, record_nondegeneracy *n)
{
  int m = s->p->nc;
  const ir_expr **values = ARENA_ARRAY(s->memory, 2 * m + MINORS_MOST, const ir_expr *);
  memcpy(values, s->g, 2 * (size_t)m * sizeof *values);
  int more = n->by_masses ? gradient_minors(s, values + 2 * m) : 0;
  if (more == 0) {
    more = 1;
    values[2 * m] =
        n->determinant ? n->determinant : determinant_of(s, &s->p->functions[IR_NONDEGENERACY]);
  }
  const surface *zero = surface_create(s, 2 * m + more, values);
  points p = sample_surface(s, zero, &s->settings[0], ZERO_CANDIDATES, ZERO_ROUNDS, FARTHEST);
  for (int i = 0; i < p.n && !n->witness; i++) {
    matrix_rank found = rank_at(s, p.x[i], IR_NONDEGENERACY);
    if (found.decided && found.rank < m) {
      n->witness = p.x[i]->z;
      n->witness_exists = p.x[i]->exists && p.x[i]->square.rank == zero->rows;
    }
  }
}

/* Counts the points by the rank of N; `wanted` is the rank that counts as invertible. */
static void nondegeneracy_count(study *s, record_nondegeneracy *n, const points *MH, int wanted)
{
  for (int i = 0; i < MH->n; i++) {
    matrix_rank found = {0};
    if (!study_exhausted(s, 0.7)) {
      found = rank_at(s, MH->x[i], IR_NONDEGENERACY);
    }
    if (i >= MH->sample.points) {
      n->elsewhere += found.rank >= wanted;
      continue;
    }
    n->invertible += found.rank >= wanted && MH->x[i]->exists;
    if (found.decided && found.rank < wanted) {
      n->degenerate++;
      n->witness = n->witness ? n->witness : MH->x[i]->z;
    }
    n->undecided +=
        (!found.decided && found.rank < wanted) || (found.rank >= wanted && !MH->x[i]->exists);
    n->rank = found.rank > n->rank ? found.rank : n->rank;
  }
}

void examine_N(study *s, record *r, points *MH, const char left_out[])
{
  record_nondegeneracy *n = &r->N;
  int wanted = r->independence.redundant ? r->independence.rank : s->p->nc;
  nondegeneracy_count(s, n, MH, wanted);
  if (n->singular.answer == FACT_UNDECIDED && n->invertible == 0 && r->M.points > 0) {
    /* N may be singular at the initial states only. */
    points more = sample_widely(s, left_out);
    nondegeneracy_count(s, n, &more, wanted);
    *MH = points_joined(s, &more, MH);
    r->MH = MH->sample;
  }
  if (n->singular.answer == FACT_UNDECIDED) {
    if (n->invertible > 0) {
      n->singular = (fact){FACT_NO, EVIDENCE_WITNESS, RANGE_DEFAULTS, NULL};
    } else if (r->MH.points > 0 && n->degenerate == r->MH.points) {
      n->singular = (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
    }
  }
  if (n->singular.answer == FACT_YES) {
    n->witness = NULL;
    n->null = combination_of_N(s, MH, MH->sample.points);
    return;
  }
  if (n->regular.answer == FACT_UNDECIDED && n->degenerate > 0) {
    n->regular = (fact){FACT_NO, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
  }
  if (n->regular.answer == FACT_UNDECIDED && s->p->nc <= MINORS_ORDER &&
      !r->independence.redundant) {
    seek_zero(s, n);
    if (n->witness) {
      n->regular = (fact){FACT_NO, n->witness_exists ? EVIDENCE_WITNESS : EVIDENCE_SAMPLED,
                          RANGE_DEFAULTS, NULL};
    }
  }
}
