/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "small_model.h"

#include <string.h>

#include "analysis/analysis.h"
#include "symbolic/symbolic.h"

/* A description such as "N = 3, K = 2". */
static const char *sizes_text(arena *a, const model *m)
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

/* 1 if the reason for a refusal may be that of the small sizes alone: M or M^H is empty there, or
 * the fault was seen at points and is not proved. */
static int is_of_sizes(const record *found)
{
  return found->refused == REFUSED_NO_POINT || found->refused == REFUSED_DEPENDENT ||
         found->refused == REFUSED_NO_MOTION ||
         (found->refused == REFUSED_FLAT && !found->independence.base) ||
         (found->refused == REFUSED_DEGENERATE && !fact_proved(&found->N.singular));
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

/* Keeps the facts of small sizes or of a sample that give no verdict.  The first ones remain. */
static void set_aside(compilation *c)
{
  if (!c->of_sample) {
    c->of_sample = c->found;
    c->sample = c->sibling;
  }
  c->found = NULL;
  c->program = NULL;
  c->sibling = "";
}

/* Limit on the sum of degrees of freedom and constraints of a graph, or of a model at its own sizes
 * after smaller ones gave no verdict, that is examined with one formula per instance. */
#define MOST_GIVEN 240

/* After this many failures, the model counts as too large at all sizes.  Each attempt costs time
 * proportional to the length of sums over fixed sets. */
#define SIBLING_FAILURES 3

/* Unrolls and analyses the model at other sizes, unless too many attempts have failed. */
static void try_sibling(arena *a, compilation *c, const model *small, int *failed)
{
  if (!small || c->found || *failed >= SIBLING_FAILURES ||
      (c->of_sample && small->nq + small->nc > MOST_GIVEN)) {
    return;
  }
  diagnostics *unseen = diagnostics_create(a, c->file, small->text, strlen(small->text));
  c->program = symbolic_lower(a, unseen, small, c->context);
  if (!c->program) {
    ++*failed;
    return;
  }
  c->sibling = sizes_text(a, small);
  c->found = analyse(a, c->context, c->program);
  if (!model_first_data(c->model) && is_of_sizes(c->found) && !has_own_sizes(c, small)) {
    set_aside(c);
  }
}

/* Sizes with an instance of every family come first, then sizes that lack some.  In both cases the
 * present sizes come last. */
static void analyse_at(arena *a, compilation *c, int is_sparse)
{
  enum { TRIED = 6 };
  static const long smallest[TRIED] = {2, 3, 4, 5, 6, 8};
  /* If brackets are examined, some instances should be neighbours and others not. */
  static const long small_ones[TRIED] = {5, 6, 8, 4, 3, 2};
  const long *sizes = c->loops->shares ? small_ones : smallest;
  const model *incomplete[TRIED + 1] = {NULL};
  int n = c->model->n_sizes > 0 ? TRIED : 0;
  int failed = 0;
  c->sibling = "";
  c->program = NULL;
  c->found = NULL;
  for (int i = 0; i <= n && !c->found && failed < SIBLING_FAILURES; i++) {
    const model *small = i < n ? small_model_at(a, c, sizes[i], is_sparse) : c->model;
    int is_complete = small && has_all_instances(small);
    incomplete[i] = is_complete ? NULL : small;
    try_sibling(a, c, is_complete ? small : NULL, &failed);
  }
  /* Sizes that lack a family would hide its fault, so they do not replace sizes that were set
   * aside. */
  const int was_complete = c->of_sample != NULL;
  for (int i = 0; i <= n && !was_complete; i++) {
    try_sibling(a, c, incomplete[i], &failed);
  }
}

/* Analyses a sample in which some elements are unused.  If it is refused, analyses one in which all
 * elements are used. */
static void analyse_sample(arena *a, compilation *c)
{
  analyse_at(a, c, 1);
  if (c->found && c->found->refused) {
    analyse_at(a, c, 0);
  }
  c->sibling = c->program ? arena_printf(a, "sample data, %s", c->sibling) : "";
  if (c->found && is_of_sample(c, c->found)) {
    set_aside(c);
  }
}

void small_model_analyse(arena *a, compilation *c)
{
  c->of_sample = NULL;
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
  c->of_sample = NULL;
  c->sibling = arena_printf(a, "the data of %s", data->file);
  c->data = data->file;
  return NULL;
}
