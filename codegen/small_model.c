/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "small_model.h"

#include <string.h>

#include "analysis/analysis.h"
#include "symbolic/symbolic.h"

const char *small_model_sizes(arena *a, const model *m)
{
  const char *text = "";
  for (int i = 0; i < m->n_sizes; i++) {
    text =
        arena_printf(a, "%s%s%s = %ld", text, i ? ", " : "", m->sizes[i]->name, m->sizes[i]->value);
  }
  return text;
}

static int has_all_instances(const model *m)
{
  int all = 1;
  for (int i = 0; i < m->n_terms; i++) {
    all = all && m->terms[i]->count > 0;
  }
  for (int i = 0; i < m->n_constraints; i++) {
    all = all && m->constraints[i]->count > 0;
  }
  for (int i = 0; i < m->n_invariants; i++) {
    all = all && m->invariants[i]->count > 0;
  }
  return all;
}

/* The value for a size.  With is_sparse, sets that contain elements of index data get 2 value + 1
 * elements, so that a sample leaves some of them unused. */
static long size_at(const model *m, const model_size *size, long value, int is_sparse)
{
  for (int i = 0; i < m->n_indices && is_sparse; i++) {
    const model_set *target = m->indices[i]->target;
    if (target->is_range && target->upper->kind == INDEX_SIZE && target->upper->size == size) {
      return 2 * value + 1;
    }
  }
  return value;
}

const model *small_model_at(arena *a, const compilation *c, long value, int is_sparse)
{
  const model *m = c->model;
  model_size_setting *sizes = ARENA_ARRAY(a, m->n_sizes + 1, model_size_setting);
  for (int i = 0; i < m->n_sizes; i++) {
    sizes[i] = (model_size_setting){.name = m->sizes[i]->name,
                                    .value = size_at(m, m->sizes[i], value, is_sparse)};
  }
  return model_at(a, m, value ? m->n_sizes : 0, sizes);
}

/* 1 if sizes of the generator's choice say nothing about others with these facts: no point was
 * found there, M or M^H is empty, or a fault was seen at points and is not proved. */
static int is_of_sizes(const record *found)
{
  return found->refused == REFUSED_NO_POINT || found->refused == REFUSED_DEPENDENT ||
         found->refused == REFUSED_NO_MOTION || found->refused == REFUSED_NOT ||
         (found->refused == REFUSED_FLAT && !found->independence.base) ||
         (found->refused == REFUSED_DEGENERATE && !fact_proved(&found->N.singular));
}

/* 1 if the analysis gives a verdict other than a refusal. */
static int is_accepted(const compilation *c)
{
  return !c->found->refused && (c->program->nc == 0 || c->found->M.points > 0);
}

/* 1 if the graph of the sample may be the only reason for a refusal, so that other data may be
 * possible. */
static int is_of_sample(const compilation *c, const record *found)
{
  /* With other indices than the sample's, constraints may share no entries and commute, and N may
   * be invertible. */
  const int is_of_indices =
      c->model->n_indices > 0 && ((found->refused == REFUSED_SECOND_CLASS && c->loops->shares) ||
                                  found->refused == REFUSED_DEGENERATE);
  return is_of_indices || is_of_sizes(found);
}

static int has_own_sizes(const compilation *c, const model *small)
{
  int same = 1;
  for (int i = 0; i < small->n_sizes; i++) {
    same = same && small->sizes[i]->value == c->model->sizes[i]->value;
  }
  return same;
}

/* Limit on sizes of the generator's choice that are set aside. */
#define MOST_ASIDE 6

/* Keeps the facts of sizes or of a sample that give no verdict. */
static void set_aside(compilation *c)
{
  c->aside[c->n_aside++] = (aside){c->sibling, c->found, c->examined, c->program};
  c->found = NULL;
  c->program = NULL;
  c->examined = NULL;
  c->sibling = "";
}

/* Limit on the sum of degrees of freedom and constraints of a graph, or of a model at more than the
 * smallest sizes, that is examined with one formula per instance. */
#define MOST_GIVEN 240

/* After this many failures, the model counts as too large at all sizes.  Each attempt costs time
 * proportional to the length of sums over fixed sets. */
#define SIBLING_FAILURES 3

/* The state of a search for sizes that give a verdict. */
typedef struct sibling_search {
  int failed;   /* number of sizes at which the model could not be unrolled */
  int skipped;  /* number of sizes of the generator's choice at which it is too large */
  double spent; /* work so far, in units of the limit for one analysis */
} sibling_search;

/* Unrolls and analyses the model at other sizes, or at its own, unless too many attempts have
 * failed.  Sizes other than the model's own that are refused or have no point are set aside. */
static void try_sibling(arena *a, compilation *c, const model *small, int is_large,
                        sibling_search *search)
{
  const int is_own = small && has_own_sizes(c, small);
  if (!small || c->found || search->failed >= SIBLING_FAILURES ||
      (!is_own && c->n_aside >= MOST_ASIDE)) {
    return;
  }
  if ((is_large || c->n_aside) && small->nq + small->nc > MOST_GIVEN) {
    search->skipped += small != c->model;
    return;
  }
  c->sibling = small_model_sizes(a, small);
  if (!is_own && search->spent >= 1) {
    set_aside(c);
    return;
  }
  diagnostics *unseen = diagnostics_create(a, c->file, small->text, strlen(small->text));
  c->program = symbolic_lower(a, unseen, small, c->context);
  if (!c->program) {
    c->sibling = "";
    ++search->failed;
    return;
  }
  c->examined = small;
  c->found = analyse(a, c->context, c->program);
  search->spent += c->found->spent;
  if (!model_first_data(c->model) && !is_accepted(c) && !is_own) {
    set_aside(c);
  }
}

