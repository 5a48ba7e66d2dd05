/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.h -- the verdicts: what was proved, what holds at sampled points of M, what fails.
 */
#ifndef SIDEWINDER_IR_ANALYSIS_H
#define SIDEWINDER_IR_ANALYSIS_H

#include <stdio.h>

#include "ir/loops.h"
#include "ir/program.h"
#include "ir/verdicts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of M that a sampled verdict tries to use. */
#define ANALYSIS_POINTS 32
/* Largest |{g_i,g_j}| / (|grad g_i| |grad g_j|) that counts as zero at a sampled point. */
#define ANALYSIS_ZERO 1e-10
/* N is singular where the ratio of its singular values is below the first, or where it is below the second
 * times what it is elsewhere on M: points are known to half the digits where rho has a double root. */
#define ANALYSIS_SINGULAR 1e-12
#define ANALYSIS_SMALL    1e-6
/* dg = 0 at a point of M, likewise, where |grad g| |z| is below this times the size of the terms of g. */
#define ANALYSIS_FLAT 2e-6

/* What holds at one initial state, with the default parameters.  Values that are not finite are inf. */
typedef struct analysis_state {
  int finite;             /* 1 where the state, g, rho and N are */
  double residual_g;      /* max |g_i| */
  double residual_hidden; /* max |rho_i| */
  double condition;       /* of the scaled N, but for redundant constraints; inf where singular */
} analysis_state;

typedef enum analysis_refusal_kind {
  ANALYSIS_ACCEPTED,
  ANALYSIS_NO_POINT,     /* no point of M was found */
  ANALYSIS_FLAT_G,       /* dg_i = 0 on M */
  ANALYSIS_DEPENDENT,    /* Dg has not full rank on M, and not the same one everywhere */
  ANALYSIS_SECOND_CLASS, /* {g_i,g_j} is not 0 on M */
  ANALYSIS_DEGENERATE,   /* N is singular on M^H */
  ANALYSIS_NO_MOTION     /* proved: M^H is empty */
} analysis_refusal_kind;

typedef struct analysis {
  analysis_refusal_kind refused; /* the first reason that applies; 0: none */
  ir_verdict coisotropy;
  int pair;              /* the pair that fails, an index into structure.pairs; -1 */
  double value;          /* its relative bracket at the witness, or the largest one seen */
  const double *witness; /* 2d values on M, or NULL */
  int on_M;              /* points of M that were found */
  int flat;              /* the constraint whose gradient vanishes at all of them; -1 */
  int rank;              /* largest rank of Dg at any of them */
  int on_MH;             /* points of M^H that were found */
  int singular;          /* at how many of them N is singular, */
  int undefined;         /* and not finite */
  int least_rank;        /* smallest rank of Dg at the points of M */
  int deficient;         /* points of M^H at which N has a smaller rank than Dg */
  int redundant;         /* constraints that follow from others, where they can be put up with */
  const char
      *redundancy; /* which, "'c' follows from 'a', 'b'", at the first point of M; "" where none */
  analysis_state *states; /* one for each initial state */
  /* The evidence, member by member (ir/verdicts.h). */
  verdict_sample sample_M;         /* points of M that were found */
  verdict_sample sample_MH;        /* points of M^H */
  const verdict_bracket *brackets; /* one for each of structure.pairs */
  verdict_nondegeneracy nondegeneracy;
  verdict_independence independence;
  verdict_chain chain; /* levels = 0 where N is not singular everywhere */
} analysis;

/* Points are projected onto M, and from there onto M^H, by Gauss-Newton with minimum-norm steps (LAPACK
 * dgelsy), starting from the initial states, near them and around the origin; the generator and its seed are
 * fixed, so that the
 * same model always gives the same answer.  Cost: O(points * iterations * m^2 d), and bounded: a large model
 * gets fewer points, but never less than four tries. */
const analysis *analyse(arena *a, ir_context *c, const ir_program *program);

/* The findings as lines of text, each ended by a newline; the summary in generated code and what
 * `check` prints. */
const char *analysis_text(arena *a, const ir_program *program, const analysis *found);

/* The same for a looped model: what holds for all sizes, and what was found for *program and *found, which
 * are the same model unrolled at `sizes`, such as "N = 3", "" for a model without sizes.  program and
 * found are NULL where it could not be unrolled. */
const char *analysis_loops_text(arena *a, const ir_loops *loops, const char *sizes,
                                const ir_program *program, const analysis *found);

/* "2*g[a] + (x - 1)*rho[b] + 1": the right side of a certificate; NULL where it is longer than `most`. */
const char *verdict_identity(arena *a, const ir_program *program, const verdict_certificate *c,
                             size_t most);

/* "dg[a] - 0.5*dg[b]", with "dg" for `before`. */
const char *verdict_sum(arena *a, const ir_program *program, const verdict_combination *x,
                        const char *before);

/* "'a', 'b' and 'c'". */
const char *verdict_names(arena *a, const ir_program *program, int n, const int constraints[]);

/* Warns of constraints that follow from others, and says what a run needs then; "" where there are none. */
const char *analysis_warning(arena *a, const analysis *found);

/* Why the model is refused, and what can be done; "" where it is not. */
const char *analysis_refusal(arena *a, const ir_program *program, const analysis *found);

#ifdef __cplusplus
}
#endif

#endif
