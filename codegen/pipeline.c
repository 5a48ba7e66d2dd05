/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"

#include <errno.h>
#include <flint/flint.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "common/files.h"
#include "emit/c_names.h"
#include "emit/model_source.h"
#include "language/syntax.h"
#include "report/page.h"
#include "sidewinder/methods.h"
#include "small_model.h"
#include "symbolic/symbolic.h"
#include "witness/witness.h"

/* The digest includes the sizes: a size may have been set, so the text alone does not determine the
 * C. */
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

/* 1 if the settings or the run line ask for discrete gradients. */
static int wants_discrete(const compilation *c)
{
  const char *method = c->model->run.method;
  return c->discrete || (method && !strcmp(method, "energy-momentum"));
}

/* Limit on velocities that are solved for together with discrete gradients, which differentiate the
 * elimination.  The C for 8 velocities takes half a minute to compile. */
#define MOST_SOLVED_DISCRETE 8

/* Adds discrete gradients to the program or the loops in an attempt, if they are requested. Returns
 * 0 after an error in *d. */
static int add_discrete(arena *a, diagnostics *d, compilation *c)
{
  const int solved = c->loops ? 0 : c->program->structure.solved;
  if (!wants_discrete(c)) {
    return 1;
  }
  if (solved > MOST_SOLVED_DISCRETE) {
    c->undiscrete = arena_printf(a, "the mass matrix couples %d velocities, more than %d", solved,
                                 MOST_SOLVED_DISCRETE);
    return 1;
  }
  ir_program *program = c->loops ? NULL : ARENA_NEW(a, ir_program);
  ir_loops *loops = c->loops ? ARENA_NEW(a, ir_loops) : NULL;
  if (loops) {
    *loops = *c->loops;
  } else {
    *program = *c->program;
  }
  ir_attempt attempt = ir_attempt_begin(c->context, (size_t)IR_ATTEMPT_MIB_METHOD << 20);
  const int good = loops ? symbolic_loop_discrete(a, d, c->model, c->context, loops)
                         : symbolic_discrete(a, d, c->model, c->context, program);
  const char *excess = ir_attempt_excess(a, c->context);
  c->undiscrete = excess ? arena_printf(a, "their formulas %s", excess) : NULL;
  if (ir_attempt_settle(&attempt, good)) {
    c->program = program;
    c->loops = loops;
  }
  return good || c->undiscrete;
}

static int unroll(arena *a, diagnostics *d, compilation *c)
{
  c->program = symbolic_lower(a, d, c->model, c->context);
  if (!c->program || !add_discrete(a, d, c)) {
    return 0;
  }
  c->examined = c->model;
  c->found = analyse(a, c->context, c->program);
  describe(c);
  return 1;
}

/* Makes loops for a model, which becomes the model of the compilation. */
static int loop_model(arena *a, diagnostics *d, const model *m, compilation *c)
{
  c->loops = symbolic_loop(a, d, m, c->context);
  if (!c->loops) {
    return 0;
  }
  c->model = m;
  if (!add_discrete(a, d, c)) {
    return 0;
  }
  small_model_analyse(a, c);
  describe(c);
  return 1;
}

static int loop(arena *a, diagnostics *d, compilation *c)
{
  const model *m = c->model;
  if (c->at_own_sizes) {
    diagnostics *unseen = diagnostics_create(a, c->file, m->text, strlen(m->text));
    const model *own = small_model_at(a, c, 0, 0);
    if (own && loop_model(a, unseen, own, c) && !*c->refusal) {
      return 1;
    }
  }
  return loop_model(a, d, m, c);
}

/* Lowers a large model.  If the brackets could not be proved for all sizes, tries the unrolled
 * model, for which they can be proved. */
static int loop_or_unroll(arena *a, diagnostics *d, diagnostics *unseen, compilation *c)
{
  compilation unrolled = *c;
  int looped = loop(a, d, c);
  if (looped && (!c->loops->shares || (c->found && c->found->refused))) {
    return 1;
  }
  if (unroll(a, unseen, &unrolled)) {
    *c = unrolled;
    return 1;
  }
  return looped;
}

