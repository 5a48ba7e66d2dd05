/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/step_source.h"

#include <string.h>

#include "emit/step_block.h"
#include "emit/tables.h"
#include "emit/writer.h"
#include "expr/builders.h"
#include "fused/step.h"
#include "sidewinder/tableau.h"
#include "sidewinder/version.h"
#include "step/stage_plan.h"

/* ---- the functions of one solve, which sidewinder/fused_solve.h combines ---- */

/* Writes the return statement of the largest scaled residual. */
static const char *residual_end(const step_source *s, const fused_phase *p)
{
  writer *w = writer_create(s->memory);
  for (int i = 0; i < p->n; i++) {
    const char *size = arena_printf(s->memory, "fabs(%s) * %s", step_name(s, p->F[i]),
                                    step_name(s, p->over_scale[i]));
    if (p->n == 1) {
      writer_printf(w, "  return %s;\n", size);
    } else {
      writer_printf(w, i ? "  largest = SW_LARGER(largest, %s);\n" : "  number largest = %s;\n",
                    size);
    }
  }
  if (p->n > 1) {
    writer_printf(w, "  return largest;\n");
  }
  return writer_text(w);
}

/* The group of multiplier j. A group has the multipliers of the fibre, or of one stage in which
 * constraints act, in one block of N. */
static int group_of(const fused_step *step, int j)
{
  return j / step->m * step->n_blocks + step->block[j % step->m];
}

/* The name of a variable that belongs to a group. */
static const char *of_group(arena *a, const char *name, int group)
{
  return group ? arena_printf(a, "%s_%d", name, group) : name;
}

/* 1 if a slide is measured by the entries that its own block moves: if the state has other
 * entries. */
static int has_others(const step_source *s)
{
  return s->step->n_blocks > 1 || s->cluster;
}

/* The name of the size of the entries that a slide of one of several blocks moves. */
static const char *size_of_block(arena *a, int block, const char *half)
{
  return arena_printf(a, "moved_%s_%d", half, block + 1);
}

/* These sizes, so that no slide counts as small for the size of another block. */
static void write_sizes_of_blocks(step_source *s, writer *w)
{
  arena *a = s->memory;
  const fused_step *step = s->step;
  for (int k = 0; k < 2 * step->n_blocks; k++) {
    const int half = k % 2;
    const char *name = size_of_block(a, k / 2, half ? "p" : "q");
    int is_first = 1;
    for (int n = half * step->d; n < (half + 1) * step->d; n++) {
      int moves = 0;
      for (int i = 0; i < step->m; i++) {
        moves |= step->block[i] == k / 2 && step->is_moved[i][n];
      }
      if (moves) {
        const char *size = arena_printf(a, "fabs(%s)", step_member(s, step->z[n]));
        writer_statement(w, 2, "%s",
                         is_first ? arena_printf(a, "number %s = %s;", name, size)
                                  : arena_printf(a, "%s = SW_LARGER(%s, %s);", name, size, name));
        is_first = 0;
      }
    }
  }
}

/* Writes the comparison of multiplier j with its first iterate, by its effect. The tangent of half
 * an angle exceeds half the angle by less than its cube. */
static void compare_multiplier(step_source *s, int i, int j, writer *w)
{
  arena *a = s->memory;
  const fused_step *step = s->step;
  const fused_phase *p = &step->phase[i];
  const int number = j + 1;
  const char *u = step_member(s, p->unknown[j]);
  const char *per = step_times_per_arctan(s, p, j);
  const char *weight = step_member(s, step->N.at[j % step->m][j % step->m]);
  const int block = step->block[j % step->m];
  const char *moved = arena_printf(a, "moved_%d", number);
  const char *far = of_group(a, "far", group_of(step, j));
  const char *size = of_group(a, "size", group_of(step, j));
  writer_printf(w, "  const number first_%d = w->first_%d_%d;\n", number, i + 1, number);
  writer_statement(w, 2, "const number %s = fabs(%s - first_%d);", moved, u, number);
  writer_statement(w, 2, "%s = SW_LARGER(%s * fabs(%s)%s, %s);", far, moved, weight, per, far);
  writer_statement(w, 2, "%s = SW_LARGER(fabs(first_%d * %s)%s, %s);", size, number, weight, per,
                   size);
  if (p->per_arctan[j]) {
    writer_statement(w, 2, "const number turn_%d = fabs(%s);", number, u);
    writer_printf(w, "  turn = SW_LARGER(turn_%d, turn);\n", number);
    moved =
        arena_printf(a, "(%s + turn_%d * turn_%d * turn_%d)%s", moved, number, number, number, per);
  }
  for (int half = 0; half < 2; half++) {
    const ir_expr *slopes = step->slopes_of_g[half][j % step->m];
    if (!ir_is_zero(slopes)) {
      const char *of_state = has_others(s) ? size_of_block(a, block, half ? "q" : "p")
                                           : step_member(s, half ? step->size_q : step->size_p);
      for (int is_tiny = 0; is_tiny <= s->watches_N; is_tiny++) {
        writer_statement(w, 2, "%s &= SW_AT_MOST(%s * %s, %s * %s);",
                         of_group(a, is_tiny ? "tiny" : "small", block), moved,
                         step_member(s, slopes), is_tiny ? "SW_FUSED_TINY" : "SW_FUSED_SMALL",
                         of_state);
      }
    }
  }
}

