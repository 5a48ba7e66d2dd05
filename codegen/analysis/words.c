/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c -- certificates, combinations of constraints, points and seams in words.
 */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "ir/text.h"

static char *join(arena *a, const char *x, const char *y)
{
  return arena_printf(a, "%s%s", x, y);
}

const char *record_identity(arena *a, const ir_program *p, const record_certificate *c, size_t most)
{
  const char *text = "";
  for (int i = 0; i < c->n; i++) {
    const record_product *product = &c->products[i];
    const char *factor = ir_text(a, p, product->factor, most);
    const char *generator =
        product->level == 0   ? arena_printf(a, "g[%s]", p->c_names[product->index])
        : product->level == 1 ? arena_printf(a, "rho[%s]", p->c_names[product->index])
                              : ir_text(a, p, product->generator, most);
    if (!factor || !generator) {
      return NULL;
    }
    int is_sum = product->factor->kind == IR_SUM && product->factor->n > 1;
    int negative = !is_sum && *factor == '-';
    factor += negative;
    const char *sign = negative ? (i ? " - " : "-") : i ? " + " : "";
    text = strcmp(factor, "1") == 0
               ? arena_printf(a, "%s%s%s", text, sign, generator)
               : arena_printf(a, "%s%s%s%s%s*%s", text, sign, is_sum ? "(" : "", factor,
                              is_sum ? ")" : "", generator);
  }
  if (!ir_is_zero(c->rest) || c->n == 0) {
    const char *rest = ir_text(a, p, c->rest, most);
    text = rest ? arena_printf(a, "%s%s%s", text, c->n ? " + " : "", rest) : NULL;
  }
  return text && strlen(text) <= most ? text : NULL;
}

const char *record_sum(arena *a, const ir_program *p, const record_combination *x,
                       const char *before)
{
  const char *text = "";
  int shown = 0;
  for (int i = 0; i < p->nc; i++) {
    double value = x->coefficients[i];
    if (value == 0 || shown == 12) {
      continue;
    }
    const char *sign = value < 0 ? (shown ? " - " : "-") : shown ? " + " : "";
    const char *size = arena_printf(a, "%.6g*", fabs(value));
    size = strcmp(size, "1*") == 0 ? "" : size;
    text = arena_printf(a, "%s%s%s%s[%s]", text, sign, size, before, p->c_names[i]);
    shown++;
  }
  return shown == 12 ? join(a, text, " + ...") : text;
}

const char *record_names(arena *a, const ir_program *p, int n, const int constraints[])
{
  const char *text = "";
  for (int i = 0; i < n; i++) {
    text = arena_printf(a, "%s%s'%s'", text,
                        i == 0       ? ""
                        : i == n - 1 ? " and "
                                     : ", ",
                        p->c_names[constraints[i]]);
  }
  return text;
}

const char *record_point(arena *a, const ir_program *p, const double z[])
{
  enum { SHOWN = 12 };
  const char *text = "";
  for (int i = 0; i < 2 * p->nq && i < SHOWN; i++) {
    const char *name = i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
    text = arena_printf(a, "%s%s%s = %.6g", text, i ? ", " : "", name, z[i]);
  }
  return 2 * p->nq > SHOWN ? join(a, text, ", ...") : text;
}

const char *record_seam_text(arena *a, const ir_program *p, const record_seam *seam)
{
  enum { LONGEST = 60 };
  const char *what = ir_text(a, p, seam->what, LONGEST);
  what = what ? what : "a long formula";
  switch (seam->kind) {
  case SEAM_ABS:
    return arena_printf(a, "abs in %s has no derivative where %s = 0", seam->in, what);
  case SEAM_MIN:
    return arena_printf(a, "min or max in %s has no derivative where %s = 0", seam->in, what);
  case SEAM_SIGN:
    return arena_printf(a, "sign in %s jumps where %s = 0", seam->in, what);
  case SEAM_ATAN2:
    return arena_printf(a, "atan2 in %s jumps where %s = 0 on its negative side", seam->in, what);
  case SEAM_TAN:
    return arena_printf(a, "tan in %s jumps where %s = 0", seam->in, what);
  case SEAM_POLE:
    return arena_printf(a, "%s may jump where %s = 0", seam->in, what);
  }
  return "";
}
