/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/step.h"

#include "expr/builders.h"
#include "expr/substitute.h"

typedef struct division {
  arena *memory;
  const fused_step *step;
  fused_schedule *blocks;
  /* n: values that the formula of a value reads directly; none without a formula */
  fused_list *reads;
  char *is_early; /* n: 1 for values of the state that depend only on early entries */
} division;

static int block_of_phase(int phase, int block)
{
  return block + phase * FUSED_BLOCKS_OF_PHASE;
}

/* ---- dependences ---- */

/* Marks the values that these nodes need. */
static void schedule_need_all(const division *d, int n, const ir_expr *const nodes[], char marks[])
{
  fused_need(d->reads, n, nodes, marks);
}

/* Marks the values in whose storage these nodes are kept. */
static void mark_homes(const division *d, int n, const ir_expr *const nodes[], char marks[])
{
  for (int i = 0; i < n; i++) {
    if (nodes[i] && nodes[i]->kind == IR_INPUT) {
      marks[d->step->values->at[nodes[i]->index].home] = 1;
    }
  }
}

/* The readers of a result of the step: code outside its blocks, which may read every result; the
 * code behind the last phase; the first or the second half of a cut step; the forces between these
 * halves. */
enum { OUTSIDE = 1, AT_END = 2, FIRST_HALF = 4, SECOND_HALF = 8, FORCES = 16 };

typedef void marking(const division *d, int n, const ir_expr *const nodes[], char marks[]);

/* Marks the results that `user` needs. */
static void mark_results(const division *d, marking *mark, int user, char marks[])
{
  const fused_step *s = d->step;
  const struct {
    int n;
    const ir_expr *const *nodes;
    int users;
  } results[] = {{s->dim, s->end, OUTSIDE | AT_END | SECOND_HALF},
                 {s->reached ? 2 * s->d : 0, s->reached, OUTSIDE | AT_END | FIRST_HALF},
                 {s->force ? s->d : 0, s->force, OUTSIDE | FORCES},
                 {s->dim, s->z, OUTSIDE},
                 {s->m, s->g, OUTSIDE | AT_END | SECOND_HALF},
                 {s->m, s->rho, OUTSIDE | AT_END | SECOND_HALF},
                 {s->m, s->lambda, OUTSIDE},
                 {s->m, s->scale_g, OUTSIDE | SECOND_HALF},
                 {s->m, s->scale_rho, OUTSIDE | SECOND_HALF},
                 {s->m, s->slopes_of_g[0], OUTSIDE | FIRST_HALF},
                 {s->m, s->slopes_of_g[1], OUTSIDE | FIRST_HALF},
                 {s->m, s->N_pivot, OUTSIDE | SECOND_HALF},
                 {s->m, s->slid_pivot, OUTSIDE | AT_END},
                 {1, &s->h, OUTSIDE},
                 {s->m > 0, &s->size_q, OUTSIDE},
                 {s->m > 0, &s->size_p, OUTSIDE}};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    mark(d, results[i].users & user ? results[i].n : 0, results[i].nodes, marks);
  }
  for (int i = 0; i < s->m; i++) {
    mark(d, user & (OUTSIDE | SECOND_HALF) ? s->m : 0, s->N.at[i], marks);
    mark(d, user == FIRST_HALF, &s->N.at[i][i], marks);
  }
  for (int i = 0; i < s->n_phis && user == OUTSIDE; i++) {
    mark(d, s->phi[i].n * s->phi[i].n, s->phi[i].A, marks);
    mark(d, 1, &s->phi[i].t, marks);
  }
  for (int i = 0; i < s->n_phases && user == OUTSIDE; i++) {
    const fused_phase *p = &s->phase[i];
    mark(d, p->n, p->unknown, marks);
    mark(d, p->n, p->guess, marks);
    mark(d, p->m, p->per_arctan, marks);
    mark(d, p->n, p->over_scale, marks);
  }
}

static char *marks(const division *d)
{
  return ARENA_ARRAY(d->memory, d->step->values->n + 1, char);
}

/* ---- choice of blocks ---- */

/* Puts the marked values of this level into a block, except those that are in `but`. */
static void put_in_block(const division *d, int block, const char marked[], int level,
                         const char *but)
{
  const fused_values *f = d->step->values;
  char *in = d->blocks->is_in[block];
  for (int i = 0; i < f->n; i++) {
    if (marked[i] && f->at[i].formula && fused_level(f->at[i].reads) == level && !(but && but[i])) {
      in[i] = 1;
    }
  }
}

