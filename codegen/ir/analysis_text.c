/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_text.c -- the verdicts in words.
 */
#include <string.h>

#include "ir/analysis.h"

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

static const char *coisotropy_line(arena *a, const ir_program *p, const analysis *found)
{
  if (p->nc == 1) {
    return "coisotropic   proved: a single constraint always is (paper 000, Remark 3.4)\n";
  }
  switch (found->coisotropy) {
  case IR_PROVED:
    return p->structure.holonomic
               ? "coisotropic   proved: no constraint depends on p, so every {g_i,g_j} is 0\n"
               : "coisotropic   proved: every {g_i,g_j} is 0 as an identity\n";
  case IR_SAMPLED:
    return arena_printf(
        a,
        "coisotropic   holds at %d sampled points of M, not proved; largest relative "
        "bracket %.1e\n",
        found->on_M, found->value);
  case IR_FAILS:
    break;
  }
  return "coisotropic   fails\n";
}

static const char *nondegeneracy_line(arena *a, const analysis *found)
{
  if (found->on_MH == 0) {
    return found->on_M ? "nondegenerate not examined: no point of M^H was found\n"
                       : "nondegenerate not examined: no point of M was found\n";
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
  return arena_printf(a,
                      "nondegenerate N is invertible at %d of %d sampled points of M^H, with the "
                      "default parameters%s\n",
                      good, found->on_MH, found->undefined ? "; at some it is not finite" : "");
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
  text = join(a, text, nondegeneracy_line(a, found));
  if (p->structure.refusal.constraint < 0) {
    text = join(a, text, arena_printf(a, "fibre flow    %s\n", p->structure.fibre));
  }
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

static const char *looped_constraint_lines(arena *a, const ir_loops *l)
{
  const ir_structure *s = &l->structure;
  int momenta = 1;
  for (int i = 0; i < l->n_constraints; i++) {
    momenta = momenta && l->constraints[i].fibre == IR_FIBRE_SHIFT_Q;
  }
  return arena_printf(
      a, "constraints   %s; %s\ncoisotropic   proved for all sizes: %s\n",
      s->holonomic ? "holonomic"
      : momenta    ? "on the momenta alone"
                   : "mixed in q and p",
      degree_words(a, s->degree_g),
      s->holonomic ? "no constraint depends on p, so every {g_i,g_j} is 0"
      : momenta    ? "no constraint depends on q, so every {g_i,g_j} is 0"
                : "constraints that share a degree of freedom are all in q alone, or in p alone");
}

const char *analysis_loops_text(arena *a, const ir_loops *l, const char *sizes, const ir_program *p,
                                const analysis *found)
{
  const char *text = "sizes         run-time values; the form of H, coisotropy and the fibre flow "
                     "hold for all of them\n";
  text = join(a, text, hamiltonian_lines(a, &l->structure));
  if (l->n_constraints == 0) {
    text = join(a, text, "constraints   none\n");
  } else {
    text = join(a, text, looped_constraint_lines(a, l));
    text = join(a, text,
                p && p->nc ? at_sizes(a, nondegeneracy_line(a, found), sizes)
                           : "nondegenerate not examined: no small sizes were found for that\n");
    text = join(a, text, "              each step checks N at the sizes that it is taken with\n");
    text = join(a, text, arena_printf(a, "fibre flow    %s\n", l->structure.fibre));
  }
  return p ? join(a, text, at_sizes(a, invariant_lines(a, p), sizes)) : text;
}

/* ---- refusals ---- */

const char *analysis_warning(arena *a, const analysis *found)
{
  return found->redundant
             ? arena_printf(a,
                            "redundant constraints: %s\n"
                            "  A run needs --redundant drop, which leaves out what follows from "
                            "others, or --redundant min-norm\n",
                            found->redundancy)
             : "";
}

static const char *witness_text(arena *a, const ir_program *p, const double z[])
{
  const char *text = "";
  for (int i = 0; i < 2 * p->nq && i < 12; i++) {
    const char *name = i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
    text = join(a, text, arena_printf(a, "%s%s = %.6g", i ? ", " : "", name, z[i]));
  }
  return p->nq > 6 ? join(a, text, ", ...") : text;
}

static const char *second_class(arena *a, const ir_program *p, const analysis *found)
{
  const ir_pair *pair = &p->structure.pairs[found->pair];
  return arena_printf(a,
                      "the constraints '%s' and '%s' are second class: their bracket, relative to "
                      "their gradients, is "
                      "%.3g on M\n"
                      "  at %s\n"
                      "  SHAKE and RATTLE need {g_i,g_j} = 0 on M (coisotropy, paper 000, "
                      "Assumption 2).  Drop one of "
                      "the two,\n"
                      "  or, where one follows from the other by differentiation, keep only the "
                      "first: hidden constraints "
                      "are found, not declared\n",
                      p->c_names[pair->i], p->c_names[pair->j], found->value,
                      witness_text(a, p, found->witness));
}

const char *analysis_refusal(arena *a, const ir_program *p, const analysis *found)
{
  const ir_structure *s = &p->structure;
  switch (found->refused) {
  case ANALYSIS_ACCEPTED:
    break;
  case ANALYSIS_NO_POINT:
    return "no point was found that satisfies all constraints, starting from the initial states "
           "and around "
           "the origin\n"
           "  If there is one, give a state near it by 'init'\n";
  case ANALYSIS_FLAT_G:
    return arena_printf(
        a,
        "the derivative of constraint '%s' vanishes at every sampled point of M\n"
        "  A constraint such as (f)^2 == 0 does not define M regularly; write f == 0\n",
        p->c_names[found->flat]);
  case ANALYSIS_DEPENDENT:
    return arena_printf(
        a,
        "the constraints are dependent: at sampled points of M their gradients span "
        "%d to %d dimensions, not %d; at the first one %s\n"
        "  Remove those that follow from the others\n",
        found->least_rank, found->rank, p->nc, found->redundancy);
  case ANALYSIS_SECOND_CLASS:
    return second_class(a, p, found);
  case ANALYSIS_DEGENERATE:
    return "N = {{g,H},g} is singular at every sampled point of M^H: the constraints do not "
           "determine the "
           "motion\n"
           "  (nondegeneracy, paper 000, Assumption 1).  H may not change along the fibres, the "
           "index may be "
           "above 3,\n"
           "  or the default parameters may be special\n";
  case ANALYSIS_NO_FLOW:
    return arena_printf(a, "no closed fibre flow is known for constraint '%s': %s%s\n",
                        p->c_names[s->refusal.constraint], s->refusal.reason,
                        found->coisotropy == IR_SAMPLED
                            ? "\n  The constraints are in involution on M, but not off it"
                            : "");
  }
  return "";
}
