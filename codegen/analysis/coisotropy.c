/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>

#include "analysis/proof.h"

/* Number of points, and of starting points, per setting of the parameters. */
#define OTHER_POINTS 2
#define OTHER_ROUNDS 8

/* Looks for parameters with a nonzero bracket: first one array at a time, then all together. */
static void try_other_parameters(study *s, record *r, const surface *M)
{
  const ir_structure *structure = &s->p->structure;
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 1; j < s->n_settings; j++) {
      const setting *at = &s->settings[j];
      if ((at->array < 0) != pass || study_exhausted(s, 0.6)) {
        continue;
      }
      points p = sample_surface(s, M, at, OTHER_POINTS, OTHER_ROUNDS, (double)INFINITY);
      for (int i = 0; i < structure->n_pairs; i++) {
        record_bracket *b = &r->brackets[i];
        sample_answer found;
        if (b->zero.answer != FACT_YES || b->zero.except || b->zero.range == RANGE_ALL) {
          continue;
        }
        sample_decide(s, &p, p.n, 1, &structure->pairs[i].bracket, &found);
        if (found.answer == BALL_NOT_ZERO) {
          b->zero.except = study_setting_text(s, at);
          r->coisotropic.except = b->zero.except;
          r->pair = i;
          return;
        }
      }
    }
  }
}

void examine_coisotropy(study *s, record *r, const points *M)
{
  const ir_structure *structure = &s->p->structure;
  int n = structure->n_pairs;
  const ir_expr **values = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  sample_answer *answers = ARENA_ARRAY(s->memory, n + 1, sample_answer);
  record_bracket *brackets = ARENA_ARRAY(s->memory, n + 1, record_bracket);
  for (int i = 0; i < n; i++) {
    values[i] = structure->pairs[i].bracket;
  }
  sample_decide(s, M, M->sample.points, n, values, answers);
  r->brackets = brackets;
  r->pair = -1;
  r->coisotropic = (fact){FACT_YES, n ? EVIDENCE_CERTIFICATE : EVIDENCE_IDENTITY, RANGE_ALL, NULL};
  if (n == 0 && (s->p->nc == 1 || structure->holonomic)) {
    r->coisotropic.evidence = EVIDENCE_STRUCTURE;
  }
  int needs_others = 0;
  for (int i = 0; i < n; i++) {
    const fact *zero = &brackets[i].zero;
    brackets[i].points = answers[i].zero;
    brackets[i].zero = zero_on_M(s, values[i], &answers[i], 1, &brackets[i].certificate);
    if (zero->answer == FACT_NO) {
      brackets[i].at = answers[i].at->z;
      brackets[i].value = answers[i].value;
      r->pair = r->coisotropic.answer == FACT_NO ? r->pair : i;
      r->coisotropic = *zero;
    } else if (zero->answer == FACT_UNDECIDED && r->coisotropic.answer != FACT_NO) {
      r->coisotropic = *zero;
    } else if (r->coisotropic.answer == FACT_YES && zero->range == RANGE_DEFAULTS) {
      int sampled =
          zero->evidence == EVIDENCE_SAMPLED || r->coisotropic.evidence == EVIDENCE_SAMPLED;
      r->coisotropic.evidence = sampled ? EVIDENCE_SAMPLED : EVIDENCE_CERTIFICATE;
      r->coisotropic.range = RANGE_DEFAULTS;
    }
    needs_others |= zero->range == RANGE_DEFAULTS;
  }
  if (needs_others && r->coisotropic.answer == FACT_YES && s->n_settings > 1) {
    try_other_parameters(s, r, surface_M(s));
  }
}
