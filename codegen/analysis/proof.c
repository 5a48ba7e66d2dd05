/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/proof.h"

#include "expr/derivative.h"

/* The base of a negative power, and whether its zeros are harmless. */
typedef struct pole {
  const ir_expr *base;
  int harmless;
} pole;

enum { MOST_POLES = 64 };

struct poles {
  int n;
  pole list[MOST_POLES];
  int overflow;
};

static void proof_add(struct poles *k, const ir_expr *base, int harmless)
{
  for (int i = 0; i < k->n; i++) {
    if (k->list[i].base == base) {
      k->list[i].harmless |= harmless;
      return;
    }
  }
  if (k->n == MOST_POLES) {
    k->overflow = 1;
    return;
  }
  k->list[k->n++] = (pole){base, harmless};
}

/* Collects the bases of negative powers, cosines for tangents and, with `natural`, arguments of
 * logarithms. */
static void proof_collect(study *s, const ir_expr *e, char visited[], int natural, struct poles *k)
{
  if (visited[e->id]) {
    return;
  }
  visited[e->id] = 1;
  for (int i = 0; i < e->n; i++) {
    proof_collect(s, ir_operand(e, i), visited, natural, k);
    if (e->kind == IR_PRODUCT && mpq_sgn(e->factors[i].exponent) < 0) {
      proof_add(k, e->factors[i].base, natural);
    }
  }
  if (e->kind == IR_CALL && e->call == IR_LOG && natural) {
    proof_add(k, e->arguments[0], 1);
  }
  if (e->kind == IR_CALL && e->call == IR_TAN) {
    proof_add(k, ir_apply(s->c, IR_COS, e->arguments[0], NULL), natural);
  }
}

static void collect_from(study *s, const ir_expr *e, int natural, struct poles *k)
{
  char *visited = ARENA_ARRAY(s->memory, ir_context_size(s->c), char);
  proof_collect(s, e, visited, natural, k);
}

/* The poles of H and g. */
static struct poles *poles_of_model(study *s)
{
  if (!s->poles) {
    s->poles = ARENA_NEW(s->memory, struct poles);
    collect_from(s, s->H, 1, s->poles);
    for (int i = 0; i < s->p->nc; i++) {
      collect_from(s, s->g[i], 1, s->poles);
    }
  }
  return s->poles;
}

int proof_generators(study *s, int hidden, certify_generator out[])
{
  const int m = s->p->nc;
  const int n = hidden ? 2 * m : m;
  for (int i = 0; i < n; i++) {
    out[i] = (certify_generator){i >= m, i % m, s->g[i]};
  }
  return n;
}

/* 1 if it is proved that the base does not vanish on M (hidden = 1: on M^H). */
static int is_off(study *s, const ir_expr *base, int hidden)
{
  if (!ir_reads_state(s->c, base) || !ir_may_vanish(s->p, base)) {
    return 1;
  }
  certify_generator *all = ARENA_ARRAY(s->memory, 2 * s->p->nc + 1, certify_generator);
  int m = proof_generators(s, hidden, all);
  all[m] = (certify_generator){-1, m, base};
  int off = 0;
  for (int by_default = 0; by_default < 2 && !off; by_default++) {
    for (int i = 0; i <= m; i++) {
      all[i].value = study_with(s, by_default, all[i].value);
    }
    off = certify(&s->k, ir_integer(s->c, 1), m + 1, all, 0) != NULL;
  }
  return off;
}

/* The index of a base in the list; the list's length if it is missing. */
static int proof_place_of(const struct poles *known, const ir_expr *base)
{
  int at = 0;
  while (at < known->n && known->list[at].base != base) {
    at++;
  }
  return at;
}

int is_pole_of_model(study *s, const ir_expr *base)
{
  const struct poles *known = poles_of_model(s);
  int at = proof_place_of(known, base);
  return at < known->n && known->list[at].harmless;
}

int poles_are_off(study *s, const ir_expr *e, int hidden)
{
  struct poles own = {0};
  struct poles *known = poles_of_model(s);
  collect_from(s, e, hidden, &own);
  int off = !own.overflow;
  for (int i = 0; i < own.n && off; i++) {
    const ir_expr *base = own.list[i].base;
    int at = proof_place_of(known, base);
    if (at == known->n && !hidden) {
      proof_add(known, base, is_off(s, base, 0));
    }
    off = (at < known->n && known->list[at].harmless) || (hidden && is_off(s, base, 1));
  }
  return off;
}

const record_certificate *prove(study *s, int by_default, const ir_expr *value, int n,
                                const certify_generator generators[], int with_rest)
{
  certify_generator *all = ARENA_ARRAY(s->memory, n + 1, certify_generator);
  for (int i = 0; i < n; i++) {
    all[i] = generators[i];
    all[i].value = study_with(s, by_default, generators[i].value);
  }
  const record_certificate *found =
      certify(&s->k, study_with(s, by_default, value), n, all, with_rest);
  int good = found != NULL;
  for (int i = 0; i < (found ? found->n : 0) && good; i++) {
    good = poles_are_off(s, found->products[i].factor, 0) &&
           poles_are_off(s, found->products[i].generator, 0);
  }
  return good ? found : NULL;
}

int factors_are_finite(study *s, const record_certificate *found, int n,
                       const certify_generator generators[])
{
  struct poles known = {0};
  struct poles own = {0};
  int good = 1;
  for (int i = 0; i < n; i++) {
    collect_from(s, generators[i].value, 1, &known);
  }
  for (int i = 0; i < found->n; i++) {
    collect_from(s, found->products[i].factor, 1, &own);
    good = good && !ir_may_be_undefined(s->p, found->products[i].factor);
  }
  for (int i = 0; i < own.n; i++) {
    const ir_expr *base = own.list[i].base;
    good = good && (!ir_may_vanish(s->p, base) || proof_place_of(&known, base) < known.n);
  }
  return good && !own.overflow;
}

proof prove_on_M(study *s, const ir_expr *value, int hidden, int with_rest)
{
  proof found = {.certificate = NULL};
  if (!certify_affords(&s->k, s->p->nc)) {
    return found;
  }
  certify_generator *all = ARENA_ARRAY(s->memory, 2 * s->p->nc + 1, certify_generator);
  for (int by_default = 0; by_default < 2 && !found.certificate; by_default++) {
    found.range = by_default ? RANGE_DEFAULTS : RANGE_ALL;
    for (int used = 0; used <= hidden && !found.certificate; used++) {
      int n = proof_generators(s, used, all);
      found.certificate = prove(s, by_default, value, n, all, with_rest);
      found.hidden = used && found.certificate;
    }
  }
  return found;
}

fact zero_on_M(study *s, const ir_expr *value, const sample_answer *seen, int exactly,
               const record_certificate **certificate)
{
  if (ir_is_zero(value)) {
    return (fact){FACT_YES, EVIDENCE_IDENTITY, RANGE_ALL, NULL};
  }
  if (seen->answer == BALL_NOT_ZERO) {
    return (fact){FACT_NO, EVIDENCE_WITNESS, RANGE_DEFAULTS, NULL};
  }
  proof exact = {.certificate = NULL};
  if (exactly) {
    exact = prove_on_M(s, value, 0, 0);
    *certificate = exact.certificate;
  }
  return exact.certificate           ? (fact){FACT_YES, EVIDENCE_CERTIFICATE, exact.range, NULL}
         : seen->answer == BALL_ZERO ? (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL}
                                     : (fact){FACT_UNDECIDED, EVIDENCE_NONE, RANGE_DEFAULTS, NULL};
}
