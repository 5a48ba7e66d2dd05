/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"

#include <errno.h>
#include <flint/flint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "common/files.h"
#include "emit/model_source.h"
#include "emit/reserved.h"
#include "emit/step_source.h"
#include "emit/witness_table.h"
#include "expr/acceleration.h"
#include "language/syntax.h"
#include "report/page.h"
#include "sidewinder/methods.h"
#include "symbolic/symbolic.h"
#include "witness/witness.h"

/* The text alone does not say what was generated: a size may have been set. */
static const char *digest_of(arena *a, const model *m)
{
  const char *sizes = "";
  for (int i = 0; i < m->n_sizes; i++) {
    const model_size *size = m->sizes[i];
    sizes = size->is_data ? sizes : arena_printf(a, "%s %s=%ld", sizes, size->name, size->value);
  }
  const char *parts[] = {m->text, sizes};
  return text_digest(a, parts, 2);
}

/* ---- checked model -> expressions, verdicts ---- */

static void describe(compilation *c)
{
  c->summary = page_summary(c);
  c->refusal = page_refusal(c);
  c->undivided = page_undivided(c);
  c->parts = page_parts(c);
}

/* Whether discrete gradients are wanted: the method that takes them is asked for. */
static int wants_discrete(const compilation *c)
{
  const char *method = c->model->run.method;
  return c->discrete || (method && !strcmp(method, "energy-momentum"));
}

/* Velocities that are solved for together, where discrete gradients differentiate the elimination: the C of 8 takes half a minute
 * to compile. */
#define MOST_SOLVED_DISCRETE 8

static int add_discrete(arena *a, diagnostics *d, compilation *c)
{
  if (!wants_discrete(c)) {
    return 1;
  }
  if (c->program->structure.solved > MOST_SOLVED_DISCRETE) {
    diagnostics_error(d, c->model->terms[0]->where,
                      "the mass matrix couples %d velocities, for which discrete gradients are too "
                      "long: the method energy-momentum takes at most %d",
                      c->program->structure.solved, MOST_SOLVED_DISCRETE);
    return 0;
  }
  ir_program *program = ARENA_NEW(a, ir_program);
  *program = *c->program;
  c->program = program;
  return symbolic_discrete(a, d, c->model, c->context, program);
}

static int add_discrete_loops(arena *a, diagnostics *d, compilation *c)
{
  if (!wants_discrete(c)) {
    return 1;
  }
  ir_loops *loops = ARENA_NEW(a, ir_loops);
  *loops = *c->loops;
  c->loops = loops;
  return symbolic_loop_discrete(a, d, c->model, c->context, loops);
}

static int unroll(arena *a, diagnostics *d, compilation *c)
{
  c->program = symbolic_lower(a, d, c->model, c->context);
  if (!c->program || !add_discrete(a, d, c)) {
    return 0;
  }
  c->found = analyse(a, c->context, c->program);
  describe(c);
  return 1;
}

/* "N = 3, K = 2". */
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

/* What all sizes are to be; where it is sparse, a set of which indices are elements has more of them, so that a sample need not use one
 * for everything. */
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

/* The model at other sizes: all of them `value`, or the model's own, from its text, where it is 0.  NULL where it is
 * no model at these. */
static const model *model_at(arena *a, const compilation *c, long value, int is_sparse)
{
  const model *m = c->model;
  model_size_setting *sizes = ARENA_ARRAY(a, m->n_sizes + 1, model_size_setting);
  for (int i = 0; i < m->n_sizes; i++) {
    sizes[i] = (model_size_setting){m->sizes[i]->name, size_at(m, m->sizes[i], value, is_sparse)};
  }
  diagnostics *unseen = diagnostics_create(a, c->file, m->text, strlen(m->text));
  return model_check(a, unseen, c->file, m->text, strlen(m->text), value ? m->n_sizes : 0, sizes);
}

/* What cannot be unrolled at this many sizes is taken to be too large at all of them: each try costs as much
 * as the sums over fixed sets are long. */
