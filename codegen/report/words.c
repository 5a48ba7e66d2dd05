/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c -- certificates, combinations of constraints, points and seams in words.
 */
#include <math.h>
#include <string.h>

#include "report/facts.h"

#define SHOWN 12

static char *join(arena *a, const char *x, const char *y)
{
  return arena_printf(a, "%s%s", x, y);
}

/* ---- certificates ---- */

const formula *record_certificate_formula(arena *a, spelling s, const ir_names *names,
                                          const record_certificate *c,
                                          const formula *const generator[], size_t most)
{
  const formula **part = ARENA_ARRAY(a, c->n + 1, const formula *);
  const formula *dots = formula_atom(a, FORMULA_ATOM, spelled_letter(s, LETTER_DOTS));
  int n = 0;
  if (!ir_is_zero(c->rest) || c->n == 0) {
    part[n++] = ir_is_long(c->rest, most) ? dots : ir_formula(a, names, c->rest);
  }
  for (int i = 0; i < c->n; i++) {
    const ir_expr *factor = c->products[i].factor;
    part[n++] = ir_is_long(factor, most) ? formula_of(a, FORMULA_PRODUCT, dots, generator[i])
                                         : ir_product_formula(a, names, factor, generator[i]);
  }
  return formula_list(a, FORMULA_SUM, n, part);
}

const char *record_identity(arena *a, const ir_program *p, const record_certificate *c, size_t most)
{
  const formula **generator = ARENA_ARRAY(a, c->n + 1, const formula *);
  const ir_names names = ir_program_names(a, SPELL_ASCII, p);
  if (ir_is_long(c->rest, 2 * most)) {
    return NULL;
  }
  for (int i = 0; i < c->n; i++) {
    const record_product *product = &c->products[i];
    int is_named = product->level == 0 || product->level == 1;
    if (ir_is_long(product->factor, 2 * most) || ir_is_long(product->generator, 2 * most)) {
      return NULL;
    }
    generator[i] = is_named ? formula_atom(a, FORMULA_ATOM,
                                           arena_printf(a, product->level ? "rho[%s]" : "g[%s]",
                                                        p->c_names[product->index]))
                            : ir_formula(a, &names, product->generator);
  }
  const char *text = formula_text(
      a, SPELL_ASCII, record_certificate_formula(a, SPELL_ASCII, &names, c, generator, 2 * most));
  return strlen(text) <= most ? text : NULL;
}

/* ---- combinations and points ---- */

const char *record_sum(arena *a, const ir_program *p, const record_combination *x,
                       const char *before)
{
  const formula **part = ARENA_ARRAY(a, p->nc + 1, const formula *);
  int n = 0;
  for (int i = 0; i < p->nc && n <= SHOWN; i++) {
    double value = x->coefficients[i];
    if (value == 0) {
      continue;
    }
    const char *name = *before ? arena_printf(a, "%s[%s]", before, p->c_names[i])
                               : spelled_entry(a, p->c_names[i]);
    const char *size = arena_printf(a, "%.6g*", fabs(value));
    const char *text = n == SHOWN ? "..." : strcmp(size, "1*") == 0 ? name : join(a, size, name);
    const formula *f = formula_atom(a, FORMULA_ATOM, text);
    part[n] = value < 0 && n < SHOWN ? formula_of(a, FORMULA_NEGATION, f, NULL) : f;
    n++;
  }
  return formula_text(a, SPELL_ASCII, formula_list(a, FORMULA_SUM, n, part));
}

const char *record_rank(arena *a, int level)
{
  static const char *const names[] = {"primary", "secondary", "tertiary", "quaternary"};
  return level < 4 ? names[level] : arena_printf(a, "level %d", level);
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
  const char *text = "";
  for (int i = 0; i < 2 * p->nq && i < SHOWN; i++) {
    const char *name = i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
    text = arena_printf(a, "%s%s%s = %.6g", text, i ? ", " : "", spelled_entry(a, name), z[i]);
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
