/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_text.c -- the verdicts in words.
 */
#include <string.h>

#include "ir/analysis.h"
#include "ir/text.h"

static char *join(arena *a, const char *x, const char *y)
{
  return arena_printf(a, "%s%s", x, y);
}

static const char *mass_words(ir_mass mass)
{
  switch (mass) {
  case IR_MASS_CONSTANT_DIAGONAL:
    return "constant and diagonal";
  case IR_MASS_CONSTANT:
    return "constant";
  case IR_MASS_GENERAL:
    break;
  }
  return "depends on the state";
}

static const char *degree_words(arena *a, int degree)
{
  return degree < 0 ? "no polynomial" : arena_printf(a, "polynomial of degree %d", degree);
}

static const char *hamiltonian_lines(arena *a, const ir_structure *s)
{
  return arena_printf(a,
                      "H             %s; %s in (q, p)\n"
                      "mass matrix   H_pp %s\n",
                      s->separable ? "separable, T(p) + V(q)" : "not separable",
                      degree_words(a, s->degree_H), mass_words(s->mass));
}

/* "{a,b} = (x)*(g)" for the first pairs with a certificate. */
static const char *certificate_lines(arena *a, const ir_program *p, const analysis *found)
{
  const char *text = "";
  int shown = 0;
  for (int i = 0; i < p->structure.n_pairs && shown < 3; i++) {
    const ir_pair *pair = &p->structure.pairs[i];
    const char *identity = found->brackets[i].certificate
                               ? verdict_identity(a, p, found->brackets[i].certificate, 84)
                               : NULL;
    if (identity) {
      text = join(a, text,
                  arena_printf(a, "              {%s,%s} = %s\n", p->c_names[pair->i],
                               p->c_names[pair->j], identity));
      shown++;
    }
  }
  return text;
}

static const char *coisotropy_line(arena *a, const ir_program *p, const analysis *found)
{
  if (p->nc == 1) {
    return "coisotropic   proved: a single constraint always is (paper 000, Remark 3.4)\n";
  }
  switch (found->coisotropy) {
  case IR_PROVED:
    if (p->structure.n_pairs > 0) {
      return join(
          a, "coisotropic   proved: every {g_i,g_j} is a combination of constraints, exactly\n",
          certificate_lines(a, p, found));
    }
    return p->structure.holonomic
               ? "coisotropic   proved: no constraint depends on p, so every {g_i,g_j} is 0\n"
               : "coisotropic   proved: every {g_i,g_j} is 0 as an identity\n";
  case IR_SAMPLED:
    return arena_printf(a,
                        "coisotropic   holds at %d sampled points of M, spread over %.2g, not "
                        "proved; largest relative bracket %.1e\n",
                        found->on_M, found->sample_M.spread, found->value);
  case IR_FAILS:
    break;
  }
  return "coisotropic   fails\n";
}

/* What is proved of det N; NULL where nothing is. */
static const char *proved_of_N(arena *a, const ir_program *p, const analysis *found)
{
  const verdict_nondegeneracy *n = &found->nondegeneracy;
  if (n->zeros == ZEROS_NEVER && n->kind == VERDICT_STRUCTURE) {
    return "proved: N is invertible where the gradients of g are independent, by positive masses";
  }
  const char *reduced = n->reduced ? ir_text(a, p, n->reduced, 50) : NULL;
  if ((n->zeros != ZEROS_NEVER && n->zeros != ZEROS_NEVER_HERE) || !reduced) {
    return NULL;
  }
  return arena_printf(a, "proved: det N = %s on %s", reduced, n->modulo_hidden ? "M^H" : "M");
}

static const char *nondegeneracy_line(arena *a, const ir_program *p, const analysis *found)
{
  if (found->on_MH == 0) {
    return found->on_M ? "nondegenerate not examined: no point of M^H was found\n"
                       : "nondegenerate not examined: no point of M was found\n";
  }
  if (found->refused == ANALYSIS_FLAT_G) {
    return "nondegenerate not examined: the gradient of a constraint vanishes on M\n";
  }
  int good = found->on_MH - found->singular - found->undefined;
  if (found->redundant) {
    return arena_printf(
        a,
        "redundant     %s\n"
        "nondegenerate N has the rank of Dg, %d, at %d of %d sampled points of M^H, "
        "with the default parameters%s\n",
        found->redundancy, found->rank, good, found->on_MH,
        found->undefined ? "; at some it is not finite" : "");
  }
  const char *proof = good == found->on_MH ? proved_of_N(a, p, found) : NULL;
  if (proof) {
    return arena_printf(a, "nondegenerate %s\n", proof);
  }
  return arena_printf(
      a,
      "nondegenerate N is invertible at %d of %d sampled points of M^H, with the "
      "default parameters%s%s\n",
      good, found->on_MH, found->undefined ? "; at some it is not finite" : "",
      good > 0 && found->nondegeneracy.zeros == ZEROS_SOMEWHERE ? "; not at all points" : "");
}

