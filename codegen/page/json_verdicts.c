/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_verdicts.c -- every verdict with its evidence, in JSON.
 */
#include <math.h>

#include "page/json_parts.h"

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

static json_t *fact_object(json_author *w, const fact *f)
{
  static const char *const answers[] = {
      [FACT_UNDECIDED] = "undecided", [FACT_YES] = "yes", [FACT_NO] = "no"};
  json_t *object = json_object();
  int known = f->answer != FACT_UNDECIDED;
  json_put(w, object, "answer", json_words(w, answers[f->answer]));
  json_put(w, object, "evidence", json_words(w, known ? evidence_name(f->evidence) : "none"));
  json_put(w, object, "parameters",
           json_words(w, !known                  ? NULL
                         : f->range == RANGE_ALL ? "all"
                                                 : "default"));
  json_put(w, object, "except", json_words(w, f->except));
  return object;
}

static json_t *point(json_author *w, const double z[])
{
  return json_numbers(w, 2 * w->c->program->nq, z);
}

static json_t *sample(json_author *w, const record_sample *s)
{
  json_t *object = json_object();
  json_put(w, object, "points", json_integer(s->points));
  json_put(w, object, "shown_to_exist", json_integer(s->shown));
  json_put(w, object, "tried", json_integer(s->tried));
  json_put(w, object, "with_other_parameters", json_integer(s->elsewhere));
  json_put(w, object, "spread", json_number(s->spread));
  return object;
}

static json_t *certificate(json_author *w, const record_certificate *c)
{
  if (!c) {
    return json_null();
  }
  json_t *object = json_object();
  json_t *products = json_array();
  json_put(w, object, "value", json_formula(w, c->value));
  json_put(w, object, "rest", json_formula(w, c->rest));
  for (int i = 0; i < c->n; i++) {
    const record_product *product = &c->products[i];
    int is_named = product->level >= 0 && product->index >= 0 && product->index < w->c->program->nc;
    json_t *part = json_object();
    json_put(w, part, "factor", json_formula(w, product->factor));
    json_put(w, part, "generator", json_formula(w, product->generator));
    json_put(w, part, "level", json_integer(product->level));
    json_put(w, part, "constraint",
             json_words(w, is_named ? json_constraint(w, product->index) : NULL));
    json_add(w, products, part);
  }
  json_put(w, object, "products", products);
  return object;
}

static json_t *combination(json_author *w, const record_combination *c)
{
  if (!c->coefficients) {
    return json_null();
  }
  json_t *object = json_object();
  json_put(w, object, "coefficients", json_numbers(w, w->c->program->nc, c->coefficients));
  json_put(w, object, "constant", json_boolean(c->constant));
  json_put(w, object, "at", point(w, c->at));
  return object;
}

/* ---- coisotropy ---- */

static json_t *bracket(json_author *w, int i)
{
  const record *found = w->c->found;
  const ir_pair *pair = &w->c->program->structure.pairs[i];
  const record_bracket *b = &found->brackets[i];
  json_t *object = json_object();
  json_put(w, object, "constraints",
           json_pack("[s,s]", json_constraint(w, pair->i), json_constraint(w, pair->j)));
  json_put(w, object, "formula", json_formula(w, pair->bracket));
  json_put(w, object, "zero", fact_object(w, &b->zero));
  json_put(w, object, "certificate", certificate(w, b->certificate));
  json_put(w, object, "zero_at_points", json_integer(b->points));
  json_put(w, object, "value", b->at ? json_number(b->value) : json_null());
  json_put(w, object, "at", point(w, b->at));
  return object;
}