#define SIBLING_FAILURES 3

/* Unrolls the model at other sizes, unless too many of these have failed. */
static void try_sibling(arena *a, compilation *c, const model *small, int *failed)
{
  if (!small || c->program || *failed >= SIBLING_FAILURES) {
    return;
  }
  diagnostics *unseen = diagnostics_create(a, c->file, small->text, strlen(small->text));
  c->program = symbolic_lower(a, unseen, small, c->context);
  if (c->program) {
    c->sibling = sizes_text(a, small);
  } else {
    ++*failed;
  }
}

/* The smallest sizes with an instance of everything, or else of anything, and at last the present ones. */
static void find_sibling(arena *a, compilation *c, int is_sparse)
{
  enum { TRIED = 6 };
  static const long smallest[TRIED] = {2, 3, 4, 5, 6, 8};
  /* Where brackets are looked at, some instances should be neighbours and others not. */
  static const long small_ones[TRIED] = {5, 6, 8, 4, 3, 2};
  const long *sizes = c->loops->shares ? small_ones : smallest;
  const model *incomplete[TRIED + 1] = {NULL};
  int n = c->model->n_sizes > 0 ? TRIED : 0;
  int failed = 0;
  for (int i = 0; i <= n && !c->program && failed < SIBLING_FAILURES; i++) {
    const model *small = i < n ? model_at(a, c, sizes[i], is_sparse) : c->model;
    int is_complete = small && has_all_instances(small);
    incomplete[i] = is_complete ? NULL : small;
    try_sibling(a, c, is_complete ? small : NULL, &failed);
  }
  for (int i = 0; i <= n; i++) {
    try_sibling(a, c, incomplete[i], &failed);
  }
}

/* Whether a sample's graph may be the only reason why it is refused: other data may well be possible. */
static int is_of_sample(const record *found)
{
  return found->refused == REFUSED_NO_POINT || found->refused == REFUSED_DEPENDENT ||
         found->refused == REFUSED_NO_MOTION ||
         (found->refused == REFUSED_FLAT && !found->independence.base);
}

static void analyse_at(arena *a, compilation *c, int is_sparse)
{
  c->sibling = "";
  c->program = NULL;
  c->found = NULL;
  find_sibling(a, c, is_sparse);
  if (c->program) {
    c->found = analyse(a, c->context, c->program);
  }
}

/* A graph with elements that nothing reads, and then one of which everything is read: what they do not agree on is of the sample. */
static void analyse_sample(arena *a, compilation *c)
{
  analyse_at(a, c, 1);
  if (c->found && c->found->refused) {
    analyse_at(a, c, 0);
  }
  if (c->found && is_of_sample(c->found)) {
    c->found = NULL;
    c->program = NULL;
    c->sibling = "";
  }
  c->sibling = c->program ? arena_printf(a, "sample data, %s", c->sibling) : "";
}

/* What all instances have in common is read off a small model. */
static void analyse_sibling(arena *a, compilation *c)
{
  if (model_first_data(c->model)) {
    analyse_sample(a, c);
  } else {
    analyse_at(a, c, 0);
  }
  describe(c);
}

/* Loops for a model, which becomes the compilation's.  How many constraints data has, a run finds out. */
static int loop_model(arena *a, diagnostics *d, const model *m, compilation *c)
{
  if (m->nc > m->nq && !model_first_data(m)) {
    diagnostics_error(d, m->constraints[0]->where,
                      "%ld constraints on %ld degrees of freedom: independent constraints that "
                      "commute are at most as many as these (paper 000, Remark 3.2)",
                      m->nc, m->nq);
    return 0;
  }
  c->loops = symbolic_loop(a, d, m, c->context);
  if (!c->loops) {
    return 0;
  }
  c->model = m;
  if (!add_discrete_loops(a, d, c)) {
    return 0;
  }
  analyse_sibling(a, c);
  return 1;
}