static void restore(compilation *c, const aside *kept)
{
  c->sibling = kept->at;
  c->found = kept->found;
  c->examined = kept->examined;
  c->program = kept->program;
}

/* Restores the first sizes that were set aside if several sizes are refused for proved reasons that
 * are not of these sizes alone, and none of the generator's choice was left out.  Sizes that were
 * not examined may be good. */
static void refuse_at_all(compilation *c, const sibling_search *search)
{
  int all = c->n_aside > 1 && !c->found && !search->skipped && !search->failed;
  for (int i = 0; i < c->n_aside; i++) {
    all = all && c->aside[i].found && !is_of_sizes(c->aside[i].found);
  }
  if (all) {
    restore(c, &c->aside[0]);
    c->n_aside = 0;
  }
}

/* Sizes with an instance of every family and at most as many constraints as coordinates come first,
 * then sizes with more constraints, then sizes that lack a family.  In each case the present sizes
 * come last.  Sizes that hide a fault or have one of their own do not replace sizes that were set
 * aside. */
static void analyse_at(arena *a, compilation *c, int is_sparse)
{
  enum { SMALL = 6, TRIED = 11, KINDS = 3 };
  static const long smallest[TRIED] = {2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48};
  /* If brackets are examined, some instances should be neighbours and others not. */
  static const long small_ones[TRIED] = {5, 6, 8, 4, 3, 2, 12, 16, 24, 32, 48};
  const long *sizes = c->loops->shares ? small_ones : smallest;
  const model *models[TRIED + 1] = {NULL};
  const int n = c->model->n_sizes > 0 ? TRIED : 0;
  sibling_search search = {0};
  c->sibling = "";
  c->program = NULL;
  c->found = NULL;
  for (int kind = 0; kind < KINDS && !c->found && !c->n_aside; kind++) {
    for (int i = 0; i <= n && !c->found && search.failed < SIBLING_FAILURES; i++) {
      if (kind == 0) {
        models[i] = i < n ? small_model_at(a, c, sizes[i], is_sparse) : c->model;
      }
      const model *m = models[i];
      const int of_kind = !m ? KINDS : !has_all_instances(m) ? 2 : m->nc > m->nq;
      try_sibling(a, c, of_kind == kind ? m : NULL, i >= SMALL && i < n, &search);
    }
  }
  if (!model_first_data(c->model)) {
    refuse_at_all(c, &search);
  }
}

/* Analyses a sample in which some elements are unused.  If it is refused, analyses one in which all
 * elements are used. */
static void analyse_sample(arena *a, compilation *c)
{
  analyse_at(a, c, 1);
  if (c->found && !is_accepted(c)) {
    const aside sparse = {c->sibling, c->found, c->examined, c->program};
    analyse_at(a, c, 0);
    if (!c->found) {
      restore(c, &sparse);
    }
  }
  c->sibling = c->program ? arena_printf(a, "sample data, %s", c->sibling) : "";
  if (c->found && !is_accepted(c) && is_of_sample(c, c->found)) {
    set_aside(c);
  }
}

void small_model_analyse(arena *a, compilation *c)
{
  c->n_aside = 0;
  c->aside = ARENA_ARRAY(a, MOST_ASIDE + 1, aside);
  if (model_first_data(c->model)) {
    analyse_sample(a, c);
  } else {
    analyse_at(a, c, 0);
  }
}

/* The program with its defaults replaced by these parameters. */
static const ir_program *with_parameters(arena *a, ir_context *c, const ir_program *of,
                                         const double k[])
{
  ir_program *program = ARENA_NEW(a, ir_program);
  double *values = ARENA_ARRAY(a, of->nk + 1, double);
  const ir_expr **exact = ARENA_ARRAY(a, of->nk + 1, const ir_expr *);
  mpq_t number;
  mpq_init(number);
  for (int i = 0; i < of->nk; i++) {
    values[i] = k[i];
    exact[i] = of->k_exact[i];
    if (k[i] != of->k_default[i]) { /* keeps exact defaults such as 1/3 */
      mpq_set_d(number, k[i]);
      exact[i] = ir_number(c, number);
    }
  }
  mpq_clear(number);
  *program = *of;
  program->k_default = values;
  program->k_exact = exact;
  return program;
}

const char *small_model_with(arena *a, compilation *c, const given_data *data)
{
  const model *own = c->model;
  diagnostics *unseen = diagnostics_create(a, c->file, own->text, strlen(own->text));
  const model *m = model_at(a, own, data->n, data->settings);
  if (!m) {
    return "the model has errors at the sizes of the data";
  }
  if (m->nq + m->nc > MOST_GIVEN) {
    return arena_printf(
        a,
        "%ld degrees of freedom and %ld constraints are too many to be examined one "
        "by one (at most %d together); each run checks its data",
        m->nq, m->nc, MOST_GIVEN);
  }
  const ir_program *program =
      m->nq > 0 && m->nc <= m->nq ? symbolic_lower(a, unseen, m, c->context) : NULL;
  if (!program || program->nk != data->nk) {
    return m->nc > m->nq
               ? arena_printf(a, "%ld constraints on %ld degrees of freedom are too many", m->nc,
                              m->nq)
               : "the model cannot be written with a formula for each instance at these data";
  }
  c->model = m;
  c->program = with_parameters(a, c->context, program, data->k);
  c->found = analyse(a, c->context, c->program);
  c->examined = m;
  c->n_aside = 0;
  c->sibling = arena_printf(a, "the data of %s", data->file);
  c->data = data->file;
  return NULL;
}
