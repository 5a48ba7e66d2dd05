/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h -- data and functions shared by the writers of a page's parts.
 *
 * A part can be written on any sheet: the page, the head of the generated C, or the message of a
 * refusal. So all of them state a fact in the same words.
 */
#ifndef SIDEWINDER_REPORT_NOTES_H
#define SIDEWINDER_REPORT_NOTES_H

#include "compilation.h"
#include "formula/formula.h"
#include "model/model.h"
#include "report/sheet.h"

/*
 * Formulas of the checked model, with sums over sets, and with lets by their names.
 */

/* A writer. It records the lets that it has named, so that they can be defined after the
 * formula. */
typedef struct algebra algebra;

algebra *algebra_create(arena *a, spelling s, const model *m);

const formula *algebra_formula(algebra *w, const model_expr *e);

/* The sum of a family's body over its indices. A minus of the body is placed before the sum. */
const formula *algebra_total(algebra *w, const model_family *f);

/* The domain "i in link, i > 1" in the spelling of the writer; "" without binders. */
const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition);

/* The sum or product (`kind`) of a value over a domain. Without binders, the value counts only if
 * the condition holds. */
const formula *algebra_over(algebra *w, formula_kind kind, int n,
                            const model_binder *const binders[], const model_condition *condition,
                            const formula *value);

/* Gets the next let that was named and not yet defined, as "d2(i, j)" and its formula. Returns 0 if
 * there is none. */
int algebra_next_let(algebra *w, const char **left, const formula **right);

/* ROOM: maximal columns of a formula. LISTED: maximal length of a list of formulas. */
#define ROOM   400
#define LISTED 8

typedef struct notes {
  arena *memory;
  spelling style;
  sheet *sheet;
  const compilation *c;
  const ir_program *program; /* NULL if it could not be created */
  ir_names names;            /* names of the program */
  const record *found;
  /* structure of the looped model, if there is one, else of the program; NULL: neither */
  const ir_structure *structure;
  /* For a small model that represents a looped one: "at N = 3: ", a prefix of findings. `behind` is
   * ", at N = 3", a suffix of headings. Otherwise both are "". */
  const char *at;
  const char *behind;
  const char *varied; /* the part of a looped model that a run determines: "sizes" or "data" */
  /* "default parameters", or "sample parameters" if some have no default */
  const char *parameters;
  page_printer *printer;
  algebra *algebra;
} notes;

notes notes_take(sheet *s, const compilation *c);

/* The notes for a single part of a page, on a plain sheet (sheet.h). */
notes notes_plain(const compilation *c);

/* Writes left = value, in the inputs of the program. */
void notes_value(const notes *n, const char *left, const char *relation, const ir_expr *value);

/* The name of constraint i in formulas; the name in words. */
const char *notes_constraint(const notes *n, int i);
const char *notes_constraint_words(const notes *n, int i);

/* rho[i], or rho if there is one constraint. */
const char *notes_hidden(const notes *n, int i);

/* The bracket {x, y} in a formula. */
const char *notes_bracket(const notes *n, const char *x, const char *y);

/* Introduces the list of redundant constraints: the number of independent ones, or "" if the listed
 * ones follow from others. */
const char *notes_dependent(const notes *n);

/* Writes "... and 3 more of them" if more > 0. */
void notes_more(const notes *n, int more, const char *of_them);

/* ---- texts with formulas between dollar signs ---- */

/* The formula, or "(a long formula)" if it is long. */
const char *notes_short(const notes *n, const ir_expr *e);

/* Pair i of the structure: "{a, b} is not 0 on M". */
const char *notes_second_class(const notes *n, int pair);

/* "q[1] = 0.6, p[1] = -0.8, ...". */
const char *notes_point(const notes *n, const double z[]);

/* A combination of constraints, such as "a - 0.5*b". */
const char *notes_combination(const notes *n, const record_combination *x);

/* A list such as "'a', 'b' and 'c'". */
const char *notes_constraints(const notes *n, int count, const int constraints[]);

/* A point at which a formula is not smooth: "abs in constraint 'c' has no derivative where x =
 * 0". */
const char *notes_seam(const notes *n, const record_seam *seam);

/* Invariant i, which is not conserved: "changes at the rate 0.5 at q[1] = 0.6, ...". */
const char *notes_change(const notes *n, int i);

/* How H is divided into parts with exact flows. */
record_division notes_division(const notes *n);

/* Findings for a sample of data or small sizes, which give no verdict; NULL if there are none. */
const char *notes_of_sample(const notes *n);

/* Why entry i of the list of these gives no verdict. */
const char *notes_aside(const notes *n, int i);

/* The families of constraints that have no instance in the examined model, such as "'c', 'd'"; ""
 * if there are none. */
const char *notes_lacking(arena *a, const compilation *c);

/* " with the default parameters", or with those of a sample, if a fact is known for these
 * parameters only; else "". */
const char *notes_range(const notes *n, fact_range range);

/* ---- the parts of a page ---- */

/* Write H, g and the forces of an unrolled model in full. The first returns 0 if H needs more than
 * `room` columns. */
int page_hamiltonian(const notes *n, int room);
void page_constraints(const notes *n);
void page_forces(const notes *n);

/* Writes the temperatures and frictions of the heat bath, for each array of momenta. */
void page_bath(const notes *n);

/* page_terms_of: H or L, as the file gives it, under its name, with sums over sets. page_families:
 * the families of constraints of a looped model with their derivatives and fibre flows, which hold
 * for all sizes. */
void page_terms_of(const notes *n, const char *name);
void page_families(const notes *n);

/* Writes L and the H that follows from it. */
void page_lagrangian(const notes *n);

/* Writes rho, C, N and the fibre flow of an unrolled model, or of the small model that represents a
 * looped one. */
void page_program(const notes *n);

/* Writes all verdicts, one item each. */
void page_verdicts(const notes *n);

/* Writes the evidence of each verdict: samples, certificates and witnesses. Evidence that a refusal
 * shows is omitted. */
void page_evidence(const notes *n);

/* Writes the parts of H that the base method "splitting" uses, or why there are none, unless this
 * is clear from the form of H. */
void page_splitting(const notes *n);

/* The evidence of a verdict:
 * - page_points_of_M and page_points_of_MH: the points that were examined;
 * - page_brackets: all brackets of the structure's pairs except the one that a refusal shows;
 *   page_bracket: bracket i, with the proof that it is 0 or not 0;
 * - page_nondegeneracy: det N and its zeros; page_null: a combination of constraints in the null
 *   space of a singular N;
 * - page_conserved: the quantities that H conserves, which make N singular;
 * - page_redundancies: constraints that depend on others;
 * - page_conflict: a set of constraints without a common point;
 * - page_chain: the chain of Dirac and Bergmann. */
void page_points_of_M(const notes *n);
void page_points_of_MH(const notes *n);
void page_brackets(const notes *n);
void page_bracket(const notes *n, int i);
void page_nondegeneracy(const notes *n);
void page_null(const notes *n);
void page_conserved(const notes *n);
void page_redundancies(const notes *n);
void page_conflict(const notes *n);
void page_chain(const notes *n);

/* The right side of a certificate: the sum of the products of each factor and its generator. */
const formula *page_certificate(const notes *n, const record_certificate *c);

/* Writes why the model is refused, and the remedies. */
void page_refused(const notes *n);

#endif
