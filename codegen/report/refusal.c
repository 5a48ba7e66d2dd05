/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.c -- why a model is refused, in words.
 */
#include <string.h>

#include "report/facts.h"

/* Formulas longer than this are not shown. */
#define LONGEST_FORMULA 70

static char *join(arena *a, const char *x, const char *y)
{
  return arena_printf(a, "%s%s", x, y);
}

/* ---- no point, no rank ---- */

static const char *no_point(arena *a, const ir_program *p, const record *found)
{
  const record_independence *v = &found->independence;
  const char *names = record_names(a, p, v->n_conflicting, v->conflicting);
  const char *proof =
      v->contradiction ? record_identity(a, p, v->contradiction, LONGEST_FORMULA) : NULL;
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
static const char *redundancy(arena *a, const ir_program *p, const record *found,
                              const record_redundancy *r)
{
  const char *name = p->c_names[r->constraint];
  if (r->certificate) {
    const char *identity = record_identity(a, p, r->certificate, LONGEST_FORMULA);
    return arena_printf(a, "  '%s' follows from the others, proved%s%s%s%s\n", name,
                        identity ? ": g[" : "", identity ? name : "", identity ? "] = " : "",
                        identity ? identity : "");
  }
  const char *what = found->refused == REFUSED_DEPENDENT ? "has a gradient that depends on those of"
                                                         : "follows from";
  return arena_printf(a, "  '%s' %s the others at %d points: %s = 0%s\n", name, what,
                      found->M.points, record_sum(a, p, &r->combination, "dg"),
                      r->combination.constant ? "" : ", at the first of them");
}

static const char *dependent(arena *a, const ir_program *p, const record *found)
{
  const char *text =
      arena_printf(a,
                   "the gradients of the constraints are dependent on M, where they span %d to %d "
                   "dimensions, not %d, although no constraint follows from the others there\n",
                   found->independence.least_rank, found->independence.rank, p->nc);
  for (int i = 0; i < found->independence.n_redundant; i++) {
    text = join(a, text, redundancy(a, p, found, &found->independence.redundancies[i]));
  }
  return join(a, text,
              "  Remove those that follow from the others, or describe M by functions with "
              "independent gradients\n");
}

static const char *second_class(arena *a, const ir_program *p, const record *found)
{
  const ir_pair *pair = &p->structure.pairs[found->pair];
  const char *one = p->c_names[pair->i];
  const char *other = p->c_names[pair->j];
  const char *shown = ir_text(a, p, pair->bracket, LONGEST_FORMULA);
  return arena_printf(
      a,
      "the constraints '%s' and '%s' are second class: their bracket is not 0 on M\n"
      "  {%s,%s}%s%s = %.6g\n"
      "  at %s\n"
      "  SHAKE and RATTLE need {g_i,g_j} = 0 on M (coisotropy, paper 000, Assumption 2).  Drop "
      "one of the two,\n"
      "  or, where one follows from the other by differentiation, keep only the first: hidden "
      "constraints are found, not declared\n",
      one, other, one, other, shown ? " = " : "", shown ? shown : "",
      found->brackets[found->pair].value, record_point(a, p, found->brackets[found->pair].at));
}

/* ---- N is singular ---- */

static const char *chain_lines(arena *a, const ir_program *p, const record_chain *chain)
{
  const char *text = "  The chain of constraints (Dirac and Bergmann), each modulo those before:\n";
  for (int i = 0; i < chain->n_links; i++) {
    const record_link *link = &chain->links[i];
    const char *name = record_rank(a, link->level);
    const char *shown = ir_text(a, p, link->value, LONGEST_FORMULA);
    text = join(a, text,
                arena_printf(a, "    %-11s %s = 0%s\n", name, shown ? shown : "(a long formula)",
                             link->repeated ? ", of which a power must vanish" : ""));
  }
  return text;
}

static const char *end_of_chain(arena *a, const ir_program *p, const record_chain *chain)
{
  const char *how =
      chain->evidence == EVIDENCE_CERTIFICATE ? "" : ", as far as sampled points tell";
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
                                  record_names(a, p, chain->n_free, chain->free)),
        how,
        chain->constant_on_fibres ? "  H does not change along the fibres of the constraints\n"
                                  : "");
  case CHAIN_CONTRADICTORY:
    return chain->evidence == EVIDENCE_CERTIFICATE
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

static const char *chain_text(arena *a, const ir_program *p, const record_chain *chain)
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
  return join(a, text, end_of_chain(a, p, chain));
}