static int compares_pivots(const fused_phase *p)
{
  return p->keeps_pivots && !p->is_linear;
}

/* The test whether the multipliers of each group are near their first iterates, or its block slides
 * by a small length only. */
static const char *nearness(const step_source *s, int groups)
{
  arena *a = s->memory;
  const int blocks = s->step->n_blocks;
  const char *near = "";
  for (int g = 0; g < groups; g++) {
    const char *distance = arena_printf(a, "SW_AT_MOST(%s, SW_FUSED_FAR * %s)",
                                        of_group(a, "far", g), of_group(a, "size", g));
    near = blocks > 1 ? arena_printf(a, "%s%s(%s | %s)", near, g ? " & " : "",
                                     of_group(a, "small", g % blocks), distance)
                      : arena_printf(a, "%s%s%s", near, g ? " & " : "", distance);
  }
  return blocks > 1   ? near
         : groups > 1 ? arena_printf(a, "(small | (%s))", near)
                      : arena_printf(a, "(small | %s)", near);
}

/* The value that the test returns. */
static const char *acceptance(const step_source *s, int i, int groups, int turns)
{
  const fused_phase *p = &s->step->phase[i];
  arena *a = s->memory;
  const char *in_reach = "";
  const char *in_turn = "";
  for (int g = 0; g < s->step->n_blocks && turns; g++) {
    in_turn = arena_printf(a, "%sSW_FUSED_IN_TURN(turn, %s, %s) & ", in_turn, of_group(a, "far", g),
                           of_group(a, "size", g));
  }
  for (int g = 0; g < groups; g++) {
    in_reach = arena_printf(a, "%sSW_FUSED_IN_REACH(%sreach, %s, %s) & ", in_reach,
                            p->forces && !p->m ? "SW_FUSED_IMPLICIT * " : "", of_group(a, "far", g),
                            of_group(a, "size", g));
  }
  return arena_printf(
      a, "return %s%s%s%s;",
      compares_pivots(p)
          ? arena_printf(a, "SW_SAME(w->signs_%d, w->first_signs_%d) & ", i + 1, i + 1)
          : "",
      in_turn, p->n > p->m + p->forces ? in_reach : "", nearness(s, groups));
}

/* Keeps the distance of the multipliers from their first values, relative to these, for
 * SW_FUSED_STEADY; 0 if the slides end at the round-off of the state from each other. */
static void keep_distance(const step_source *s, int groups, writer *w)
{
  arena *a = s->memory;
  for (int g = 0; g < groups && s->watches_N; g++) {
    writer_statement(
        w, 2, "w->far_of_N = SW_LARGER(SW_SELECT(%s, (number){0}, %s / %s), w->far_of_N);",
        of_group(a, "tiny", g % s->step->n_blocks), of_group(a, "far", g), of_group(a, "size", g));
  }
}

/* Writes the test whether multipliers are near their first iterates, and stage values near their
 * guesses. */
