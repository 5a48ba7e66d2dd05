/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.c -- the evidence of each verdict: certificates, sampled points, witnesses.
 */
#include "report/notes.h"

/* Maximal number of operations of a factor in a certificate. */
#define FACTOR 80.0

/* ---- certificates ---- */

static int is_long(const notes *n, const ir_expr *e)
{
  return page_operations(n->printer, e) > FACTOR;
}

/* The formula, or dots if it is long. */
static const formula *or_dots(const notes *n, const ir_expr *e)
{
  return is_long(n, e)
             ? formula_atom(n->memory, FORMULA_ATOM, spelled_letter(n->style, LETTER_DOTS))
             : ir_formula(n->memory, &n->names, e);
}

/* The generator of a product: a constraint by its name, a hidden constraint by its letter. */
static const formula *generator(const notes *n, const record_product *product)
{
  int i = product->index;
  if (product->level < 0 || product->level > 1 || i < 0 || i >= n->program->nc) {
    return or_dots(n, product->generator);
  }
  return formula_atom(n->memory, FORMULA_ATOM,
                      product->level == 0 ? notes_constraint(n, i) : notes_hidden(n, i));
}

const formula *page_certificate(const notes *n, const record_certificate *c)
{
  arena *a = n->memory;
  const formula **part = ARENA_ARRAY(a, c->n + 1, const formula *);
  int parts = 0;
  if (!ir_is_zero(c->rest) || c->n == 0) {
    part[parts++] = or_dots(n, c->rest);
  }
  for (int i = 0; i < c->n; i++) {
    const ir_expr *factor = c->products[i].factor;
    const formula *of = generator(n, &c->products[i]);
    part[parts++] = is_long(n, factor) ? formula_of(a, FORMULA_PRODUCT, or_dots(n, factor), of)
                                       : ir_product_formula(a, &n->names, factor, of);
  }
  return formula_list(a, FORMULA_SUM, parts, part);
}

static void write_certificate(const notes *n, const char *left, const record_certificate *c)
{
  const formula *right = page_certificate(n, c);
  sheet_formula(n->sheet, left, "=", page_formula(n->memory, n->style, right, ROOM), "");
}

/* ---- coisotropy ---- */

void page_bracket(const notes *n, int i)
{
  const ir_pair *pair = &n->program->structure.pairs[i];
  const record_bracket *b = &n->found->brackets[i];
  const char *left = notes_bracket(n, notes_constraint(n, pair->i), notes_constraint(n, pair->j));
  if (b->certificate) {
    write_certificate(n, left, b->certificate);
    sheet_words(n->sheet, 4, "for every $(q, p)$%s, which proves that it is 0 on M",
                notes_range(n, b->zero.range));
    return;
  }
  notes_value(n, left, "=", pair->bracket);
  if (b->zero.answer == FACT_YES) {
    sheet_words(n->sheet, 4, "is 0 at %d points of M, to 2^-100 of its terms; not proved",
                b->points);
  } else if (b->zero.answer == FACT_NO) {
    sheet_words(n->sheet, 4, "is %.6g at a point of M: %s", b->value, notes_point(n, b->at));
  } else {
    sheet_words(n->sheet, 4, "is 0 at %d of %d points of M, and not decided at the others",
                b->points, n->found->M.points);
  }
}

/* Writes all brackets except the one that a refusal shows. */
void page_brackets(const notes *n)
{
  int pairs = n->found->brackets ? n->program->structure.n_pairs : 0;
  int refused = n->found->refused == REFUSED_SECOND_CLASS ? n->found->pair : -1;
  for (int i = 0; i < pairs && i < LISTED; i++) {
    if (i != refused) {
      page_bracket(n, i);
    }
  }
  notes_more(n, pairs - LISTED, " brackets");
}

/* ---- nondegeneracy ---- */