static json_t *coisotropy(json_author *w)
{
  const compilation *c = w->c;
  const record *found = c->found;
  const ir_structure *structure = &c->program->structure;
  json_t *object = json_object();
  const ir_pair *pair = found->pair >= 0 ? &structure->pairs[found->pair] : NULL;
  json_put(w, object, "coisotropic", fact_object(w, &found->coisotropic));
  json_put(w, object, "for_all_sizes", json_boolean(c->loops != NULL && !c->loops->shares));
  json_put(w, object, "failing_pair",
           pair ? json_pack("[s,s]", json_constraint(w, pair->i), json_constraint(w, pair->j))
                : json_null());
  json_put(w, object, "witness", point(w, pair ? found->brackets[found->pair].at : NULL));
  json_t *pairs = json_array();
  for (int i = 0; i < structure->n_pairs; i++) {
    json_add(w, pairs, bracket(w, i));
  }
  json_put(w, object, "pairs", pairs);
  return object;
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
  const record *found = w->c->found;
  const record_nondegeneracy *n = &found->N;
  json_t *object = json_object();
  json_put(w, object, "nondegenerate", fact_object(w, &n->regular));
  json_put(w, object, "singular_everywhere", fact_object(w, &n->singular));
  json_put(w, object, "invertible_points", json_integer(n->invertible));
  json_put(w, object, "singular_points", json_integer(n->degenerate));
  json_put(w, object, "undecided_points", json_integer(n->undecided));
  json_put(w, object, "zeros_of_det_N", json_words(w, zeros[record_zeros_of_N(found)]));
  json_put(w, object, "positive_masses",
           json_words(w, !n->by_masses            ? NULL
                         : n->masses == RANGE_ALL ? "all"
                                                  : "default"));
  json_put(w, object, "det_N", json_formula(w, n->determinant));
  json_put(w, object, "reduced", json_formula(w, n->reduced));
  json_put(w, object, "reduced_value",
           n->certificate ? json_number(n->reduced_value) : json_null());
  json_put(w, object, "modulo_hidden", json_boolean(n->modulo_hidden));
  json_put(w, object, "certificate", certificate(w, n->certificate));
  json_put(w, object, "witness", point(w, n->witness));
  json_put(w, object, "witness_exists", json_boolean(n->witness && n->witness_exists));
  json_put(w, object, "null_combination", combination(w, &n->null));
  return object;
}

static json_t *conserved(json_author *w)
{
  json_t *list = json_array();
  for (int i = 0; i < w->c->found->n_conserved; i++) {
    const record_conserved *c = &w->c->found->conserved[i];
    json_t *one = json_object();
    json_put(w, one, "constraint",
             json_words(w, c->constraint >= 0 ? json_constraint(w, c->constraint) : NULL));
    json_put(w, one, "combination", combination(w, &c->combination));
    json_put(w, one, "conserved", fact_object(w, &c->zero));
    json_put(w, one, "certificate", certificate(w, c->certificate));
    json_add(w, list, one);
  }
  return list;
}