static void write_nearness(step_source *s, int i)
{
  const fused_phase *p = &s->step->phase[i];
  writer *keep = writer_create(s->memory);
  writer *compare = writer_create(s->memory);
  int turns = 0;
  const int multipliers = p->m + p->forces;
  for (int j = 0; j < multipliers; j++) {
    turns |= p->per_arctan[j] != NULL;
    writer_printf(keep, "  w->first_%d_%d = %s;\n", i + 1, j + 1, step_member(s, p->unknown[j]));
  }
  const int groups = multipliers ? multipliers / s->step->m * s->step->n_blocks : 1;
  for (int g = 0; g < groups; g++) {
    writer_printf(compare, "  number %s = {0};\n  number %s = {0};\n",
                  of_group(s->memory, "far", g), of_group(s->memory, "size", g));
  }
  writer_printf(compare, "%s%s", p->n > multipliers ? "  number reach = {0};\n" : "",
                turns ? "  number turn = {0};\n" : "");
  for (int b = 0; b < (multipliers ? s->step->n_blocks : 1); b++) {
    writer_printf(compare, "  truth %s = SW_YES;\n", of_group(s->memory, "small", b));
    if (s->watches_N && multipliers) {
      writer_printf(compare, "  truth %s = SW_YES;\n", of_group(s->memory, "tiny", b));
    }
  }
  if (has_others(s) && multipliers) {
    write_sizes_of_blocks(s, compare);
  }
  for (int j = 0; j < multipliers; j++) {
    compare_multiplier(s, i, j, compare);
  }
  for (int j = multipliers; j < p->n; j++) {
    if (p->is_of_state[j]) {
      writer_statement(compare, 2, "reach = SW_LARGER(fabs(%s - %s) * %s, reach);",
                       step_member(s, p->unknown[j]), step_member(s, p->guess[j]),
                       step_member(s, p->over_scale[j]));
    }
  }
  if (compares_pivots(p)) {
    writer_printf(keep, "  w->first_signs_%d = w->signs_%d;\n", i + 1, i + 1);
  }
  keep_distance(s, multipliers ? groups : 0, compare);
  const char *near = acceptance(s, i, groups, turns);
  if (s->step->n_blocks > 1) {
    writer_statement(compare, 2, "%s", near);
  } else {
    writer_printf(compare, "  %s\n", near);
  }
  step_function(s, "Keeps the first multipliers.", "void",
                arena_printf(s->memory, "keep_%d", i + 1), "", writer_text(keep));
  step_function(s, "Whether the multipliers are near these.", "truth",
                arena_printf(s->memory, "is_near_%d", i + 1), "", writer_text(compare));
}

/* Writes the storage of the signs of the pivots of phase i. */
static void keep_signs(const step_source *s, int i, writer *w)
{
  const fused_phase *p = &s->step->phase[i];
  writer_printf(w, "  whole signs = {0};\n");
  for (int j = 0; j < p->n; j++) {
    writer_printf(w, "  signs |= SW_BIT(SW_LESS(%s, 0.0), %d);\n", step_name(s, p->pivot[j]), j);
  }
  writer_printf(w, "  w->signs_%d = SW_SELECT_WHOLE(busy, signs, w->signs_%d);\n", i + 1, i + 1);
}

/* Writes the function that changes the unknowns, from their present values or from 0. */
static void write_change(step_source *s, int i, int from_zero)
{
  const fused_phase *p = &s->step->phase[i];
  const int block = from_zero ? FUSED_BLOCK_FIRST : FUSED_BLOCK_CORRECT;
  writer *text = writer_create(s->memory);
  for (int j = 0; j < p->n; j++) {
    const char *u = step_member(s, p->unknown[j]);
    writer_printf(text, "  %s = SW_SELECT(busy, %s%s%s, %s);\n", u, from_zero ? "" : u,
                  from_zero ? "" : " + ", step_name(s, p->change[j]), u);
  }
  if (compares_pivots(p)) {
    keep_signs(s, i, text);
  }
  writer_printf(text, "  return ");
  for (int j = 0; j < p->n_pivots; j++) {
    writer_printf(text, "%sSW_LESS(%s, 0.0)", j ? " ^ " : "", step_name(s, p->pivot[j]));
  }
  writer_printf(text, ";\n");
  step_block(s, block + i * FUSED_BLOCKS_OF_PHASE,
             from_zero ? "The same where it begins."
                       : "Newton's change of the unknowns; whether the Jacobian has a negative "
                         "determinant.",
             "truth", arena_printf(s->memory, from_zero ? "first_%d" : "correct_%d", i + 1),
             writer_text(text));
}