static int loop(arena *a, diagnostics *d, compilation *c)
{
  const model *m = c->model;
  if (c->at_own_sizes) {
    diagnostics *unseen = diagnostics_create(a, c->file, m->text, strlen(m->text));
    const model *own = model_at(a, c, 0, 0);
    if (own && loop_model(a, unseen, own, c)) {
      return 1;
    }
  }
  return loop_model(a, d, m, c);
}

/* For a model that is large.  Where nothing is known about brackets for all sizes, an unrolled one knows
 * more, if there is one. */
static int loop_or_unroll(arena *a, diagnostics *d, diagnostics *unseen, compilation *c)
{
  compilation unrolled = *c;
  int looped = loop(a, d, c);
  if (looped && !c->loops->shares) {
    return 1;
  }
  if (unroll(a, unseen, &unrolled)) {
    *c = unrolled;
    return 1;
  }
  return looped;
}

/* A model whose graph is data has loops, as nobody knows how many instances it has. */
static int lower_data(arena *a, diagnostics *d, lowering how, compilation *c)
{
  if (how == LOWERING_UNROLLED) {
    diagnostics_error(d, *model_first_data(c->model),
                      "this model takes data, and so cannot be unrolled: its sets are known when it "
                      "runs; leave --lowering unrolled out");
    return 0;
  }
  return loop(a, d, c);
}

/* One of the two lowerings, or the one that fits best and then the other; 0 after errors in *d. */
static int lower(arena *a, diagnostics *d, lowering how, compilation *c)
{
  const model *m = c->model;
  if (model_first_data(m)) {
    return lower_data(a, d, how, c);
  }
  int is_small = m->n_sizes == 0 || m->nq + m->nc <= LOWERING_SMALL;
  if (how != LOWERING_AUTO) {
    return how == LOWERING_LOOPED ? loop(a, d, c) : unroll(a, d, c);
  }
  diagnostics *unseen = diagnostics_create(a, c->file, m->text, strlen(m->text));
  if (m->n_sizes == 0) {
    return unroll(a, d, c);
  }
  return is_small ? unroll(a, d, c) || loop(a, unseen, c) : loop_or_unroll(a, d, unseen, c);
}

/* A base method of the run line that needs parts of H, where it has none.  With loops it may have some without, so that
 * this is up to whoever runs it. */
static int check_base(diagnostics *d, const compilation *c)
{
  const char *base = c->model->run.base;
  span where;
  if (!base || strcmp(base, SW_SPLITTING) != 0 || !c->undivided || c->loops) {
    return 1;
  }
  const char *words = page_undivided_at(c, &where);
  diagnostics_error(d, where, "base = %s: %s", base, words);
  diagnostics_print(d, stderr);
  return 0;
}

/* Of which method over which base method NAME_step.c is to be the step. */
static void choose_step(const model_run *run, const compile_settings *settings, emit_input *in)
{
  const sw_method *of_run = sw_method_find(run->method ? run->method : "rattle");
  in->step_method = settings->method ? sw_method_find(settings->method) : of_run;
  in->step_base = settings->base ? settings->base : "none";
  if (!settings->base && in->step_method) {
    in->step_base = sw_method_base(in->step_method, of_run, run->base);
  }
  in->step_compensated = settings->compensated ? settings->compensated > 0 : run->compensated;
}

/* These functions are large, so that only who asks for them has them. */
static int wants_acceleration(const model *m, const compile_settings *settings)
{
  return settings->variational || (m->run.method && strcmp(m->run.method, "variational") == 0);
}

static int add_acceleration(diagnostics *d, compilation *c)
{
  const ir_program *program = ir_with_acceleration(c->context, c->program);
  if (!program) {
    diagnostics_error(d, c->model->terms[0]->where,
                      "the method variational takes second derivatives of accelerations, which "
                      "have more than %d operations here, with %d degrees of freedom: no C "
                      "compiler would take them in reasonable time.  Leave '--with variational' "
                      "out for the other methods, or take coordinates with a simpler mass matrix, "
                      "such as Cartesian ones with constraints",
                      ACCELERATION_MOST, c->program->nq);
    diagnostics_print(d, stderr);
    return 0;
  }
  c->program = program;
  return 1;
}

