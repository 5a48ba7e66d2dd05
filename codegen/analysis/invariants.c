/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <string.h>

#include "analysis/dependence_means.h"
#include "analysis/proof.h"
#include "expr/builders.h"
#include "expr/derivative.h"

/* Limits on degrees of freedom and constraints for explicit brackets, and on the numbers of
 * invariants and points. */
enum { MOST_POSITIONS = 150, MOST_CONSTRAINTS = 60, MOST_INVARIANTS = 32, MOST_POINTS = 8 };
/* Limit on new nodes for which a certificate is sought. */
enum { MOST_NODES = 20000 };

typedef struct rates {
  study *s;
  const ir_expr *const *H_z; /* gradient of H, 2d entries */
  const ir_expr *const *g_z; /* gradients of g, m x 2d */
  const ir_expr **rho_H;     /* m brackets {rho_i,H} */
} rates;

static rates rates_create(study *s)
{
  rates k = {s, study_gradients(s), study_gradients(s) + s->n,
             ARENA_ARRAY(s->memory, s->p->nc + 1, const ir_expr *)};
  const ir_expr **slopes = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  for (int i = 0; i < s->p->nc; i++) {
    ir_gradient(s->c, s->n, s->rho[i], slopes);
    k.rho_H[i] = ir_bracket(s->c, s->p->nq, slopes, k.H_z);
  }
  return k;
}

/* det N {I,H} - sum_ij {I,g_i} adj(N)_ij {rho_j,H}. */
static const ir_expr *invariants_condition(const rates *k, const ir_expr *I_H,
                                           const ir_expr *const I_g[])
{
  study *s = k->s;
  const ir_function *N = &s->p->functions[IR_NONDEGENERACY];
  int m = s->p->nc;
  const ir_expr *sum = m ? ir_times(s->c, determinant_of(s, N), I_H) : I_H;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m && !ir_is_zero(I_g[i]); j++) {
      const ir_expr *cofactor = minor_of(s, N, j, i);
      const ir_expr *term = ir_times(s->c, I_g[i], ir_times(s->c, cofactor, k->rho_H[j]));
      sum = (i + j) % 2 ? ir_plus(s->c, sum, term) : ir_minus(s->c, sum, term);
    }
  }
  return sum;
}

/* 1 if it is proved that e vanishes as an identity, on M, or on M^H. */
static int invariants_vanishes(study *s, const ir_expr *e, int by_default)
{
  certify_generator *all = ARENA_ARRAY(s->memory, 2 * s->p->nc + 1, certify_generator);
  int found = ir_is_zero(e) || prove(s, by_default, e, 0, all, 0);
  for (int hidden = 0; hidden < 2 && !found && s->p->nc > 0; hidden++) {
    found = prove(s, by_default, e, proof_generators(s, hidden, all), all, 0) != NULL;
  }
  return found;
}

/* Tries to prove {I,H} = 0 and {I,g} = 0 separately, or else the combined condition. */
static void prove_invariant(const rates *k, const ir_expr *I_H, const ir_expr *const I_g[],
                            record_invariant *found)
{
  study *s = k->s;
  for (int by_default = 0; by_default < 2 && found->conserved.answer == FACT_UNDECIDED;
       by_default++) {
    int commutes = invariants_vanishes(s, I_H, by_default);
    for (int i = 0; i < s->p->nc && commutes; i++) {
      commutes = invariants_vanishes(s, I_g[i], by_default);
    }
    int together = !commutes && s->p->nc > 0 && s->p->nc <= MINORS_ORDER &&
                   invariants_vanishes(s, invariants_condition(k, I_H, I_g), by_default);
    if (commutes || together) {
      found->commutes = commutes;
      found->conserved =
          (fact){FACT_YES, EVIDENCE_CERTIFICATE, by_default ? RANGE_DEFAULTS : RANGE_ALL, NULL};
    }
  }
}

/* 1 if I is shown to be finite on M^H: its poles are off M^H, and it is finite at the points that
 * were found. */
static int is_finite_on(study *s, const points *MH, const ir_expr *I)
{
  int finite = poles_are_off(s, I, 1);
  for (int i = 0; i < MH->sample.points && i < MOST_POINTS && finite; i++) {
    point_begin(s, MH->x[i], 256);
    finite = arb_is_finite(ball_value(s->balls, I));
  }
  return finite;
}

/* dI/dt and its size at a point of M^H, in balls.  Returns 0 if the multipliers cannot be
 * computed. */