static json_t *independence(json_author *w)
{
  const record_independence *d = &w->c->found->independence;
  json_t *object = json_object();
  json_t *redundant = json_array();
  json_t *conflicting = json_array();
  json_put(w, object, "regular", fact_object(w, &d->regular));
  json_put(w, object, "rank", json_integer(d->rank));
  json_put(w, object, "wanted", json_integer(w->c->program->nc));
  json_put(w, object, "flat", json_words(w, d->flat >= 0 ? json_constraint(w, d->flat) : NULL));
  json_put(w, object, "flat_base", json_formula(w, d->base));
  for (int i = 0; i < d->n_redundant; i++) {
    const record_redundancy *r = &d->redundancies[i];
    json_t *one = json_object();
    json_put(w, one, "constraint", json_words(w, json_constraint(w, r->constraint)));
    json_put(w, one, "evidence", json_words(w, evidence_name(r->evidence)));
    json_put(w, one, "certificate", certificate(w, r->certificate));
    json_put(w, one, "combination", combination(w, &r->combination));
    json_add(w, redundant, one);
  }
  for (int i = 0; i < d->n_conflicting; i++) {
    json_add(w, conflicting, json_words(w, json_constraint(w, d->conflicting[i])));
  }
  json_put(w, object, "redundant", redundant);
  json_put(w, object, "conflicting", conflicting);
  json_put(w, object, "contradiction", certificate(w, d->contradiction));
  return object;
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
  json_t *object = json_object();
  json_t *links = json_array();
  json_t *undetermined = json_array();
  json_put(w, object, "end", json_words(w, ends[c->end]));
  json_put(w, object, "evidence", json_words(w, evidence_name(c->evidence)));
  json_put(w, object, "levels", json_integer(c->levels));
  json_put(w, object, "index", c->index > 0 ? json_integer(c->index) : json_null());
  for (int i = 0; i < c->n_links; i++) {
    json_t *link = json_object();
    json_put(w, link, "level", json_integer(c->links[i].level));
    json_put(w, link, "formula", json_formula(w, c->links[i].value));
    json_add(w, links, link);
  }
  json_put(w, object, "links", links);
  for (int i = 0; i < c->n_free; i++) {
    json_add(w, undetermined, json_words(w, json_constraint(w, c->free[i])));
  }
  json_put(w, object, "free_multipliers", undetermined);
  json_put(w, object, "energy_constraint",
           json_words(w, c->energy >= 0 ? json_constraint(w, c->energy) : NULL));
  json_put(w, object, "constant_on_fibres", json_boolean(c->constant_on_fibres));
  return object;
}

/* ---- invariants, smoothness, and all together ---- */

static json_t *invariants(json_author *w)
{
  const ir_program *p = w->c->program;
  json_t *list = json_array();
  for (int i = 0; i < p->n_invariants; i++) {
    const record_invariant *f = &w->c->found->invariants[i];
    json_t *invariant = json_object();
    const char *name = entry_name(w->memory, p->invariant_names[i]);
    json_put(w, invariant, "name", json_words(w, name));
    json_put(w, invariant, "conserved", fact_object(w, &f->conserved));
    json_put(w, invariant, "commutes", json_boolean(f->commutes));
    json_put(w, invariant, "rate", f->at ? json_number(f->rate) : json_null());
    json_put(w, invariant, "at", point(w, f->at));
    json_add(w, list, invariant);
  }
  return list;
}

static json_t *seams(json_author *w)
{
  static const char *const kinds[] = {
      [SEAM_ABS] = "abs",           [SEAM_MIN] = "min_or_max",
      [SEAM_SIGN] = "jump_of_sign", [SEAM_ATAN2] = "jump_of_atan2",
      [SEAM_TAN] = "jump_of_tan",   [SEAM_POLE] = "pole_in_a_function"};
  json_t *list = json_array();
  for (int i = 0; i < w->c->found->n_seams; i++) {
    const record_seam *f = &w->c->found->seams[i];
    json_t *seam = json_object();
    json_put(w, seam, "kind", json_words(w, kinds[f->kind]));
    json_put(w, seam, "in", json_words(w, f->in));
    json_put(w, seam, "zero_of", json_formula(w, f->what));
    json_put(w, seam, "at", point(w, f->at));
    json_add(w, list, seam);
  }
  return list;
}

json_t *json_verdicts(json_author *w)
{
  const ir_program *p = w->c->program;
  if (!p) {
    return json_null();
  }
  const record *found = w->c->found;
  json_t *object = json_object();
  if (p->nc > 0) {
    json_put(w, object, "sample_of_M", sample(w, &found->M));
    json_put(w, object, "sample_of_MH", sample(w, &found->MH));
    json_put(w, object, "coisotropy", coisotropy(w));
    json_put(w, object, "nondegeneracy", nondegeneracy(w));
    json_put(w, object, "conserved", conserved(w));
    json_put(w, object, "independence", independence(w));
    json_put(w, object, "chain", chain(w));
  }
  json_put(w, object, "not_smooth", seams(w));
  json_put(w, object, "invariants", invariants(w));
  return object;
}
