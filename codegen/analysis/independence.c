/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>
#include <string.h>

#include "analysis/dependence_means.h"
#include "analysis/proof.h"
#include "expr/builders.h"
#include "expr/derivative.h"

/* Limit on constraints that are examined one by one, because the work grows with their square. */
#define MOST_CONSTRAINTS 16
/* Number of starting points, and of points, for a subset of the constraints. */
#define PART_ROUNDS 12
#define PART_POINTS 6
/* Limit on parameters by which a proof may divide. */
#define MOST_INVERSES 3
/* Number of points at which "constraints follow from others" is examined, and the limit if no point
 * has shown it. */
#define FOLLOWED      4
#define MOST_FOLLOWED 12

void find_flat(study *s, record *r)
{
  r->independence.flat = -1;
  for (int i = 0; i < s->p->nc; i++) {
    repeated f = find_repeated(s, s->g[i]);
    if (f.base) {
      s->instead = s->instead ? s->instead : ARENA_ARRAY(s->memory, s->p->nc, const ir_expr *);
      s->instead[i] = f.base;
    }
    if (f.all && r->independence.flat < 0) {
      r->independence.flat = i;
      r->independence.base = f.base;
      r->independence.flat_there = (fact){FACT_YES, EVIDENCE_IDENTITY, RANGE_ALL, NULL};
    }
  }
}

/* ---- at the points of M ---- */

/* 1 if dg_i = 0 at the point. */
static int is_flat(study *s, point *x, int i)
{
  const ir_function *jac = &s->p->functions[IR_CONSTRAINT_JAC];
  for (int e = 0; e < jac->n; e++) {
    const ir_expr *slope = jac->entries[e].value;
    if (jac->entries[e].row == i &&
        (x->exists ? point_decide(s, x, slope) != BALL_ZERO : !point_tends_to_zero(s, x, slope))) {
      return 0;
    }
  }
  return 1;
}

static int flat_constraint(study *s, point *x)
{
  for (int i = 0; i < s->p->nc; i++) {
    if (is_flat(s, x, i)) {
      return i;
    }
  }
  return -1;
}

/* The rank of Dg.  If all constraints determine the point, its existence proves full rank. */
static matrix_rank rank_of_gradients(study *s, point *x)
{
  if (x->exists && x->square.rank == s->p->nc && !s->instead) {
    return (matrix_rank){.decided = 1, .rank = x->square.rank};
  }
  return rank_at(s, x, IR_CONSTRAINT_JAC);
}

/* 1 if the constraints that determine the point x imply the others.  This is examined at nearby
 * points only, because other pieces of M may be further away. */
static int others_follow(study *s, const point *x)
{
  int m = s->p->nc;
  const ir_expr **kept = ARENA_ARRAY(s->memory, m + 1, const ir_expr *);
  const ir_expr **rest = ARENA_ARRAY(s->memory, m + 1, const ir_expr *);
  for (int i = 0; i < x->square.rank; i++) {
    kept[i] = x->f->value[x->square.rows[i]];
  }
  for (int i = x->square.rank; i < x->f->rows; i++) {
    rest[i - x->square.rank] = x->f->value[x->square.rows[i]];
  }
  int others = x->f->rows - x->square.rank;
  const surface *part = surface_create(s, x->square.rank, kept);
  points p = sample_near(s, part, x, PART_POINTS);
  sample_answer *answers = ARENA_ARRAY(s->memory, others + 1, sample_answer);
  sample_decide(s, &p, p.n, others, rest, answers);
  int follow = p.n > 1;
  for (int i = 0; i < others; i++) {
    follow = follow && answers[i].answer == BALL_ZERO;
  }
  return follow;
}

/* Generators k x - 1 for parameters k that are never zero, each with a new variable x.  They allow
 * a factor 1/k in a certificate.  Returns their number. */
static int inverses(study *s, const ir_expr *const of[], int n, certify_generator out[])
{
  int found = 0;
  for (int j = 0; j < s->p->nk && found < MOST_INVERSES; j++) {
    const ir_expr *k = ir_input(s->c, IR_K, j);
    int reads = 0;
    for (int i = 0; i < n; i++) {
      reads |= !ir_may_vanish(s->p, k) && ir_reads(s->c, of[i], k);
    }
    if (reads) {
      const ir_expr *product = ir_times(s->c, k, ir_input(s->c, IR_LAMBDA, j));
      out[found++] = (certify_generator){-1, j, ir_minus(s->c, product, ir_integer(s->c, 1))};
    }
  }
  return found;
}

