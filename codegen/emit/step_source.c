/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/step_source.h"

#include "emit/helpers.h"
#include "emit/step_phase.h"
#include "fused/compose.h"
#include "sidewinder/version.h"

/* ---- the state ---- */

static void write_state(step_source *s)
{
  const fused_step *step = s->step;
  writer *load = writer_create(s->memory);
  writer *store = writer_create(s->memory);
  for (int i = 0; i < 2 * step->d; i++) {
    writer_printf(load, "  %s = z[%d];\n", step_member(s, step->z[i]), i);
    writer_printf(store, "  z[%d] = %s;\n", i, step_member(s, step->z[i]));
  }
  writer_printf(s->w, "static inline void load(const double z[], work *w)\n{\n%s}\n\n",
                writer_text(load));
  writer_printf(s->w, "static inline void store(const work *w, double z[])\n{\n%s}\n\n",
                writer_text(store));
}

/* max |q| and max |p|. */
static void write_measure(step_source *s)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  for (int half = 0; half < 2; half++) {
    const char *size = step_member(s, half ? step->size_p : step->size_q);
    for (int i = 0; i < step->d; i++) {
      const char *entry = step_member(s, step->z[half * step->d + i]);
      writer_printf(body, i ? "  %s = SW_FUSED_LARGER(fabs(%s), %s);\n" : "  %s = fabs(%s);\n",
                    size, entry, size);
    }
  }
  step_function(s, "The sizes of the state.", "void", "measure", "", writer_text(body));
}

/* z <- the end, for the entries that are early or those that are not. */
static void write_move(step_source *s, int early, const char *name)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  for (int i = 0; i < 2 * step->d; i++) {
    if (step->is_early[i] == early) {
      writer_printf(body, "  %s = %s;\n", step_member(s, step->z[i]), step_member(s, step->end[i]));
    }
  }
  step_function(s, early ? "The entries that are those of the end already." : "The others.", "void",
                name, "", writer_text(body));
}

/* The sign of N by its pivots, as bits; -1 where one of them is close to zero. */
static void write_negative(step_source *s)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  writer_printf(body, "  unsigned bits = 0;\n  int clear = 1;\n");
  for (int i = 0; i < step->m; i++) {
    for (int j = 0; j < step->m; j++) {
      if (step->N.at[j][i]) {
        writer_printf(body, "  clear &= fabs(%s) > SW_FUSED_PIVOT * fabs(%s);\n",
                      step_member(s, step->N_pivot[i]), step_member(s, step->N.at[j][i]));
      }
    }
    writer_printf(body, "  bits |= (unsigned)(%s < 0.0) << %d;\n", step_member(s, step->N_pivot[i]),
                  i);
  }
  writer_printf(body, "  w->negative = bits;\n  return clear;\n");
  step_function(s, "Which pivots of N are negative; 0 where one nearly vanishes.", "int", "judge_N",
                "", writer_text(body));
}

/* ---- the step ---- */

/* g and rho at the end, by what their scales are at least. */
static const char *judgement(const step_source *s)
{
  const fused_step *step = s->step;
  writer *w = writer_create(s->memory);
  for (int hidden = 0; hidden < 2; hidden++) {
    const ir_expr *const *f = hidden ? step->rho : step->g;
    const ir_expr *const *scale = hidden ? step->scale_rho : step->scale_g;
    const char *largest = hidden ? "largest_rho" : "largest_g";
    for (int i = 0; i < step->m; i++) {
      if (!hidden || s->method->on_hidden) {
        writer_printf(w, "  good &= fabs(%s) <= f->floor * %s;\n", step_member(s, f[i]),
                      step_member(s, scale[i]));
      }
    }
    for (int i = 0; i < step->m; i++) {
      writer_printf(w, "  const double %s_%d = SW_FUSED_LARGER(fabs(%s), %s);\n", largest, i,
                    step_member(s, f[i]),
                    i ? arena_printf(s->memory, "%s_%d", largest, i - 1)
                      : arena_printf(s->memory, "w->%s", largest));
    }
    writer_printf(w, "  w->%s = %s_%d;\n", largest, largest, step->m - 1);
  }
  return writer_text(w);
}

