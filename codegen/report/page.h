/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h -- the findings of `sidewinder check`: as text or LaTeX for people, and as JSON for
 * programs.
 */
#ifndef SIDEWINDER_REPORT_PAGE_H
#define SIDEWINDER_REPORT_PAGE_H

#include "compilation.h"
#include "report/sheet.h"

/* Returns the whole page. c->summary must be set, so the model could be lowered. */
const char *page_write(const compilation *c, spelling style, int is_document);

/* Returns the same findings as one JSON object and a newline (docs/check.md). */
const char *page_json(const compilation *c);

/* Parts of the page in ASCII:
 * - page_summary: the verdicts, one per line, for the head of the generated C;
 * - page_refusal: why the model is refused, and the remedies; "" if it is accepted;
 * - page_warning: constraints that follow from others, formulas that are not smooth on M,
 *   properties that fail for other parameters, and the options that a run needs then; "" if there
 *   are no warnings. */
const char *page_summary(const compilation *c);
const char *page_refusal(const compilation *c);
const char *page_warning(const compilation *c);

/* The right side of H(q, p), as in the file, or derived from the Lagrangian; a description in words
 * if it is long. */
const char *page_hamiltonian_text(const compilation *c);

/* Why H cannot be divided into parts with exact flows, with the position of the term and a remedy;
 * NULL if it can. */
const char *page_undivided(const compilation *c);
/* The same without the position, which goes to *where. page_parts: the parts in
 * c->found->splitting, each as a formula. */
const char *page_undivided_at(const compilation *c, span *where);
const char *const *page_parts(const compilation *c);

/* page_answer_name: whether SHAKE and RATTLE apply: "yes", "not_everywhere", "unexamined" or "no".
 * "not_everywhere" means that N is singular at an initial state or elsewhere on M^H, or that
 * constraints are second class for other parameters. page_conclusion: the same in words, with the
 * examined sizes of a looped model. */
const char *page_answer_name(const compilation *c);
const char *page_conclusion(const compilation *c);

/* 1 if the model itself was examined without a conclusion, for example because no point of M^H was
 * shown to exist. 0 for models that depend on the data or sizes of a run. */
int page_is_unexamined(const compilation *c);

#endif
