/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.c -- what each verdict rests on: certificates, sampled points, witnesses.
 */
#include "common/text_writer.h"
#include "report/notes.h"

/* Constraints that are named in a sentence. */
#define SHOWN 12
/* Operations of a factor in a certificate. */
#define FACTOR 80

/* ---- certificates ---- */

/* What the product is a multiple of. */
static const formula *generator(const notes *n, const record_product *product)
{
  int is_named = product->index >= 0 && product->index < n->program->nc;
  if (product->level == 0 && is_named) {
    return formula_atom(n->memory, FORMULA_ATOM, notes_constraint(n, product->index));
  }
  if (product->level == 1 && is_named) {
    return formula_atom(
        n->memory, FORMULA_ATOM,
        spelled_indexed(n->memory, n->style, LETTER_RHO, notes_number(n, product->index)));
  }
  return !ir_is_long(product->generator, FACTOR)
             ? ir_formula(n->memory, &n->names, product->generator)
             : formula_atom(n->memory, FORMULA_ATOM, spelled_letter(n->style, LETTER_DOTS));
}

static void write_certificate(const notes *n, const char *left, const record_certificate *c)
{
  const formula **generators = ARENA_ARRAY(n->memory, c->n + 1, const formula *);
  for (int i = 0; i < c->n; i++) {
    generators[i] = generator(n, &c->products[i]);
  }
  const formula *right =
      record_certificate_formula(n->memory, n->style, &n->names, c, generators, FACTOR);
  sheet_formula(n->sheet, left, "=", page_formula(n->memory, n->style, right, ROOM), "");
}

/* ---- coisotropy ---- */

static void write_bracket(const notes *n, const ir_pair *pair, const record_bracket *b)
{
  const char *form = n->style == SPELL_LATEX ? "\\{%s, %s\\}" : "{%s, %s}";
  const char *left =
      arena_printf(n->memory, form, notes_constraint(n, pair->i), notes_constraint(n, pair->j));
  if (b->certificate) {
    write_certificate(n, left, b->certificate);
    sheet_words(
        n->sheet, 6,
        b->zero.range == RANGE_ALL
            ? "for every (q, p), which proves that it is 0 on M"
            : "for every (q, p) with the default parameters, which proves that it is 0 on M");
    return;
  }
  notes_value(n, left, "=", pair->bracket);
  if (b->zero.answer == FACT_YES) {
    sheet_words(n->sheet, 6, "is 0 at %d points of M, to 2^-100 of its terms; not proved",
                b->points);
  } else if (b->zero.answer == FACT_NO) {
    sheet_words(n->sheet, 6, "is %.6g at a point of M: %s", b->value,
                record_point(n->memory, n->program, b->at));
  } else {
    sheet_words(n->sheet, 6, "is 0 at %d of %d points of M, and not decided at the others",
                b->points, n->found->M.points);
  }
}

static void write_brackets(const notes *n)
{
  const ir_structure *s = &n->program->structure;
  if (!n->found->brackets) {
    return;
  }
  for (int i = 0; i < s->n_pairs && i < LISTED; i++) {
    write_bracket(n, &s->pairs[i], &n->found->brackets[i]);
  }
  notes_more(n, s->n_pairs - LISTED, " brackets");
}

/* ---- nondegeneracy ---- */

static const char *zeros_words(const notes *n, const record_nondegeneracy *d)
{
  const char *here = d->singular.range == RANGE_DEFAULTS ? ", with the default parameters" : "";
  switch (record_zeros_of_N(n->found)) {
  case ZEROS_UNKNOWN:
    break;
  case ZEROS_NEVER:
    return "N is invertible on all of M^H: proved";
  case ZEROS_NEVER_HERE:
    return d->certificate && d->certificate_range == RANGE_ALL
               ? arena_printf(n->memory,
                              "proved: N is invertible on all of M^H where this is not 0; with the "
                              "default parameters it is %.6g",
                              d->reduced_value)
               : "N is invertible on all of M^H with the default parameters: proved";
  case ZEROS_DEPENDENT:
    return arena_printf(n->memory,
                        "N is singular just where the gradients of g are dependent: proved, by "
                        "positive masses%s",
                        d->masses == RANGE_DEFAULTS ? ", as the defaults are" : "");
  case ZEROS_SOMEWHERE:
    return d->witness ? arena_printf(n->memory, "N is singular at a point of M^H%s: %s",
                                     d->witness_exists ? "" : ", to 30 digits",
                                     record_point(n->memory, n->program, d->witness))
                      : NULL;
  case ZEROS_EVERYWHERE:
    return fact_proved(&d->singular)
               ? arena_printf(n->memory, "N is singular on all of M^H, proved%s", here)
               : "N is singular at every point of M^H that was found, to 2^-100 of its terms";
  }
  return NULL;
}

static void write_nondegeneracy(const notes *n)
{
  static const char *const det[] = {"det N", "det N", "\\det N"};
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
  const char *words = zeros_words(n, d);
  if (words) {
    sheet_words(n->sheet, 2, "%s", words);
  }
  if (d->null.coefficients) {
    sheet_words(n->sheet, 2, "the combination that causes it%s: %s",
                d->null.constant ? "" : ", at one of the points",
                record_sum(n->memory, n->program, &d->null, ""));
  }
}

/* ---- independence ---- */

