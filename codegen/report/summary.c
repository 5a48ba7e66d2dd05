/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c -- the facts in lines: a label of 14 columns, and words.
 */
#include <string.h>

#include "report/facts.h"

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
static const char *certificate_lines(arena *a, const ir_program *p, const record *found)
{
  const char *text = "";
  int shown = 0;
  for (int i = 0; i < p->structure.n_pairs && shown < 3; i++) {
    const ir_pair *pair = &p->structure.pairs[i];
    const char *identity = found->brackets[i].certificate
                               ? record_identity(a, p, found->brackets[i].certificate, 84)
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

/* "but not with a = 0.7: there {c1,c2} is not 0 on M". */
static const char *exception_line(arena *a, const ir_program *p, const record *found)
{
  if (!found->coisotropic.except) {
    return "";
  }
  const ir_pair *pair = &p->structure.pairs[found->pair];
  return arena_printf(a, "              but not with %s: there {%s,%s} is not 0 on M\n",
                      found->coisotropic.except, p->c_names[pair->i], p->c_names[pair->j]);
}

static const char *coisotropy_line(arena *a, const ir_program *p, const record *found)
{
  const fact *f = &found->coisotropic;
  if (p->nc == 1) {
    return "coisotropic   proved: a single constraint always is (paper 000, Remark 3.4)\n";
  }
  if (f->answer == FACT_NO) {
    return "coisotropic   fails\n";
  }
  if (f->answer == FACT_UNDECIDED) {
    return "coisotropic   not decided: each run checks it\n";
  }
  if (f->evidence == EVIDENCE_SAMPLED) {
    return arena_printf(a,
                        "coisotropic   holds at %d points of M, up to %.2g scales apart, to 30 "
                        "digits; not proved: each run checks it\n%s",
                        found->M.points, found->M.spread, exception_line(a, p, found));
  }
  if (p->structure.n_pairs > 0) {
    return arena_printf(
        a, "coisotropic   proved%s: every {g_i,g_j} is a combination of constraints, exactly\n%s%s",
        f->range == RANGE_DEFAULTS ? " with the default parameters" : "",
        certificate_lines(a, p, found), exception_line(a, p, found));
  }
  return p->structure.holonomic
             ? "coisotropic   proved: no constraint depends on p, so every {g_i,g_j} is 0\n"
             : "coisotropic   proved: every {g_i,g_j} is 0 as an identity\n";
}

/* What is proved of det N; NULL where nothing is. */
static const char *proved_of_N(arena *a, const ir_program *p, const record *found)
{
  const record_nondegeneracy *n = &found->N;
  const char *here = n->regular.range == RANGE_DEFAULTS ? " with the default parameters" : "";
  if (n->regular.answer != FACT_YES) {
    return NULL;
  }
  if (n->regular.evidence == EVIDENCE_STRUCTURE) {
    return arena_printf(a, "proved%s: N is definite, by independent gradients and positive masses",
                        here);
  }
  const char *reduced = n->reduced ? ir_text(a, p, n->reduced, 50) : NULL;
  const char *where = n->modulo_hidden ? "M^H" : "M";
  return reduced ? arena_printf(a, "proved%s: det N = %s on %s", here, reduced, where)
                 : arena_printf(a, "proved%s: det N is not 0 on %s", here, where);
}

/* "N is invertible at 30 of 32 points of M^H, ...". */
static const char *count_of_N(arena *a, const record *found, const char *what)
{
  const record_nondegeneracy *n = &found->N;
  const char *undecided =
      n->undecided ? arena_printf(a, "; at %d it is not decided", n->undecided) : "";
  const char *others = n->elsewhere ? arena_printf(a, ", and at %d with others", n->elsewhere) : "";
  return arena_printf(a, "N %s at %d of %d points of M^H with the default parameters%s%s%s", what,
                      n->invertible, found->MH.points, others, undecided,
                      n->regular.answer == FACT_NO && n->invertible > 0 ? "; not at all points"
                                                                        : "");
}

static const char *nondegeneracy_line(arena *a, const ir_program *p, const record *found)
{
  const record_nondegeneracy *n = &found->N;
  if (found->independence.flat >= 0) {
    return "nondegenerate not examined: the gradient of a constraint vanishes on M\n";
  }
  if (n->singular.answer == FACT_YES) {
    return fact_proved(&n->singular)
               ? arena_printf(a, "nondegenerate fails, proved%s: N is singular on all of M^H\n",
                              n->singular.range == RANGE_DEFAULTS ? " with the default parameters"
                                                                  : "")
               : arena_printf(
                     a,
                     "nondegenerate fails: N is singular at all %d points of M^H, to 30 digits\n",
                     found->MH.points);
  }
  const char *proof = proved_of_N(a, p, found);
  if (proof) {
    return arena_printf(a, "nondegenerate %s\n", proof);
  }
  if (found->MH.points == 0) {
    return found->M.points ? "nondegenerate not examined: no point of M^H was found\n"
                           : "nondegenerate not examined: no point of M was found\n";
  }
  if (found->independence.redundant) {
    return arena_printf(
        a, "redundant     %s\nnondegenerate %s\n", found->independence.redundancy,
        count_of_N(a, found, arena_printf(a, "has the rank of Dg, %d,", found->independence.rank)));
  }
  if (n->by_masses) {
    return arena_printf(a,
                        "nondegenerate proved: N is invertible where the gradients of g are "
                        "independent, by positive "
                        "masses%s\n              %s\n",
                        n->masses == RANGE_DEFAULTS ? ", as the defaults are" : "",
                        count_of_N(a, found, "is invertible"));
  }
  return arena_printf(a, "nondegenerate %s\n", count_of_N(a, found, "is invertible"));
}

static const char *invariant_words(arena *a, const ir_program *p, const record_invariant *f)
{
  const fact *c = &f->conserved;
  if (c->answer == FACT_NO) {
    return arena_printf(a, "is none: it changes at the rate %.3g at %s", f->rate,
                        record_point(a, p, f->at));
  }
  if (c->answer == FACT_UNDECIDED) {
    return "not proved; its range is reported by every run";
  }
  if (f->commutes && c->range == RANGE_ALL) {
    return "proved: {I,H} = 0, and {I,g} vanishes on M^H";
  }
  if (f->commutes) {
    return "proved with the default parameters: {I,H} = 0, and {I,g} vanishes on M^H";
  }
  if (c->evidence == EVIDENCE_SAMPLED) {
    return arena_printf(a,
                        "holds at %d points of M^H, to 30 digits; not proved, and its range is "
                        "reported by every run",
                        f->points);
  }
  const char *here = c->range == RANGE_DEFAULTS ? " with the default parameters" : "";
  return p->nc ? arena_printf(a, "proved%s: {I,H} and the multipliers' part cancel on M^H", here)
               : arena_printf(a, "proved%s: {I,H} = 0", here);
}

static const char *invariant_lines(arena *a, const ir_program *p, const record *found)
{
  const char *text = "";
  for (int i = 0; i < p->n_invariants; i++) {
    text = arena_printf(a, "%sinvariant     %s: %s\n", text, p->invariant_names[i],
                        invariant_words(a, p, &found->invariants[i]));
    for (int j = 0; j < found->n_seams; j++) {
      if (found->seams[j].invariant == i) {
        text = arena_printf(a, "%s              %s%s\n", text,
                            record_seam_text(a, p, &found->seams[j]),
                            found->seams[j].at ? ", which M^H meets" : "");
      }
    }
  }
  return text;
}

/* Where H and g are not smooth on M. */
static const char *seam_lines(arena *a, const ir_program *p, const record *found)
{
  const char *text = "";
  for (int j = 0; j < found->n_seams; j++) {
    if (found->seams[j].invariant < 0) {
      text = arena_printf(a, "%s%s%s, which %s: the theory needs smoothness there\n", text,
                          *text ? "              " : "not smooth    ",
                          record_seam_text(a, p, &found->seams[j]),
                          p->nc ? "M meets" : "states may meet");
    }
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

const char *analysis_text(arena *a, const ir_program *p, const record *found)
{
  const char *text = hamiltonian_lines(a, &p->structure);
  if (p->nc == 0) {
    text = join(a, text, "constraints   none\n");
  } else {
    text = join(a, text,
                arena_printf(a, "constraints   %d, %s; %s\n", p->nc, constraint_words(p),
                             degree_words(a, p->structure.degree_g)));
    text = join(a, text, coisotropy_line(a, p, found));
    text = join(a, text, nondegeneracy_line(a, p, found));
    text = join(a, text, fibre_lines(a, &p->structure));
  }
  text = join(a, text, seam_lines(a, p, found));
  return join(a, text, invariant_lines(a, p, found));
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
                                           const ir_program *p, const record *found)
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
    return join(a, text, "              each run checks it, at its own sizes\n");
  }
  return arena_printf(
      a, "%scoisotropic   proved for all sizes: %s\n", text,
      s->holonomic ? "no constraint depends on p, so every {g_i,g_j} is 0"
      : momenta    ? "no constraint depends on q, so every {g_i,g_j} is 0"
                : "constraints that share a degree of freedom are all in q alone, or in p alone");
}

const char *analysis_loops_text(arena *a, const ir_loops *l, const char *sizes, const ir_program *p,
                                const record *found)
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
  return p ? join(
                 a, text,
                 at_sizes(a, join(a, seam_lines(a, p, found), invariant_lines(a, p, found)), sizes))
           : text;
}
