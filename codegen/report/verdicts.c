/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdicts.c -- every verdict as an item: a label and a sentence.
 */
#include <string.h>

#include "report/notes.h"

/* Maximal number of certificates after the verdict of coisotropy, and maximal columns of one. */
#define CERTIFICATES 3
#define COLUMNS      84

/* ---- the form of the model ---- */

static const char *degree_words(arena *a, int degree)
{
  return degree < 0 ? "no polynomial" : arena_printf(a, "polynomial of degree %d", degree);
}

static const char *coupling(const notes *n)
{
  const ir_structure *s = n->structure;
  if (s->coupled == 1) {
    return "its mass matrix is diagonal";
  }
  return arena_printf(n->memory, "its mass matrix couples up to %d of them%s", s->coupled,
                      !s->solved                ? ""
                      : s->solved == s->coupled ? " and is factorised at each state"
                                                : " and is in part factorised at each state");
}

static void hamiltonian(const notes *n)
{
  static const char *const mass[] = {[IR_MASS_GENERAL] = "depends on the state",
                                     [IR_MASS_CONSTANT] = "constant",
                                     [IR_MASS_CONSTANT_DIAGONAL] = "constant and diagonal"};
  const ir_structure *s = n->structure;
  if (s->coupled) {
    sheet_item(n->sheet, n->c->model->lagrangian_name, "quadratic in the velocities; %s",
               coupling(n));
  }
  sheet_item(n->sheet, "H", "%s; %s in $(q, p)$",
             s->separable ? "separable, $T(p) + V(q)$" : "not separable",
             degree_words(n->memory, s->degree_H));
  sheet_item(n->sheet, "mass matrix", "%s %s",
             n->style == SPELL_LATEX || n->style == SPELL_MATHML ? "$H_{pp}$" : "H_pp",
             mass[s->mass]);
}

/* Writes where H_pp has a zero or a pole. */
static void singular_mass(const notes *n)
{
  if (n->found->mass.of_momenta) {
    sheet_item(
        n->sheet, "not watched",
        "H_pp depends on the momenta, since H is not quadratic in them: motions may pass its "
        "zeros, and a run notices its poles by the energy");
  }
  for (int i = 0; i < n->found->mass.n; i++) {
    const record_surface *f = &n->found->mass.surfaces[i];
    sheet_item(n->sheet, i == 0 ? "mass singular" : "",
               "H_pp has a zero or a pole where %s = 0, as at %s: no motion leads through",
               notes_short(n, f->what), notes_point(n, f->at));
  }
}

static int is_on_momenta(const notes *n)
{
  const ir_loops *l = n->c->loops;
  int momenta = 1;
  for (int i = 0; l && i < l->n_constraints; i++) {
    momenta = momenta && l->constraints[i].fibre == IR_FIBRE_SHIFT_Q;
  }
  for (int i = 0; !l && i < n->program->nc; i++) {
    momenta = momenta && strcmp(n->structure->constraint_kind[i], "momentum only") == 0;
  }
  return momenta;
}

static void verdicts_constraints(const notes *n)
{
  const ir_structure *s = n->structure;
  const char *count = n->c->loops ? "" : arena_printf(n->memory, "%d, ", n->program->nc);
  sheet_item(n->sheet, "constraints", "%s%s; %s", count,
             s->holonomic       ? "holonomic"
             : is_on_momenta(n) ? "on the momenta alone"
                                : "mixed in q and p",
             degree_words(n->memory, s->degree_g));
}

static void fibre_flow(const notes *n)
{
  sheet_item(n->sheet, "fibre flow", "%s", n->structure->fibre);
  if (n->structure->numerical.constraint >= 0) {
    sheet_item(n->sheet, "", "%s", n->structure->numerical.reason);
  }
}

/* ---- discrete gradients ---- */

static void discrete_terms(const notes *n, const char *label, const ir_discrete_terms *of)
{
  const struct {
    int count;
    const char *words;
  } forms[] = {{of->quadratic, "at most quadratic"},
               {of->of_one, "of one name"},
               {of->of_several, "of several names"},
               {of->of_inner, "of one expression without a name"},
               {of->others, "by the midpoint formula, which keeps no momentum"}};
  const char *list = "";
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].count) {
      list = arena_printf(n->memory, "%s%s%d %s", list, *list ? ", " : "", forms[i].count,
                          forms[i].words);
    }
  }
  if (*list) {
    sheet_item(n->sheet, label, "terms: %s", list);
  }
}

/* ---- coisotropy ---- */

/* "{a, b} = x*g" for the first pairs with a short certificate. */
static void certificates(const notes *n)
{
  int shown = 0;
  for (int i = 0; i < n->program->structure.n_pairs && shown < CERTIFICATES; i++) {
    const ir_pair *pair = &n->program->structure.pairs[i];
    const record_certificate *c = n->found->brackets[i].certificate;
    const char *text = c ? formula_text(n->memory, n->style, page_certificate(n, c)) : NULL;
    if (text && page_columns(n->style, text) <= COLUMNS) {
      const char *left =
          notes_bracket(n, notes_constraint(n, pair->i), notes_constraint(n, pair->j));
      sheet_item(n->sheet, "", "$%s = %s$", left, text);
      shown++;
    }
  }
}