void page_nondegeneracy(const notes *n)
{
  static const char *const det[] = {"det N", "det N",
                                    "\\det N", [SPELL_MATHML] = "\\det<mspace width=\"0.17em\"/>N"};
  const record_nondegeneracy *d = &n->found->N;
  if (d->determinant) {
    notes_value(n, det[n->style], "=", d->determinant);
  }
  if (d->certificate) {
    write_certificate(n, det[n->style], d->certificate);
  }
  if (d->reduced) {
    const char *form = n->style == SPELL_LATEX ? "%s|_{%s}" : "%s on %s";
    notes_value(n, arena_printf(n->memory, form, det[n->style], d->modulo_hidden ? "M^H" : "M"),
                "=", d->reduced);
  }
  record_zeros zeros = record_zeros_of_N(n->found);
  if (zeros == ZEROS_NEVER_HERE && d->certificate && d->certificate_range == RANGE_ALL) {
    sheet_words(n->sheet, 0,
                "N is invertible on all of $M^H$ where this is not 0; with the %s "
                "it is %.6g",
                n->parameters, d->reduced_value);
  } else if (zeros == ZEROS_SOMEWHERE && d->witness) {
    sheet_words(n->sheet, 0, "N is singular at a point of $M^H$%s: %s",
                d->witness_exists ? "" : ", to 30 digits", notes_point(n, d->witness));
  }
  if (n->found->refused != REFUSED_DEGENERATE) {
    page_null(n);
  }
}

void page_null(const notes *n)
{
  const record_combination *null = &n->found->N.null;
  if (null->coefficients && n->program->nc > 1) {
    sheet_words(n->sheet, 0, "The combination that N takes to 0%s: %s",
                null->constant ? "" : " at the first of the points", notes_combination(n, null));
  }
}

void page_conserved(const notes *n)
{
  const record *found = n->found;
  for (int i = 0; i < found->n_conserved && i < LISTED; i++) {
    const record_conserved *c = &found->conserved[i];
    int alone = c->constraint >= 0;
    const char *what =
        alone ? arena_printf(n->memory, "'%s'", notes_constraint_words(n, c->constraint))
              : notes_combination(n, &c->combination);
    const char *how = c->zero.evidence == EVIDENCE_IDENTITY ? "$\\{g,H\\} = 0$"
                      : fact_proved(&c->zero)               ? "$\\{g,H\\} = 0$ on M, proved"
                                              : "$\\{g,H\\} = 0$ at all points of M, to 30 digits";
    if (c->certificate) {
      const char *rho = spelled_letter(n->style, LETTER_RHO);
      write_certificate(n, alone ? notes_hidden(n, c->constraint) : rho, c->certificate);
    }
    const char *advice = "";
    if (found->refused == REFUSED_DEGENERATE) {
      advice = arena_printf(n->memory, ": drop %s, a run that starts on it stays on it%s",
                            alone ? "it" : "one of these",
                            alone && found->chain.energy == c->constraint
                                ? ", as nearly as the method keeps the energy"
                                : "");
    }
    sheet_words(n->sheet, 0, "H conserves %s (%s)%s", what, how, advice);
  }
}

/* ---- independence ---- */

static void write_redundancy(const notes *n, const record_redundancy *r)
{
  const record_combination *x = &r->combination;
  if (r->certificate) {
    write_certificate(n, notes_constraint(n, r->constraint), r->certificate);
    sheet_words(n->sheet, 4, "for every $(q, p)$: '%s' follows from the others",
                notes_constraint_words(n, r->constraint));
  } else if (x->coefficients) {
    sheet_words(n->sheet, 0, "the derivative of %s vanishes at %s%s", notes_combination(n, x),
                x->constant ? arena_printf(n->memory, "%d points of M", n->found->M.points)
                            : "a point of M",
                x->at ? arena_printf(n->memory, "%s%s", x->constant ? ", such as " : ": ",
                                     notes_point(n, x->at))
                      : "");
  }
}

void page_redundancies(const notes *n)
{
  const record_independence *d = &n->found->independence;
  for (int i = 0; i < d->n_redundant && i < LISTED; i++) {
    write_redundancy(n, &d->redundancies[i]);
  }
  notes_more(n, d->n_redundant - LISTED, " that follow");
}

void page_conflict(const notes *n)
{
  const record_independence *d = &n->found->independence;
  const char *names = notes_constraints(n, d->n_conflicting, d->conflicting);
  if (d->contradiction) {
    write_certificate(n, "1", d->contradiction);
    sheet_words(n->sheet, 4, "for every $(q, p)$, which proves that %s cannot %shold", names,
                d->n_conflicting > 1 ? "all " : "");
  } else if (d->empty == EVIDENCE_STRUCTURE) {
    sheet_words(n->sheet, 0, "%s cannot hold: by its form, it is never 0", names);
  } else if (d->n_conflicting == 1) {
    sheet_words(n->sheet, 0, "No point was found for %s alone", names);
  } else if (d->n_conflicting > 1) {
    sheet_words(n->sheet, 0,
                "No point was found for %s together; without any one of these, there is one",
                names);
  }
}