static int rate_at(const rates *k, point *x, slong precision, const ir_expr *I_H,
                   const ir_expr *const I_g[], arb_t value, mag_t size)
{
  study *s = k->s;
  int m = s->p->nc;
  arb_ptr lambda = _arb_vec_init(m + 1);
  mag_ptr sizes = _mag_vec_init(m + 1);
  point_begin(s, x, precision);
  for (int i = 0; i < m; i++) {
    arb_neg(lambda + i, ball_value(s->balls, k->rho_H[i]));
    mag_set(sizes + i, ball_size(s->balls, k->rho_H[i]));
  }
  int good = m == 0 || rank_solve(s, &s->p->functions[IR_NONDEGENERACY], lambda, sizes, precision);
  arb_set(value, ball_value(s->balls, I_H));
  mag_set(size, ball_size(s->balls, I_H));
  for (int i = 0; i < m && good; i++) {
    arb_addmul(value, lambda + i, ball_value(s->balls, I_g[i]), precision);
    mag_addmul(size, sizes + i, ball_size(s->balls, I_g[i]));
  }
  _mag_vec_clear(sizes, m + 1);
  _arb_vec_clear(lambda, m + 1);
  return good;
}

static void invariants_sample(const rates *k, const points *MH, const ir_expr *I_H,
                              const ir_expr *const I_g[], record_invariant *found)
{
  study *s = k->s;
  int n = MH->sample.points < MOST_POINTS ? MH->sample.points : MOST_POINTS;
  arb_t value;
  mag_t size;
  arb_init(value);
  mag_init(size);
  for (int i = 0; i < n && found->conserved.answer != FACT_NO; i++) {
    ball_answer answer = BALL_UNDECIDED;
    for (int level = 0; level < STUDY_LEVELS && answer == BALL_UNDECIDED; level++) {
      if (!study_exhausted(s, 0.95) &&
          rate_at(k, MH->x[i], study_levels[level], I_H, I_g, value, size)) {
        answer = ball_judge(value, size, study_levels[level]);
      }
    }
    found->points += answer == BALL_ZERO;
    if (answer == BALL_NOT_ZERO && MH->x[i]->exists) {
      found->conserved = (fact){FACT_NO, EVIDENCE_WITNESS, RANGE_DEFAULTS, NULL};
      found->at = MH->x[i]->z;
      found->rate = ball_double(value);
    }
  }
  if (found->conserved.answer == FACT_UNDECIDED && n > 0 && found->points == n) {
    found->conserved = (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
  }
  mag_clear(size);
  arb_clear(value);
}

void examine_invariants(study *s, record *r, const points *MH)
{
  const ir_program *p = s->p;
  record_invariant *found = ARENA_ARRAY(s->memory, p->n_invariants + 1, record_invariant);
  const ir_expr **I_z = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  const ir_expr **I_g = ARENA_ARRAY(s->memory, p->nc + 1, const ir_expr *);
  rates k = {.s = NULL};
  r->invariants = found;
  if (p->n_forces > 0) {
    return; /* forces may change them, so they remain undecided */
  }
  for (int i = 0; i < p->n_invariants; i++) {
    /* A multiple of H is an invariant: {H,H} = 0, and {H,g} = -rho. */
    const ir_expr *value = p->functions[IR_INVARIANT].entries[i].value;
    int is_energy = ir_primitive(value) == ir_primitive(s->H);
    int may_prove = is_energy || is_finite_on(s, MH, value);
    if (is_energy || (p->invariants[i].conserved && may_prove)) {
      found[i].conserved = (fact){FACT_YES, EVIDENCE_CERTIFICATE, RANGE_ALL, NULL};
      found[i].commutes = 1;
      continue;
    }
    if (p->nq > MOST_POSITIONS || p->nc > MOST_CONSTRAINTS || i >= MOST_INVARIANTS) {
      continue;
    }
    k = k.s ? k : rates_create(s);
    unsigned nodes = ir_context_size(s->c);
    ir_gradient(s->c, s->n, value, I_z);
    const ir_expr *I_H = ir_bracket(s->c, p->nq, I_z, k.H_z);
    for (int j = 0; j < p->nc; j++) {
      I_g[j] = ir_bracket(s->c, p->nq, I_z, k.g_z + (size_t)j * (size_t)s->n);
    }
    if (may_prove && ir_context_size(s->c) - nodes < MOST_NODES) {
      prove_invariant(&k, I_H, I_g, &found[i]);
    }
    if (found[i].conserved.answer == FACT_UNDECIDED) {
      invariants_sample(&k, MH, I_H, I_g, &found[i]);
    }
  }
}
