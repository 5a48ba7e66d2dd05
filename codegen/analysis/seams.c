/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"

/* Seams that are looked at, starts for each, and how many times as far away as the start a point may be. */
enum { MOST_SEAMS = 24, ROUNDS = 12, POINTS = 3 };
#define FARTHEST 30.0

typedef struct seam {
  seam_kind kind;
  const ir_expr *what;
  const ir_expr *side; /* has to be negative there; NULL */
} seam;

typedef struct seams {
  study *s;
  char *visited; /* by id; bit 1: outside of functions, bit 2: inside of one */
  unsigned n_visited;
  int n;
  seam list[MOST_SEAMS];
} seams;

int seam_may_jump(seam_kind kind)
{
  return kind == SEAM_SIGN || kind == SEAM_ATAN2 || kind == SEAM_TAN || kind == SEAM_POLE;
}

static void add(seams *k, seam_kind kind, const ir_expr *what, const ir_expr *side)
{
  for (int i = 0; i < k->n; i++) {
    if (k->list[i].what == what && k->list[i].kind == kind) {
      return;
    }
  }
  if (k->n < MOST_SEAMS && ir_reads_state(k->s->c, what) && ir_may_vanish(k->s->p, what)) {
    k->list[k->n++] = (seam){kind, what, side};
  }
}

static void collect(seams *k, const ir_expr *e, int inside);

/* The argument of a sine or cosine, or a term of it whose factor so far is an integer or not.  An integer multiple of atan2 jumps by a
 * multiple of 2 pi, which these functions do not see. */
static void collect_angle(seams *k, const ir_expr *e, int is_whole)
{
  for (int i = 0; e->kind == IR_SUM && i < e->n; i++) {
    collect_angle(k, e->terms[i].node,
                  is_whole && mpz_cmp_ui(mpq_denref(e->terms[i].coefficient), 1) == 0);
  }
  if (e->kind == IR_CALL && e->call == IR_ATAN2 && is_whole) {
    collect(k, e->arguments[0], 1);
    collect(k, e->arguments[1], 1);
  } else if (e->kind != IR_SUM) {
    collect(k, e, 1);
  }
}

static void collect(seams *k, const ir_expr *e, int inside)
{
  char bit = inside ? 2 : 1;
  if (e->id >= k->n_visited || k->visited[e->id] & bit) {
    return;
  }
  k->visited[e->id] = (char)(k->visited[e->id] | bit);
  for (int i = 0; e->kind != IR_CALL && i < e->n; i++) {
    collect(k, ir_operand(e, i), inside);
    if (e->kind == IR_PRODUCT && mpq_sgn(e->factors[i].exponent) < 0 && inside) {
      add(k, SEAM_POLE, e->factors[i].base, NULL);
    }
  }
  if (e->kind != IR_CALL) {
    return;
  }
  if (e->call == IR_ABS) {
    add(k, SEAM_ABS, e->arguments[0], NULL);
  } else if (e->call == IR_SIGN) {
    add(k, SEAM_SIGN, e->arguments[0], NULL);
  } else if (e->call == IR_MIN || e->call == IR_MAX) {
    add(k, SEAM_MIN, ir_minus(k->s->c, e->arguments[0], e->arguments[1]), NULL);
  } else if (e->call == IR_ATAN2) {
    add(k, SEAM_ATAN2, e->arguments[0], e->arguments[1]);
  } else if (e->call == IR_TAN) {
    add(k, SEAM_TAN, ir_apply(k->s->c, IR_COS, e->arguments[0], NULL), NULL);
  }
  if (e->call == IR_SIN || e->call == IR_COS) {
    collect_angle(k, e->arguments[0], 1);
    return;
  }
  for (int i = 0; i < e->n; i++) {
    collect(k, e->arguments[i], inside || (e->call != IR_ABS && e->call != IR_HOLD));
  }
}

/* Whether e is a product with a factor that is zero on the seam: what or |what|. */
static int is_zero_on(study *s, const ir_expr *what, const ir_expr *e)
{
  const ir_expr *product = ir_primitive(e);
  const ir_expr *size = ir_primitive(ir_apply(s->c, IR_ABS, what, NULL));
  int found = 0;
  for (int i = 0; product->kind == IR_PRODUCT && i < product->n; i++) {
    const ir_factor *f = &product->factors[i];
    found |= mpq_sgn(f->exponent) > 0 && (f->base == ir_primitive(what) || f->base == size);
  }
  return found;
}

/* A point of the surface on the seam; NULL where none was found.  An equation that holds on all of the seam would
 * leave the gradients dependent. */
static const double *meet(study *s, const seam *found, int n, const ir_expr *const surface_values[])
{
  const ir_expr **values = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  int rows = 0;
  for (int i = 0; i < n; i++) {
    if (!is_zero_on(s, found->what, surface_values[i])) {
      values[rows++] = surface_values[i];
    }
  }
  values[rows++] = found->what;
  const surface *f = surface_create(s, rows, values);
  points p = sample_surface(s, f, &s->settings[0], POINTS, ROUNDS, FARTHEST);
  for (int i = 0; i < p.n; i++) {
    if (found->side) {
      point_begin(s, p.x[i], 64);
    }
    if (!found->side || arb_is_negative(ball_value(s->balls, found->side))) {
      return p.x[i]->z;
    }
  }
  return NULL;
}

static void examine(study *s, record *r, const ir_expr *e, const char *in, int invariant)
{
  int m = s->p->nc;
  const ir_expr **values = ARENA_ARRAY(s->memory, 2 * m, const ir_expr *);
  seams k = {.s = s, .n_visited = ir_context_size(s->c)};
  k.visited = ARENA_ARRAY(s->memory, k.n_visited, char);
  collect(&k, e, 0);
  study_equations(s, values);
  for (int i = 0; i < k.n && !study_exhausted(s, 0.9); i++) {
    const double *at = meet(s, &k.list[i], invariant >= 0 ? 2 * m : m, values);
    if (!at && invariant < 0) {
      continue;
    }
    record_seam *longer = ARENA_ARRAY(s->memory, r->n_seams + 1, record_seam);
    if (r->n_seams > 0) {
      memcpy(longer, r->seams, (size_t)r->n_seams * sizeof *longer);
    }
    longer[r->n_seams++] = (record_seam){k.list[i].kind, in, k.list[i].what, at, invariant};
    r->seams = longer;
  }
}

void find_seams(study *s, record *r)
{
  const ir_program *p = s->p;
  examine(s, r, p->functions[IR_HAMILTONIAN].entries[0].value, "H", -1);
  for (int i = 0; i < p->nc; i++) {
    const char *in = arena_printf(s->memory, "constraint '%s'", p->c_names[i]);
    examine(s, r, p->functions[IR_CONSTRAINT].entries[i].value, in, -1);
  }
  for (int i = 0; i < p->n_invariants; i++) {
    const char *in = arena_printf(s->memory, "invariant '%s'", p->invariant_names[i]);
    examine(s, r, p->functions[IR_INVARIANT].entries[i].value, in, i);
  }
}