/* What H conserves by itself need not be asked for. */
static const char *conserved(arena *a, const ir_program *p, const record *found)
{
  const char *text = "";
  for (int i = 0; i < found->n_conserved && i < 6; i++) {
    const record_conserved *c = &found->conserved[i];
    const char *what = c->constraint >= 0 ? arena_printf(a, "'%s'", p->c_names[c->constraint])
                                          : arena_printf(a, "the combination %s",
                                                         record_sum(a, p, &c->combination, "g"));
    const char *how = c->zero.evidence == EVIDENCE_IDENTITY ? "{g,H} = 0"
                      : fact_proved(&c->zero)               ? "{g,H} = 0 on M"
                                              : "{g,H} = 0 at all points of M, to 30 digits";
    text =
        arena_printf(a, "%s  H conserves %s (%s): drop %s, a run that starts on it stays on it%s\n",
                     text, what, how, c->constraint >= 0 ? "it" : "one of these",
                     found->chain.energy == c->constraint && c->constraint >= 0
                         ? ", as nearly as the method keeps the energy"
                         : "");
  }
  return text;
}

static const char *degenerate(arena *a, const ir_program *p, const record *found)
{
  const record_nondegeneracy *n = &found->N;
  const char *where = n->singular.evidence == EVIDENCE_IDENTITY ? "for every state"
                      : n->modulo_hidden                        ? "on all of M^H"
                                                                : "on all of M";
  const char *here = n->singular.range == RANGE_DEFAULTS ? ", with the default parameters" : "";
  const char *text =
      fact_proved(&n->singular)
          ? arena_printf(a,
                         "N = {{g,H},g} is singular %s, proved%s: the constraints do not determine "
                         "the motion\n",
                         where, here)
          : arena_printf(
                a,
                "N = {{g,H},g} is singular at all %d points of M^H: the constraints do not "
                "determine the motion\n",
                found->MH.points);
  text = join(a, text, "  (nondegeneracy, paper 000, Assumption 1)\n");
  if (p->nc > 1 && n->null.coefficients) {
    text = join(a, text,
                arena_printf(a, "  The combination that it does not see is %s%s\n",
                             record_sum(a, p, &n->null, "g"),
                             n->null.constant ? "" : ", at the first of the points"));
  }
  text = join(a, text, conserved(a, p, found));
  return join(a, text, chain_text(a, p, &found->chain));
}

/* "the derivative of 'c' vanishes on M". */
static const char *flat(arena *a, const ir_program *p, const record *found)
{
  const record_independence *d = &found->independence;
  const char *base = d->base ? ir_text(a, p, d->base, LONGEST_FORMULA) : NULL;
  const char *why =
      d->base
          ? arena_printf(a, "wherever it holds, proved%s%s%s", base ? ": it is a power of " : "",
                         base ? base : "", base ? ", or has it as a factor more than once" : "")
          : arena_printf(a, "at all %d points of M, to 30 digits", found->M.points);
  return arena_printf(
      a,
      "the derivative of constraint '%s' vanishes %s\n"
      "  A constraint such as (f)^2 == 0 does not define M regularly; write %s == 0\n",
      p->c_names[d->flat], why, base ? base : "f");
}

const char *analysis_warning(arena *a, const ir_program *p, const record *found)
{
  const char *text = "";
  if (found->independence.redundant) {
    text = arena_printf(a,
                        "redundant constraints: %s\n"
                        "  A run needs --redundant drop, which leaves out what follows from "
                        "others, or --redundant min-norm\n",
                        found->independence.redundancy);
  }
  if (found->coisotropic.except) {
    const ir_pair *pair = &p->structure.pairs[found->pair];
    text = arena_printf(
        a,
        "%sconstraints that are second class for other parameters: {%s,%s} is not 0 on M "
        "with %s\n  A run with such parameters is refused\n",
        text, p->c_names[pair->i], p->c_names[pair->j], found->coisotropic.except);
  }
  for (int i = 0; i < found->n_seams; i++) {
    if (found->seams[i].at && found->seams[i].invariant < 0) {
      text = arena_printf(a, "%sa formula that is not smooth: %s, as at %s\n", text,
                          record_seam_text(a, p, &found->seams[i]),
                          record_point(a, p, found->seams[i].at));
    }
  }
  for (int i = 0; i < p->n_invariants; i++) {
    const record_invariant *f = &found->invariants[i];
    if (f->conserved.answer == FACT_NO) {
      text = arena_printf(a, "%san invariant that is none: '%s' changes at the rate %.3g at %s\n",
                          text, p->invariant_names[i], f->rate, record_point(a, p, f->at));
    }
  }
  return text;
}

const char *analysis_refusal(arena *a, const ir_program *p, const record *found)
{
  switch (found->refused) {
  case REFUSED_NOT:
    break;
  case REFUSED_NO_POINT:
    return no_point(a, p, found);
  case REFUSED_FLAT:
    return flat(a, p, found);
  case REFUSED_DEPENDENT:
    return dependent(a, p, found);
  case REFUSED_SECOND_CLASS:
    return second_class(a, p, found);
  case REFUSED_DEGENERATE:
    return degenerate(a, p, found);
  case REFUSED_NO_MOTION:
    return join(a, "no motion satisfies the constraints: M^H is empty\n",
                chain_text(a, p, &found->chain));
  }
  return "";
}