static const char *invariant_lines(arena *a, const ir_program *p)
{
  const char *text = "";
  for (int i = 0; i < p->n_invariants; i++) {
    text = join(a, text,
                arena_printf(a, "invariant     %s: %s\n", p->invariant_names[i],
                             p->invariants[i].conserved
                                 ? "proved: {I,H} = 0, and {I,g} vanishes on M^H"
                                 : "not proved; its range is reported by every run"));
  }
  return text;
}

static const char *constraint_words(const ir_program *p)
{
  int momenta = 1;
  for (int i = 0; i < p->nc; i++) {
    momenta = momenta && strcmp(p->structure.constraint_kind[i], "momentum only") == 0;
  }
  return p->structure.holonomic ? "holonomic"
         : momenta              ? "on the momenta alone"
                                : "mixed in q and p";
}

static const char *fibre_lines(arena *a, const ir_structure *s)
{
  const char *text = arena_printf(a, "fibre flow    %s\n", s->fibre);
  return s->numerical.constraint < 0
             ? text
             : arena_printf(a, "%s              %s\n", text, s->numerical.reason);
}

const char *analysis_text(arena *a, const ir_program *p, const analysis *found)
{
  const char *text = hamiltonian_lines(a, &p->structure);
  if (p->nc == 0) {
    return join(a, join(a, text, "constraints   none\n"), invariant_lines(a, p));
  }
  text = join(a, text,
              arena_printf(a, "constraints   %d, %s; %s\n", p->nc, constraint_words(p),
                           degree_words(a, p->structure.degree_g)));
  text = join(a, text, coisotropy_line(a, p, found));
  text = join(a, text, nondegeneracy_line(a, p, found));
  text = join(a, text, fibre_lines(a, &p->structure));
  return join(a, text, invariant_lines(a, p));
}

/* ---- a model whose sizes are run-time values ---- */

/* Puts "at N = 3: " behind the label of each line. */
static const char *at_sizes(arena *a, const char *lines, const char *sizes)
{
  static const size_t label = 14;
  const char *text = "";
  while (*lines) {
    size_t length = strcspn(lines, "\n") + 1;
    text = arena_printf(a, "%s%.*s%s%s%s%.*s", text, (int)label, lines, *sizes ? "at " : "", sizes,
                        *sizes ? ": " : "", (int)(length - label), lines + label);
    lines += length;
  }
  return text;
}

static const char *looped_constraint_lines(arena *a, const ir_loops *l, const char *sizes,
                                           const ir_program *p, const analysis *found)
{
  const ir_structure *s = &l->structure;
  int momenta = 1;
  for (int i = 0; i < l->n_constraints; i++) {
    momenta = momenta && l->constraints[i].fibre == IR_FIBRE_SHIFT_Q;
  }
  const char *text = arena_printf(a, "constraints   %s; %s\n",
                                  s->holonomic ? "holonomic"
                                  : momenta    ? "on the momenta alone"
                                               : "mixed in q and p",
                                  degree_words(a, s->degree_g));
  if (l->shares) {
    text = join(a, text, p && p->nc ? at_sizes(a, coisotropy_line(a, p, found), sizes) : "");
    return join(a, text, "              each run checks it where it starts, at its own sizes\n");
  }
  return arena_printf(
      a, "%scoisotropic   proved for all sizes: %s\n", text,
      s->holonomic ? "no constraint depends on p, so every {g_i,g_j} is 0"
      : momenta    ? "no constraint depends on q, so every {g_i,g_j} is 0"
                : "constraints that share a degree of freedom are all in q alone, or in p alone");
}

const char *analysis_loops_text(arena *a, const ir_loops *l, const char *sizes, const ir_program *p,
                                const analysis *found)
{
  const char *text =
      arena_printf(a,
                   "sizes         run-time values; the form of H%s and the fibre flow "
                   "hold for all of them\n",
                   l->shares ? "" : ", coisotropy");
  text = join(a, text, hamiltonian_lines(a, &l->structure));
  if (l->n_constraints == 0) {
    text = join(a, text, "constraints   none\n");
  } else {
    text = join(a, text, looped_constraint_lines(a, l, sizes, p, found));
    text = join(a, text,
                p && p->nc ? at_sizes(a, nondegeneracy_line(a, p, found), sizes)
                           : "nondegenerate not examined: no small sizes were found for that\n");
    text = join(a, text, "              each step checks N at the sizes that it is taken with\n");
    text = join(a, text, fibre_lines(a, &l->structure));
  }
  return p ? join(a, text, at_sizes(a, invariant_lines(a, p), sizes)) : text;
}
