/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/conserved.h"

#include <math.h>
#include <string.h>

#include "analysis/proof.h"
#include "expr/builders.h"

/* Constraints up to which certificates are sought. */
#define MOST_CONSTRAINTS 24
/* Largest denominator of a coefficient, and how near it has to be. */
#define DENOMINATOR 60
static const double nearness = 1e-9;

/* What is known of rho = 0 on M; `found` is what the points say. */
static record_conserved judge(study *s, const ir_expr *rho, const sample_answer *found)
{
  record_conserved c = {.constraint = -1, .zero = {FACT_UNDECIDED, EVIDENCE_NONE, RANGE_ALL, NULL}};
  if (ir_is_zero(rho)) {
    c.zero = (fact){FACT_YES, EVIDENCE_IDENTITY, RANGE_ALL, NULL};
    return c;
  }
  if (found->answer == BALL_NOT_ZERO) {
    c.zero = (fact){FACT_NO, EVIDENCE_WITNESS, RANGE_DEFAULTS, NULL};
    return c;
  }
  certify_generator *g = ARENA_ARRAY(s->memory, s->p->nc + 1, certify_generator);
  int m = proof_generators(s, 0, g);
  for (int by_default = 0; by_default < 2 && !c.certificate && m <= MOST_CONSTRAINTS;
       by_default++) {
    c.certificate = prove(s, by_default, rho, m, g, 0);
    c.zero.range = by_default ? RANGE_DEFAULTS : RANGE_ALL;
  }
  if (c.certificate) {
    c.zero.answer = FACT_YES;
    c.zero.evidence = EVIDENCE_CERTIFICATE;
  } else if (found->answer == BALL_ZERO) {
    c.zero = (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
  }
  return c;
}

static void append(study *s, record *r, const record_conserved *c)
{
  record_conserved *longer = ARENA_ARRAY(s->memory, r->n_conserved + 1, record_conserved);
  if (r->n_conserved > 0) {
    memcpy(longer, r->conserved, (size_t)r->n_conserved * sizeof *longer);
  }
  longer[r->n_conserved++] = *c;
  r->conserved = longer;
}

void find_conserved(study *s, record *r, const points *M)
{
  int m = s->p->nc;
  const ir_expr **values = ARENA_ARRAY(s->memory, m + 1, const ir_expr *);
  sample_answer *answers = ARENA_ARRAY(s->memory, m + 1, sample_answer);
  for (int i = 0; i < m; i++) {
    values[i] = s->p->functions[IR_HIDDEN].entries[i].value;
  }
  sample_decide(s, M, M->sample.points, m, values, answers);
  for (int i = 0; i < m; i++) {
    record_conserved c = judge(s, values[i], &answers[i]);
    c.constraint = i;
    if (c.zero.answer == FACT_YES) {
      append(s, r, &c);
    }
  }
}

/* The fraction with a small denominator that is x but for rounding; 0 where there is none. */
static int as_fraction(double x, mpq_t out)
{
  for (unsigned long b = 1; b <= DENOMINATOR; b++) {
    double a = round(x * (double)b);
    if (fabs(a) <= 1e6 && fabs(x * (double)b - a) <= nearness * (double)b) {
      mpq_set_si(out, (long)a, b);
      mpq_canonicalize(out);
      return 1;
    }
  }
  return 0;
}

void find_conserved_combination(study *s, record *r, const points *M)
{
  const record_combination *null = &r->N.null;
  if (!null->coefficients || !null->constant || r->n_conserved > 0 || s->p->nc < 2) {
    return;
  }
  const ir_expr *rho = ir_integer(s->c, 0);
  mpq_t part;
  mpq_init(part);
  int good = 1;
  for (int i = 0; i < s->p->nc && good; i++) {
    good = as_fraction(null->coefficients[i], part);
    rho = ir_plus(s->c, rho, ir_scale(s->c, part, s->p->functions[IR_HIDDEN].entries[i].value));
  }
  mpq_clear(part);
  if (!good) {
    return;
  }
  sample_answer answer;
  sample_decide(s, M, M->sample.points, 1, &rho, &answer);
  record_conserved c = judge(s, rho, &answer);
  if (c.zero.answer == FACT_YES) {
    c.combination = *null;
    append(s, r, &c);
  }
}