static void step_phase(step_source *s, int i)
{
  arena *a = s->memory;
  const fused_phase *p = &s->step->phase[i];
  const int shift = i * FUSED_BLOCKS_OF_PHASE;
  const int at_zero = fused_starts_at_zero(p);
  writer *text = writer_create(a);
  step_block(
      s, FUSED_BLOCK_BEGIN + shift,
      arena_printf(a, p->n ? "Solve %d: what does not depend on its unknowns." : "Part %d.", i + 1),
      "void", arena_printf(a, "begin_%d", i + 1), "");
  if (p->n == 0) {
    return;
  }
  for (int j = 0; j < p->n; j++) {
    writer_printf(text, "  %s = %s;\n", step_member(s, p->unknown[j]), step_member(s, p->guess[j]));
  }
  step_function(s, "Where Newton's method begins.", "void", arena_printf(a, "guess_%d", i + 1), "",
                writer_text(text));
  step_block(s, FUSED_BLOCK_RESIDUAL + shift,
             arena_printf(a, "The largest of %s, in the scales of the state.",
                          p->hidden             ? "rho"
                          : p->keeps_first_sign ? "what has to vanish"
                                                : "g"),
             "number", arena_printf(a, "residual_%d", i + 1), residual_end(s, p));
  if (at_zero) {
    step_block(s, FUSED_BLOCK_START + shift, "The same where Newton's method begins.", "number",
               arena_printf(a, "start_%d", i + 1), residual_end(s, p));
  }
  write_change(s, i, 0);
  if (at_zero) {
    write_change(s, i, 1);
  }
  if (!p->is_linear) {
    write_nearness(s, i);
  }
  step_block(s, FUSED_BLOCK_AFTER + shift, "What follows from them.", "void",
             arena_printf(a, "after_%d", i + 1), "");
  const char *turns = p->forces || p->keeps_first_sign ? "(turned ^ w->odd)"
                      : p->m % 2 && !p->hidden
                          ? arena_printf(a, "SW_LESS(%s, 0.0)", step_member(s, s->step->h))
                          : "SW_NO";
  writer_printf(s->w,
                "#define SW_FUSED_PHASE %d\n#define SW_FUSED_KIND  %s\n#define SW_FUSED_GAIN  %s\n"
                "#define SW_FUSED_TURNS %s\n"
                "%s%s#include \"sidewinder/fused_solve.h\"\n\n",
                i + 1, p->is_linear ? "SW_FUSED_LINEAR" : "SW_FUSED_NEWTON",
                p->n > p->m ? "0.2" : "0.5", turns, at_zero ? "#define SW_FUSED_FROM_ZERO\n" : "",
                s->compensated && !p->hidden ? "#define SW_FUSED_ONCE_MORE\n" : "");
}

/* The cluster of the looped model. NULL if there is none, or the method does not support clusters;
 * *refusal then gives the reason, a phrase about the model. */
static const fused_cluster *cluster_step_of(step_source *s, const emit_input *in,
                                            const sw_tableau *base, const char **refusal)
{
  const fused_cluster *cluster = fused_cluster_of(s->context, in->model, in->loops, refusal);
  sw_stage_plan plan;
  sw_stage_plan_make(base, 1, &plan);
  const int kicks = sw_stage_plan_kick(&plan) >= 0.0;
  if (cluster && (!s->method->on_hidden || s->method->operation[0].kind != SW_FIBRE || !kicks)) {
    *refusal =
        "it has loops, and the method is not rattle over a base method that kicks and drifts";
    return NULL;
  }
  return cluster;
}

/* ---- one cluster of a looped model (fused/cluster.h), instead of steps of a whole model ---- */

/* Writes the function that copies the state after the first phase to the start. */
static void write_reached(step_source *s)
{
  const fused_step *step = s->step;
  step_open(s, "The state between the two solves takes the place of the start.",
            "void go_between(work *w)");
  for (int i = 0; i < 2 * step->d; i++) {
    writer_printf(s->w, "  %s = %s;\n", step_member(s, step->z[i]),
                  step_member(s, step->reached[i]));
  }
  step_close(s);
}

/* Writes the function that applies the forces between the solves. */
static void write_kick(step_source *s)
{
  const fused_step *step = s->step;
  step_open(s, "Moves the momenta along the forces -H_q.",
            "void kick(const double force[], double by, work *w)");
  for (int i = 0; i < step->d; i++) {
    writer_printf(s->w, "  %s -= by * SW_LOAD(force, %d);\n", step_member(s, step->z[step->d + i]),
                  i);
  }
  step_close(s);
}