/* Proves that the gradients are independent on M: no state has g = 0 and all minors of Dg equal to
 * 0.  This holds if 1 is a combination of these. */
static void prove_regular(study *s, record *r)
{
  const ir_expr *values[MINORS_MOST + MINORS_ORDER];
  certify_generator all[MINORS_MOST + MINORS_ORDER + MOST_INVERSES];
  int m = s->p->nc;
  int n = gradient_minors(s, values + MINORS_ORDER);
  fact *regular = &r->independence.regular;
  if (n == 0) {
    return;
  }
  memmove(values + m, values + MINORS_ORDER, (size_t)n * sizeof(const ir_expr *));
  for (int i = 0; i < m; i++) {
    values[i] = s->g[i];
  }
  for (int by_default = 0; by_default < 2 && regular->answer != FACT_YES; by_default++) {
    for (int i = 0; i < m + n; i++) {
      all[i] = (certify_generator){-1, i, study_with(s, by_default, values[i])};
    }
    int more = by_default ? 0 : inverses(s, values, m + n, all + m + n);
    if (certify(&s->k, ir_integer(s->c, 1), m + n + more, all, 0)) {
      *regular =
          (fact){FACT_YES, EVIDENCE_CERTIFICATE, by_default ? RANGE_DEFAULTS : RANGE_ALL, NULL};
    }
  }
}

/* 1 if fewer constraints than the largest rank of Dg determine a piece of M.  Examines points of
 * smaller rank. */
static int has_larger_piece(study *s, const record *r, const points *M, const int ranks[])
{
  int found = 0;
  for (int i = 0, tried = 0; i < M->sample.points && tried < FOLLOWED && !found; i++) {
    found = ranks[i] < r->independence.rank && others_follow(s, M->x[i]);
    tried += ranks[i] < r->independence.rank;
  }
  return found;
}

/* Examines whether Dg is rank-deficient on all of M because fewer constraints determine M, as many
 * as the largest rank.  The test: near a point with this rank, the constraints that determine it
 * imply the others.  Points of smaller rank may be singular shapes, such as a flat linkage.  Other
 * pieces of M come close to these, so the test may fail nearby. */
static void examine_redundancy(study *s, record *r, const points *M, const int ranks[])
{
  record_independence *d = &r->independence;
  int tried = 0;
  int found = 0;
  for (int i = 0; i < M->sample.points && tried < (found ? FOLLOWED : MOST_FOLLOWED); i++) {
    int here = ranks[i] == d->rank && others_follow(s, M->x[i]);
    tried += ranks[i] == d->rank;
    d->redundancy =
        here && !found ? combination_words(s, M->x[i], d->rank == d->least_rank) : d->redundancy;
    found += here;
  }
  if (d->flat < 0 && found && !has_larger_piece(s, r, M, ranks)) {
    d->redundant = s->p->nc - d->rank;
    d->follow = d->rank == d->least_rank && found == tried;
  }
}

