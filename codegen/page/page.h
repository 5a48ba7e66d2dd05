/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h -- what `sidewinder check` found, for people: as text or as LaTeX, and for programs: as JSON.
 */
#ifndef SIDEWINDER_PAGE_PAGE_H
#define SIDEWINDER_PAGE_PAGE_H

#include "page/sheet.h"
#include "pipeline.h"

/* The whole page.  c->summary must be there: the model could be lowered. */
const char *page_write(const compilation *c, spelling style, int is_document);

/* The same findings as one JSON object and a newline, described in docs/check.md; NULL where memory ran
 * out. */
const char *page_json(const compilation *c);

/* Whether SHAKE and RATTLE apply: "yes", "not_everywhere" (N is singular at an initial state or elsewhere
 * on M^H, or constraints are second class for other parameters), "unexamined" or "no"; and the same in one sentence. */
const char *page_answer_name(const compilation *c);
const char *page_conclusion(const compilation *c);

/* Names of the entries that a kernel reads, and lambda. */
ir_names page_kernel_names(arena *a, spelling style, const ir_kernel *k);

/* Whether the value of entry i of the fibre flow is the entry itself. */
int page_is_kept(const ir_expr *value, int i);

/* ---- the parts of page_write ---- */

/* rho, C, N and the fibre flow of an unrolled model, or of the small one that stands for a looped model. */
void page_program(sheet *s, const compilation *c);

/* What G0, G1 and G3 are, where one of them was met in the formulas above. */
void page_explain_universal(sheet *s, int met);

/* What each verdict rests on: certificates, samples and witnesses; det N; the chain of a singular N. */
void page_evidence(sheet *s, const compilation *c);

/* H and g written out, for an unrolled model.  The first returns 0 where H was shortened. */
int page_hamiltonian(sheet *s, const compilation *c);
void page_constraints(sheet *s, const compilation *c);

/* H with its sums over sets; the families of constraints of a looped model, with their derivatives and their
 * fibre flows, which hold for all sizes. */
void page_terms_of_H(sheet *s, const compilation *c);
void page_families(sheet *s, const compilation *c);

#endif
