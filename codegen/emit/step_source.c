/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "emit/model_source.h"
#include "emit/step_source.h"
#include "emit/tables.h"
#include "sidewinder/tableau.h"
#include "sidewinder/version.h"

/* ---- the state ---- */

/* Writes the functions that load and store entries first to last - 1 of a state from and to an
 * array of the caller. */
static void write_transfer(step_source *s, const char *suffix, const char *array, int first,
                           int last)
{
  for (int stores = 0; stores < 2; stores++) {
    step_open(s, "",
              stores ? "void store%s(const work *w, double %s[])"
                     : "void load%s(const double %s[], work *w)",
              suffix, array);
    for (int i = first; i < last; i++) {
      const char *member = step_member(s, s->step->z[i]);
      if (stores) {
        writer_printf(s->w, "  SW_STORE(%s, %d, %s);\n", array, i - first, member);
      } else {
        writer_printf(s->w, "  %s = SW_LOAD(%s, %d);\n", member, array, i - first);
      }
    }
    step_close(s);
  }
}

/* 1 if the state has more than z, which follows z in *step. */
static int has_more(const fused_step *step)
{
  return step->dim > 2 * step->d;
}

/* Writes the function that computes max |q| and max |p|. */
static void write_measure(step_source *s)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  for (int half = 0; half < 2; half++) {
    const ir_expr *value = half ? step->size_p : step->size_q;
    const char *size = step_member(s, value);
    for (int i = 0; i < step->d && s->blocks->is_kept[value->index]; i++) {
      const char *entry = step_member(s, step->z[half * step->d + i]);
      writer_printf(body, i ? "  %s = SW_LARGER(fabs(%s), %s);\n" : "  %s = fabs(%s);\n", size,
                    entry, size);
    }
  }
  step_function(s, "The sizes of the state.", "void", "measure", "", writer_text(body));
}

/* Writes z <- the end, for the early entries or for the others. */
static void write_move(step_source *s, int early, const char *name)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  for (int n = 0; n < step->dim; n++) {
    /* the previous state first, since z still holds it */
    const int i = (n + 2 * step->d) % step->dim;
    if (step->is_early[i] == early) {
      writer_printf(body, "  %s = %s;\n", step_member(s, step->z[i]), step_member(s, step->end[i]));
    }
  }
  step_function(s, early ? "The entries that are those of the end already." : "The others.", "void",
                name, "", writer_text(body));
}

/* Writes the test of the pivots of N against the largest entries of their columns. A NaN entry
 * makes a later pivot NaN. */
static void write_negative(step_source *s)
{
  const fused_step *step = s->step;
  arena *a = s->memory;
  writer *body = writer_create(a);
  writer_printf(body, step->m ? "  whole negative = {0};\n  truth clear = SW_YES;\n"
                              : "  return SW_YES;\n");
  for (int i = 0; i < step->m; i++) {
    const char *largest = NULL;
    for (int j = 0; j < step->m; j++) {
      if (step->N.at[j][i]) {
        const char *size = arena_printf(a, "fabs(%s)", step_member(s, step->N.at[j][i]));
        largest = largest ? arena_printf(a, "SW_LARGER(%s, %s)", size, largest) : size;
      }
    }
    const char *pivot = step_member(s, step->N_pivot[i]);
    writer_statement(body, 2, "clear &= SW_LESS(SW_FUSED_PIVOT * %s, fabs(%s));", largest, pivot);
    writer_printf(body, "  negative |= SW_BIT(SW_LESS(%s, 0.0), %d);\n", pivot, i);
  }
  if (step->m) {
    writer_printf(body, "  w->negative = negative;\n  return clear;\n");
  }
  step_function(s, "Which pivots of N are negative; not true where one nearly vanishes.", "truth",
                "judge_N", "", writer_text(body));
}

/* ---- the step ---- */

/* Writes the test of g and rho at the end in their scales. */
static const char *judgement(const step_source *s)
{
  const fused_step *step = s->step;
  writer *w = writer_create(s->memory);
  for (int hidden = 0; hidden < 2 && step->m; hidden++) {
    const ir_expr *const *f = hidden ? step->rho : step->g;
    const ir_expr *const *scale = hidden ? step->scale_rho : step->scale_g;
    const char *largest = hidden ? "residual_rho" : "residual_g";
    for (int i = 0; i < step->m; i++) {
      if (!hidden || s->method->on_hidden) {
        writer_printf(w, "  good &= SW_ACCEPTS(%s, %s, f->floor);\n", step_member(s, f[i]),
                      step_member(s, scale[i]));
      }
    }
    for (int i = 0; i < step->m; i++) {
      writer_printf(w, "  const number %s_%d = SW_LARGER(fabs(%s), %s);\n", largest, i,
                    step_member(s, f[i]),
                    i ? arena_printf(s->memory, "%s_%d", largest, i - 1)
                      : arena_printf(s->memory, "w->tally.%s", largest));
    }
    writer_printf(w, "  w->tally.%s = %s_%d;\n", largest, largest, step->m - 1);
  }
  return writer_text(w);
}