static void write_redundancy(const notes *n, const record_redundancy *r)
{
  if (r->certificate) {
    write_certificate(n, notes_constraint(n, r->constraint), r->certificate);
    sheet_words(n->sheet, 6, "for every (q, p): it follows from the others");
  } else if (r->combination.coefficients) {
    sheet_words(n->sheet, 2, "the derivative of %s vanishes at a point of M: %s",
                record_sum(n->memory, n->program, &r->combination, ""),
                r->combination.at ? record_point(n->memory, n->program, r->combination.at) : "");
  }
}

static void write_independence(const notes *n)
{
  const record_independence *d = &n->found->independence;
  for (int i = 0; i < d->n_redundant && i < LISTED; i++) {
    write_redundancy(n, &d->redundancies[i]);
  }
  notes_more(n, d->n_redundant - LISTED, " that follow");
  writer *w = writer_create(n->memory);
  for (int i = 0; i < d->n_conflicting && i < SHOWN; i++) {
    writer_printf(w, "%s%s", i ? ", " : "", notes_constraint_words(n, d->conflicting[i]));
  }
  if (d->n_conflicting > 0) {
    sheet_words(n->sheet, 2, "no point was found that satisfies together: %s%s", writer_text(w),
                d->n_conflicting > SHOWN ? ", ..." : "");
  }
  if (d->contradiction) {
    write_certificate(n, "1", d->contradiction);
    sheet_words(n->sheet, 6, "for every (q, p), which proves that M is empty");
  }
}

/* ---- the Dirac-Bergmann chain ---- */

static const char *chain_words(const notes *n, const record_chain *c)
{
  switch (c->end) {
  case CHAIN_NONE:
    break;
  case CHAIN_CLOSED:
    return arena_printf(n->memory, "and every multiplier is determined: the index is %d", c->index);
  case CHAIN_FREE:
    return arena_printf(n->memory,
                        "and %d multiplier%s not determined: there are infinitely many solutions",
                        c->n_free, c->n_free == 1 ? " is" : "s are");
  case CHAIN_CONTRADICTORY:
    return c->evidence == EVIDENCE_CERTIFICATE
               ? "and these are never 0 together: no motion satisfies the constraints"
               : "and no point was found where all of these are 0";
  case CHAIN_TOO_LONG:
    return "and so on: the chain was not followed further";
  }
  return "";
}

static void write_chain(const notes *n)
{
  const record_chain *c = &n->found->chain;
  if (c->end == CHAIN_NONE) {
    return;
  }
  sheet_section(n->sheet, n->found->N.singular.answer == FACT_YES
                              ? "Dirac-Bergmann chain, because N is singular"
                              : "Dirac-Bergmann chain, because no point of M^H was found");
  for (int i = 0; i < c->n_links && i < 2 * LISTED; i++) {
    const char *rank = record_rank(n->memory, c->links[i].level);
    const char *form = n->style == SPELL_LATEX ? "\\text{%s:}\\quad 0" : "%s: 0";
    notes_value(n, arena_printf(n->memory, form, rank), "=", c->links[i].value);
  }
  sheet_words(n->sheet, 2, "%s", chain_words(n, c));
  if (c->evidence != EVIDENCE_CERTIFICATE) {
    sheet_words(n->sheet, 2, "(decided at points, not proved)");
  }
  if (c->constant_on_fibres) {
    sheet_words(n->sheet, 2, "H does not change along the fibres");
  }
  if (c->energy >= 0) {
    sheet_words(n->sheet, 2,
                "%s holds the energy itself fixed, by which SHAKE and RATTLE are not "
                "defined (Ge and Marsden)",
                notes_constraint_words(n, c->energy));
  }
}

/* "H conserves 'L': {L, H} = ..." */
static void write_conserved(const notes *n)
{
  for (int i = 0; i < n->found->n_conserved && i < LISTED; i++) {
    const record_conserved *c = &n->found->conserved[i];
    const char *what = c->constraint >= 0 ? notes_constraint_words(n, c->constraint)
                                          : record_sum(n->memory, n->program, &c->combination, "");
    if (c->certificate) {
      write_certificate(n, spelled_letter(n->style, LETTER_RHO), c->certificate);
    }
    sheet_words(n->sheet, 2, "H conserves %s: its bracket with H is 0%s", what,
                c->zero.evidence == EVIDENCE_IDENTITY ? ""
                : c->certificate                      ? " on M, proved"
                                                      : " at all points of M that were found");
  }
}

static void write_sample(const notes *n, const char *label, const record_sample *s)
{
  if (s->tried > 0) {
    const char *shown = s->shown == s->points
                            ? "all shown to exist"
                            : arena_printf(n->memory, "%d shown to exist", s->shown);
    const char *others =
        s->elsewhere ? arena_printf(n->memory, "; %d with other parameters", s->elsewhere) : "";
    sheet_item(n->sheet, label, "%d found from %d starting points, %s, up to %.3g scales apart%s",
               s->points, s->tried, s->points ? shown : "none shown to exist", s->spread, others);
  }
}

void page_evidence(const notes *n)
{
  const compilation *c = n->c;
  if (!n->program || n->program->nc == 0 || (n->found->M.tried == 0 && !n->found->N.determinant)) {
    return;
  }
  int is_sibling = c->loops && *c->sibling;
  sheet_section(n->sheet, "What the verdicts rest on%s%s", is_sibling ? ", at " : "",
                is_sibling ? c->sibling : "");
  write_sample(n, "points of M", &n->found->M);
  write_sample(n, "points of M^H", &n->found->MH);
  write_brackets(n);
  write_nondegeneracy(n);
  write_conserved(n);
  write_independence(n);
  write_chain(n);
}
