/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/values.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

/* A search for the values that a formula reads. */
struct fused_search {
  unsigned *seen; /* indexed by ids: number of the last search that visited the node */
  unsigned ids;   /* length of that array */
  unsigned number;
  int *found;
  int n;
  size_t room;
  struct reads_of_form *form; /* two for each value: of its formula and of `direct` */
  int n_forms;
  size_t room_of_forms;
};

/* The values that a form of a value reads, computed on first use. */
typedef struct reads_of_form {
  const ir_expr *formula;
  fused_list reads;
} reads_of_form;

fused_values *fused_values_create(ir_context *c)
{
  fused_values *f = ARENA_NEW(ir_context_arena(c), fused_values);
  f->context = c;
  f->search = ARENA_NEW(ir_context_arena(c), struct fused_search);
  return f;
}

/* ---- registration of formulas ---- */

static void make_room_for(fused_values *f, unsigned id)
{
  if (id < f->formulas) {
    return;
  }
  const unsigned length = 2 * ir_context_size(f->context);
  const ir_expr **wider = ARENA_ARRAY(ir_context_arena(f->context), length, const ir_expr *);
  if (f->formulas) {
    memcpy(wider, f->value_of, f->formulas * sizeof(const ir_expr *));
  }
  f->value_of = wider;
  f->formulas = length;
}

void fused_equate(fused_values *f, const ir_expr *formula, const ir_expr *value)
{
  make_room_for(f, formula->id);
  f->value_of[formula->id] = value;
}

fused_value *fused_of(const fused_values *f, const ir_expr *value)
{
  return value->kind == IR_INPUT && value->space == IR_VALUE ? &f->at[value->index] : NULL;
}

/* ---- dependences ---- */

static void search_in(const fused_values *f, const ir_expr *e)
{
  struct fused_search *s = f->search;
  if (s->seen[e->id] == s->number) {
    return;
  }
  s->seen[e->id] = s->number;
  if (fused_of(f, e)) {
    s->found = arena_grow(ir_context_arena(f->context), s->found, (size_t)s->n, &s->room,
                          sizeof *s->found);
    s->found[s->n++] = e->index;
  }
  for (int i = 0; i < e->n; i++) {
    search_in(f, ir_operand(e, i));
  }
}

static int by_number(const void *a, const void *b)
{
  const int x = *(const int *)a;
  const int y = *(const int *)b;
  return (x > y) - (x < y);
}

fused_list fused_reads(const fused_values *f, const ir_expr *formula)
{
  struct fused_search *s = f->search;
  if (formula->id >= s->ids) {
    s->ids = 2 * ir_context_size(f->context);
    s->seen = ARENA_ARRAY(ir_context_arena(f->context), s->ids, unsigned);
    s->number = 0;
  }
  s->number++;
  s->n = 0;
  search_in(f, formula);
  if (s->n > 1) {
    qsort(s->found, (size_t)s->n, sizeof *s->found, by_number);
  }
  return (fused_list){s->n, s->found};
}

fused_list fused_reads_kept(const fused_values *f, const ir_expr *formula)
{
  const fused_list found = fused_reads(f, formula);
  int *kept = ARENA_ARRAY(ir_context_arena(f->context), found.n, int);
  for (int i = 0; i < found.n; i++) {
    kept[i] = found.at[i];
  }
  return (fused_list){found.n, kept};
}

static void need_value(const fused_list reads[], int i, char marks[])
{
  if (marks[i]) {
    return;
  }
  marks[i] = 1;
  for (int j = 0; j < reads[i].n; j++) {
    need_value(reads, reads[i].at[j], marks);
  }
}

void fused_need(const fused_list reads[], int n, const ir_expr *const nodes[], char marks[])
{
  for (int i = 0; i < n; i++) {
    if (nodes[i] && nodes[i]->kind == IR_INPUT) {
      need_value(reads, nodes[i]->index, marks);
    }
  }
}