static void write_arrival(step_source *s)
{
  const fused_step *step = s->step;
  const char *text = judgement(s);
  writer_printf(s->w,
                "/* Whether the state that has been reached is one to go on from: finite%s. */\n",
                !step->m               ? ""
                : s->method->on_hidden ? ", on M and M^H, and N as it was"
                                       : ", on M, and N as it was");
  step_open(s, "", "truth is_good(const setup *s, work *w, const sw_fused *f)");
  for (int half = 0; half < 2; half++) {
    const char *sum = step_member(s, step->z[half * step->d]);
    for (int i = 1; i < step->d; i++) {
      sum = arena_printf(s->memory, "%s + %s", sum, step_member(s, step->z[half * step->d + i]));
    }
    writer_statement(s->w, 2, "const number sum_%s = %s;", half ? "p" : "q", sum);
  }
  writer_printf(s->w,
                "  const number sum = sum_q + sum_p;\n"
                "  truth good = SW_EQUAL(sum - sum, 0.0);\n%s%s%s  return good;\n",
                writer_mentions(text, "s") ? "" : "  (void)s;\n", step->m ? "" : "  (void)f;\n",
                text);
  step_close(s);
}

/* Statements that keep the pivots of N at the start of a step, or the condition that they have
 * hardly changed. */
static const char *pivots_of_start(const step_source *s, int compares)
{
  const char *text = "";
  for (int i = 0; i < s->step->m && s->watches_N; i++) {
    const char *pivot = step_member(s, s->step->N_pivot[i]);
    text = compares
               ? arena_printf(s->memory, "%sSW_FUSED_STEADY(w->far_of_N, pivot_%d, %s) & ", text,
                              i + 1, pivot)
               : arena_printf(s->memory, "%s  const number pivot_%d = %s;\n", text, i + 1, pivot);
  }
  return !compares && *text ? arena_printf(s->memory, "%s  w->far_of_N = (number){0};\n", text)
                            : text;
}

static void write_step(step_source *s)
{
  const fused_step *step = s->step;
  writer *w = s->w;
  step_open(s,
            "One part of a step, from the state in *w to the next; 0 where it is left to the "
            "general way.",
            "int step(const setup *s, work *w, sw_fused *f, truth live)");
  writer_printf(w, "%s%s%s", step->m ? "  const whole negative = w->negative;\n" : "",
                pivots_of_start(s, 0), step->m ? "\n" : "");
  for (int i = 0; i < step->n_phases; i++) {
    writer_printf(w, "  begin_%d(s, w);\n", i + 1);
    if (step->phase[i].n) {
      writer_printf(w, "  if (!solve_%d(s, w, f, live)) {\n    return 0;\n  }\n  after_%d(s, w);\n",
                    i + 1, i + 1);
    }
    if (step->advances == i) {
      writer_printf(w, "  advance(s, w);\n  look_early(s, w);\n");
    }
  }
  writer_printf(w, "  arrive(s, w);\n  measure(s, w);\n%s  look(s, w);\n",
                step->advances < 0 ? "  look_early(s, w);\n" : "");
  const char *along = "";
  for (int i = 0; i < step->m && step->slid_pivot[i]; i++) {
    along = arena_printf(s->memory, "%s  slid |= SW_BIT(SW_LESS(%s, 0.0), %d);\n", along,
                         step_member(s, step->slid_pivot[i]), i);
  }
  writer_printf(
      w, *along ? "  whole slid = {0}; /* as `negative`, where the slide has led */\n%s" : "%s",
      along);
  writer_statement(w, 2, "const truth good = %s%s%sis_good(s, w, f);",
                   step->m ? "judge_N(s, w) & SW_SAME(w->negative, negative) & " : "",
                   *along ? "SW_SAME(slid, negative) & " : "", pivots_of_start(s, 1));
  writer_printf(w, "  return !sw_gives_up(f, live & SW_NOT(good));\n");
  step_close(s);
}

