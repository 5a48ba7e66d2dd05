/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>

#include "analysis/proof.h"
#include "expr/builders.h"

/* Limit on constraints for which certificates are sought. */
#define MOST_CONSTRAINTS 24
/* Largest denominator of a coefficient, and the tolerance for a fraction. */
#define DENOMINATOR 60
static const double nearness = 1e-9;

/* Decides whether rho = {g_i,H} is 0 on M, for a constraint or a combination of constraints
 * (-1). */
static record_conserved judge(study *s, int constraint, const ir_expr *rho,
                              const sample_answer *seen)
{
  record_conserved c = {.constraint = constraint};
  c.zero = zero_on_M(s, rho, seen, s->p->nc <= MOST_CONSTRAINTS, &c.certificate);
  return c;
}

void find_conserved(study *s, record *r, const points *M)
{
  int m = s->p->nc;
  sample_answer *answers = ARENA_ARRAY(s->memory, m + 1, sample_answer);
  record_conserved *list = ARENA_ARRAY(s->memory, m + 1, record_conserved);
  sample_decide(s, M, M->sample.points, m, s->rho, answers);
  for (int i = 0; i < m; i++) {
    list[r->n_conserved] = judge(s, i, s->rho[i], &answers[i]);
    r->n_conserved += list[r->n_conserved].zero.answer == FACT_YES;
  }
  r->conserved = list;
}

int nearby_fraction(double x, mpq_t out)
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
    good = nearby_fraction(null->coefficients[i], part);
    rho = ir_plus(s->c, rho, ir_scale(s->c, part, s->rho[i]));
  }
  mpq_clear(part);
  if (!good) {
    return;
  }
  sample_answer answer;
  sample_decide(s, M, M->sample.points, 1, &rho, &answer);
  record_conserved *only = ARENA_NEW(s->memory, record_conserved);
  *only = judge(s, -1, rho, &answer);
  only->combination = *null;
  r->conserved = only;
  r->n_conserved = only->zero.answer == FACT_YES;
}