/* Adds the dependences of a formula to *all. Stops when *left nodes are visited, shared ones
 * counted repeatedly. Returns 0 if it stopped. */
static int add_depends(const fused_values *f, const ir_expr *e, int *left, unsigned *all)
{
  const fused_value *value = fused_of(f, e);
  *all |= value ? value->reads : 0;
  for (int i = 0; i < e->n && --*left > 0; i++) {
    add_depends(f, ir_operand(e, i), left, all);
  }
  return *left > 0;
}

/* Most formulas are small and need no record of visited nodes. */
unsigned fused_depends(const fused_values *f, const ir_expr *formula)
{
  int left = 100;
  unsigned few = 0;
  if (add_depends(f, formula, &left, &few)) {
    return few;
  }
  const fused_list reads = fused_reads(f, formula);
  unsigned all = 0;
  for (int i = 0; i < reads.n; i++) {
    all |= f->at[reads.at[i]].reads;
  }
  return all;
}

int fused_level(unsigned reads)
{
  for (int phase = 13; phase >= 0; phase--) {
    if (reads & FUSED_NEW(phase)) {
      return FUSED_BEGIN(phase + 1);
    }
    if (reads & FUSED_U(phase)) {
      return FUSED_TRY(phase);
    }
  }
  return !(reads & FUSED_Z) ? FUSED_SETUP : reads & FUSED_H ? FUSED_BEGIN(0) : FUSED_PLACE;
}

static int is_tried(const fused_values *f, unsigned reads)
{
  return (reads & FUSED_U(f->phase)) != 0;
}

/* ---- new values ---- */

static const ir_expr *values_add(fused_values *f, fused_value value)
{
  f->at = arena_grow(ir_context_arena(f->context), f->at, (size_t)f->n, &f->room, sizeof *f->at);
  f->at[f->n] = value;
  return ir_input(f->context, IR_VALUE, f->n++);
}

const ir_expr *fused_given(fused_values *f, unsigned reads, const char *name, const char *note)
{
  return values_add(
      f, (fused_value){.name = name, .note = note, .home = f->n, .reads = reads, .basis = -1});
}

static void add_to_basis(fused_values *f, const ir_expr *value, int unknown, const ir_expr *rate)
{
  f->basis[f->n_basis] = value->index;
  f->unknown[f->n_basis] = unknown;
  f->rate[f->n_basis] = rate;
  f->at[value->index].basis = f->n_basis++;
  f->at[value->index].free = ir_integer(f->context, 0);
}

const ir_expr *fused_unknown(fused_values *f, const char *name, const char *note)
{
  const ir_expr *u = fused_given(f, FUSED_U(f->phase), name, note);
  add_to_basis(f, u, f->n_unknowns++, NULL);
  return u;
}

const ir_expr *fused_renewed(fused_values *f, const ir_expr *value)
{
  const fused_value *old = fused_of(f, value);
  return old ? values_add(f, (fused_value){.name = old->name,
                                           .note = old->note,
                                           .home = old->home,
                                           .reads = FUSED_NEW(f->phase),
                                           .basis = -1})
             : value;
}

static const ir_expr *register_value(fused_values *f, const char *name, const char *note,
                                     const ir_expr *formula, const ir_expr *free)
{
  const unsigned reads = fused_depends(f, formula);
  const ir_expr *value = values_add(f, (fused_value){.name = name,
                                                     .note = note,
                                                     .formula = formula,
                                                     .home = f->n,
                                                     .reads = reads,
                                                     .basis = -1,
                                                     .free = free});
  fused_equate(f, formula, value);
  return value;
}

