/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h -- what the writers of the parts of a page share.
 *
 * A part stands on whatever sheet it is written on: the page, the head of the generated C or the message of a refusal,
 * so that each of them says the same of a fact.
 */
#ifndef SIDEWINDER_REPORT_NOTES_H
#define SIDEWINDER_REPORT_NOTES_H

#include "compilation.h"
#include "report/algebra.h"
#include "report/sheet.h"

/* Columns that one formula takes at most, and how many are listed one below the other. */
#define ROOM   400
#define LISTED 8

typedef struct notes {
  arena *memory;
  spelling style;
  sheet *sheet;
  const compilation *c;
  const ir_program *program; /* NULL where it could not be made; */
  ir_names names;            /* those of the program */
  const record *found;
  const ir_structure *structure; /* of the looped model where it is one; NULL where there is none */
  /* Of a small model that stands for a looped one, before what was found and behind a heading: "at N = 3: " and
   * ", at N = 3"; else "". */
  const char *at;
  const char *behind;
  const char *varied; /* what a looped model has that a run decides: "sizes", or "data" */
  const char
      *parameters; /* "default parameters", or "sample parameters" where some have no default */
  page_printer *printer;
  algebra *algebra;
} notes;

notes notes_take(sheet *s, const compilation *c);

/* left = the value, over the inputs of the program. */
void notes_value(const notes *n, const char *left, const char *relation, const ir_expr *value);

/* The name of constraint i in formulas, and in words. */
const char *notes_constraint(const notes *n, int i);
const char *notes_constraint_words(const notes *n, int i);

/* rho[i], or rho where there is one constraint. */
const char *notes_hidden(const notes *n, int i);

/* {x, y}, in formulas. */
const char *notes_bracket(const notes *n, const char *x, const char *y);

/* Before the list of redundant constraints: "" if they follow from others, else how many are independent. */
const char *notes_dependent(const notes *n);

/* "... and 3 more of them", where there are more. */
void notes_more(const notes *n, int more, const char *of_them);

/* ---- for words, in which formulas stand between dollars ---- */

/* The formula, or "(a long formula)". */
const char *notes_short(const notes *n, const ir_expr *e);

/* Pair i of the structure: "{a, b} is not 0 on M". */
const char *notes_second_class(const notes *n, int pair);

/* "q[1] = 0.6, p[1] = -0.8, ...". */
const char *notes_point(const notes *n, const double z[]);

/* "a - 0.5*b", by the names of constraints. */
const char *notes_combination(const notes *n, const record_combination *x);

/* "'a', 'b' and 'c'". */
const char *notes_constraints(const notes *n, int count, const int constraints[]);

/* Where a formula is not smooth, "abs in constraint 'c' has no derivative where x = 0". */
const char *notes_seam(const notes *n, const record_seam *seam);

/* Invariant i, which is none: "changes at the rate 0.5 at q[1] = 0.6, ...". */
const char *notes_change(const notes *n, int i);

/* How H is divided into parts with exact flows. */
record_division notes_division(const notes *n);

/* What a sample of data was found to be, where that is no verdict; NULL where there is none of that kind. */
const char *notes_of_sample(const notes *n);

/* " with the default parameters", or those of a sample, where a fact is known for these only; or "". */
const char *notes_range(const notes *n, fact_range range);

/* ---- the parts of a page ---- */

/* H and g written out, for an unrolled model.  The first returns 0 where H takes more than that many columns. */
int page_hamiltonian(const notes *n, int room);
void page_constraints(const notes *n);

/* H or L, whichever the file has, under its name with its sums over sets; the families of constraints of a looped model, with
 * their derivatives and their fibre flows, which hold for all sizes. */
void page_terms_of(const notes *n, const char *name);
void page_families(const notes *n);

/* L, and the H that it becomes. */
void page_lagrangian(const notes *n);

/* rho, C, N and the fibre flow of an unrolled model, or of the small one that stands for a looped model. */
void page_program(const notes *n);

/* What G0, G1 and G3 are, where one of them was met in the formulas above. */
void page_explain_universal(const notes *n);

/* All verdicts, an item for each. */
void page_verdicts(const notes *n);

/* What each verdict rests on: samples, certificates and witnesses, except for what a refusal says. */
void page_evidence(const notes *n);

/* The parts of H that the base method "splitting" is made of, or why there are none, where the form of H does not say it. */
void page_splitting(const notes *n);

/* Parts of the evidence: bracket i of the structure's pairs, and what it is 0 or not 0 by; what H conserves, by
 * which N is singular; constraints that depend on others; a set of constraints without a common point; a combination
 * that a singular N takes to 0; the chain of Dirac and Bergmann. */
void page_bracket(const notes *n, int i);
void page_conserved(const notes *n);
void page_redundancies(const notes *n);
void page_conflict(const notes *n);
void page_null(const notes *n);
void page_chain(const notes *n);

/* The right side of a certificate: each factor times what it is a factor of. */
const formula *page_certificate(const notes *n, const record_certificate *c);

/* Why the model is refused, and what can be done. */
void page_refused(const notes *n);

#endif
