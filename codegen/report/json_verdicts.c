/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_verdicts.c -- every verdict with its evidence, as JSON.
 */
#include <math.h>

#include "report/json_parts.h"

static json_t *json_verdicts_sample(const notes *w, const record_sample *s)
{
  return json_made(w, "points:i shown_to_exist:i tried:i with_other_parameters:i spread:r",
                   s->points, s->shown, s->tried, s->elsewhere, s->spread);
}

static json_t *json_verdicts_bracket(const notes *w, int i)
{
  const record_bracket *b = &w->found->brackets[i];
  return json_made(w, "constraints:o formula:e zero:f certificate:p zero_at_points:i value:r at:z",
                   json_pair(w, i), w->program->structure.pairs[i].bracket, &b->zero,
                   b->certificate, b->points, b->at ? b->value : NAN, b->at);
}

static json_t *json_verdicts_coisotropy(const notes *w)
{
  const compilation *c = w->c;
  const record *found = c->found;
  return json_made(w, "coisotropic:f for_all_sizes:b failing_pair:o witness:z pairs:o",
                   &found->coisotropic, c->loops && !c->loops->shares, json_pair(w, found->pair),
                   found->pair < 0 ? NULL : found->brackets[found->pair].at,
                   json_list(w, c->program->structure.n_pairs, json_verdicts_bracket));
}

/* ---- nondegeneracy, independence, the chain ---- */

static json_t *json_verdicts_nondegeneracy(const notes *w)
{
  static const char *const zeros[] = {[ZEROS_UNKNOWN] = "unknown",
                                      [ZEROS_NEVER] = "never",
                                      [ZEROS_NEVER_HERE] = "never_with_these_parameters",
                                      [ZEROS_DEPENDENT] = "where_gradients_are_dependent",
                                      [ZEROS_SOMEWHERE] = "somewhere",
                                      [ZEROS_EVERYWHERE] = "everywhere"};
  const record_nondegeneracy *n = &w->found->N;
  json_t *verdict =
      json_made(w,
                "nondegenerate:f singular_everywhere:f invertible_points:i singular_points:i "
                "undecided_points:i zeros_of_det_N:w positive_masses:w",
                &n->regular, &n->singular, n->invertible, n->degenerate, n->undecided,
                zeros[record_zeros_of_N(w->found)], n->by_masses ? json_range(n->masses) : NULL);
  json_join(verdict,
            json_made(w,
                      "det_N:e reduced:e reduced_value:r modulo_hidden:b certificate:p witness:z "
                      "witness_exists:b null_combination:x",
                      n->determinant, n->reduced, n->certificate ? n->reduced_value : NAN,
                      n->modulo_hidden, n->certificate, n->witness, n->witness && n->witness_exists,
                      &n->null));
  return verdict;
}

static json_t *conserved(const notes *w, int i)
{
  const record_conserved *c = &w->found->conserved[i];
  return json_made(w, "constraint:c combination:x conserved:f certificate:p", c->constraint,
                   &c->combination, &c->zero, c->certificate);
}

static json_t *redundancy(const notes *w, int i)
{
  const record_redundancy *r = &w->found->independence.redundancies[i];
  return json_made(w, "constraint:c evidence:w certificate:p combination:x", r->constraint,
                   json_evidence(r->evidence), r->certificate, &r->combination);
}

static json_t *independence(const notes *w)
{
  const record_independence *d = &w->found->independence;
  return json_made(w,
                   "regular:f rank:i wanted:i flat:c flat_base:e redundant:o conflicting:o "
                   "contradiction:p",
                   &d->regular, d->rank, w->program->nc, d->flat, d->base,
                   json_list(w, d->n_redundant, redundancy),
                   json_constraints(w, d->n_conflicting, d->conflicting), d->contradiction);
}

static json_t *link(const notes *w, int i)
{
  const record_link *l = &w->found->chain.links[i];
  return json_made(w, "level:i formula:e", l->level, l->value);
}

static json_t *json_verdicts_chain(const notes *w)
{
  static const char *const ends[] = {[CHAIN_NONE] = "none",
                                     [CHAIN_CLOSED] = "closed",
                                     [CHAIN_FREE] = "free",
                                     [CHAIN_CONTRADICTORY] = "contradictory",
                                     [CHAIN_TOO_LONG] = "too_long"};
  const record_chain *c = &w->found->chain;
  if (c->end == CHAIN_NONE) {
    return json_null();
  }
  return json_made(w,
                   "end:w evidence:w levels:i index:o links:o free_multipliers:o "
                   "energy_constraint:c constant_on_fibres:b",
                   ends[c->end], json_evidence(c->evidence), c->levels,
                   c->index > 0 ? json_integer(c->index) : json_null(),
                   json_list(w, c->n_links, link), json_constraints(w, c->n_free, c->free),
                   c->energy, c->constant_on_fibres);
}

/* ---- invariants, smoothness, and all verdicts ---- */

static json_t *invariant(const notes *w, int i)
{
  const record_invariant *f = &w->found->invariants[i];
  return json_made(w, "name:n conserved:f commutes:b rate:r at:z", w->program->invariant_names[i],
                   &f->conserved, f->commutes, f->at ? f->rate : NAN, f->at);
}

static json_t *seam(const notes *w, int i)
{
  static const char *const kinds[] = {
      [SEAM_ABS] = "abs",           [SEAM_MIN] = "min_or_max",
      [SEAM_SIGN] = "jump_of_sign", [SEAM_ATAN2] = "jump_of_atan2",
      [SEAM_TAN] = "jump_of_tan",   [SEAM_POLE] = "pole_in_a_function",
      [SEAM_ROOT] = "root",         [SEAM_INFINITE] = "pole"};
  const record_seam *f = &w->found->seams[i];
  return json_made(w, "kind:w in:w zero_of:e at:z", kinds[f->kind], f->in, f->what, f->at);
}

static json_t *mass_surface(const notes *w, int i)
{
  const record_surface *f = &w->found->mass.surfaces[i];
  return json_made(w, "zero_of:e at:z", f->what, f->at);
}

json_t *json_verdicts(const notes *w)
{
  const ir_program *p = w->program;
  const record *found = w->found;
  if (!p) {
    return json_null();
  }
  json_t *object =
      p->nc == 0
          ? json_object()
          : json_made(w,
                      "sample_of_M:o sample_of_MH:o coisotropy:o nondegeneracy:o conserved:o "
                      "independence:o chain:o",
                      json_verdicts_sample(w, &found->M), json_verdicts_sample(w, &found->MH),
                      json_verdicts_coisotropy(w), json_verdicts_nondegeneracy(w),
                      json_list(w, found->n_conserved, conserved), independence(w),
                      json_verdicts_chain(w));
  json_join(object, json_made(w, "mass_of_momenta:b mass_singular:o not_smooth:o invariants:o",
                              found->mass.of_momenta, json_list(w, found->mass.n, mass_surface),
                              json_list(w, found->n_seams, seam),
                              json_list(w, p->n_invariants, invariant)));
  return object;
}