const ir_expr *fused_angle(fused_values *f, const char *name, const ir_expr **sine,
                           const ir_expr **versine, const ir_expr **per_angle)
{
  ir_context *c = f->context;
  arena *a = ir_context_arena(c);
  const ir_expr *one = ir_integer(c, 1);
  const ir_expr *two = ir_integer(c, 2);
  const ir_expr *half = ir_power(c, two, -1, 1);
  const ir_expr *u =
      fused_given(f, FUSED_U(f->phase), arena_printf(a, "half_%s", name), "tan of half the angle");
  const ir_expr *more = fused_compute_as(f, ir_plus(c, one, ir_times(c, u, u)), "more_%s", name);
  const ir_expr *twice = ir_times(c, two, ir_times(c, u, ir_power(c, more, -1, 1)));
  *sine = fused_compute_as(f, twice, "sin_%s", name);
  *versine =
      fused_compute(f, arena_printf(a, "versine_%s", name), "1 - cos", ir_times(c, u, *sine));
  *per_angle = ir_times(c, half, more);
  add_to_basis(f, *sine, f->n_unknowns,
               fused_compute_as(f, ir_minus(c, one, *versine), "cos_%s", name));
  add_to_basis(f, *versine, f->n_unknowns++, *sine);
  return u;
}

/* ---- derivatives ---- */

static const ir_expr *slope_along(fused_values *f, const ir_expr *formula, int j);
static const ir_expr *slope_of_value(fused_values *f, int i, int j);

/* The same as a sum over the values that the formula reads. Each partial derivative is a value that
 * all entries of the basis share. */
static const ir_expr *slope_by_parts(fused_values *f, int i, int j)
{
  ir_context *c = f->context;
  const int n = f->n;
  const ir_expr *formula = f->at[i].formula;
  const ir_expr **seed = ir_zeros((size_t)n + 1, sizeof *seed);
  const ir_expr *sum = ir_integer(c, 0);
  const fused_list reads = fused_reads_kept(f, formula);
  for (int e = 0; e < reads.n; e++) {
    seed[reads.at[e]] = ir_integer(c, 0);
  }
  for (int e = 0; e < reads.n; e++) {
    const int k = reads.at[e];
    const ir_expr *slope = slope_of_value(f, k, j);
    if (!ir_is_zero(slope)) {
      seed[k] = ir_integer(c, 1);
      const ir_expr *part = ir_slope_along(c, IR_VALUE, seed, formula);
      seed[k] = ir_integer(c, 0);
      part = fused_define(f, arena_printf(ir_context_arena(c), "part_%d", f->n), "", part);
      sum = ir_plus(c, sum, ir_times(c, part, slope));
    }
  }
  free(seed);
  return sum;
}

/* The derivative of a value by entry j of the basis. */
static const ir_expr *slope_of_value(fused_values *f, int i, int j)
{
  ir_context *c = f->context;
  fused_value *v = &f->at[i];
  if (!is_tried(f, v->reads)) {
    return ir_integer(c, 0);
  }
  if (v->basis >= 0) {
    return ir_integer(c, v->basis == j);
  }
  if (!v->slope) {
    v->slope = ARENA_ARRAY(ir_context_arena(c), FUSED_BASIS_MOST, const ir_expr *);
  }
  if (!f->at[i].slope[j]) {
    const char *name = arena_printf(ir_context_arena(c), "d_%s_%d", v->name, j + 1);
    const ir_expr *slope = fused_define(
        f, name, "", f->by_parts ? slope_by_parts(f, i, j) : slope_along(f, v->formula, j));
    f->at[i].slope[j] = slope;
  }
  return f->at[i].slope[j];
}

static const ir_expr *slope_along(fused_values *f, const ir_expr *formula, int j)
{
  const int n = f->n; /* slopes of values are new values, which this formula does not read */
  const ir_expr **seed = ir_zeros((size_t)n + 1, sizeof *seed);
  const fused_list reads = fused_reads_kept(f, formula);
  for (int i = 0; i < reads.n; i++) {
    seed[reads.at[i]] = slope_of_value(f, reads.at[i], j);
  }
  const ir_expr *slope = ir_slope_along(f->context, IR_VALUE, seed, formula);
  free(seed);
  return slope;
}