static void write_arrival(step_source *s)
{
  const fused_step *step = s->step;
  writer *w = s->w;
  writer_printf(w,
                "/* Whether the state that has been reached is one to go on from: finite, on M%s, "
                "and N as it was. */\n"
                "static inline int is_good(const setup *s, work *w, const sw_fused *f)\n{\n"
                "  const double sum = ",
                s->method->on_hidden ? " and M^H" : "");
  for (int i = 0; i < 2 * step->d; i++) {
    writer_printf(w, "%s%s", i ? " + " : "", step_member(s, step->z[i]));
  }
  const char *text = judgement(s);
  writer_printf(w, ";\n  int good = sum - sum == 0.0;\n%s%s  return good;\n}\n\n",
                writer_mentions(text, "s") ? "" : "  (void)s;\n", text);
}

static void write_step(step_source *s)
{
  const fused_step *step = s->step;
  writer *w = s->w;
  writer_printf(w, "/* One part of a step, from the state in *w to the next; 0 where it is left to "
                   "the general way. */\n"
                   "static inline int step(const setup *s, work *w, sw_fused *f)\n{\n"
                   "  const unsigned negative = w->negative;\n\n");
  for (int i = 0; i < step->n_phases; i++) {
    writer_printf(
        w,
        "  begin_%d(s, w);\n  if (!solve_%d(s, w, f)) {\n    return 0;\n  }\n  after_%d(s, w);\n",
        i + 1, i + 1, i + 1);
    if (step->advances == i) {
      writer_printf(w, "  advance(s, w);\n  look_early(s, w);\n");
    }
  }
  for (int i = 0; i < step->m; i++) {
    writer_printf(w, "  w->sum_%d += ", i);
    int first = 1;
    for (int j = 0; j < step->n_phases; j++) {
      const fused_phase *p = &step->phase[j];
      if (i < p->m && s->method->multiplier[j] != 0.0) {
        const double weight = s->method->multiplier[j];
        writer_printf(
            w, "%s%s%s", first ? "" : " + ",
            weight == 1.0 ? "" : arena_printf(s->memory, "%s * ", writer_double(s->memory, weight)),
            step_member(s, p->unknown[i]));
        first = 0;
      }
    }
    writer_printf(w, ";\n");
  }
  writer_printf(w,
                "  arrive(s, w);\n  measure(s, w);\n%s  look(s, w);\n"
                "  return judge_N(s, w) && w->negative == negative && is_good(s, w, f);\n}\n\n",
                step->advances < 0 ? "  look_early(s, w);\n" : "");
}

static void write_sums(step_source *s)
{
  writer *w = s->w;
  writer_printf(w, "static inline void clear_sums(work *w)\n{\n");
  for (int i = 0; i < s->step->m; i++) {
    writer_printf(w, "  w->sum_%d = 0.0;\n", i);
  }
  writer_printf(w, "}\n\nstatic inline void store_sums(const work *w, double sum[])\n{\n");
  for (int i = 0; i < s->step->m; i++) {
    writer_printf(w, "  sum[%d] = w->sum_%d;\n", i, i);
  }
  writer_printf(w, "}\n\n");
}

static void write_functions(step_source *s)
{
  step_setup(s);
  write_state(s);
  write_measure(s);
  step_block(s, FUSED_BLOCK_EARLY,
             "What belongs to the state, as far as it needs what is final early.", "void",
             "look_early", "");
  step_block(s, FUSED_BLOCK_LATE, "The rest of it.", "void", "look", "");
  write_negative(s);
  for (int i = 0; i < s->step->n_phases; i++) {
    step_phase(s, i);
  }
  if (s->step->advances >= 0) {
    write_move(s, 1, "advance");
  }
  write_move(s, 0, "arrive");
  write_arrival(s);
  write_step(s);
  write_sums(s);
}