/* ---- the multipliers of a step ---- */

static const char *step_source_added(const step_source *s, const char *sum, double weight,
                                     const char *part)
{
  return arena_printf(s->memory, "%s + %s", sum, step_weighted(s, weight, part));
}

static const char *of_turn(const step_source *s, int phase, int i, const char *turn)
{
  return arena_printf(s->memory, "atan(%s)%s", turn,
                      step_times_per_arctan(s, &s->step->phase[phase], i));
}

/* Writes the functions for the sums of multipliers: over the parts so far, over the last step, and
 * for the caller. Angles are kept as tangents. */
static void write_sums(step_source *s)
{
  arena *a = s->memory;
  writer *clear = writer_create(a);
  writer *add = writer_create(a);
  writer *keep = writer_create(a);
  writer *store = writer_create(a);
  for (int i = 0; i < s->step->m; i++) {
    const char *sum = arena_printf(a, "w->sum_%d", i);
    const char *last = sum;
    const char *whole_sum = arena_printf(a, "w->last_%d", i);
    writer_printf(clear, "  %s = (number){0};\n", sum);
    if (s->step->lambda[i]) {
      const char *part = arena_printf(a, "%s * %s", step_member(s, s->step->h),
                                      step_member(s, s->step->lambda[i]));
      sum = last = step_source_added(s, sum, 1.0, part);
    }
    for (int j = 0; j < s->step->n_phases; j++) {
      const fused_phase *p = &s->step->phase[j];
      const double weight = p->multiplier;
      if (weight == 0.0) {
        continue;
      }
      const char *u = i < p->m ? step_member(s, p->unknown[i]) : NULL;
      const char *kept = arena_printf(a, "w->turn_%d_%d", j + 1, i + 1);
      if (u && !p->per_arctan[i]) {
        sum = step_source_added(s, sum, weight, u);
        last = step_source_added(s, last, weight, u);
      } else if (u) {
        sum = step_source_added(s, sum, weight, of_turn(s, j, i, u));
        whole_sum = step_source_added(s, whole_sum, weight, of_turn(s, j, i, kept));
        writer_printf(keep, "  %s = %s;\n", kept, u);
      }
      for (int k = p->m + i; k < p->m + p->forces; k += s->step->m) {
        const char *of_stage = step_member(s, p->unknown[k]);
        sum = step_source_added(s, sum, weight * p->force_weight[k], of_stage);
        last = step_source_added(s, last, weight * p->force_weight[k], of_stage);
      }
    }
    writer_statement(add, 2, "w->sum_%d = %s;", i, sum);
    writer_statement(keep, 2, "w->last_%d = %s;", i, last);
    writer_statement(store, 2, "SW_STORE(sum, %d, %s);", i, whole_sum);
  }
  const char *stored = writer_text(store);
  step_function(s, "No multipliers yet.", "void", "clear_sums", "", writer_text(clear));
  step_function(s, "Adds the multipliers of a part to those of earlier ones.", "void", "add_sums",
                "", writer_text(add));
  step_function(s, "Keeps those of the whole step.", "void", "keep_sums", "", writer_text(keep));
  step_open(s, "Those of the last step, times h.",
            "void store_sums(const setup *s, const work *w, double sum[])");
  writer_printf(s->w, "%s%s%s", writer_mentions(stored, "s") ? "" : "  (void)s;\n",
                *stored ? "" : "  (void)w, (void)sum;\n", stored);
  step_close(s);
}

static void write_step_functions(step_source *s)
{
  step_setup(s);
  if (s->step->n_phis) {
    step_flows(s);
  }
  write_transfer(s, "", "z", 0, 2 * s->step->d);
  if (has_more(s->step)) {
    write_transfer(s, "_more", "more", 2 * s->step->d, s->step->dim);
  }
  if (s->cluster) {
    step_block(s, FUSED_BLOCK_EARLY, "What solve 1 needs of the state.", "void", "look_1", "");
    step_block(s, FUSED_BLOCK_LATE, "What solve 2 and the end need of it.", "void", "look_2", "");
  } else {
    write_measure(s);
    step_block(s, FUSED_BLOCK_EARLY,
               "What belongs to the state, as far as it needs what is final early.", "void",
               "look_early", "");
    step_block(s, FUSED_BLOCK_LATE, "The rest of it.", "void", "look", "");
  }
  write_negative(s);
  for (int i = 0; i < s->step->n_phases; i++) {
    step_solve(s, i);
  }
  if (s->step->advances >= 0 && !s->cluster) {
    write_move(s, 1, "advance");
  }
  write_move(s, 0, "arrive");
  write_arrival(s);
  if (s->cluster) {
    step_cluster_functions(s);
  } else {
    write_step(s);
    write_sums(s);
  }
}

