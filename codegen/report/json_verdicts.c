/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_verdicts.c -- every verdict with its evidence, in JSON.
 */
#include <math.h>

#include "report/json_parts.h"

static const char *evidence_name(fact_evidence evidence)
{
  static const char *const names[] = {[EVIDENCE_NONE] = "none",
                                      [EVIDENCE_IDENTITY] = "identity",
                                      [EVIDENCE_CERTIFICATE] = "certificate",
                                      [EVIDENCE_STRUCTURE] = "structure",
                                      [EVIDENCE_WITNESS] = "witness",
                                      [EVIDENCE_SAMPLED] = "sampled"};
  return names[evidence];
}

/* "all" or "default". */
static const char *range_name(fact_range range)
{
  return range == RANGE_ALL ? "all" : "default";
}

static json_t *fact_object(json_author *w, const fact *f)
{
  static const char *const answers[] = {
      [FACT_UNDECIDED] = "undecided", [FACT_YES] = "yes", [FACT_NO] = "no"};
  int known = f->answer != FACT_UNDECIDED;
  return json_pack("{s:s, s:s, s:s?, s:o}", "answer", answers[f->answer], "evidence",
                   known ? evidence_name(f->evidence) : "none", "parameters",
                   known ? range_name(f->range) : NULL, "except", json_words(w, f->except));
}

static json_t *point(json_author *w, const double z[])
{
  return json_numbers(w, 2 * w->c->program->nq, z);
}

static json_t *sample(const record_sample *s)
{
  return json_pack("{s:i, s:i, s:i, s:i, s:o}", "points", s->points, "shown_to_exist", s->shown,
                   "tried", s->tried, "with_other_parameters", s->elsewhere, "spread",
                   json_number(s->spread));
}

static json_t *certificate(json_author *w, const record_certificate *c)
{
  if (!c) {
    return json_null();
  }
  json_t *products = json_array();
  for (int i = 0; i < c->n; i++) {
    const record_product *product = &c->products[i];
    int is_named = product->level >= 0 && product->index < w->c->program->nc;
    json_add(w, products,
             json_pack("{s:o, s:o, s:i, s:o}", "factor", json_formula(w, product->factor),
                       "generator", json_formula(w, product->generator), "level", product->level,
                       "constraint", json_constraint(w, is_named ? product->index : -1)));
  }
  return json_pack("{s:o, s:o, s:o}", "value", json_formula(w, c->value), "rest",
                   json_formula(w, c->rest), "products", products);
}

static json_t *combination(json_author *w, const record_combination *c)
{
  return c->coefficients ? json_pack("{s:o, s:b, s:o}", "coefficients",
                                     json_numbers(w, w->c->program->nc, c->coefficients),
                                     "constant", c->constant, "at", point(w, c->at))
                         : json_null();
}

/* ---- coisotropy ---- */

json_t *json_pair(json_author *w, int i)
{
  const ir_pair *pair = i < 0 ? NULL : &w->c->program->structure.pairs[i];
  return pair ? json_pack("[o, o]", json_constraint(w, pair->i), json_constraint(w, pair->j))
              : json_null();
}

static json_t *bracket(json_author *w, int i)
{
  const record_bracket *b = &w->c->found->brackets[i];
  return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o}", "constraints", json_pair(w, i), "formula",
                   json_formula(w, w->c->program->structure.pairs[i].bracket), "zero",
                   fact_object(w, &b->zero), "certificate", certificate(w, b->certificate),
                   "zero_at_points", b->points, "value",
                   b->at ? json_number(b->value) : json_null(), "at", point(w, b->at));
}

static json_t *coisotropy(json_author *w)
{
  const compilation *c = w->c;
  const record *found = c->found;
  return json_pack("{s:o, s:b, s:o, s:o, s:o}", "coisotropic", fact_object(w, &found->coisotropic),
                   "for_all_sizes", c->loops != NULL && !c->loops->shares, "failing_pair",
                   json_pair(w, found->pair), "witness",
                   point(w, found->pair < 0 ? NULL : found->brackets[found->pair].at), "pairs",
                   json_list(w, c->program->structure.n_pairs, bracket));
}

/* ---- nondegeneracy, independence, the chain ---- */

static json_t *nondegeneracy(json_author *w)
{
  static const char *const zeros[] = {[ZEROS_UNKNOWN] = "unknown",
                                      [ZEROS_NEVER] = "never",
                                      [ZEROS_NEVER_HERE] = "never_with_these_parameters",
                                      [ZEROS_DEPENDENT] = "where_gradients_are_dependent",
                                      [ZEROS_SOMEWHERE] = "somewhere",
                                      [ZEROS_EVERYWHERE] = "everywhere"};
  const record_nondegeneracy *n = &w->c->found->N;
  return json_pack("{s:o, s:o, s:i, s:i, s:i, s:s, s:s?, s:o, s:o, s:o, s:b, s:o, s:o, s:b, s:o}",
                   "nondegenerate", fact_object(w, &n->regular), "singular_everywhere",
                   fact_object(w, &n->singular), "invertible_points", n->invertible,
                   "singular_points", n->degenerate, "undecided_points", n->undecided,
                   "zeros_of_det_N", zeros[record_zeros_of_N(w->c->found)], "positive_masses",
                   n->by_masses ? range_name(n->masses) : NULL, "det_N",
                   json_formula(w, n->determinant), "reduced", json_formula(w, n->reduced),
                   "reduced_value", n->certificate ? json_number(n->reduced_value) : json_null(),
                   "modulo_hidden", n->modulo_hidden, "certificate", certificate(w, n->certificate),
                   "witness", point(w, n->witness), "witness_exists",
                   n->witness && n->witness_exists, "null_combination", combination(w, &n->null));
}