/* ---- the whole ---- */

/* Names that the file has of its own. */
static const char *const own_names[] = {
    "s",          "w",          "f",          "setup",    "work",    "step",    "steps",   "load",
    "store",      "look",       "look_early", "advance",  "arrive",  "judge_N", "is_good", "set_up",
    "clear_sums", "store_sums", "good",       "negative", "largest", "measure"};

static int compose(step_source *s, const ir_program *p, const sw_tableau *base,
                   const char **refusal)
{
  for (int may_advance = 1; may_advance >= 0; may_advance--) {
    s->step = fused_step_compose(s->context, p, s->method, base, may_advance, refusal);
    s->blocks = s->step ? fused_schedule_create(s->memory, s->step) : NULL;
    if (!s->step || s->blocks) {
      return s->step != NULL;
    }
  }
  *refusal = "its values cannot be put in order";
  return 0;
}

static emit_names names_of(const step_source *s)
{
  const fused_values *f = s->step->values;
  const char **names = ARENA_ARRAY(s->memory, f->n + 1, const char *);
  emit_words *words = emit_words_create(s->memory);
  for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++) {
    emit_words_reserve(words, own_names[i]);
  }
  for (int i = 0; i < f->n; i++) {
    const int home = f->at[i].home;
    names[i] = home == i ? emit_words_take(s->memory, words, f->at[i].name) : names[home];
  }
  return (emit_names){{[IR_VALUE] = names}};
}

static const char *whole(step_source *s, const emit_input *in, const char *base)
{
  const char *name = in->model->name;
  const char *functions = writer_text(s->w);
  writer *w = writer_create(s->memory);
  writer_printf(w,
                "/* SPDX-License-Identifier: BSD-3-Clause */\n/*\n"
                " * %s_step.c -- generated by sidewinder %s from %s.\n"
                " * Do not edit: change the model and run `sidewinder generate` on it.\n *\n"
                " * A step of the method %s over the base method %s as straight-line code.\n"
                " * Solve i: begin_i, guess_i, then residual_i and correct_i in turn "
                "(sidewinder/fused_solve.h), after_i.\n */\n\n",
                name, SW_VERSION, emit_base_name(in->model->file), s->method->name, base);
  writer_printf(
      w, "#include \"%s.h\"\n\n#include <math.h>\n\n#include \"sidewinder/stepper.h\"\n\n", name);
  step_members(s, w, 1);
  step_members(s, w, 0);
  emit_helpers(w, functions);
  writer_printf(w, "%s#include \"sidewinder/fused_run.h\"\n\n", functions);
  writer_printf(w,
                "const sw_stepper sw_stepper_%s = {\n    .digest = %s,\n    .method = %s,\n    "
                ".base = %s,\n    .steps = steps,\n};\n",
                name, writer_literal(s->memory, in->digest),
                writer_literal(s->memory, s->method->name), writer_literal(s->memory, base));
  return writer_text(w);
}

const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal)
{
  const model_run *run = &in->model->run;
  step_source s = {.memory = a, .context = c, .w = writer_create(a)};
  s.method = sw_method_find(run->method ? run->method : "rattle");
  const char *base = run->base ? run->base : s.method && s.method->base ? s.method->base : "none";
  const sw_tableau *tableau = sw_base_tableau(base);
  *refusal = in->loops                           ? "it has loops"
             : in->found->independence.redundant ? "its constraints follow from others"
             : !s.method || !tableau ? "its run line has no base method that is a tableau"
                                     : NULL;
  if (*refusal || !compose(&s, in->program, tableau, refusal)) {
    return NULL;
  }
  s.names = names_of(&s);
  write_functions(&s);
  if (s.is_beyond) {
    *refusal = "a number in its step is too large or too small for a double";
    return NULL;
  }
  return whole(&s, in, base);
}
