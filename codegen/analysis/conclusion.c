/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conclusion.c -- conclusions from the facts.
 */
#include "analysis/record.h"

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