static void divide_phase(const division *d, int i, const char needed[])
{
  const fused_phase *p = &d->step->phase[i];
  char **in = d->blocks->is_in;
  char *by_residual = marks(d);
  char *by_change = marks(d);
  const int residual = block_of_phase(i, FUSED_BLOCK_RESIDUAL);
  schedule_need_all(d, p->n, p->F, by_residual);
  schedule_need_all(d, p->n, p->over_scale, by_residual);
  schedule_need_all(d, p->n, p->change, by_change);
  put_in_block(d, block_of_phase(i, FUSED_BLOCK_BEGIN), needed, FUSED_BEGIN(i), NULL);
  put_in_block(d, residual, by_residual, FUSED_TRY(i), NULL);
  put_in_block(d, block_of_phase(i, FUSED_BLOCK_CORRECT), by_change, FUSED_TRY(i), in[residual]);
}

/* Marks what a phase needs. */
static void need_phase(const division *d, int i, char needed[])
{
  const fused_phase *p = &d->step->phase[i];
  schedule_need_all(d, p->n, p->F, needed);
  schedule_need_all(d, p->n, p->over_scale, needed);
  schedule_need_all(d, p->n, p->change, needed);
  schedule_need_all(d, p->n, p->guess, needed);
  schedule_need_all(d, p->m, p->per_arctan, needed);
}

/* Finds the values that later phases and the end need of the unknowns of phase i. */
static void find_rest(const division *d, int i)
{
  const fused_step *s = d->step;
  char *later = marks(d);
  mark_results(d, schedule_need_all, AT_END, later);
  for (int j = i + 1; j < s->n_phases; j++) {
    need_phase(d, j, later);
  }
  put_in_block(d, block_of_phase(i, FUSED_BLOCK_AFTER), later, FUSED_TRY(i),
               d->blocks->is_in[block_of_phase(i, FUSED_BLOCK_RESIDUAL)]);
}

/* Finds the early values of the state: all values that they read are early or belong to the
 * setup. */
static void find_early(const division *d)
{
  const fused_step *s = d->step;
  const fused_values *f = s->values;
  for (int i = 0; i < f->n; i++) {
    int early = s->advances >= 0 && fused_level(f->at[i].reads) == FUSED_PLACE;
    if (!f->at[i].formula) {
      early = 0;
    }
    for (int j = 0; j < s->dim; j++) {
      early |= s->z[j]->index == i && s->is_early[j];
    }
    for (int j = 0; j < d->reads[i].n && early; j++) {
      const int k = d->reads[i].at[j];
      early = d->is_early[k] || fused_level(f->at[k].reads) == FUSED_SETUP;
    }
    d->is_early[i] = (char)early;
  }
}

/* If a later value renews a value, both are computed in the same block. */
static void need_homes(const division *d, char needed[])
{
  const fused_values *f = d->step->values;
  for (int i = 0; i < f->n; i++) {
    const ir_expr *home = ir_input(f->context, IR_VALUE, f->at[i].home);
    fused_need(d->reads, needed[i], &home, needed);
  }
}

/* Divides the values of the state of a cut step: for the first solve, for the second solve and the
 * end, and for the forces. */
static void divide_halves(const division *d)
{
  static const struct {
    int user;
    int phase;
    int block;
  } halves[] = {{FORCES, -1, FUSED_BLOCK_FORCE},
                {FIRST_HALF, 0, FUSED_BLOCK_EARLY},
                {SECOND_HALF, 1, FUSED_BLOCK_LATE}};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
    char *needed = marks(d);
    mark_results(d, schedule_need_all, halves[i].user, needed);
    if (halves[i].phase >= 0) {
      need_phase(d, halves[i].phase, needed);
    }
    if (halves[i].phase > 0) {
      need_homes(d, needed);
    }
    put_in_block(d, halves[i].block, needed, FUSED_PLACE, NULL);
  }
}

