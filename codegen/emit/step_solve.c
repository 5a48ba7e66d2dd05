/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step_solve.c -- the functions of one solve, which sidewinder/fused_solve.h combines.
 */
#include "emit/step_source.h"
#include "expr/builders.h"

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

/* 1 if N is examined where slides end, and they are not short because their angles are. */
static int limits_slides(const step_source *s, const fused_phase *p)
{
  int limits = 0;
  for (int j = 0; j < p->m && s->step->slid_pivot[j]; j++) {
    limits |= !p->per_arctan[j];
  }
  return limits;
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
      const char *of_state = has_others(s) || limits_slides(s, p)
                                 ? size_of_block(a, block, half ? "q" : "p")
                                 : step_member(s, half ? step->size_q : step->size_p);
      for (int is_tiny = 0; is_tiny <= s->watches_N; is_tiny++) {
        writer_statement(w, 2, "%s &= SW_AT_MOST(%s * %s, %s * %s);",
                         of_group(a, is_tiny ? "tiny" : "small", block), moved,
                         step_member(s, slopes), is_tiny ? "SW_FUSED_TINY" : "SW_FUSED_SMALL",
                         of_state);
      }
      if (limits_slides(s, p)) {
        writer_statement(w, 2, "brief &= SW_AT_MOST(fabs(%s)%s * %s, SW_FUSED_SLIDE * %s);", u, per,
                         step_member(s, slopes), of_state);
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
      a, "return %s%s%s%s%s;", limits_slides(s, p) ? "brief & " : "",
      compares_pivots(p)
          ? arena_printf(a, "SW_SAME(w->signs_%d, w->first_signs_%d) & ", i + 1, i + 1)
          : "",
      in_turn, p->n > p->m + p->forces ? in_reach : "", nearness(s, groups));
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
  if (multipliers && (has_others(s) || limits_slides(s, p))) {
    write_sizes_of_blocks(s, compare);
  }
  writer_printf(compare, "%s", limits_slides(s, p) ? "  truth brief = SW_YES;\n" : "");
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
  /* the distance of the multipliers from their first values, relative to these, for
   * SW_FUSED_STEADY; 0 if the slides end at the round-off of the state from each other */
  for (int g = 0; g < groups && multipliers && s->watches_N; g++) {
    writer_statement(compare, 2,
                     "w->far_of_N = SW_LARGER(SW_SELECT(%s, (number){0}, %s / %s), w->far_of_N);",
                     of_group(s->memory, "tiny", g % s->step->n_blocks),
                     of_group(s->memory, "far", g), of_group(s->memory, "size", g));
  }
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
    writer_printf(text, "  whole signs = {0};\n");
    for (int j = 0; j < p->n; j++) {
      writer_printf(text, "  signs |= SW_BIT(SW_LESS(%s, 0.0), %d);\n", step_name(s, p->pivot[j]),
                    j);
    }
    writer_printf(text, "  w->signs_%d = SW_SELECT_WHOLE(busy, signs, w->signs_%d);\n", i + 1,
                  i + 1);
  }
  /* With forces in stages, the arguments of the fibre flow alone have pivots whose signs are those
   * of N, since they act at the start and have their equations at the end. */
  const int of_fibre = p->m && p->forces;
  const int first = of_fibre ? p->n - p->m - p->forces : 0;
  const int last = of_fibre ? p->n - p->forces : p->n_pivots;
  writer_printf(text, "  return ");
  for (int j = first; j < last; j++) {
    writer_printf(text, "%sSW_LESS(%s, 0.0)", j > first ? " ^ " : "", step_name(s, p->pivot[j]));
  }
  writer_printf(text, ";\n");
  step_block(s, block + i * FUSED_BLOCKS_OF_PHASE,
             from_zero ? "The same where it begins."
                       : "Newton's change of the unknowns; whether the Jacobian has a negative "
                         "determinant.",
             "truth", arena_printf(s->memory, from_zero ? "first_%d" : "correct_%d", i + 1),
             writer_text(text));
}

void step_solve(step_source *s, int i)
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
  const char *turns = (p->forces && !p->m) || p->keeps_first_sign ? "(turned ^ w->odd)"
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
