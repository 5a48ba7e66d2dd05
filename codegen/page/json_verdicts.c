/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_verdicts.c -- every verdict with its evidence, in JSON.
 */
#include <math.h>

#include "page/json_parts.h"

static const char *kind_name(verdict_kind kind)
{
  static const char *const names[] = {
      [VERDICT_UNKNOWN] = "unknown",         [VERDICT_IDENTITY] = "identity",
      [VERDICT_CERTIFICATE] = "certificate", [VERDICT_STRUCTURE] = "structure",
      [VERDICT_SAMPLED] = "sampled",         [VERDICT_WITNESS] = "witness"};
  return names[kind];
}

static json_t *point(json_author *w, const double z[])
{
  return json_numbers(w, 2 * w->c->program->nq, z);
}

static json_t *sample(json_author *w, const verdict_sample *s, int points)
{
  json_t *object = json_object();
  json_put(w, object, "points", json_integer(points));
  json_put(w, object, "tried", s->tried > 0 ? json_integer(s->tried) : json_null());
  json_put(w, object, "spread", s->tried > 0 ? json_number(s->spread) : json_null());
  return object;
}

static json_t *certificate(json_author *w, const verdict_certificate *c)
{
  if (!c) {
    return json_null();
  }
  json_t *object = json_object();
  json_t *products = json_array();
  json_put(w, object, "value", json_formula(w, c->value));
  json_put(w, object, "rest", json_formula(w, c->rest));
  for (int i = 0; i < c->n; i++) {
    const verdict_product *product = &c->products[i];
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

static json_t *combination(json_author *w, const verdict_combination *c)
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
  const analysis *found = w->c->found;
  const ir_pair *pair = &w->c->program->structure.pairs[i];
  json_t *object = json_object();
  json_put(w, object, "constraints",
           json_pack("[s,s]", json_constraint(w, pair->i), json_constraint(w, pair->j)));
  json_put(w, object, "formula", json_formula(w, pair->bracket));
  if (found->brackets) {
    const verdict_bracket *b = &found->brackets[i];
    json_put(w, object, "evidence", json_words(w, kind_name(b->kind)));
    json_put(w, object, "certificate", certificate(w, b->certificate));
    json_put(w, object, "largest_relative", b->at ? json_number(b->largest) : json_null());
    json_put(w, object, "value", b->at ? json_number(b->value) : json_null());
    json_put(w, object, "at", point(w, b->at));
  }
  return object;
}

static json_t *coisotropy(json_author *w)
{
  static const char *const verdicts[] = {
      [IR_PROVED] = "proved", [IR_SAMPLED] = "sampled", [IR_FAILS] = "fails"};
  const compilation *c = w->c;
  const analysis *found = c->found;
  const ir_structure *structure = &c->program->structure;
  json_t *object = json_object();
  json_put(w, object, "verdict", json_words(w, verdicts[found->coisotropy]));
  json_put(w, object, "for_all_sizes", json_boolean(c->loops != NULL));
  int is_pair = found->pair >= 0;
  const ir_pair *pair = is_pair ? &structure->pairs[found->pair] : NULL;
  json_put(w, object, "failing_pair",
           is_pair ? json_pack("[s,s]", json_constraint(w, pair->i), json_constraint(w, pair->j))
                   : json_null());
  json_put(w, object, "witness", point(w, is_pair ? found->witness : NULL));
  json_put(w, object, "largest_relative_bracket",
           structure->n_pairs > 0 ? json_number(found->value) : json_number(0));
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
                                      [ZEROS_SOMEWHERE] = "somewhere",
                                      [ZEROS_EVERYWHERE] = "everywhere"};
  const analysis *found = w->c->found;
  const verdict_nondegeneracy *n = &found->nondegeneracy;
  json_t *object = json_object();
  json_put(w, object, "singular_points", json_integer(found->singular));
  json_put(w, object, "points_not_finite", json_integer(found->undefined));
  json_put(w, object, "zeros_of_det_N", json_words(w, zeros[n->zeros]));
  json_put(w, object, "evidence", json_words(w, kind_name(n->kind)));
  json_put(w, object, "det_N", json_formula(w, n->determinant));
  json_put(w, object, "reduced", json_formula(w, n->reduced));
  json_put(w, object, "reduced_value", n->reduced ? json_number(n->reduced_value) : json_null());
  json_put(w, object, "modulo_hidden", json_boolean(n->modulo_hidden));
  json_put(w, object, "certificate", certificate(w, n->certificate));
  json_put(w, object, "witness", point(w, n->witness));
  json_put(w, object, "null_combination", combination(w, &n->null));
  return object;
}

static json_t *independence(json_author *w)
{
  const analysis *found = w->c->found;
  const verdict_independence *d = &found->independence;
  json_t *object = json_object();
  json_t *redundant = json_array();
  json_t *conflicting = json_array();
  json_put(w, object, "rank", json_integer(found->rank));
  json_put(w, object, "wanted", json_integer(w->c->program->nc));
  json_put(w, object, "flat",
           json_words(w, found->flat >= 0 ? json_constraint(w, found->flat) : NULL));
  for (int i = 0; i < d->n_redundant; i++) {
    const verdict_redundancy *r = &d->redundant[i];
    json_t *one = json_object();
    json_put(w, one, "constraint", json_words(w, json_constraint(w, r->constraint)));
    json_put(w, one, "evidence", json_words(w, kind_name(r->kind)));
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
  const verdict_chain *c = &w->c->found->chain;
  if (c->end == CHAIN_NONE) {
    return json_null();
  }
  json_t *object = json_object();
  json_t *links = json_array();
  json_t *undetermined = json_array();
  json_put(w, object, "end", json_words(w, ends[c->end]));
  json_put(w, object, "evidence", json_words(w, kind_name(c->kind)));
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

/* ---- invariants, and all together ---- */

static json_t *invariants(json_author *w)
{
  const ir_program *p = w->c->program;
  json_t *list = json_array();
  for (int i = 0; i < p->n_invariants; i++) {
    json_t *invariant = json_object();
    const char *name = page_dotted(w->memory, p->invariant_names[i]);
    json_put(w, invariant, "name", json_words(w, name));
    json_put(w, invariant, "verdict",
             json_words(w, p->invariants[i].conserved ? "proved" : "unknown"));
    json_add(w, list, invariant);
  }
  return list;
}

json_t *json_verdicts(json_author *w)
{
  const ir_program *p = w->c->program;
  if (!p) {
    return json_null();
  }
  const analysis *found = w->c->found;
  json_t *object = json_object();
  if (p->nc > 0) {
    json_put(w, object, "sample_of_M", sample(w, &found->sample_M, found->on_M));
    json_put(w, object, "sample_of_MH", sample(w, &found->sample_MH, found->on_MH));
    json_put(w, object, "coisotropy", coisotropy(w));
    json_put(w, object, "nondegeneracy", nondegeneracy(w));
    json_put(w, object, "independence", independence(w));
    json_put(w, object, "chain", chain(w));
  }
  json_put(w, object, "invariants", invariants(w));
  return object;
}
