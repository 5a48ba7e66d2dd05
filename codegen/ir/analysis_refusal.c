/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_refusal.c -- why a model is refused, in words.
 */
#include <string.h>

#include "ir/analysis.h"
#include "ir/text.h"

/* Formulas longer than this are not shown. */
#define LONGEST_FORMULA 70

static char *join(arena *a, const char *x, const char *y)
{
  return arena_printf(a, "%s%s", x, y);
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

/* ---- no point, no rank ---- */

static const char *no_point(arena *a, const ir_program *p, const analysis *found)
{
  const verdict_independence *v = &found->independence;
  const char *names = verdict_names(a, p, v->n_conflicting, v->conflicting);
  const char *proof =
      v->contradiction ? verdict_identity(a, p, v->contradiction, LONGEST_FORMULA) : NULL;
  const char *which = "";
  if (v->contradiction) {
    which = arena_printf(a, "  Proved: %s cannot %shold%s%s\n", names,
                         v->n_conflicting > 1 ? "all " : "", proof ? ", since 1 = " : "",
                         proof ? proof : "");
  } else if (v->n_conflicting == 1) {
    which = arena_printf(a, "  Not even for %s alone\n", names);
  } else if (v->n_conflicting > 1) {
    which = arena_printf(a, "  There is none for %s together; leaving out any of these, there is\n",
                         names);
  }
  return arena_printf(
      a,
      "no point was found that satisfies all constraints, starting from the "
      "initial states and around the origin\n%s%s",
      which, v->contradiction ? "" : "  If there is one, give a state near it by 'init'\n");
}

/* "'same' follows from the others: ..." */
static const char *redundancy(arena *a, const ir_program *p, const analysis *found,
                              const verdict_redundancy *r)
{
  const char *name = p->c_names[r->constraint];
  if (r->certificate) {
    const char *identity = verdict_identity(a, p, r->certificate, LONGEST_FORMULA);
    return arena_printf(a, "  '%s' follows from the others, proved%s%s%s%s\n", name,
                        identity ? ": g[" : "", identity ? name : "", identity ? "] = " : "",
                        identity ? identity : "");
  }
  return arena_printf(a, "  '%s' follows from the others at %d sampled points: %s = 0%s\n", name,
                      found->on_M, verdict_sum(a, p, &r->combination, "dg"),
                      r->combination.constant ? "" : ", at the first of them");
}

static const char *dependent(arena *a, const ir_program *p, const analysis *found)
{
  const char *text =
      arena_printf(a,
                   "the constraints are dependent: at sampled points of M their gradients span "
                   "%d to %d dimensions, not %d; at the first one %s\n",
                   found->least_rank, found->rank, p->nc, found->redundancy);
  for (int i = 0; i < found->independence.n_redundant; i++) {
    text = join(a, text, redundancy(a, p, found, &found->independence.redundant[i]));
  }
  return join(a, text, "  Remove those that follow from the others\n");
}

static const char *second_class(arena *a, const ir_program *p, const analysis *found)
{
  const ir_pair *pair = &p->structure.pairs[found->pair];
  const char *one = p->c_names[pair->i];
  const char *other = p->c_names[pair->j];
  const char *formula = ir_text(a, p, pair->bracket, LONGEST_FORMULA);
  return arena_printf(
      a,
      "the constraints '%s' and '%s' are second class: their bracket, relative to its terms and "
      "to their gradients, is %.3g on M\n"
      "  {%s,%s}%s%s = %.6g\n"
      "  at %s\n"
      "  SHAKE and RATTLE need {g_i,g_j} = 0 on M (coisotropy, paper 000, Assumption 2).  Drop "
      "one of the two,\n"
      "  or, where one follows from the other by differentiation, keep only the first: hidden "
      "constraints are found, not declared\n",
      one, other, found->value, one, other, formula ? " = " : "", formula ? formula : "",
      found->brackets[found->pair].value, witness_text(a, p, found->witness));
}

/* ---- N is singular ---- */

static const char *chain_lines(arena *a, const ir_program *p, const verdict_chain *chain)
{
  static const char *const names[] = {"primary", "secondary", "tertiary", "quaternary"};
  const char *text = "  The chain of constraints (Dirac and Bergmann), each modulo those before:\n";
  for (int i = 0; i < chain->n_links; i++) {
    const verdict_chain_link *link = &chain->links[i];
    const char *name =
        link->level < 4 ? names[link->level] : arena_printf(a, "level %d", link->level);
    const char *formula = ir_text(a, p, link->value, LONGEST_FORMULA);
    text =
        join(a, text,
             arena_printf(a, "    %-11s %s = 0%s\n", name, formula ? formula : "(a long formula)",
                          link->repeated ? ", of which a power must vanish" : ""));
  }
  return text;
}

static const char *chain_end(arena *a, const ir_program *p, const verdict_chain *chain)
{
  const char *how = chain->kind == VERDICT_CERTIFICATE ? "" : ", as far as sampled points tell";
  switch (chain->end) {
  case CHAIN_CLOSED:
    return arena_printf(
        a,
        "  There it closes, with all multipliers determined%s: the index is %s.\n"
        "  Eliminate the variables that the later constraints fix, and keep those of index 3\n",
        how,
        chain->index > 3 ? arena_printf(a, "%d, and SHAKE and RATTLE are for index 3", chain->index)
                         : "3 only once each power is replaced by its base");
  case CHAIN_FREE:
    return arena_printf(
        a, "  There it closes, and leaves %s free%s: there are infinitely many solutions\n%s",
        p->nc == 1 ? "the multiplier"
                   : arena_printf(a, "%d of %d multipliers, such as %s of %s,", chain->n_free,
                                  p->nc, chain->n_free > 1 ? "those" : "that",
                                  verdict_names(a, p, chain->n_free, chain->free)),
        how,
        chain->constant_on_fibres ? "  H does not change along the fibres of the constraints\n"
                                  : "");
  case CHAIN_CONTRADICTORY:
    return chain->kind == VERDICT_CERTIFICATE
               ? "  Proved: these cannot all hold, so that no motion satisfies the constraints\n"
               : "  No point was found that satisfies all of these: there may be no motion\n";
  case CHAIN_TOO_LONG:
    return "  Where it ends was not found out: H may not change along the fibres, or the index may "
           "be above 3\n";
  case CHAIN_NONE:
    break;
  }
  return "  H may not change along the fibres, the index may be above 3,\n"
         "  or the default parameters may be special\n";
}

static const char *chain_text(arena *a, const ir_program *p, const verdict_chain *chain)
{
  const char *text = "";
  if (chain->energy >= 0) {
    text = arena_printf(
        a,
        "  '%s' is a function of H: it fixes the energy, and its field is parallel to that of H.  "
        "SHAKE and RATTLE\n"
        "  are not defined; in general no method keeps the symplectic form and the energy "
        "(Ge and Marsden; paper 000, section 1)\n",
        p->c_names[chain->energy]);
  }
  if (chain->end != CHAIN_NONE) {
    text = join(a, text, chain_lines(a, p, chain));
  }
  return join(a, text, chain_end(a, p, chain));
}

static const char *degenerate(arena *a, const ir_program *p, const analysis *found)
{
  const verdict_nondegeneracy *n = &found->nondegeneracy;
  const char *text =
      "N = {{g,H},g} is singular at every sampled point of M^H: the constraints do not determine "
      "the motion\n"
      "  (nondegeneracy, paper 000, Assumption 1)\n";
  if (n->kind == VERDICT_IDENTITY || n->kind == VERDICT_CERTIFICATE) {
    text = join(a, text,
                n->kind == VERDICT_IDENTITY ? "  Proved: det N = 0 for every state\n"
                : n->modulo_hidden          ? "  Proved: det N = 0 on M^H\n"
                                            : "  Proved: det N = 0 on M\n");
  }
  if (p->nc > 1 && n->null.coefficients) {
    text = join(a, text,
                arena_printf(a, "  The combination that it does not see is %s%s\n",
                             verdict_sum(a, p, &n->null, "g"),
                             n->null.constant ? "" : ", at the first of the points"));
  }
  return join(a, text, chain_text(a, p, &found->chain));
}

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

const char *analysis_refusal(arena *a, const ir_program *p, const analysis *found)
{
  const ir_structure *s = &p->structure;
  switch (found->refused) {
  case ANALYSIS_ACCEPTED:
    break;
  case ANALYSIS_NO_POINT:
    return no_point(a, p, found);
  case ANALYSIS_FLAT_G:
    return arena_printf(
        a,
        "the derivative of constraint '%s' vanishes at every sampled point of M\n"
        "  A constraint such as (f)^2 == 0 does not define M regularly; write f == 0\n",
        p->c_names[found->flat]);
  case ANALYSIS_DEPENDENT:
    return dependent(a, p, found);
  case ANALYSIS_SECOND_CLASS:
    return second_class(a, p, found);
  case ANALYSIS_DEGENERATE:
    return degenerate(a, p, found);
  case ANALYSIS_NO_MOTION:
    return join(a, "no motion satisfies the constraints: M^H is empty\n",
                chain_text(a, p, &found->chain));
  case ANALYSIS_NO_FLOW:
    return arena_printf(
        a, "no closed fibre flow is known for constraint '%s': %s%s\n",
        p->c_names[s->refusal.constraint], s->refusal.reason,
        s->n_pairs > 0 ? "\n  The constraints are in involution on M, but not off it" : "");
  }
  return "";
}
