/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.h -- the verdicts: what was proved, what holds at sampled points of M, what fails.
 */
#ifndef SIDEWINDER_IR_ANALYSIS_H
#define SIDEWINDER_IR_ANALYSIS_H

#include <stdio.h>

#include "ir/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of M that a sampled verdict tries to use. */
#define ANALYSIS_POINTS 32
/* Largest |{g_i,g_j}| / (|grad g_i| |grad g_j|) that counts as zero at a sampled point, and the
 * smallest ratio of singular values of the scaled N that counts as invertible. */
#define ANALYSIS_ZERO     1e-10
#define ANALYSIS_SINGULAR 1e-12

/* What holds at one initial state, with the default parameters. */
typedef struct analysis_state {
  double residual_g;      /* max |g_i| */
  double residual_hidden; /* max |rho_i| */
  double condition;       /* of the scaled N; inf where singular */
} analysis_state;

typedef struct analysis {
  ir_verdict coisotropy;
  int points;             /* points of M that were found; 0 where no sampling was needed */
  int pair;               /* the pair that fails, an index into structure.pairs; -1 */
  double value;           /* its relative bracket at the witness, or the largest one seen */
  double *witness;        /* 2d values on M, or NULL */
  int on_M;               /* points of M on which N was examined */
  int singular;           /* at how many of them N is singular */
  analysis_state *states; /* one for each initial state */
  int refused;            /* 1 where the theory, or this version, does not cover the model */
} analysis;

/* Random points are projected onto M by Gauss-Newton with minimum-norm steps (LAPACK dgelsy), starting
 * from the initial states and around the origin; the generator and its seed are fixed, so that the
 * same model always gives the same answer.  Cost: O(points * iterations * m^2 d), and bounded: a large model
 * gets fewer points, but never less than four tries. */
const analysis *analyse(arena *a, const ir_context *c, const ir_program *program);

/* The findings as lines of text, each ended by a newline; the summary in generated code and what
 * `check` prints. */
const char *analysis_text(arena *a, const ir_program *program, const analysis *found);

/* Why the model is refused, and what can be done; "" where it is not. */
const char *analysis_refusal(arena *a, const ir_program *program, const analysis *found);

#ifdef __cplusplus
}
#endif

#endif
