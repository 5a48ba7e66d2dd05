/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusal.c -- why a model is refused, with remedies; warnings about an accepted model.
 */

#include "report/notes.h"

#include <stdarg.h>

#include "expr/derivative.h"
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

static void no_point(const notes *n)
{
  headline(n, "no point was found that satisfies all constraints, starting from the initial states "
              "and around the origin");
  page_conflict(n);
  if (!n->found->independence.contradiction) {
    sheet_words(n->sheet, 0, "If there is one, give a state near it by 'init'");
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

void page_refused(const notes *n)
{
  switch (n->found ? n->found->refused : REFUSED_NOT) {
  case REFUSED_NOT:
    not_examined(n);
    break;
  case REFUSED_NO_POINT:
    no_point(n);
    break;
  case REFUSED_FLAT:
    flat(n);
    break;
  case REFUSED_DEPENDENT:
    dependent(n);
    break;
  case REFUSED_SECOND_CLASS:
    second_class(n);
    break;
  case REFUSED_DEGENERATE:
    degenerate(n);
    break;
  case REFUSED_NO_MOTION:
    headline(n, "no motion satisfies the constraints: $M^H$ is empty");
    if (n->found->no_motion && n->found->chain.evidence != EVIDENCE_CERTIFICATE) {
      sheet_words(n->sheet, 0,
                  "Proved with the %s, by elimination over the rationals: g = 0 and $\\{g,H\\}$ = "
                  "0 have no "
                  "common solution",
                  n->parameters);
    }
    page_chain(n);
    break;
  }
}

const char *page_refusal(const compilation *c)
{
  /* Whether constraints share coordinates through their indices depends on the data, and each run
   * checks it. */
  int is_unknown = c->loops && c->loops->shares && !c->found && c->model->n_indices == 0;
  if (!is_unknown && (!c->found || !c->found->refused)) {
    return "";
  }
  sheet *s = sheet_plain(ir_context_arena(c->context));
  const notes n = notes_take(s, c);
  page_refused(&n);
  return sheet_text(s);
}

/* ---- warnings about an accepted model ---- */

const char *page_warning(const compilation *c)
{
  if (!c->found) {
    return "";
  }
  sheet *s = sheet_plain(ir_context_arena(c->context));
  const notes n = notes_take(s, c);
  const record *found = c->found;
  /* otherwise only the sample's constraints are redundant */
  if (found->independence.redundant && (c->data || !model_first_data(c->model))) {
    sheet_words(s, 0,
                "redundant constraints: %s%s\n"
                "  A run needs --redundant drop, which leaves out what %s others, or "
                "--redundant min-norm",
                notes_dependent(&n), found->independence.redundancy,
                found->independence.follow ? "follows from" : "depends on");
  }
  if (found->coisotropic.except) {
    sheet_words(s, 0,
                "constraints that are second class for other parameters: %s with %s\n"
                "  A run with such parameters is refused",
                notes_second_class(&n, found->pair), found->coisotropic.except);
  }
  for (int i = 0; i < found->n_seams; i++) {
    const record_seam *seam = &found->seams[i];
    if (seam->at && seam->invariant < 0) {
      sheet_words(s, 0, "a formula that is not smooth: %s, as at %s", notes_seam(&n, seam),
                  notes_point(&n, seam->at));
    }
  }
  for (int i = 0; i < c->program->n_invariants; i++) {
    if (found->invariants[i].conserved.answer == FACT_NO) {
      sheet_words(s, 0, "an invariant that is none: '%s' %s", c->program->invariant_names[i],
                  notes_change(&n, i));
    }
  }
  return sheet_text(s);
}
