/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdicts.c -- the table of verdicts: a row has the sentence of a verdict, its JSON, its evidence
 * and its warning.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "report/json_parts.h"
#include "report/page.h"

/* Maximal number of certificates after the verdict of coisotropy, and maximal columns of one. */
#define CERTIFICATES 3
#define COLUMNS      84
/* Maximal number of functions of a list that are written. */
#define MOST_LISTED 24
/* Maximal number of operations of a function without a point. */
#define LONG 200.0

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

static void unwatched_mass(const notes *n)
{
  if (n->found->mass.of_momenta) {
    sheet_item(
        n->sheet, "not watched",
        "H_pp depends on the momenta, since H is not quadratic in them: motions may pass its "
        "zeros, and a run notices its poles by the energy");
  }
}

static json_t *mass_of_momenta(const notes *w)
{
  return json_boolean(w->found->mass.of_momenta);
}

static int has_constraints(const notes *n)
{
  return (n->c->loops ? n->c->loops->n_constraints : n->program->nc) > 0;
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

static void form_of_constraints(const notes *n)
{
  const ir_structure *s = n->structure;
  if (!has_constraints(n)) {
    sheet_item(n->sheet, "constraints", "none");
    return;
  }
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

static void discrete_gradients(const notes *n)
{
  discrete_terms(n, "discrete DH", &n->structure->discrete_H);
  discrete_terms(n, "discrete Dg", &n->structure->discrete_g);
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

static void coisotropy(const notes *n)
{
  static const char all[] = "no constraint depends on %s, so every $\\{g_i,g_j\\}$ is 0";
  if (!n->c->loops) {
    verdicts_coisotropy(n);
    return;
  }
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

static json_t *json_bracket(const notes *w, int i)
{
  const record_bracket *b = &w->found->brackets[i];
  return json_made(w, "constraints:o formula:e zero:f certificate:p zero_at_points:i value:r at:z",
                   json_pair(w, i), w->program->structure.pairs[i].bracket, &b->zero,
                   b->certificate, b->points, b->at ? b->value : NAN, b->at);
}

static json_t *json_coisotropy(const notes *w)
{
  const compilation *c = w->c;
  const record *found = c->found;
  return json_made(w, "coisotropic:f for_all_sizes:b failing_pair:o witness:z pairs:o",
                   &found->coisotropic, c->loops && !c->loops->shares, json_pair(w, found->pair),
                   found->pair < 0 ? NULL : found->brackets[found->pair].at,
                   json_list(w, c->program->structure.n_pairs, json_bracket));
}

static void warn_of_other_parameters(const notes *n)
{
  if (n->found->coisotropic.except) {
    sheet_words(n->sheet, 0,
                "constraints that are second class for other parameters: %s with %s\n"
                "  A run with such parameters is refused",
                notes_second_class(n, n->found->pair), n->found->coisotropic.except);
  }
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

static void nondegeneracy(const notes *n)
{
  if (!n->c->loops) {
    verdicts_nondegeneracy(n);
    return;
  }
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

static json_t *json_nondegeneracy(const notes *w)
{
  static const char *const zeros[] = {[ZEROS_UNKNOWN] = "unknown",
                                      [ZEROS_NEVER] = "never",
                                      [ZEROS_NEVER_HERE] = "never_with_these_parameters",
                                      [ZEROS_DEPENDENT] = "where_gradients_are_dependent",
                                      [ZEROS_SOMEWHERE] = "somewhere",
                                      [ZEROS_EVERYWHERE] = "everywhere"};
  const record_nondegeneracy *n = &w->found->N;
  json_t *verdict =
      json_made(w,
                "nondegenerate:f singular_everywhere:f invertible_points:i singular_points:i "
                "undecided_points:i zeros_of_det_N:w positive_masses:w",
                &n->regular, &n->singular, n->invertible, n->degenerate, n->undecided,
                zeros[record_zeros_of_N(w->found)], n->by_masses ? json_range(n->masses) : NULL);
  json_join(verdict,
            json_made(w,
                      "det_N:e reduced:e reduced_value:r modulo_hidden:b certificate:p witness:z "
                      "witness_exists:b null_combination:x",
                      n->determinant, n->reduced, n->certificate ? n->reduced_value : NAN,
                      n->modulo_hidden, n->certificate, n->witness, n->witness && n->witness_exists,
                      &n->null));
  return verdict;
}

/* ---- verdicts without a sentence: points, independence, the chain ---- */

static json_t *json_sample(const notes *w, const record_sample *s)
{
  return json_made(w, "points:i shown_to_exist:i tried:i with_other_parameters:i spread:r",
                   s->points, s->shown, s->tried, s->elsewhere, s->spread);
}

static json_t *sample_of_M(const notes *w)
{
  return json_sample(w, &w->found->M);
}

static json_t *sample_of_MH(const notes *w)
{
  return json_sample(w, &w->found->MH);
}

static json_t *conserved(const notes *w, int i)
{
  const record_conserved *c = &w->found->conserved[i];
  return json_made(w, "constraint:c combination:x conserved:f certificate:p", c->constraint,
                   &c->combination, &c->zero, c->certificate);
}

static json_t *all_conserved(const notes *w)
{
  return json_list(w, w->found->n_conserved, conserved);
}

static json_t *redundancy(const notes *w, int i)
{
  const record_redundancy *r = &w->found->independence.redundancies[i];
  return json_made(w, "constraint:c evidence:w certificate:p combination:x", r->constraint,
                   json_evidence(r->evidence), r->certificate, &r->combination);
}

static json_t *independence(const notes *w)
{
  const record_independence *d = &w->found->independence;
  return json_made(w,
                   "regular:f rank:i wanted:i flat:c flat_base:e redundant:o conflicting:o "
                   "contradiction:p",
                   &d->regular, d->rank, w->program->nc, d->flat, d->base,
                   json_list(w, d->n_redundant, redundancy),
                   json_constraints(w, d->n_conflicting, d->conflicting), d->contradiction);
}

static void warn_of_redundant(const notes *n)
{
  const record_independence *d = &n->found->independence;
  const char *chosen = n->c->model->run.redundant;
  const int stops = !chosen || strcmp(chosen, "error") == 0;
  /* otherwise only the sample's constraints are redundant */
  if (d->redundant && stops && (n->c->data || !model_first_data(n->c->model))) {
    sheet_words(n->sheet, 0,
                "redundant constraints: %s%s\n"
                "  A run needs --redundant drop, which leaves out what %s others, or "
                "--redundant min-norm",
                notes_dependent(n), d->redundancy, d->follow ? "follows from" : "depends on");
  }
}

static json_t *link(const notes *w, int i)
{
  const record_link *l = &w->found->chain.links[i];
  return json_made(w, "level:i formula:e", l->level, l->value);
}

static json_t *json_chain(const notes *w)
{
  static const char *const ends[] = {[CHAIN_NONE] = "none",
                                     [CHAIN_CLOSED] = "closed",
                                     [CHAIN_FREE] = "free",
                                     [CHAIN_CONTRADICTORY] = "contradictory",
                                     [CHAIN_TOO_LONG] = "too_long"};
  const record_chain *c = &w->found->chain;
  if (c->end == CHAIN_NONE) {
    return json_null();
  }
  return json_made(w,
                   "end:w evidence:w levels:i index:o links:o free_multipliers:o "
                   "energy_constraint:c constant_on_fibres:b",
                   ends[c->end], json_evidence(c->evidence), c->levels,
                   c->index > 0 ? json_integer(c->index) : json_null(),
                   json_list(w, c->n_links, link), json_constraints(w, c->n_free, c->free),
                   c->energy, c->constant_on_fibres);
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

static json_t *seam(const notes *w, int i)
{
  static const char *const kinds[] = {
      [SEAM_ABS] = "abs",           [SEAM_MIN] = "min_or_max",
      [SEAM_SIGN] = "jump_of_sign", [SEAM_ATAN2] = "jump_of_atan2",
      [SEAM_TAN] = "jump_of_tan",   [SEAM_POLE] = "pole_in_a_function",
      [SEAM_ROOT] = "root",         [SEAM_INFINITE] = "pole"};
  const record_seam *f = &w->found->seams[i];
  return json_made(w, "kind:w in:w zero_of:e at:z", kinds[f->kind], f->in, f->what, f->at);
}

static json_t *all_seams(const notes *w)
{
  return json_list(w, w->found->n_seams, seam);
}

static void warn_of_seams(const notes *n)
{
  for (int i = 0; i < n->found->n_seams; i++) {
    const record_seam *on = &n->found->seams[i];
    if (on->at && on->invariant < 0) {
      sheet_words(n->sheet, 0, "a formula that is not smooth: %s, as at %s", notes_seam(n, on),
                  notes_point(n, on->at));
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

static json_t *invariant(const notes *w, int i)
{
  const record_invariant *f = &w->found->invariants[i];
  return json_made(w, "name:n conserved:f commutes:b rate:r at:z", w->program->invariant_names[i],
                   &f->conserved, f->commutes, f->at ? f->rate : NAN, f->at);
}

static json_t *all_invariants(const notes *w)
{
  return json_list(w, w->program->n_invariants, invariant);
}

static void warn_of_invariants(const notes *n)
{
  for (int i = 0; i < n->program->n_invariants; i++) {
    if (n->found->invariants[i].conserved.answer == FACT_NO) {
      sheet_words(n->sheet, 0, "an invariant that is none: '%s' %s", n->program->invariant_names[i],
                  notes_change(n, i));
    }
  }
}

/* ---- forces ---- */

static const char *force_kind(const notes *n)
{
  static const char *const words[] = {[SW_FORCE_ANY] = "any function of the momenta",
                                      [SW_FORCE_OF_Q] = "independent of the momenta",
                                      [SW_FORCE_DAMPING] = "b(q) - gamma p, with one gamma",
                                      [SW_FORCE_DIAGONAL] = "b_i(q) - gamma_i(q) p_i"};
  return words[n->structure->force];
}

static void forces(const notes *n)
{
  sheet_item(n->sheet, "forces", "their sum is %s; the map of a step is not symplectic",
             force_kind(n));
  for (int i = 0; i < n->found->n_forces; i++) {
    const record_force *f = &n->found->forces[i];
    sheet_item(n->sheet, "", "%s: %s", f->name,
               f->is_passive ? "its power is never positive, proved for all states and parameters"
                             : "the sign of its power is not proved");
  }
}

static json_t *json_force(const notes *w, int i)
{
  const record_force *f = &w->found->forces[i];
  return json_made(w, "name:n passive:b", f->name, f->is_passive);
}

static json_t *all_forces(const notes *w)
{
  return json_list(w, w->found->n_forces, json_force);
}

/* ---- events ---- */

static const char *event_direction(const model_family *event)
{
  static const char *const words[] = {"", "rising", "falling", "both"};
  return words[event->event.directions];
}

static void events(const notes *n)
{
  const model *m = n->c->model;
  for (int i = 0; i < m->n_events; i++) {
    sheet_item(n->sheet, i ? "" : "events", "%s: %s, %s", m->events[i]->heading,
               m->events[i]->event.directions == 3 ? "rising and falling"
                                                   : event_direction(m->events[i]),
               m->events[i]->event.stops ? "ends a run" : "recorded");
  }
}

static json_t *json_event(const notes *w, int i)
{
  const model_family *event = w->c->model->events[i];
  return json_made(w, "name:n direction:w stops:b", event->name, event_direction(event),
                   event->event.stops);
}

static json_t *all_events(const notes *w)
{
  return json_list(w, w->c->model->n_events, json_event);
}

/* ---- the heat bath ---- */

static void heat_bath(const notes *n)
{
  if (n->c->model->has_bath) {
    sheet_item(
        n->sheet, "heat bath", "%s",
        "included by the method baoab; all else on this page is about the motion without it");
  }
}

/* ---- the time, and algebraic variables ---- */

static void time_and_algebraic(const notes *n)
{
  const char *time = model_time_text(n->c->model);
  if (*time) {
    sheet_item(n->sheet, "time", "%s", time);
  }
  const char *algebraic = model_algebraic_text(n->memory, n->c->model);
  if (*algebraic) {
    sheet_item(n->sheet, "algebraic", "%s", algebraic);
  }
}

/* ---- the table ---- */

/* The models that have a verdict, and what its sentence is about. */
typedef enum verdict_scope {
  OF_THE_FORM,    /* all models, at all sizes */
  OF_CONSTRAINTS, /* models with constraints, at all sizes */
  OF_FORCES,      /* models with forces */
  OF_EVENTS,      /* models with events, at all sizes */
  OF_THE_EXAMINED /* the examined model: of a looped one, the model at small sizes */
} verdict_scope;

typedef struct verdict {
  const char *key; /* the key in the JSON of `check`; NULL if `structure` has the answer there */
  verdict_scope scope;
  /* Each of these is NULL if the verdict has no such part. */
  void (*sentence)(const notes *n); /* writes items: label and words */
  json_t *(*json)(const notes *n);  /* the value of the key */
  void (*evidence)(const notes *n); /* writes what the verdict rests on */
  unsigned refusals;                /* bit r: refusal r shows the evidence already */
  void (*warning)(const notes *n);  /* writes a warning about an accepted model, if there is one */
  /* A row of RECORD_LISTS instead: the place of the list in the record, and the columns of the
   * row. */
  size_t list;
  const char *label;
  const char *form;
  const char *keys;
} verdict;

static const record_list *list_of(const notes *n, const verdict *v)
{
  return (const record_list *)((const char *)n->found + v->list);
}

static void write_functions(const notes *n, const verdict *v)
{
  const record_list *list = list_of(n, v);
  for (int i = 0; i < list->n && i < MOST_LISTED; i++) {
    const record_finding *f = &list->items[i];
    const char *text = f->at ? NULL : page_expression(n->printer, &n->names, f->value, LONG);
    sheet_item(n->sheet, i ? "" : v->label, v->form,
               text ? arena_printf(n->memory, "$%s$", text) : notes_short(n, f->value),
               f->at ? notes_point(n, f->at) : notes_range(n, f->range));
  }
  if (list->n > MOST_LISTED) {
    sheet_item(n->sheet, "", "... and %d more", list->n - MOST_LISTED);
  }
}

static json_t *json_listed(const notes *n, const verdict *v)
{
  const record_list *list = list_of(n, v);
  json_t *items = list->unexamined ? json_null() : json_array();
  for (int i = 0; i < list->n && !list->unexamined; i++) {
    const record_finding *f = &list->items[i];
    const void *second = f->at ? (const void *)f->at : json_range(f->range);
    json_add(items, json_made(n, v->keys, f->value, second));
  }
  return items;
}

/* The verdicts in the order of the page.  A reason to refuse a model is a row of the table in
 * refusal.c. */
#define LISTED_VERDICT(name, title, words, item)                                                   \
  {#name,           OF_THE_EXAMINED, .list = offsetof(record, name), .label = (title),             \
   .form = (words), .keys = (item)},

static const verdict verdicts[] = {
    /* Which form does H have, and has it parts with exact flows? */
    {.sentence = hamiltonian},
    {.sentence = page_splitting},
    /* Which form do the constraints have? */
    {.sentence = form_of_constraints},
    /* Which points were examined? */
    {"sample_of_M", OF_CONSTRAINTS, .json = sample_of_M, .evidence = page_points_of_M},
    {"sample_of_MH", OF_CONSTRAINTS, .json = sample_of_MH, .evidence = page_points_of_MH},
    /* Do the brackets {g_i,g_j} vanish on M? */
    {"coisotropy", OF_CONSTRAINTS, .sentence = coisotropy, .json = json_coisotropy,
     .evidence = page_brackets, .warning = warn_of_other_parameters},
    /* Is N invertible on M^H? */
    {"nondegeneracy", OF_CONSTRAINTS, .sentence = nondegeneracy, .json = json_nondegeneracy,
     .evidence = page_nondegeneracy},
    /* Which constraints, or combinations of constraints, does H conserve? */
    {"conserved", OF_CONSTRAINTS, .json = all_conserved, .evidence = page_conserved,
     .refusals = 1U << REFUSED_DEGENERATE},
    /* Do constraints depend on each other? */
    {"independence", OF_CONSTRAINTS, .json = independence, .evidence = page_redundancies,
     .refusals = 1U << REFUSED_DEPENDENT, .warning = warn_of_redundant},
    /* Where does the chain of Dirac and Bergmann end, if N is singular everywhere? */
    {"chain", OF_CONSTRAINTS, .json = json_chain, .evidence = page_chain,
     .refusals = 1U << REFUSED_DEGENERATE | 1U << REFUSED_NO_MOTION},
    /* Is there a closed form of the fibre flow? */
    {.scope = OF_CONSTRAINTS, .sentence = fibre_flow},
    {.sentence = discrete_gradients},
    /* Is H_pp finite and regular everywhere? */
    {"mass_of_momenta", OF_THE_EXAMINED, .sentence = unwatched_mass, .json = mass_of_momenta},
    /* The verdicts that are lists of functions. */
    RECORD_LISTS(LISTED_VERDICT)
    /* Where does a formula lack a derivative? */
    {"not_smooth", OF_THE_EXAMINED, .sentence = seams, .json = all_seams, .warning = warn_of_seams},
    /* Are the declared invariants constant along the motion? */
    {"invariants", OF_THE_EXAMINED, .sentence = invariants, .json = all_invariants,
     .warning = warn_of_invariants},
    /* Can the forces do work? */
    {"forces", OF_FORCES, .sentence = forces, .json = all_forces},
    /* What may happen between steps? */
    {"events", OF_EVENTS, .sentence = events, .json = all_events},
    {.sentence = heat_bath},
    {.sentence = time_and_algebraic}};

enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

/* The families without an instance in the examined model.  Terms and invariants count if other
 * sizes may give them instances. */
static const char *without_instance(const notes *n)
{
  arena *a = n->memory;
  const char *list = notes_lacking(a, n->c);
  const model *m = n->c->loops && !n->c->data ? n->c->examined : NULL;
  for (int i = 0; m && i < m->n_terms; i++) {
    if (m->terms[i]->count == 0) {
      list = arena_printf(a, "%s%sthe term '%s' of %s", list, *list ? ", " : "", m->terms[i]->text,
                          m->lagrangian_name ? m->lagrangian_name : m->hamiltonian_name);
    }
  }
  for (int i = 0; m && i < m->n_invariants; i++) {
    if (m->invariants[i]->count == 0) {
      list = arena_printf(a, "%s%s'%s'", list, *list ? ", " : "", m->invariants[i]->name);
    }
  }
  return list;
}

void page_verdicts(const notes *n)
{
  if (n->c->loops) {
    sheet_item(n->sheet, n->varied,
               "run-time values; the form of H%s and the fibre flow hold for all of them",
               n->c->loops->shares ? "" : ", coisotropy");
    if (n->found && n->c->n_aside) {
      sheet_item(n->sheet, "", "%s", notes_of_sample(n));
    }
  }
  const char *lacking = without_instance(n);
  if (*lacking) {
    sheet_item(n->sheet, "not examined", "%s%s: no instance", n->at, lacking);
  }
  for (int i = 0; i < VERDICTS; i++) {
    const verdict *v = &verdicts[i];
    int applies = v->scope == OF_THE_FORM      ? 1
                  : v->scope == OF_CONSTRAINTS ? has_constraints(n)
                  : v->scope == OF_FORCES      ? n->program && n->program->n_forces > 0
                  : v->scope == OF_EVENTS      ? n->c->model->n_events > 0
                                               : n->program != NULL;
    sheet_before(n->sheet, v->scope == OF_THE_EXAMINED ? n->at : "");
    if (v->list && applies) {
      write_functions(n, v);
    } else if (v->sentence && applies) {
      v->sentence(n);
    }
  }
  sheet_before(n->sheet, "");
}

json_t *json_verdicts(const notes *w)
{
  if (!w->program) {
    return json_null();
  }
  json_t *object = json_object();
  for (int i = 0; i < VERDICTS; i++) {
    const verdict *v = &verdicts[i];
    if ((v->json || v->list) && (w->program->nc > 0 || v->scope != OF_CONSTRAINTS) &&
        (w->program->n_forces > 0 || v->scope != OF_FORCES) &&
        (w->c->model->n_events > 0 || v->scope != OF_EVENTS)) {
      json_require(json_object_set_new(object, v->key, v->list ? json_listed(w, v) : v->json(w)) ==
                   0);
    }
  }
  return object;
}

void page_evidence(const notes *n)
{
  if (!n->program || n->program->nc == 0 || (n->found->M.tried == 0 && !n->found->N.determinant)) {
    return;
  }
  sheet_section(n->sheet, "What the verdicts rest on%s", n->behind);
  for (int i = 0; i < VERDICTS; i++) {
    int shown = (int)(verdicts[i].refusals >> n->found->refused & 1U);
    if (verdicts[i].evidence && !shown) {
      verdicts[i].evidence(n);
    }
  }
}

/* Warns of sizes that the analysis refuses, unless M may just be empty there. */
static void warn_of_sizes(const notes *n)
{
  int is_faulty = 0;
  for (int i = 0; i < n->c->n_aside; i++) {
    const record *found = n->c->aside[i].found;
    is_faulty |= found && found->refused && found->M.points > 0;
  }
  if (is_faulty) {
    sheet_words(n->sheet, 0, "sizes without a verdict: %s", notes_of_sample(n));
  }
}

const char *page_warning(const compilation *c)
{
  const notes n = notes_plain(c);
  if (c->found || !model_first_data(c->model)) {
    warn_of_sizes(&n);
  }
  for (int i = 0; i < VERDICTS && c->found; i++) {
    if (verdicts[i].warning) {
      verdicts[i].warning(&n);
    }
  }
  return sheet_text(n.sheet);
}