static void verdicts_coisotropy(const notes *n)
{
  static const char label[] = "coisotropic";
  const fact *f = &n->found->coisotropic;
  const ir_structure *s = &n->program->structure;
  if (n->program->nc == 1) {
    sheet_item(n->sheet, label, "proved: a single constraint always is (paper 000, Remark 3.4)");
  } else if (f->answer != FACT_YES) {
    sheet_item(n->sheet, label, f->answer == FACT_NO ? "fails" : "not decided: each run checks it");
  } else if (f->evidence == EVIDENCE_SAMPLED) {
    sheet_item(
        n->sheet, label,
        "holds at %d points of M, up to %.2g scales apart, to 30 digits; not proved: each run "
        "checks it",
        n->found->M.points, n->found->M.spread);
  } else if (s->n_pairs > 0) {
    sheet_item(n->sheet, label,
               "proved%s: every $\\{g_i,g_j\\}$ is a combination of constraints, exactly",
               notes_range(n, f->range));
    certificates(n);
  } else {
    sheet_item(n->sheet, label, "proved: %severy $\\{g_i,g_j\\}$ is 0%s",
               s->holonomic ? "no constraint depends on p, so " : "",
               s->holonomic ? "" : " as an identity");
  }
  if (f->except) {
    sheet_item(n->sheet, "", "but %s with %s", notes_second_class(n, n->found->pair), f->except);
  }
}

static void looped_coisotropy(const notes *n)
{
  static const char all[] = "no constraint depends on %s, so every $\\{g_i,g_j\\}$ is 0";
  if (n->c->loops->shares) {
    if (n->program && n->program->nc) {
      sheet_before(n->sheet, n->at);
      verdicts_coisotropy(n);
      sheet_before(n->sheet, "");
    }
    sheet_item(n->sheet, n->program ? "" : "coisotropic", "each run checks it, at its own %s",
               n->varied);
    return;
  }
  const char *why =
      n->structure->holonomic ? arena_printf(n->memory, all, "p")
      : is_on_momenta(n)
          ? arena_printf(n->memory, all, "q")
          : "constraints that share a degree of freedom are all in q alone, or in p alone";
  sheet_item(n->sheet, "coisotropic", "proved for all %s: %s", n->varied, why);
}

/* ---- nondegeneracy ---- */

/* "N is invertible at 30 of 32 points of M^H, ...". */
static void count_of_N(const notes *n, const char *label, const char *what)
{
  arena *a = n->memory;
  const record_nondegeneracy *d = &n->found->N;
  const char *others = d->elsewhere ? arena_printf(a, ", and at %d with others", d->elsewhere) : "";
  const char *undecided =
      d->undecided ? arena_printf(a, "; at %d it is not decided", d->undecided) : "";
  int fails = d->regular.answer == FACT_NO && d->invertible > 0;
  sheet_item(n->sheet, label, "N %s at %d of %d points of $M^H$ with the %s%s%s%s", what,
             d->invertible, n->found->MH.points, n->parameters, others, undecided,
             fails ? "; not at all points" : "");
}

/* Writes the verdict if N is invertible on all of M^H, or singular there. */
static void decided_of_N(const notes *n, const char *label)
{
  const record_nondegeneracy *d = &n->found->N;
  const char *here = notes_range(n, d->regular.range);
  const char *where = d->modulo_hidden ? "$M^H$" : "M";
  if (fact_proved(&d->singular)) {
    sheet_item(n->sheet, label, "fails, proved%s: N is singular on all of $M^H$",
               notes_range(n, d->singular.range));
  } else if (d->singular.answer == FACT_YES) {
    sheet_item(n->sheet, label, "fails: N is singular at all %d points of $M^H$, to 30 digits",
               n->found->MH.points);
  } else if (d->regular.evidence == EVIDENCE_STRUCTURE) {
    sheet_item(n->sheet, label,
               "proved%s: N is definite, by independent gradients and positive masses", here);
  } else if (d->reduced) {
    sheet_item(n->sheet, label, "proved%s: det N = %s on %s", here, notes_short(n, d->reduced),
               where);
  } else {
    sheet_item(n->sheet, label, "proved%s: det N is not 0 on %s", here, where);
  }
}

