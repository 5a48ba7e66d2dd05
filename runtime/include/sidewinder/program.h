/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/program.h -- the command line that every built model program has.
 */
#ifndef SIDEWINDER_PROGRAM_H
#define SIDEWINDER_PROGRAM_H

#include "sidewinder/model.h"
#include "sidewinder/stepper.h"
#include "sidewinder/witness.h"

/* Under these flags a program would not compute what was verified. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "leave out -ffast-math and what is part of it"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `PROGRAM run | verify | converge | lyapunov | fibre | info ...` on *model and returns the exit code: 0 good,
 * 1 the answer is no, 2 wrong usage, 3 failed numerically, 128 + N after signal N.  Prints to stdout and stderr.
 * `run` catches SIGINT, SIGTERM and SIGHUP while it takes steps. */
int sw_program_main(const sw_model *model, int argc, char **argv);

/* What stands behind a declaration of the model file, on the line where it begins: "# nodal masses [kg]" without the sign. */
typedef struct sw_comment {
  const char *name; /* of a coordinate, a momentum, a parameter, an observable or an invariant */
  const char *text;
} sw_comment;

/* A function in H that is not defined at all states, such as "1/sin(th)^2", and the coordinates and momenta it reads, each between two blanks. */
typedef struct sw_partial_function {
  const char *text;
  const char *reads;
} sw_partial_function;

/* A model, and what its program has beside it.  All but the model may be NULL: then it goes without. */
typedef struct sw_program {
  const sw_model *model;
  const sw_witness *witness; /* the table that `verify` compares the model with */
  /* The step as straight-line code: the one of a single trajectory, then those of several ones, NULL after the last. */
  const sw_stepper *const *steppers;
  /* The model file, for the files that the program writes: pieces of its text, one behind the other, NULL after the last; and
   * its comments, one without a name after the last. */
  const char *const *text;
  const sw_comment *comments;
  const sw_partial_function *partial; /* one without a text after the last */
} sw_program;

/* The same with all that. */
int sw_program_main_of(const sw_program *program, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