/* Writes the function that applies the forces of terms within clusters, at the present state. */
static void write_kick_within(step_source *s)
{
  const fused_step *step = s->step;
  writer *body = writer_create(s->memory);
  for (int i = 0; i < step->d; i++) {
    if (!ir_is_zero(step->force[i])) {
      writer_printf(body, "  %s -= by * %s;\n", step_member(s, step->z[step->d + i]),
                    step_member(s, step->force[i]));
    }
  }
  const char *text = writer_text(body);
  if (*text) {
    step_block(s, FUSED_BLOCK_FORCE, "H_q of the terms of H that act within clusters alone.",
               "void", "find_force", "");
  }
  step_open(s, "The same along those of the terms that act within clusters alone.",
            "void kick_within(const setup *s, double by, work *w)");
  writer_printf(s->w, "%s%s",
                *text ? "  find_force(s, w);\n" : "  (void)s;\n  (void)by;\n  (void)w;\n", text);
  step_close(s);
}

static void cluster_step_write_sizes(step_source *s)
{
  step_open(s, "The sizes of the whole state.",
            "void take_sizes(double size_q, double size_p, work *w)");
  writer_printf(s->w, "  %s = SW_SPREAD(size_q);\n  %s = SW_SPREAD(size_p);\n",
                step_member(s, s->step->size_q), step_member(s, s->step->size_p));
  step_close(s);
}

/* Writes the multipliers of a phase, times h and their weight in those of the step. */
static void write_multipliers(step_source *s, int phase)
{
  const fused_phase *p = &s->step->phase[phase];
  step_open(s, arena_printf(s->memory, "The multipliers of solve %d, times h.", phase + 1),
            "void multipliers_%d(const work *w, double sum[])", phase + 1);
  for (int i = 0; i < p->m; i++) {
    writer_printf(s->w, "  SW_STORE(sum, %d, %s);\n", i,
                  step_weighted(s, p->multiplier, step_member(s, p->unknown[i])));
  }
  step_close(s);
}

/* Adds the functions that only steps of clusters have to the source. */
static void cluster_step_functions(step_source *s)
{
  write_reached(s);
  write_kick(s);
  write_kick_within(s);
  cluster_step_write_sizes(s);
  write_multipliers(s, 0);
  write_multipliers(s, 1);
}

/* Writes a table of numbers. An empty table has the element -1, since C has no empty arrays. */
static void write_list(writer *w, const char *name, int n, const int values[])
{
  writer_printf(w, "static const int %s[] = {%s", name, n ? "" : "-1");
  for (int i = 0; i < n; i++) {
    writer_printf(w, "%s%d", i ? ", " : "", values[i]);
  }
  writer_printf(w, "};\n");
}

/* Writes the terms of H that make other forces, as the sets that they are sums over. */
static void write_others(const step_source *s, writer *w)
{
  const fused_cluster *c = s->cluster;
  for (int i = 0; i < c->n_others; i++) {
    write_list(w, arena_printf(s->memory, "others_%d", i), c->others[i].n, c->others[i].sets);
  }
  writer_printf(w, "static const sw_cluster_others others[] = {");
  for (int i = 0; i < c->n_others; i++) {
    writer_printf(w, "%s{%d, others_%d}", i ? ", " : "", c->others[i].n, i);
  }
  writer_printf(w, "%s};\n", c->n_others ? "" : "{0, 0}");
}

/* Writes the loops over clusters and their table `clusters`. */
static void cluster_step_tables(const step_source *s, writer *w)
{
  const fused_cluster *c = s->cluster;
  writer_printf(w, "enum { POSITIONS = %d, CONSTRAINTS = %d, PARAMETERS = %d };\n\n", s->step->d,
                s->step->m, s->step->nk);
  writer_printf(w, "#include \"sidewinder/fused_clusters.h\"\n\n");
  for (int i = 0; i < s->step->m; i++) {
    write_list(w, arena_printf(s->memory, "columns_%d", i), c->n_columns[i], c->columns[i]);
  }
  writer_printf(w, "static const int *const columns[] = {");
  for (int i = 0; i < s->step->m; i++) {
    writer_printf(w, "%scolumns_%d", i ? ", " : "", i);
  }
  writer_printf(w, "};\n");
  write_list(w, "n_columns", s->step->m, c->n_columns);
  write_list(w, "mass_of", s->step->d, c->mass_of);
  writer_printf(w, "/* Arrays of parameters, entries in them, and by how much these move on "
                   "from cluster to cluster. */\n"
                   "static const sw_cluster_value values[] = {");
  for (int i = 0; i < c->n_values; i++) {
    writer_printf(w, "%s{%d, %ld, %ld}", i ? ", " : "", c->values[i].array, c->values[i].entry,
                  c->values[i].by);
  }
  writer_printf(w, "%s};\n", c->n_values ? "" : "{0, 0, 0}");
  write_others(s, w);
  writer_printf(w, "\nstatic const sw_clusters clusters = {\n");
  writer_printf(
      w,
      "    .positions = POSITIONS,\n    .constraints = CONSTRAINTS,\n    .n_values = %d,\n"
      "    .values = values,\n    .n_masses = %d,\n    .mass_of = mass_of,\n    .n_columns = "
      "n_columns,\n    .columns = columns,\n    .n_others = %d,\n    .others = others,\n"
      "    .enter = enter,\n    .leave = leave,\n    .solve = solve,\n};\n\n",
      c->n_values, c->n_masses, c->n_others);
}

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
  writer_statement(w, 2, "const truth good = %s%sis_good(s, w, f);",
                   step->m ? "judge_N(s, w) & SW_SAME(w->negative, negative) & " : "",
                   pivots_of_start(s, 1));
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