/* ---- the whole file ---- */

static const char *step_source_whole(step_source *s, const emit_input *in)
{
  const char *base = in->step_base;
  const char *name = in->model->name;
  const char *functions = writer_text(s->w);
  writer *w = writer_create(s->memory);
  emit_origin(w, in->model, "_step.c", EMIT_DO_NOT_EDIT);
  writer_printf(w,
                " * A step of the method %s%s%s as straight-line code%s.\n"
                " * Solve i: begin_i, guess_i, then residual_i and correct_i in turn "
                "(sidewinder/fused_solve.h), after_i.\n */\n\n",
                s->method->name, emit_over_base(s->memory, " over the base method ", base),
                s->compensated ? ", compensated," : "",
                s->cluster ? ", of one cluster of\n * constraints: lanes are clusters "
                             "(sidewinder/fused_clusters.h)"
                           : "");
  writer_printf(w, "#include \"%s.h\"\n\n#include \"sidewinder/fused_step.h\"\n\n", name);
  step_members(s, w, 1);
  step_members(s, w, 0);
  emit_helpers(w, functions);
  emit_helpers_in_lanes(w, functions);
  writer_printf(w, "%s", functions);
  if (s->cluster) {
    step_cluster_tables(s, w);
  } else {
    writer_printf(
        w, "%s%s%s#include \"sidewinder/fused_run.h\"\n\n",
        has_more(s->step) ? "#define SW_FUSED_HAS_MORE\n" : "",
        s->step->bias[0] ? "#define SW_FUSED_HAS_BIAS\n" : "",
        s->step->n_phis ? arena_printf(s->memory, "#define SW_FUSED_KEPT %d\n", step_kept(s)) : "");
  }
  writer_printf(w,
                "const sw_stepper SW_STEPPER(%s) = {\n    .digest = %s,\n    .method = %s,\n    "
                ".base = %s,\n%s%s    .%s,\n    .lanes = SW_LANES,\n    .processor = "
                "SW_PROCESSOR,\n};\n",
                name, writer_literal(s->memory, in->digest),
                writer_literal(s->memory, s->method->name), writer_literal(s->memory, base),
                s->compensated ? "    .compensated = 1,\n" : "",
                s->step->n_phis ? "    .kept = SW_FUSED_KEPT,\n" : "",
                s->cluster ? "clusters = &clusters" : "steps = steps");
  return writer_text(w);
}

/* The base method: a tableau, or the parts of H that the base method "splitting" composes. */
static fused_base base_of(arena *a, const emit_input *in)
{
  fused_base base = {.tableau = in->step_method ? sw_method_tableau(in->step_method, in->step_base)
                                                : NULL};
  const record_splitting *s = in->found ? &in->found->splitting : NULL;
  if (base.tableau || !s || !in->program || strcmp(in->step_base, SW_SPLITTING) != 0) {
    return base;
  }
  const int is_whole = s->division == DIVISION_WHOLE;
  base.n_parts = is_whole ? 1 : s->division == DIVISION_PARTS ? s->n : 0;
  fused_part *parts = ARENA_ARRAY(a, base.n_parts + 1, fused_part);
  for (int i = 0; i < base.n_parts; i++) {
    parts[i] = is_whole ? (fused_part){1, &in->program->functions[IR_HAMILTONIAN_GRAD],
                                       &in->program->functions[IR_HAMILTONIAN_HESS]}
                        : (fused_part){s->parts[i].flow == FLOW_LINEAR, &s->parts[i].grad,
                                       &s->parts[i].hess};
  }
  base.parts = parts;
  return base;
}

/* Why there is no step, known before its composition; NULL if no reason is known. proved: number of
 * constraints that are proved to follow from others. */
static const char *objection(arena *a, const emit_input *in, const fused_base *base, int proved)
{
  const sw_method *method = in->step_method;
  return !method ? "no method has that name"
         : in->found && in->found->independence.redundant > proved
             ? "its constraints follow from others without proof"
         : proved && method->has_bias
             ? arena_printf(a,
                            "some of its constraints follow from others, and %s takes independent "
                            "constraints only",
                            method->name)
         : !base->tableau && !base->n_parts && sw_method_takes_base(method)
             ? arena_printf(a, "%s over %s has neither stages of a tableau nor flows of parts of H",
                            method->name, in->step_base)
         : in->loops && (!base->tableau || in->step_compensated)
             ? "it has loops, over which steps of this kind are not written"
             : NULL;
}

