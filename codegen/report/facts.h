/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h -- the record of facts in words.
 */
#ifndef SIDEWINDER_REPORT_FACTS_H
#define SIDEWINDER_REPORT_FACTS_H

#include "analysis/record.h"
#include "expr/expr_formula.h"
#include "expr/ir_program.h"
#include "expr/loops.h"

/* The findings as lines of text, each ended by a newline; the summary in generated code and what
 * `check` prints. */
const char *analysis_text(arena *a, const ir_program *program, const record *found);

/* The same for a looped model: what holds for all sizes, and what was found for *program and *found, which
 * are the same model unrolled at `sizes`, such as "N = 3", "" for a model without sizes.  program and
 * found are NULL where it could not be unrolled. */
const char *analysis_loops_text(arena *a, const ir_loops *loops, const char *sizes,
                                const ir_program *program, const record *found);

/* The right side of a certificate: each factor times the formula that stands for its generator.  What has more than
 * `most` names and operations becomes dots. */
const formula *record_certificate_formula(arena *a, spelling s, const ir_names *names,
                                          const record_certificate *c,
                                          const formula *const generator[], size_t most);

/* "2*g[a] + (x - 1)*rho[b] + 1": the right side of a certificate; NULL where it is longer than `most`. */
const char *record_identity(arena *a, const ir_program *program, const record_certificate *c,
                            size_t most);

/* "dg[a] - 0.5*dg[b]", with "dg" for `before`; "a - 0.5*b" with "". */
const char *record_sum(arena *a, const ir_program *program, const record_combination *x,
                       const char *before);

/* What the constraints of a level of the chain are called: "primary", "secondary", ... */
const char *record_rank(arena *a, int level);

/* "'a', 'b' and 'c'". */
const char *record_names(arena *a, const ir_program *program, int n, const int constraints[]);

/* "q[1] = 0.6, p[1] = -0.8, ...". */
const char *record_point(arena *a, const ir_program *program, const double z[]);

/* Where a formula is not smooth, "abs(x) in constraint 'c' is not smooth where x = 0"; at most `most` columns of formula. */
const char *record_seam_text(arena *a, const ir_program *program, const record_seam *seam);

/* Warns of constraints that follow from others, of formulas that are not smooth on M, and of what fails for other
 * parameters, and says what a run needs then; "" where there is nothing. */
const char *analysis_warning(arena *a, const ir_program *program, const record *found);

/* Why the model is refused, and what can be done; "" where it is not. */
const char *analysis_refusal(arena *a, const ir_program *program, const record *found);

#endif