static json_t *conserved(json_author *w, int i)
{
  const record_conserved *c = &w->c->found->conserved[i];
  return json_pack("{s:o, s:o, s:o, s:o}", "constraint", json_constraint(w, c->constraint),
                   "combination", combination(w, &c->combination), "conserved",
                   fact_object(w, &c->zero), "certificate", certificate(w, c->certificate));
}

static json_t *redundancy(json_author *w, int i)
{
  const record_redundancy *r = &w->c->found->independence.redundancies[i];
  return json_pack("{s:o, s:s, s:o, s:o}", "constraint", json_constraint(w, r->constraint),
                   "evidence", evidence_name(r->evidence), "certificate",
                   certificate(w, r->certificate), "combination", combination(w, &r->combination));
}

json_t *json_conflicting(json_author *w, int i)
{
  return json_constraint(w, w->c->found->independence.conflicting[i]);
}

static json_t *independence(json_author *w)
{
  const record_independence *d = &w->c->found->independence;
  return json_pack("{s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "regular",
                   fact_object(w, &d->regular), "rank", d->rank, "wanted", w->c->program->nc,
                   "flat", json_constraint(w, d->flat), "flat_base", json_formula(w, d->base),
                   "redundant", json_list(w, d->n_redundant, redundancy), "conflicting",
                   json_list(w, d->n_conflicting, json_conflicting), "contradiction",
                   certificate(w, d->contradiction));
}

static json_t *link(json_author *w, int i)
{
  const record_link *l = &w->c->found->chain.links[i];
  return json_pack("{s:i, s:o}", "level", l->level, "formula", json_formula(w, l->value));
}

static json_t *undetermined(json_author *w, int i)
{
  return json_constraint(w, w->c->found->chain.free[i]);
}

static json_t *chain(json_author *w)
{
  static const char *const ends[] = {[CHAIN_NONE] = "none",
                                     [CHAIN_CLOSED] = "closed",
                                     [CHAIN_FREE] = "free",
                                     [CHAIN_CONTRADICTORY] = "contradictory",
                                     [CHAIN_TOO_LONG] = "too_long"};
  const record_chain *c = &w->c->found->chain;
  if (c->end == CHAIN_NONE) {
    return json_null();
  }
  return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:b}", "end", ends[c->end], "evidence",
                   evidence_name(c->evidence), "levels", c->levels, "index",
                   c->index > 0 ? json_integer(c->index) : json_null(), "links",
                   json_list(w, c->n_links, link), "free_multipliers",
                   json_list(w, c->n_free, undetermined), "energy_constraint",
                   json_constraint(w, c->energy), "constant_on_fibres", c->constant_on_fibres);
}

/* ---- invariants, smoothness, and all together ---- */

static json_t *invariant(json_author *w, int i)
{
  const record_invariant *f = &w->c->found->invariants[i];
  const char *name = spelled_entry(w->memory, w->c->program->invariant_names[i]);
  return json_pack("{s:o, s:o, s:b, s:o, s:o}", "name", json_words(w, name), "conserved",
                   fact_object(w, &f->conserved), "commutes", f->commutes, "rate",
                   f->at ? json_number(f->rate) : json_null(), "at", point(w, f->at));
}

static json_t *seam(json_author *w, int i)
{
  static const char *const kinds[] = {
      [SEAM_ABS] = "abs",           [SEAM_MIN] = "min_or_max",
      [SEAM_SIGN] = "jump_of_sign", [SEAM_ATAN2] = "jump_of_atan2",
      [SEAM_TAN] = "jump_of_tan",   [SEAM_POLE] = "pole_in_a_function"};
  const record_seam *f = &w->c->found->seams[i];
  return json_pack("{s:s, s:o, s:o, s:o}", "kind", kinds[f->kind], "in", json_words(w, f->in),
                   "zero_of", json_formula(w, f->what), "at", point(w, f->at));
}

json_t *json_verdicts(json_author *w)
{
  const ir_program *p = w->c->program;
  const record *found = w->c->found;
  if (!p) {
    return json_null();
  }
  json_t *object = p->nc == 0
                       ? json_object()
                       : json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sample_of_M",
                                   sample(&found->M), "sample_of_MH", sample(&found->MH),
                                   "coisotropy", coisotropy(w), "nondegeneracy", nondegeneracy(w),
                                   "conserved", json_list(w, found->n_conserved, conserved),
                                   "independence", independence(w), "chain", chain(w));
  json_t *always = json_pack("{s:o, s:o}", "not_smooth", json_list(w, found->n_seams, seam),
                             "invariants", json_list(w, p->n_invariants, invariant));
  w->failed |= json_object_update_new(object, always) != 0;
  return object;
}