/* A model whose graph is data needs loops, because its number of instances is unknown. */
static int lower_data(arena *a, diagnostics *d, lowering how, compilation *c)
{
  if (how == LOWERING_UNROLLED) {
    diagnostics_error(
        d, *model_first_data(c->model),
        "this model takes data, and so cannot be unrolled: its sets are known when it "
        "runs; leave --lowering unrolled out");
    return 0;
  }
  return loop(a, d, c);
}

/* Applies the requested lowering, or the most suitable one and then the other.  Returns 0 after
 * errors in *d. */
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

/* Rejects a base method of the run line that needs parts of H if H has none.  With loops, H may
 * have parts at some sizes, so the check is left to the run. */
static int check_base(diagnostics *d, const compilation *c)
{
  const char *base = c->model->run.base;
  span where;
  if (!base || strcmp(base, SW_SPLITTING) != 0 || !c->undivided || c->loops) {
    return 1;
  }
  const char *words = page_undivided_at(c, &where);
  diagnostics_error(d, where, "base = %s: %s", base, words);
  return 0;
}

/* Chooses the method and base method of NAME_step.c. */
static void choose_step(const model_run *run, const compile_settings *settings, emit_input *in)
{
  const sw_method *of_run = sw_method_find(run->method ? run->method : "rattle");
  in->step_method = settings->method ? sw_method_find(settings->method) : of_run;
  in->step_base = settings->base ? settings->base : "none";
  if (!settings->base && in->step_method) {
    in->step_base = sw_method_base(in->step_method, of_run, run->base);
  }
  const int is_verlet = in->found && in->found->splitting.division == DIVISION_VERLET;
  if (is_verlet && strcmp(in->step_base, SW_SPLITTING) == 0) {
    in->step_base = "verlet"; /* the base that computes it */
  }
  in->step_compensated = settings->compensated ? settings->compensated > 0 : run->compensated;
}

/* 1 if the functions for `variational` are requested.  They are large, and therefore optional. */
static int wants_acceleration(const model *m, const compile_settings *settings)
{
  return settings->variational || (m->run.method && strcmp(m->run.method, "variational") == 0);
}

/* The model with loops in the place of an unrolled one: the runtime makes accelerations of
 * derivatives of kernels. */
static int loop_for_directions(arena *a, const compile_settings *settings, compilation *c)
{
  diagnostics *unseen = diagnostics_create(a, c->file, c->model->text, strlen(c->model->text));
  compilation looped = *c;
  looped.program = NULL;
  looped.found = NULL;
  if (settings->how != LOWERING_AUTO || !loop(a, unseen, &looped) || *looped.refusal) {
    return 0;
  }
  const char *why = NULL;
  looped.loops = ir_with_directions(c->context, looped.loops, &why);
  if (!looped.loops->has_directions) {
    return 0;
  }
  if (!looped.found) { /* keeps the facts of the unrolled model */
    looped.found = c->found;
    looped.program = c->program;
    looped.examined = c->examined;
    looped.sibling = small_model_sizes(a, c->model);
    describe(&looped);
  }
  *c = looped;
  c->digest = digest_of(a, c->model); /* the sizes may be the model's own */
  return 1;
}

/* Adds accelerations if they are not too long; otherwise loops, or neither. */
static void add_acceleration(arena *a, const compile_settings *settings, compilation *c)
{
  if (c->loops) {
    c->loops = ir_with_directions(c->context, c->loops, &c->unaccelerated);
    return;
  }
  c->program = ir_with_acceleration(c->context, c->program, &c->unaccelerated);
  if (c->unaccelerated && loop_for_directions(a, settings, c)) {
    c->unaccelerated = NULL;
  }
}

outcome compile_with_data(arena *a, compilation *c, const given_data *data)
{
  const char *wrong = small_model_with(a, c, data);
  if (wrong) {
    fprintf(stderr, "sidewinder: '%s' with %s: %s\n", c->file, data->file, wrong);
    c->summary = NULL;
    return OUTCOME_WRONG;
  }
  describe(c);
  return *c->refusal ? OUTCOME_NO : OUTCOME_GOOD;
}

static outcome report_errors(const diagnostics *d)
{
  diagnostics_print(d, stderr);
  return OUTCOME_WRONG;
}