outcome compile_model(arena *a, const char *path, const compile_settings *settings, compilation *c)
{
  *c = (compilation){
      .file = path, .at_own_sizes = settings->at_own_sizes, .discrete = settings->discrete};

  /* path -> text */
  size_t length = 0;
  const char *text = file_read(a, path, SYNTAX_MAX_TEXT, &length);
  if (!text) {
    fprintf(stderr, "sidewinder: cannot read '%s': %s\n", path,
            errno == EINVAL ? "it is not a regular file" : strerror(errno));
    return OUTCOME_WRONG;
  }

  /* text -> checked model */
  diagnostics *d = diagnostics_create(a, path, text, length);
  c->model = model_check(a, d, path, text, length, settings->n_sizes, settings->sizes);
  if (!c->model) {
    diagnostics_print(d, stderr);
    return OUTCOME_WRONG;
  }
  const char *fault = emit_model_name_fault(a, c->model->name);
  if (fault) {
    diagnostics_error(d, c->model->where, "a model cannot have the name '%s': %s; use another name",
                      c->model->name, fault);
    diagnostics_print(d, stderr);
    return OUTCOME_WRONG;
  }

  /* checked model -> expressions in our own normal form -> verdicts */
  c->context = ir_context_create(a);
  if (!lower(a, d, settings->how, c)) {
    diagnostics_print(d, stderr);
    return OUTCOME_WRONG;
  }
  c->digest = digest_of(a, c->model);
  if (*c->refusal) {
    return OUTCOME_NO;
  }

  if (!check_base(d, c)) {
    c->summary = NULL; /* as below */
    return OUTCOME_WRONG;
  }

  /* expressions -> those of accelerations, too */
  if (c->loops && wants_acceleration(c->model, settings)) {
    c->loops = ir_with_directions(c->context, c->loops);
  } else if (c->program && wants_acceleration(c->model, settings) && !add_acceleration(d, c)) {
    c->summary = NULL; /* as above */
    return OUTCOME_WRONG;
  }

  /* expressions and verdicts -> C */
  emit_input input = {.model = c->model,
                      .program = c->program,
                      .found = c->found,
                      .loops = c->loops,
                      .hamiltonian = page_hamiltonian_text(c),
                      .summary = c->summary,
                      .undivided = c->undivided,
                      .parts = c->parts,
                      .digest = c->digest};
  c->source = emit_source(a, c->context, &input);
  const char *beyond = ir_context_refusal(c->context);
  if (beyond) {
    diagnostics_error(
        d, c->model->where,
        "%s, which is too large or too small for a double; write the model in other units, in "
        "which lengths, momenta and energies are nearer to one",
        beyond);
    diagnostics_print(d, stderr);
    c->summary = NULL; /* it would say that the methods apply */
    return OUTCOME_WRONG;
  }
  choose_step(&c->model->run, settings, &input);
  c->step_source = emit_step_source(a, c->context, &input, &input.unfused);
  c->unfused = input.unfused;
  c->header = emit_header(a, &input);
  c->main_source = emit_main(a, c->model, 0, c->step_source != NULL);
  return OUTCOME_GOOD;
}

void compile_witness(arena *a, compilation *c)
{
  int with_rates = c->loops ? c->loops->has_directions : c->program && c->program->n_weights > 0;
  const sw_witness *table = witness_create(a, c->model, c->loops != NULL, with_rates, c->digest);
  c->witness_source = emit_witness_table(a, c->model, table);
  c->main_source = emit_main(a, c->model, 1, c->step_source != NULL);
}

void compile_close(void)
{
  flint_cleanup();
}

void compilation_free(compilation *c)
{
  ir_context_free(c->context);
  c->context = NULL;
}