const ir_expr *fused_slope(fused_values *f, const ir_expr *formula, int j)
{
  ir_context *c = f->context;
  const ir_expr *sum = ir_integer(c, 0);
  for (int b = 0; b < f->n_basis; b++) {
    if (f->unknown[b] == j) {
      const ir_expr *slope = slope_along(f, formula, b);
      sum = ir_plus(c, sum, f->rate[b] ? ir_times(c, slope, f->rate[b]) : slope);
    }
  }
  return sum;
}

/* ---- affine values ---- */

/* The formula at zero basis; NULL if it reads a value that is not affine. */
static const ir_expr *where_unknowns_are_zero(fused_values *f, const ir_expr *formula)
{
  ir_context *c = f->context;
  const ir_expr **values = ir_zeros((size_t)f->n + 1, sizeof *values);
  int is_affine = 1;
  const fused_list reads = fused_reads(f, formula);
  for (int e = 0; e < reads.n; e++) {
    const int i = reads.at[e];
    values[i] = ir_input(c, IR_VALUE, i);
    if (is_tried(f, f->at[i].reads)) {
      values[i] = f->at[i].free;
      is_affine &= values[i] != NULL;
    }
  }
  const ir_expr *result = is_affine ? ir_substitute(c, IR_VALUE, values, formula) : NULL;
  free(values);
  return result;
}

const ir_expr *fused_known(fused_values *f, const ir_expr *formula)
{
  if (formula->kind == IR_NUMBER || formula->kind == IR_PI || fused_of(f, formula)) {
    return formula;
  }
  make_room_for(f, formula->id);
  return f->value_of[formula->id];
}

/* The value of a slope, or the negative of an existing value, as for the two ends of a link. */
static const ir_expr *define_slope(fused_values *f, const char *name, const ir_expr *slope)
{
  ir_context *c = f->context;
  const ir_expr *before = fused_known(f, slope) ? NULL : fused_known(f, ir_negated(c, slope));
  return before ? ir_negated(c, before) : fused_define(f, name, "", slope);
}

/* free + sum_j slope_j b_j with *free_part, or NULL if the formula is not affine in the basis. */
static const ir_expr *affine(fused_values *f, const char *name, const ir_expr *formula,
                             const ir_expr **free_part, const ir_expr *slope[])
{
  ir_context *c = f->context;
  arena *a = ir_context_arena(c);
  *free_part = where_unknowns_are_zero(f, formula);
  if (!*free_part) {
    return NULL;
  }
  for (int j = 0; j < f->n_basis; j++) {
    slope[j] = slope_along(f, formula, j);
    if (is_tried(f, fused_depends(f, slope[j]))) {
      return NULL;
    }
  }
  *free_part = fused_define(f, arena_printf(a, "%s_free", name), "", *free_part);
  const ir_expr *sum = *free_part;
  for (int j = 0; j < f->n_basis; j++) {
    slope[j] = define_slope(f, arena_printf(a, "d_%s_%d", name, j + 1), slope[j]);
    sum = ir_plus(c, sum, ir_times(c, slope[j], ir_input(c, IR_VALUE, f->basis[j])));
  }
  return sum;
}

const ir_expr *fused_compute(fused_values *f, const char *name, const char *note,
                             const ir_expr *formula)
{
  const ir_expr *value = fused_known(f, formula);
  return value ? value : register_value(f, name, note, formula, NULL);
}

const ir_expr *fused_compute_as(fused_values *f, const ir_expr *formula, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *name = arena_vprintf(ir_context_arena(f->context), format, args);
  va_end(args);
  return fused_compute(f, name, "", formula);
}

const ir_expr *fused_compute_before(fused_values *f, const char *name, const ir_expr *formula,
                                    int level)
{
  const ir_expr *known = fused_known(f, formula);
  if (!known || fused_level(fused_depends(f, known)) < level) {
    return fused_compute(f, name, "", formula);
  }
  const ir_expr *value = register_value(f, name, "", formula, NULL);
  fused_equate(f, formula, known);
  return value;
}