/* Adds the lifted model, with the facts of the model.  Returns 0 after errors in *d. */
static int add_lifted(arena *a, diagnostics *d, const emit_input *of, compilation *c)
{
  const model *lifted = model_lift(a, d, c->model);
  model *named = lifted ? ARENA_COPY(a, model, lifted) : NULL;
  record *facts = of->found ? ARENA_COPY(a, record, of->found) : NULL;
  emit_input in = *of;
  if (!lifted) {
    return 0;
  }
  in.loops = c->loops ? symbolic_loop(a, d, lifted, c->context) : NULL;
  in.program = c->loops ? NULL : symbolic_lower(a, d, lifted, c->context);
  if (!in.loops && !in.program) {
    return 0;
  }
  named->name = arena_printf(a, "%s_lifted", c->model->name);
  if (facts) {
    facts->splitting = (record_splitting){0};
    facts->mass.watch = 0;
  }
  in.model = named;
  in.found = facts;
  in.stated = c->loops ? &c->loops->structure : &c->program->structure;
  in.undivided = NULL;
  in.has_lifted = 0;
  c->lifted_source = emit_lifted(a, c->context, &in, c->model->name);
  return 1;
}

/* Reports errors without the summary, which would say that the methods apply. */
static outcome report_errors_alone(compilation *c, const diagnostics *d)
{
  c->summary = NULL;
  return report_errors(d);
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
            errno == EINVAL  ? "it is not a regular file"
            : errno == EFBIG ? arena_printf(a, "it has more than %d MiB", SYNTAX_MAX_TEXT >> 20)
                             : strerror(errno));
    return OUTCOME_WRONG;
  }

  /* text -> checked model */
  diagnostics *d = diagnostics_create(a, path, text, length);
  c->model = model_check(a, d, path, text, length, settings->n_sizes, settings->sizes);
  if (!c->model) {
    return report_errors(d);
  }
  const char *fault = emit_model_name_fault(a, c->model->name);
  if (fault) {
    diagnostics_error(d, c->model->where, "a model cannot have the name '%s': %s; use another name",
                      c->model->name, fault);
    return report_errors(d);
  }

  /* checked model -> expressions in our own normal form -> verdicts */
  c->context = ir_context_create(a);
  if (!lower(a, d, settings->how, c)) {
    return report_errors(d);
  }
  c->digest = digest_of(a, c->model);
  if (*c->refusal) {
    return OUTCOME_NO;
  }

  if (!check_base(d, c)) {
    return report_errors_alone(c, d);
  }

  /* expressions -> those of accelerations, too */
  if (wants_acceleration(c->model, settings)) {
    add_acceleration(a, settings, c);
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
                      .digest = c->digest,
                      .has_lifted = settings->parameters};
  if (settings->parameters && !add_lifted(a, d, &input, c)) {
    return report_errors_alone(c, d);
  }
  c->source = emit_source(a, c->context, &input);
  const char *beyond = ir_context_refusal(c->context);
  if (beyond) {
    diagnostics_error(
        d, c->model->where,
        "%s, which is too large or too small for a double; write the model in other units, in "
        "which lengths, momenta and energies are nearer to one",
        beyond);
    return report_errors_alone(c, d);
  }
  choose_step(&c->model->run, settings, &input);
  c->step_source = emit_step_source(a, c->context, &input, &input.unfused);
  c->unfused = input.unfused;
  c->header = emit_header(a, &input);
  c->main_source =
      emit_main(a, c->model, c->context, c->loops ? NULL : c->program, 0, c->step_source != NULL);
  return OUTCOME_GOOD;
}

void compile_witness(arena *a, compilation *c)
{
  int with_rates = c->loops ? c->loops->has_directions
                            : c->program && c->program->functions[IR_ACCELERATION].rows > 0;
  const sw_witness *table = witness_create(a, c->model, c->loops != NULL, with_rates, c->digest);
  c->witness_source = emit_witness_table(a, c->model, table);
  c->main_source =
      emit_main(a, c->model, c->context, c->loops ? NULL : c->program, 1, c->step_source != NULL);
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