/* Why the step written so far is not usable, or NULL. */
static const char *excess(const step_source *s)
{
  return s->operations > STEP_MOST_OPERATIONS
             ? arena_printf(s->memory, "its step has more than %d operations", STEP_MOST_OPERATIONS)
         : ir_is_spent(s->context) ? arena_printf(s->memory, "the formulas of its step %s",
                                                  ir_attempt_excess(s->memory, s->context))
         : s->is_beyond            ? "a number in its step is too large or too small for a double"
                                   : NULL;
}

/* 1 if the runtime examines general steps for a surface where det N = 0 (sw_watches_surface in
 * runtime/checks/step_check.h). */
static int watches_N(const emit_input *in)
{
  const ir_structure *structure = in->program ? &in->program->structure : NULL;
  return structure && in->found && in->step_method->on_hidden && !emit_is_regular(in) &&
         !(structure->holonomic && structure->separable && structure->mass != IR_MASS_GENERAL &&
           !in->step_compensated);
}

/* NAME_step.c with a step of this shape, of the program unless the model has clusters. NULL with a
 * refusal; NULL without one if its values cannot be put in order. */
static const char *step_source_write_shape(ir_context *c, const emit_input *in,
                                           const ir_program *program, fused_base base,
                                           fused_shape shape, const char **refusal)
{
  arena *a = ir_context_arena(c);
  step_source s = {.memory = a,
                   .context = c,
                   .w = writer_create(a),
                   .method = in->step_method,
                   .compensated = in->step_compensated,
                   .watches_N = watches_N(in)};
  if (in->loops) {
    s.cluster = step_cluster_of(&s, in, base.tableau, refusal);
    base.force = s.cluster ? s.cluster->force : NULL;
  }
  const ir_program *p = s.cluster ? s.cluster->program : program;
  s.step =
      *refusal ? NULL : fused_step_compose(c, p, s.method, &base, s.compensated, shape, refusal);
  if (s.step) {
    fused_choose_forms(s.step);
    s.blocks = fused_schedule_create(a, s.step);
  }
  *refusal = s.step || ir_is_spent(c) ? excess(&s) : *refusal;
  if (*refusal || !s.blocks) {
    return NULL;
  }
  const fused_values *f = s.step->values;
  const char **names = ARENA_ARRAY(a, f->n + 1, const char *);
  s.words = emit_words_create(a, NULL);
  for (int i = 0; i < f->n; i++) {
    const int home = f->at[i].home;
    names[i] = home == i ? emit_words_take(a, s.words, f->at[i].name) : names[home];
  }
  s.names.of[IR_VALUE] = names;
  write_step_functions(&s);
  *refusal = excess(&s);
  return *refusal ? NULL : step_source_whole(&s, in);
}

const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal)
{
  const fused_base base = base_of(a, in);
  const int last = in->loops ? FUSED_CUT : FUSED_AT_ONCE;
  const char *text = NULL;
  int proved = 0;
  const char *follows = emit_follows(a, in, &proved);
  *refusal = objection(a, in, &base, proved);
  const ir_program *program =
      !*refusal && proved > 0 ? fused_reduced_program(c, in->program, follows) : in->program;
  for (int shape = in->loops ? FUSED_CUT : FUSED_ADVANCING; !*refusal && !text; shape--) {
    ir_attempt attempt = ir_attempt_begin(c, (size_t)IR_ATTEMPT_MIB << 20);
    text = step_source_write_shape(c, in, program, base, (fused_shape)shape, refusal);
    text = text ? arena_strdup(a, text) : NULL;
    *refusal = *refusal ? arena_strdup(a, *refusal) : NULL;
    ir_attempt_drop(&attempt);
    if (!text && !*refusal && shape == last) {
      *refusal = "its values cannot be put in order";
    }
  }
  return text;
}

const char *emit_no_step(arena *a, const char *name, const char *why)
{
  return arena_printf(a,
                      "/* SPDX-License-Identifier: BSD-3-Clause */\n"
                      "/* %s_step.c -- generated by sidewinder %s: there is no such step; %s. */\n"
                      "typedef int sw_no_step_of_%s; /* ISO C asks for a declaration */\n",
                      name, SW_VERSION, why, name);
}