const ir_expr *fused_define(fused_values *f, const char *name, const char *note,
                            const ir_expr *formula)
{
  const ir_expr *before = fused_known(f, formula);
  if (before) {
    return before;
  }
  if (!is_tried(f, fused_depends(f, formula))) {
    return register_value(f, name, note, formula, NULL);
  }
  const ir_expr *slope[FUSED_BASIS_MOST];
  const ir_expr *free_part = NULL;
  const ir_expr *sum = affine(f, name, formula, &free_part, slope);
  if (!sum) {
    return register_value(f, name, note, formula, NULL);
  }
  const ir_expr *value = fused_of(f, sum) ? sum : register_value(f, name, note, sum, free_part);
  fused_value *v = fused_of(f, value);
  if (v->basis < 0 && !v->slope) {
    v->slope = ARENA_ARRAY(ir_context_arena(f->context), FUSED_BASIS_MOST, const ir_expr *);
    memcpy(v->slope, slope, (size_t)f->n_basis * sizeof *slope);
  }
  v->direct = v->basis < 0 && !v->direct ? formula : v->direct;
  fused_equate(f, formula, value);
  return value;
}

/* ---- one value instead of another ---- */

/* The values that value i reads through its formula (form 0) or through `direct` (form 1). */
static fused_list reads_by_form(const fused_values *f, int i, int form)
{
  struct fused_search *s = f->search;
  const ir_expr *formula = form ? f->at[i].direct : f->at[i].formula;
  if (!formula) {
    return (fused_list){0};
  }
  for (; s->n_forms < 2 * f->n; s->n_forms++) {
    s->form = arena_grow(ir_context_arena(f->context), s->form, (size_t)s->n_forms,
                         &s->room_of_forms, sizeof *s->form);
    s->form[s->n_forms] = (reads_of_form){0};
  }
  reads_of_form *known = &s->form[2 * i + form];
  if (known->formula != formula) {
    *known = (reads_of_form){formula, fused_reads_kept(f, formula)};
  }
  return known->reads;
}

/* Marks values in one pass, because each value comes after those that it reads. */
char *fused_needing(const fused_values *f, int i)
{
  char *needs = ir_zeros((size_t)f->n + 1, 1);
  needs[i] = 1;
  for (int j = i + 1; j < f->n; j++) {
    for (int form = 0; form < 2 && !needs[j]; form++) {
      const fused_list reads = reads_by_form(f, j, form);
      for (int k = 0; k < reads.n && !needs[j]; k++) {
        needs[j] = needs[reads.at[k]];
      }
    }
  }
  return needs;
}

int fused_is_needed(const fused_values *f, int i, int n, const ir_expr *const nodes[])
{
  char *needs = fused_needing(f, i);
  int result = 0;
  for (int k = 0; k < n; k++) {
    result |= nodes[k] && fused_of(f, nodes[k]) && needs[nodes[k]->index];
  }
  free(needs);
  return result;
}

void fused_take_over(fused_values *f, const ir_expr *formula, const ir_expr *value, int n,
                     const ir_expr *const needed[])
{
  const ir_expr *before = fused_known(f, formula);
  const fused_value *old = before ? fused_of(f, before) : NULL;
  if (!old || !old->formula || fused_is_needed(f, before->index, n, needed)) {
    return;
  }
  f->at[before->index].formula = value;
  f->at[before->index].direct = NULL;
  f->at[before->index].reads = fused_depends(f, value);
  for (int j = before->index + 1; j < f->n; j++) {
    for (int form = 0; form < 2; form++) {
      const fused_list reads = reads_by_form(f, j, form);
      for (int k = 0; k < reads.n; k++) {
        f->at[j].reads |= f->at[reads.at[k]].reads;
      }
    }
  }
}

void fused_close_phase(fused_values *f)
{
  for (int i = 0; i < f->n; i++) {
    f->at[i].slope = NULL;
    f->at[i].free = NULL;
    f->at[i].basis = -1;
  }
  f->phase++;
  f->n_unknowns = 0;
  f->n_basis = 0;
}
