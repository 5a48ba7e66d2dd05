/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h -- what `sidewinder check` found, for people: as text or as LaTeX, and for programs: as JSON.
 */
#ifndef SIDEWINDER_REPORT_PAGE_H
#define SIDEWINDER_REPORT_PAGE_H

#include "compilation.h"
#include "report/sheet.h"

/* The whole page.  c->summary must be there: the model could be lowered. */
const char *page_write(const compilation *c, spelling style, int is_document);

/* The same findings as one JSON object and a newline, described in docs/check.md. */
const char *page_json(const compilation *c);

/* Parts of the page in ASCII.  The verdicts, one a line, for the head of the generated C; why the model is refused and
 * what can be done, "" where it is not; and warnings: of constraints that follow from others, of formulas that are not
 * smooth on M and of what fails for other parameters, with what a run needs then, "" where there is none. */
const char *page_summary(const compilation *c);
const char *page_refusal(const compilation *c);
const char *page_warning(const compilation *c);

/* The right side of H(q, p), as in the file, or what its Lagrangian becomes, in words where that is long. */
const char *page_hamiltonian_text(const compilation *c);

/* Why H cannot be divided into parts with exact flows, with the place of the term, and what would help; NULL where it can.
 * And the parts that c->found->splitting lists, each as a formula. */
const char *page_undivided(const compilation *c);
/* The same without the place, which is `where`. */
const char *page_undivided_at(const compilation *c, span *where);
const char *const *page_parts(const compilation *c);

/* Whether SHAKE and RATTLE apply: "yes", "not_everywhere" (N is singular at an initial state or elsewhere
 * on M^H, or constraints are second class for other parameters), "unexamined" or "no"; and the same in one sentence. */
const char *page_answer_name(const compilation *c);
const char *page_conclusion(const compilation *c);

/* Whether the model itself was examined without a conclusion, for example because no point of M^H was shown to exist.  0 for
 * models whose data or sizes decide at run time. */
int page_is_unexamined(const compilation *c);

#endif