static void schedule_divide(const division *d)
{
  const fused_step *s = d->step;
  const fused_values *f = s->values;
  char *needed = marks(d);
  mark_results(d, schedule_need_all, OUTSIDE, needed);
  for (int i = 0; i < s->n_phases; i++) {
    need_phase(d, i, needed);
  }
  need_homes(d, needed);
  char *by_flows = marks(d);
  for (int i = 0; i < f->n; i++) {
    by_flows[i] = (char)((f->at[i].reads & FUSED_PHI) != 0);
  }
  put_in_block(d, FUSED_BLOCK_SETUP, needed, FUSED_SETUP, by_flows);
  put_in_block(d, FUSED_BLOCK_FLOWS, needed, FUSED_SETUP, d->blocks->is_in[FUSED_BLOCK_SETUP]);
  if (s->reached) {
    divide_halves(d);
  } else {
    char *late = marks(d);
    for (int i = 0; i < f->n; i++) {
      late[i] = (char)(needed[i] && !d->is_early[i]);
    }
    put_in_block(d, FUSED_BLOCK_EARLY, needed, FUSED_PLACE, late);
    put_in_block(d, FUSED_BLOCK_LATE, late, FUSED_PLACE, NULL);
  }
  for (int i = 0; i < s->n_phases; i++) {
    divide_phase(d, i, needed);
    find_rest(d, i);
  }
}

/* ---- values that are kept between blocks ---- */

static void find_reads(const division *d, int block)
{
  const fused_values *f = d->step->values;
  fused_schedule *b = d->blocks;
  for (int i = 0; i < f->n; i++) {
    const fused_list reads =
        b->is_in[block][i] ? fused_reads(f, fused_formula_in(b, f, block, i)) : (fused_list){0};
    for (int e = 0; e < reads.n; e++) {
      const int j = reads.at[e];
      if (!b->is_in[block][j]) {
        b->is_read[block][j] = 1;
        b->is_kept[f->at[j].home] = 1;
      }
    }
  }
}

/* Marks results as read by a block unless the block computes them itself. */
static void read_results(const division *d, int block, int n, const ir_expr *const nodes[])
{
  const fused_values *f = d->step->values;
  for (int i = 0; i < n; i++) {
    if (nodes[i] && fused_of(f, nodes[i]) && !d->blocks->is_in[block][nodes[i]->index]) {
      d->blocks->is_read[block][nodes[i]->index] = 1;
      d->blocks->is_kept[f->at[nodes[i]->index].home] = 1;
    }
  }
}

/* 1 if a block of a phase reads a value that is known only after the state is overwritten, later
 * than the block. */
static int reads_what_is_to_come(const division *d)
{
  const fused_step *s = d->step;
  for (int phase = 0; phase < s->n_phases; phase++) {
    const int begin = block_of_phase(phase, FUSED_BLOCK_BEGIN);
    for (int i = 0; i < FUSED_BLOCKS_OF_PHASE * s->values->n; i++) {
      const int value = i % s->values->n;
      if (d->blocks->is_read[begin + i / s->values->n][value] &&
          s->values->at[value].reads >= FUSED_NEW(phase)) {
        return 1;
      }
    }
  }
  return 0;
}

/* 1 if a block that runs after the state is overwritten reads an old value, or if an early end is
 * computed too late. */
static int reads_what_is_gone(const division *d)
{
  const fused_step *s = d->step;
  for (int i = 0; i < s->dim && s->advances >= 0 && !s->reached; i++) {
    const unsigned reads = fused_depends(s->values, s->end[i]);
    if (s->is_early[i] && fused_level(reads) > FUSED_TRY(s->advances)) {
      return 1;
    }
  }
  const int from = block_of_phase(s->advances + 1, FUSED_BLOCK_BEGIN);
  for (int block = from; block < FUSED_BLOCKS_MOST && s->advances >= 0; block++) {
    for (int i = 0; i < s->values->n; i++) {
      if (d->blocks->is_read[block][i] && d->is_early[i]) {
        return 1;
      }
    }
  }
  return 0;
}

/* ---- blocks for zero unknowns ---- */

int fused_starts_at_zero(const fused_phase *p)
{
  int all = p->n > 0 && p->n <= FUSED_COFACTORS_MOST;
  for (int i = 0; i < p->n; i++) {
    all &= ir_is_zero(p->guess[i]);
  }
  return all;
}

const ir_expr *fused_formula_in(const fused_schedule *b, const fused_values *f, int block, int i)
{
  return b->formula[block] ? b->formula[block][i] : f->at[i].formula;
}

/* Substitutes now[] for values in the formulas of a block. A formula that becomes a number or a
 * single value replaces its value from then on. */
static void write_anew(const division *d, int block, int as, const ir_expr *now[])
{
  const fused_values *f = d->step->values;
  fused_schedule *b = d->blocks;
  b->formula[as] = ARENA_ARRAY(d->memory, f->n + 1, const ir_expr *);
  for (int i = 0; i < f->n; i++) {
    if (b->is_in[block][i]) {
      const ir_expr *e = ir_substitute(f->context, IR_VALUE, now, f->at[i].formula);
      b->formula[as][i] = e;
      now[i] = e->kind == IR_NUMBER || e->kind == IR_INPUT ? e : now[i];
    }
  }
}