static void verdicts_nondegeneracy(const notes *n)
{
  const char *label = "nondegenerate";
  const record *found = n->found;
  const record_independence *d = &found->independence;
  if (d->flat >= 0) {
    sheet_item(n->sheet, label, "not examined: the gradient of a constraint vanishes on M");
  } else if (found->N.singular.answer == FACT_YES || found->N.regular.answer == FACT_YES) {
    decided_of_N(n, label);
  } else if (found->MH.points == 0) {
    sheet_item(n->sheet, label, "not examined: no point of %s was found",
               found->M.points ? "$M^H$" : "M");
  } else if (d->redundant) {
    sheet_item(n->sheet, "redundant", "%s%s", notes_dependent(n), d->redundancy);
    count_of_N(n, label, arena_printf(n->memory, "has the rank of Dg, %d,", d->rank));
  } else {
    if (found->N.by_masses) {
      sheet_item(
          n->sheet, label,
          "proved: N is invertible where the gradients of g are independent, by positive masses%s",
          found->N.masses == RANGE_DEFAULTS ? ", as the defaults are" : "");
      label = "";
    }
    count_of_N(n, label, "is invertible");
  }
}

/* ---- formulas that are not smooth; invariants ---- */

static void seams(const notes *n)
{
  const char *label = "not smooth";
  for (int i = 0; i < n->found->n_seams; i++) {
    if (n->found->seams[i].invariant < 0) {
      sheet_item(n->sheet, label, "%s, which %s: the theory needs smoothness there",
                 notes_seam(n, &n->found->seams[i]),
                 n->program->nc ? "M meets" : "states may meet");
      label = "";
    }
  }
}

static const char *invariant_words(const notes *n, int i)
{
  const record_invariant *f = &n->found->invariants[i];
  const fact *c = &f->conserved;
  if (c->answer == FACT_NO) {
    return arena_printf(n->memory, "is none: it %s", notes_change(n, i));
  }
  if (c->answer == FACT_UNDECIDED) {
    return "not proved; its range is reported by every run";
  }
  if (c->evidence == EVIDENCE_SAMPLED && !f->commutes) {
    return arena_printf(n->memory,
                        "holds at %d points of $M^H$, to 30 digits; not proved, and its range is "
                        "reported by every run",
                        f->points);
  }
  return arena_printf(n->memory, "proved%s: %s", notes_range(n, c->range),
                      n->program->nc == 0 ? "$\\{I,H\\} = 0$"
                      : f->commutes       ? "$\\{I,H\\} = 0$, and $\\{I,g\\}$ vanishes on $M^H$"
                                    : "$\\{I,H\\}$ and the multipliers' part cancel on $M^H$");
}

static void invariants(const notes *n)
{
  for (int i = 0; i < n->program->n_invariants; i++) {
    sheet_item(n->sheet, "invariant", "%s: %s", n->program->invariant_names[i],
               invariant_words(n, i));
    for (int j = 0; j < n->found->n_seams; j++) {
      const record_seam *seam = &n->found->seams[j];
      if (seam->invariant == i) {
        sheet_item(n->sheet, "", "%s%s", notes_seam(n, seam),
                   seam->at ? ", which $M^H$ meets" : "");
      }
    }
  }
}

/* ---- all verdicts ---- */

static void nondegeneracy_at_sizes(const notes *n)
{
  if (n->program && n->program->nc) {
    sheet_before(n->sheet, n->at);
    verdicts_nondegeneracy(n);
    sheet_before(n->sheet, "");
  } else {
    const char *of_sample = notes_of_sample(n);
    sheet_item(n->sheet, "nondegenerate", "%s",
               of_sample ? arena_printf(n->memory, "not decided: %s", of_sample)
                         : arena_printf(n->memory, "not examined: no small %s were found for that",
                                        n->varied));
  }
  sheet_item(n->sheet, "", "each step checks N at the %s that it is taken with", n->varied);
}

void page_verdicts(const notes *n)
{
  const ir_loops *l = n->c->loops;
  if (l) {
    sheet_item(n->sheet, n->varied,
               "run-time values; the form of H%s and the fibre flow hold for all of them",
               l->shares ? "" : ", coisotropy");
  }
  hamiltonian(n);
  page_splitting(n);
  if (l ? l->n_constraints == 0 : n->program->nc == 0) {
    sheet_item(n->sheet, "constraints", "none");
  } else {
    verdicts_constraints(n);
    if (l) {
      looped_coisotropy(n);
      nondegeneracy_at_sizes(n);
    } else {
      verdicts_coisotropy(n);
      verdicts_nondegeneracy(n);
    }
    fibre_flow(n);
  }
  discrete_terms(n, "discrete DH", &n->structure->discrete_H);
  discrete_terms(n, "discrete Dg", &n->structure->discrete_g);
  if (n->program) {
    sheet_before(n->sheet, n->at);
    singular_mass(n);
    seams(n);
    invariants(n);
    sheet_before(n->sheet, "");
  }
  const char *time = model_time_text(n->c->model);
  if (*time) {
    sheet_item(n->sheet, "time", "%s", time);
  }
  const char *algebraic = model_algebraic_text(n->memory, n->c->model);
  if (*algebraic) {
    sheet_item(n->sheet, "algebraic", "%s", algebraic);
  }
}