static void write_functions(step_source *s)
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
    step_phase(s, i);
  }
  if (s->step->advances >= 0 && !s->cluster) {
    write_move(s, 1, "advance");
  }
  write_move(s, 0, "arrive");
  write_arrival(s);
  if (s->cluster) {
    cluster_step_functions(s);
  } else {
    write_step(s);
    write_sums(s);
  }
}

/* ---- the whole file ---- */

/* Chooses names of all values; s->words then contains them. */
static emit_names names_of(step_source *s)
{
  const fused_values *f = s->step->values;
  const char **names = ARENA_ARRAY(s->memory, f->n + 1, const char *);
  s->words = emit_words_create(s->memory);
  for (int i = 0; i < f->n; i++) {
    const int home = f->at[i].home;
    names[i] = home == i ? emit_words_take(s->memory, s->words, f->at[i].name) : names[home];
  }
  return (emit_names){{[IR_VALUE] = names}};
}

static const char *step_source_whole(step_source *s, const emit_input *in)
{
  const char *base = in->step_base;
  const char *name = in->model->name;
  const char *functions = writer_text(s->w);
  writer *w = writer_create(s->memory);
  writer_printf(w,
                "/* SPDX-License-Identifier: BSD-3-Clause */\n/*\n"
                " * %s_step.c -- generated by sidewinder %s from %s.\n"
                " * Do not edit: change the model and run `sidewinder generate` on it.\n *\n"
                " * A step of the method %s%s%s as straight-line code%s.\n"
                " * Solve i: begin_i, guess_i, then residual_i and correct_i in turn "
                "(sidewinder/fused_solve.h), after_i.\n */\n\n",
                name, SW_VERSION, emit_base_name(in->model->file), s->method->name,
                emit_over_base(s->memory, " over the base method ", base),
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
    cluster_step_tables(s, w);
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

/* Why there is no step, known before its composition; NULL if no reason is known. */
static const char *objection(arena *a, const emit_input *in, const fused_base *base)
{
  const sw_method *method = in->step_method;
  return in->found && in->found->independence.redundant ? "its constraints follow from others"
         : !method                                      ? "no method has that name"
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

/* NAME_step.c with a step of this shape. NULL with a refusal; NULL without one if its values cannot
 * be put in order. */
static const char *step_source_write_shape(ir_context *c, const emit_input *in, fused_base base,
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
    s.cluster = cluster_step_of(&s, in, base.tableau, refusal);
    base.force = s.cluster ? s.cluster->force : NULL;
  }
  const ir_program *p = s.cluster ? s.cluster->program : in->program;
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
  s.names = names_of(&s);
  write_functions(&s);
  *refusal = excess(&s);
  return *refusal ? NULL : step_source_whole(&s, in);
}

const char *emit_step_source(arena *a, ir_context *c, const emit_input *in, const char **refusal)
{
  const fused_base base = base_of(a, in);
  const int last = in->loops ? FUSED_CUT : FUSED_AT_ONCE;
  const char *text = NULL;
  *refusal = objection(a, in, &base);
  for (int shape = in->loops ? FUSED_CUT : FUSED_ADVANCING; !*refusal && !text; shape--) {
    ir_attempt attempt = ir_attempt_begin(c, (size_t)IR_ATTEMPT_MIB << 20);
    text = step_source_write_shape(c, in, base, (fused_shape)shape, refusal);
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