/* ---- the Dirac-Bergmann chain ---- */

static const char *free_words(const notes *n, const record_chain *c)
{
  return n->program->nc == 1
             ? "the multiplier"
             : arena_printf(n->memory, "%d of %d multipliers, such as %s of %s,", c->n_free,
                            n->program->nc, c->n_free > 1 ? "those" : "that",
                            notes_constraints(n, c->n_free, c->free));
}

static const char *end_of_chain(const notes *n, const record_chain *c)
{
  const char *how = c->evidence == EVIDENCE_CERTIFICATE ? "" : ", as far as sampled points tell";
  switch (c->end) {
  case CHAIN_CLOSED:
    return arena_printf(
        n->memory,
        "There it closes, with all multipliers determined%s: the index is %s.  Eliminate the "
        "variables that the later constraints fix, and keep those of index 3",
        how,
        c->index > 3 ? arena_printf(n->memory, "%d, and SHAKE and RATTLE are for index 3", c->index)
                     : "3 only once each power is replaced by its base");
  case CHAIN_FREE:
    return arena_printf(
        n->memory,
        "There it closes, and leaves %s free%s: there are infinitely many "
        "solutions%s",
        free_words(n, c), how,
        c->constant_on_fibres ? ".  H does not change along the fibres of the constraints" : "");
  case CHAIN_CONTRADICTORY:
    return c->evidence == EVIDENCE_CERTIFICATE
               ? "Proved: these cannot all hold, so that no motion satisfies the constraints"
               : "No point was found that satisfies all of these: there may be no motion";
  case CHAIN_TOO_LONG:
    return "Where it ends was not found out: H may not change along the fibres, or the index may "
           "be above 3";
  case CHAIN_NONE:
    break;
  }
  return "";
}

/* The name of a level of the chain's constraints. */
static const char *level_name(arena *a, int level)
{
  static const char *const names[] = {"primary", "secondary", "tertiary", "quaternary"};
  return level < 4 ? names[level] : arena_printf(a, "level %d", level);
}

void page_chain(const notes *n)
{
  const record_chain *c = &n->found->chain;
  if (c->energy >= 0) {
    sheet_words(n->sheet, 0,
                "'%s' is a function of H: it fixes the energy, and its field is parallel to that "
                "of H.  SHAKE and RATTLE are not defined; in general no method keeps the "
                "symplectic form and the energy (Ge and Marsden; paper 000, section 1)",
                notes_constraint_words(n, c->energy));
  }
  if (c->end == CHAIN_NONE) {
    return;
  }
  sheet_words(n->sheet, 0,
              "The chain of constraints (Dirac and Bergmann), each modulo those before:");
  for (int i = 0; i < c->n_links && i < 2 * LISTED; i++) {
    const char *form = n->style == SPELL_LATEX ? "\\text{%s:}\\quad 0" : "%s: 0";
    const char *level = level_name(n->memory, c->links[i].level);
    notes_value(n, arena_printf(n->memory, form, level), "=", c->links[i].value);
    if (c->links[i].repeated) {
      sheet_words(n->sheet, 4, "of which a power must vanish");
    }
  }
  notes_more(n, c->n_links - 2 * LISTED, " constraints");
  sheet_words(n->sheet, 0, "%s", end_of_chain(n, c));
}

/* ---- sampled points ---- */

static void write_sample(const notes *n, const char *label, const record_sample *s)
{
  if (s->tried > 0) {
    const char *shown = s->points == 0 ? "none shown to exist"
                        : s->shown == s->points
                            ? "all shown to exist"
                            : arena_printf(n->memory, "%d shown to exist", s->shown);
    const char *others =
        s->elsewhere ? arena_printf(n->memory, "; %d with other parameters", s->elsewhere) : "";
    sheet_item(n->sheet, label, "%d found from %d starting points, %s, up to %.3g scales apart%s",
               s->points, s->tried, shown, s->spread, others);
  }
}

void page_points_of_M(const notes *n)
{
  write_sample(n, "points of M", &n->found->M);
  if (n->found->M.points == 0 && !n->found->independence.empty) {
    page_conflict(n);
  }
}

void page_points_of_MH(const notes *n)
{
  write_sample(n, "points of M^H", &n->found->MH);
}
