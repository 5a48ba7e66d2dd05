/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.c -- the table of refusals: why a model is refused, with remedies.
 */

#include <stdarg.h>
#include <string.h>

#include "expr/derivative.h"
#include "report/json_parts.h"
#include "report/page.h"

/* Writes the first line of the reason; the text after it explains the reason. */
static void headline(const notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void headline(const notes *n, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *words = arena_vprintf(n->memory, format, arguments);
  va_end(arguments);
  sheet_words(n->sheet, 0, "%s%s", n->at, words);
  sheet_deeper(n->sheet);
}

/* The parameters with which elimination proves something, " with the default parameters"; "" if
 * there are none. */
static const char *of_elimination(const notes *n)
{
  return n->program->nk > 0 ? notes_range(n, RANGE_DEFAULTS) : "";
}

static void no_point(const notes *n)
{
  const record_independence *d = &n->found->independence;
  const int by_elimination = d->empty == EVIDENCE_CERTIFICATE && !d->contradiction;
  const char *with = by_elimination ? of_elimination(n) : "";
  headline(n, "no state satisfies all constraints%s, proved: M is empty", with);
  page_conflict(n);
  if (by_elimination) {
    sheet_words(n->sheet, 0, "Proved%s, by elimination over the rationals", with);
  }
  if (*with) {
    sheet_words(n->sheet, 0,
                "M may have points with other parameters: change their defaults in the model");
  }
}

static void dependent(const notes *n)
{
  const record_independence *d = &n->found->independence;
  headline(
      n,
      "the gradients of the constraints are dependent on M, where they span %d to %d "
      "dimensions, not %d, although no constraint follows from the others there: dependent "
      "gradients of a singular shape, such as a straight molecule that is held by the distances "
      "of three atoms",
      d->least_rank, d->rank, n->program->nc);
  page_redundancies(n);
  sheet_words(n->sheet, 0,
              "Describe M by functions with independent gradients, such as the coordinates that "
              "vanish in that shape");
}

/* 1 if constraint j is the hidden constraint {g_i,H} of constraint i, up to a constant factor. */
static int is_hidden_of(const ir_program *p, int i, int j)
{
  const ir_expr *rho = p->functions[IR_HIDDEN].entries[i].value;
  const ir_expr *g = p->functions[IR_CONSTRAINT].entries[j].value;
  return ir_primitive(rho) == ir_primitive(g);
}

/* The remedy for a pair of constraints of which one is the derivative of the other, or which
 * together remove one degree of freedom. */
static void second_class_remedy(const notes *n, int i, int j)
{
  const int first = is_hidden_of(n->program, i, j);
  if (first || is_hidden_of(n->program, j, i)) {
    sheet_words(
        n->sheet, 0,
        "Remove '%s': it is the hidden constraint $\\{g,H\\} = 0$ of '%s', which sidewinder "
        "finds itself",
        notes_constraint_words(n, first ? j : i), notes_constraint_words(n, first ? i : j));
    return;
  }
  sheet_words(
      n->sheet, 0,
      "Eliminate the two as a conjugate pair: solve them for a coordinate and its momentum, "
      "and substitute the solution in H and in the other constraints");
}

static void second_class(const notes *n)
{
  const ir_pair *pair = &n->program->structure.pairs[n->found->pair];
  headline(n, "the constraints %s are second class: their bracket is not 0 on M",
           notes_constraints(n, 2, (const int[]){pair->i, pair->j}));
  page_bracket(n, n->found->pair);
  sheet_words(
      n->sheet, 0,
      "SHAKE and RATTLE need $\\{g_i,g_j\\} = 0$ on M (coisotropy, paper 000, Assumption 2)");
  second_class_remedy(n, pair->i, pair->j);
}

static void degenerate(const notes *n)
{
  const record_nondegeneracy *d = &n->found->N;
  const char *where = d->singular.evidence == EVIDENCE_IDENTITY ? "for every state"
                      : d->modulo_hidden                        ? "on all of $M^H$"
                                                                : "on all of M";
  where = fact_proved(&d->singular)
              ? arena_printf(n->memory, "%s, proved%s", where, notes_range(n, d->singular.range))
              : arena_printf(n->memory, "at all %d points of $M^H$", n->found->MH.points);
  headline(n, "N = $\\{\\{g,H\\},g\\}$ is singular %s: the constraints do not determine the motion",
           where);
  sheet_words(n->sheet, 0, "(nondegeneracy, paper 000, Assumption 1)");
  page_null(n);
  page_conserved(n);
  page_chain(n);
  if (n->found->chain.end == CHAIN_NONE) {
    sheet_words(n->sheet, 0,
                "H may not change along the fibres, the index may be above 3, or the default "
                "parameters may be special");
  }
  const char *algebraic = model_algebraic_degenerate(n->memory, n->c->model);
  if (*algebraic) {
    sheet_words(n->sheet, 0, "%s", algebraic);
  }
}

static void flat(const notes *n)
{
  const record_independence *d = &n->found->independence;
  const char *name = notes_constraint_words(n, d->flat);
  const char *base = d->base ? notes_short(n, d->base) : "f";
  if (d->base) {
    headline(n,
             "the derivative of constraint '%s' vanishes wherever it holds, proved: it is a power "
             "of %s, or has it as a factor more than once",
             name, base);
  } else {
    headline(n, "the derivative of constraint '%s' vanishes at all %d points of M, to 30 digits",
             name, n->found->M.points);
  }
  sheet_words(n->sheet, 0,
              "A constraint such as (f)^2 == 0 does not define M regularly; write %s == 0", base);
}

static void not_examined(const notes *n)
{
  const char *of_sample = notes_of_sample(n);
  const char *why =
      of_sample ? of_sample
                : arena_printf(n->memory, "no small %s were found to examine that", n->varied);
  headline(n, "%s, and %s", n->structure->numerical.reason, why);
}

static void no_motion(const notes *n)
{
  headline(n, "no motion satisfies the constraints: $M^H$ is empty");
  if (n->found->no_motion && n->found->chain.evidence != EVIDENCE_CERTIFICATE) {
    sheet_words(n->sheet, 0,
                "Proved%s, by elimination over the rationals: g = 0 and $\\{g,H\\}$ = 0 have no "
                "common solution",
                of_elimination(n));
  }
  page_chain(n);
}

/* ---- the constraints that cause a refusal ---- */

static json_t *of_pair(const notes *n)
{
  return json_pair(n, n->found->pair);
}

static json_t *conflicting(const notes *n)
{
  const record_independence *d = &n->found->independence;
  return json_constraints(n, d->n_conflicting, d->conflicting);
}

static json_t *flat_one(const notes *n)
{
  return json_constraints(n, 1, &n->found->independence.flat);
}

static json_t *dependent_ones(const notes *n)
{
  const record_independence *d = &n->found->independence;
  int *list = ARENA_ARRAY(n->memory, d->n_redundant + 1, int);
  for (int i = 0; i < d->n_redundant; i++) {
    list[i] = d->redundancies[i].constraint;
  }
  return json_constraints(n, d->n_redundant, list);
}

static json_t *conserved_ones(const notes *n)
{
  const record *found = n->found;
  int *list = ARENA_ARRAY(n->memory, found->n_conserved + 1, int);
  int count = 0;
  for (int i = 0; i < found->n_conserved; i++) {
    list[count] = found->conserved[i].constraint;
    count += list[count] >= 0;
  }
  return json_constraints(n, count, list);
}

/* ---- the table of refusals ---- */

static const struct {
  const char *name;                    /* in the JSON of `check` */
  json_t *(*culprits)(const notes *n); /* NULL if no constraint is to blame */
  void (*write)(const notes *n);       /* the reason and the remedies */
  const char *of_sample;               /* the reason if a sample of data would be refused */
} refusals[] = {
    [REFUSED_NOT] = {"unexamined", NULL, not_examined, "no point of M was found"},
    [REFUSED_NO_POINT] = {"no_point_of_M", conflicting, no_point, "M is empty"},
    [REFUSED_FLAT] = {"vanishing_derivative", flat_one, flat,
                      "the gradient of a constraint vanishes on M"},
    [REFUSED_DEPENDENT] = {"dependent_constraints", dependent_ones, dependent,
                           "constraints depend on each other"},
    [REFUSED_SECOND_CLASS] = {"second_class", of_pair, second_class,
                              "constraints are second class"},
    [REFUSED_DEGENERATE] = {"degenerate", conserved_ones, degenerate,
                            "N is singular on all of $M^H$"},
    [REFUSED_NO_MOTION] = {"no_motion", NULL, no_motion, "no motion satisfies the constraints"}};

const char *notes_aside(const notes *n, int i)
{
  const record *r = n->c->aside[i].found;
  if (!r) {
    return "not examined, since the sizes before took the time of the analysis";
  }
  return r->refused == REFUSED_DEGENERATE && !fact_proved(&r->N.singular)
             ? arena_printf(n->memory, "N is singular at all %d points of $M^H$, to 30 digits",
                            r->MH.points)
             : refusals[r->refused].of_sample;
}

const char *notes_of_sample(const notes *n)
{
  const compilation *c = n->c;
  writer *w = writer_create(n->memory);
  if (c->n_aside == 0) {
    return NULL;
  }
  if (model_first_data(c->model)) {
    return arena_printf(n->memory, "with %s, %s, which may be so of the sample alone",
                        c->aside[0].at, notes_aside(n, 0));
  }
  for (int i = 0; i < c->n_aside; i++) {
    const char *why = notes_aside(n, i);
    int is_new = i == 0 || strcmp(why, notes_aside(n, i - 1)) != 0;
    writer_printf(w, is_new ? "%sat %s, %s" : "%salso at %s", i ? "; " : "", c->aside[i].at, why);
  }
  return arena_printf(n->memory, "%s, which may be so of small sizes alone", writer_text(w));
}

void page_refused(const notes *n)
{
  refusals[n->found ? n->found->refused : REFUSED_NOT].write(n);
}

json_t *json_refusal(const notes *w)
{
  const record_refusal refused = w->found ? w->found->refused : REFUSED_NOT;
  if (!*w->c->refusal) {
    return json_null();
  }
  return json_made(w, "kind:w constraints:o message:w", refusals[refused].name,
                   refusals[refused].culprits ? refusals[refused].culprits(w) : json_array(),
                   w->c->refusal);
}

const char *page_refusal(const compilation *c)
{
  /* Whether constraints share coordinates through their indices depends on the data, and each run
   * checks it. */
  int is_unknown = c->loops && c->loops->shares && !c->found && c->model->n_indices == 0;
  if (!is_unknown && (!c->found || !c->found->refused)) {
    return "";
  }
  const notes n = notes_plain(c);
  page_refused(&n);
  return sheet_text(n.sheet);
}
