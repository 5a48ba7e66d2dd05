/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/step_phase.h"

/* The largest of what has to vanish, in its scales. */
static const char *residual_end(const step_source *s, const fused_phase *p)
{
  writer *w = writer_create(s->memory);
  for (int i = 0; i < p->n; i++) {
    const char *size = arena_printf(s->memory, "fabs(%s) * %s", step_name(s, p->F[i]),
                                    step_name(s, p->over_scale[i]));
    if (p->n == 1) {
      writer_printf(w, "  return %s;\n", size);
    } else {
      writer_printf(
          w, i ? "  largest = SW_FUSED_LARGER(largest, %s);\n" : "  double largest = %s;\n", size);
    }
  }
  if (p->n > 1) {
    writer_printf(w, "  return largest;\n");
  }
  return writer_text(w);
}

/* Whether multipliers are near their first ones, each by what it changes. */
static void write_nearness(step_source *s, int i)
{
  const fused_step *step = s->step;
  const fused_phase *p = &step->phase[i];
  writer *keep = writer_create(s->memory);
  writer *compare = writer_create(s->memory);
  writer_printf(compare,
                "  double far = 0.0;\n  double size = 0.0;\n  int small = 1;\n  int near = 1;\n");
  for (int j = 0; j < p->m; j++) {
    const char *u = step_member(s, p->unknown[j]);
    const char *first = arena_printf(s->memory, "w->first_%d_%d", i + 1, j + 1);
    const char *weight = step_member(s, step->N.at[j][j]);
    writer_printf(keep, "  %s = %s;\n", first, u);
    writer_printf(compare, "  far = SW_FUSED_LARGER(fabs((%s - %s) * %s), far);\n", u, first,
                  weight);
    writer_printf(compare, "  size = SW_FUSED_LARGER(fabs(%s * %s), size);\n", first, weight);
    for (int half = 0; half < 2; half++) {
      const ir_expr *slopes = step->slopes_of_g[half][j];
      if (!ir_is_zero(slopes)) {
        writer_printf(compare, "  small &= fabs(%s - %s) * %s <= SW_FUSED_SMALL * %s;\n", u, first,
                      step_member(s, slopes), step_member(s, half ? step->size_q : step->size_p));
      }
    }
  }
  for (int j = p->m; j < p->n; j++) {
    writer_printf(compare, "  near &= fabs(%s - %s) * %s <= SW_FUSED_REACH;\n",
                  step_member(s, p->unknown[j]), step_member(s, p->guess[j]),
                  step_member(s, p->over_scale[j]));
  }
  writer_printf(compare, "  return near && (small || far <= SW_FUSED_FAR * size);\n");
  step_function(s, "Keeps the first multipliers.", "void",
                arena_printf(s->memory, "keep_%d", i + 1), "", writer_text(keep));
  step_function(s, "Whether the multipliers are near these.", "int",
                arena_printf(s->memory, "is_near_%d", i + 1), "", writer_text(compare));
}

void step_phase(step_source *s, int i)
{
  arena *a = s->memory;
  const fused_phase *p = &s->step->phase[i];
  const int shift = i * FUSED_BLOCKS_OF_PHASE;
  const char *what = p->hidden ? "rho" : "g";
  writer *text = writer_create(a);
  step_block(s, FUSED_BLOCK_BEGIN + shift,
             arena_printf(a, "Solve %d: what does not depend on its unknowns.", i + 1), "void",
             arena_printf(a, "begin_%d", i + 1), "");
  for (int j = 0; j < p->n; j++) {
    writer_printf(text, "  %s = %s;\n", step_member(s, p->unknown[j]), step_member(s, p->guess[j]));
  }
  step_function(s, "Where Newton's method begins.", "void", arena_printf(a, "guess_%d", i + 1), "",
                writer_text(text));
  step_block(s, FUSED_BLOCK_RESIDUAL + shift,
             arena_printf(a, "The largest of %s, in the scales of the state.", what), "double",
             arena_printf(a, "residual_%d", i + 1), residual_end(s, p));
  text = writer_create(a);
  for (int j = 0; j < p->n; j++) {
    writer_printf(text, "  %s += %s;\n", step_member(s, p->unknown[j]), step_name(s, p->change[j]));
  }
  writer_printf(text, "  return ");
  for (int j = 0; j < p->n; j++) {
    writer_printf(text, "%s(%s < 0.0)", j ? " ^ " : "", step_name(s, p->pivot[j]));
  }
  writer_printf(text, ";\n");
  step_block(s, FUSED_BLOCK_CORRECT + shift,
             "Newton's change of the unknowns; 1 where the Jacobian has a negative determinant.",
             "int", arena_printf(a, "correct_%d", i + 1), writer_text(text));
  if (!p->is_linear) {
    write_nearness(s, i);
  }
  step_block(s, FUSED_BLOCK_AFTER + shift, "What follows from them.", "void",
             arena_printf(a, "after_%d", i + 1), "");
  const int odd = p->m % 2;
  writer_printf(s->w,
                "#define SW_FUSED_PHASE %d\n#define SW_FUSED_KIND  %s\n#define SW_FUSED_GAIN  %s\n"
                "#define SW_FUSED_TURNS %s\n"
                "#include \"sidewinder/fused_solve.h\"\n\n",
                i + 1, p->is_linear ? "SW_FUSED_LINEAR" : "SW_FUSED_NEWTON",
                p->n > p->m ? "0.2" : "0.5", odd && !p->hidden ? "(s->h < 0.0)" : "0");
}