void examine_independence(study *s, record *r, const points *M)
{
  record_independence *d = &r->independence;
  int decided = 1;
  int flat = -1;
  int *ranks = ARENA_ARRAY(s->memory, M->sample.points + 1, int);
  d->redundancy = "";
  for (int i = 0; i < M->sample.points; i++) {
    matrix_rank found = rank_of_gradients(s, M->x[i]);
    decided = decided && found.decided;
    ranks[i] = found.rank;
    d->rank = found.rank > d->rank ? found.rank : d->rank;
    d->least_rank = i == 0 || found.rank < d->least_rank ? found.rank : d->least_rank;
    if (found.rank < s->p->nc) {
      int here = flat_constraint(s, M->x[i]);
      flat = i == 0 || flat == here ? here : -1;
    } else {
      flat = -1;
    }
  }
  if (M->sample.points > 0 && d->flat < 0 && flat >= 0) {
    d->flat = flat;
    d->flat_there = (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
  }
  if (M->sample.points > 0 && d->least_rank == s->p->nc) {
    prove_regular(s, r);
    if (d->regular.answer != FACT_YES) {
      d->regular = (fact){FACT_YES, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
    }
  } else if (M->sample.points > 0 && decided) {
    d->regular = (fact){FACT_NO, EVIDENCE_SAMPLED, RANGE_DEFAULTS, NULL};
    if (d->rank < s->p->nc) {
      examine_redundancy(s, r, M, ranks);
    }
  }
}

/* ---- which follow from others ---- */

/* Lists the kept constraints except number `but` (-1 excludes none) as generators; returns their
 * number. */
static int generators_of(const study *s, const char kept[], int but, certify_generator out[])
{
  int n = 0;
  for (int i = 0; i < s->p->nc; i++) {
    if (kept[i] && i != but) {
      out[n++] = (certify_generator){0, i, s->g[i]};
    }
  }
  return n;
}

void find_redundant(study *s, record *r, const points *M)
{
  int m = s->p->nc;
  if (m > MOST_CONSTRAINTS) {
    return;
  }
  char *kept = ARENA_ARRAY(s->memory, m, char);
  certify_generator *others = ARENA_ARRAY(s->memory, m, certify_generator);
  record_redundancy *list = ARENA_ARRAY(s->memory, m, record_redundancy);
  record_independence *d = &r->independence;
  memset(kept, 1, (size_t)m);
  for (int i = m - 1; i >= 0; i--) {
    int n = generators_of(s, kept, i, others);
    const record_certificate *identity = n ? prove(s, 0, s->g[i], n, others, 0) : NULL;
    if (identity && factors_are_finite(s, identity, n, others)) {
      kept[i] = 0;
      list[d->n_redundant++] =
          (record_redundancy){i, EVIDENCE_CERTIFICATE, identity, {NULL, 0, NULL}};
    }
  }
  for (int round = 0; round < m; round++) {
    record_combination c = combination_of_gradients(s, M, M->sample.points, kept);
    int last = -1;
    for (int i = 0; c.coefficients && i < m; i++) {
      last = c.coefficients[i] != 0 ? i : last;
    }
    if (last < 0) {
      break;
    }
    kept[last] = 0;
    list[d->n_redundant++] = (record_redundancy){last, EVIDENCE_SAMPLED, NULL, c};
  }
  d->redundancies = list;
}

/* ---- which contradict each other ---- */

/* 1 if a point was found that satisfies the kept constraints. */
static int has_point(study *s, const char kept[])
{
  const ir_expr **values = ARENA_ARRAY(s->memory, s->p->nc, const ir_expr *);
  int n = 0;
  for (int i = 0; i < s->p->nc; i++) {
    if (kept[i]) {
      values[n++] = s->g[i];
    }
  }
  if (n == 0) {
    return 1;
  }
  const surface *part = surface_create(s, n, values);
  return sample_surface(s, part, &s->settings[0], 1, PART_ROUNDS, (double)INFINITY).n > 0;
}

void find_conflicting(study *s, record *r)
{
  int m = s->p->nc;
  int *list = ARENA_ARRAY(s->memory, m, int);
  record_independence *d = &r->independence;
  d->conflicting = list;
  for (int i = 0; i < m; i++) {
    if (!ir_may_vanish(s->p, s->g[i]) || definite_bound(s->c, s->g[i]) != 0) {
      list[0] = i;
      d->n_conflicting = 1;
      d->empty = EVIDENCE_STRUCTURE;
      return;
    }
  }
  if (m > MOST_CONSTRAINTS || study_exhausted(s, 0.9)) {
    return;
  }
  char *kept = ARENA_ARRAY(s->memory, m, char);
  certify_generator *rest = ARENA_ARRAY(s->memory, m, certify_generator);
  memset(kept, 1, (size_t)m);
  if (has_point(s, kept)) {
    return;
  }
  for (int i = 0; i < m; i++) {
    kept[i] = 0;
    kept[i] = (char)has_point(s, kept);
  }
  for (int i = 0; i < m; i++) {
    if (kept[i]) {
      list[d->n_conflicting++] = i;
    }
  }
  int n = generators_of(s, kept, -1, rest);
  d->contradiction = certify(&s->k, ir_integer(s->c, 1), n, rest, 0);
}