/* Selects the values of a block with its own formulas: those that these nodes need, and those that
 * other blocks read. */
static void put_anew(const division *d, int block, int as, int n, const ir_expr *const nodes[])
{
  const fused_values *f = d->step->values;
  fused_schedule *b = d->blocks;
  char *needed = marks(d);
  for (int j = 0; j < n; j++) {
    if (fused_of(f, nodes[j])) {
      needed[nodes[j]->index] = 1;
    }
  }
  for (int i = f->n - 1; i >= 0; i--) {
    if (!b->is_in[block][i] || !(needed[i] || b->is_kept[f->at[i].home])) {
      continue;
    }
    b->is_in[as][i] = 1;
    const fused_list reads = fused_reads(f, b->formula[as][i]);
    for (int j = 0; j < reads.n; j++) {
      needed[reads.at[j]] = 1;
    }
  }
  find_reads(d, as);
}

static void begin_at_zero(const division *d, int i)
{
  const fused_phase *p = &d->step->phase[i];
  const fused_values *f = d->step->values;
  const int start = block_of_phase(i, FUSED_BLOCK_START);
  const int first = block_of_phase(i, FUSED_BLOCK_FIRST);
  const int residual = block_of_phase(i, FUSED_BLOCK_RESIDUAL);
  const int correct = block_of_phase(i, FUSED_BLOCK_CORRECT);
  const ir_expr **now = ARENA_ARRAY(d->memory, f->n + 1, const ir_expr *);
  const ir_expr *results[2 * FUSED_UNKNOWNS_MOST];
  if (!fused_starts_at_zero(p)) {
    return;
  }
  for (int j = 0; j < f->n; j++) {
    now[j] = ir_input(f->context, IR_VALUE, j);
  }
  for (int j = 0; j < p->n; j++) {
    now[p->unknown[j]->index] = p->guess[j];
  }
  write_anew(d, residual, start, now);
  write_anew(d, correct, first, now);
  for (int j = 0; j < p->n + p->n_pivots; j++) {
    results[j] = j < p->n ? p->change[j] : p->pivot[j - p->n];
  }
  put_anew(d, correct, first, p->n + p->n_pivots, results);
  put_anew(d, residual, start, p->n, p->F);
  read_results(d, start, p->n, p->F);
  read_results(d, start, p->n, p->over_scale);
  read_results(d, first, p->n + p->n_pivots, results);
}

const fused_schedule *fused_schedule_create(arena *a, const fused_step *s)
{
  const fused_values *f = s->values;
  fused_schedule *b = ARENA_NEW(a, fused_schedule);
  division d = {a, s, b, ARENA_ARRAY(a, f->n + 1, fused_list), ARENA_ARRAY(a, f->n + 1, char)};
  b->is_kept = ARENA_ARRAY(a, f->n + 1, char);
  for (int block = 0; block < FUSED_BLOCKS_MOST; block++) {
    b->is_in[block] = ARENA_ARRAY(a, f->n + 1, char);
    b->is_read[block] = ARENA_ARRAY(a, f->n + 1, char);
  }
  for (int i = 0; i < f->n; i++) {
    if (f->at[i].formula) {
      d.reads[i] = fused_reads_kept(f, f->at[i].formula);
    }
  }
  find_early(&d);
  schedule_divide(&d);
  for (int block = 0; block < FUSED_BLOCKS_MOST; block++) {
    find_reads(&d, block);
  }
  for (int i = 0; i < s->n_phases; i++) {
    const fused_phase *p = &s->phase[i];
    read_results(&d, block_of_phase(i, FUSED_BLOCK_RESIDUAL), p->n, p->F);
    read_results(&d, block_of_phase(i, FUSED_BLOCK_RESIDUAL), p->n, p->over_scale);
    read_results(&d, block_of_phase(i, FUSED_BLOCK_CORRECT), p->n, p->change);
    read_results(&d, block_of_phase(i, FUSED_BLOCK_CORRECT), p->n_pivots, p->pivot);
  }
  mark_results(&d, mark_homes, OUTSIDE, b->is_kept);
  for (int i = 0; i < s->n_phases; i++) {
    begin_at_zero(&d, i);
  }
  return reads_what_is_gone(&d) || reads_what_is_to_come(&d) ? NULL : b;
}
