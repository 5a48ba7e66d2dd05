/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/program.h -- the command line that every built model program has.
 */
#ifndef SIDEWINDER_PROGRAM_H
#define SIDEWINDER_PROGRAM_H

#include "sidewinder/model.h"
#include "sidewinder/stepper.h"
#include "sidewinder/witness.h"

/* These flags would change the results that `verify` has checked. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "leave out -ffast-math and what is part of it"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `PROGRAM run | verify | converge | lyapunov | fibre | info ...` on *model and returns the
 * exit code: 0 success, 1 a check failed, 2 wrong usage, 3 numerical failure, 128 + N after signal
 * N. Prints to stdout and stderr. `run` catches SIGINT, SIGTERM and SIGHUP while it takes steps. */
int sw_program_main(const sw_model *model, int argc, char **argv);

/* A comment of the model file on the first line of a declaration: "# nodal masses [kg]" without the
 * '#'. */
typedef struct sw_comment {
  const char *name; /* name of a coordinate, momentum, parameter, observable or invariant */
  const char *text;
} sw_comment;

/* A function in H that is not defined at all states, such as "1/sin(th)^2". `reads` lists the
 * coordinates and momenta in it, with a blank before and after each. */
typedef struct sw_partial_function {
  const char *text;
  const char *reads;
} sw_partial_function;

/* A model and the optional parts of its program. Every member except `model` may be NULL. */
typedef struct sw_program {
  const sw_model *model;
  const sw_witness *witness; /* the table that `verify` compares the model with */
  /* Generated straight-line steps: first the scalar stepper, then the steppers with lanes.
   * NULL-terminated. */
  const sw_stepper *const *steppers;
  /* The model file as NULL-terminated pieces of text, for metadata in output files. `comments` ends
   * with an entry whose name is NULL. */
  const char *const *text;
  const sw_comment *comments;
  const sw_partial_function *partial; /* ends with an entry whose text is NULL */
  /* sw_program_header(): the help names the documentation that is installed with this header.
   * NULL: the help names files of the source folder. */
  const char *header;
} sw_program;

/* Returns the path that this header had when the program was compiled. */
static inline const char *sw_program_header(void)
{
  return __FILE__;
}

/* As sw_program_main, with the optional parts. */
int sw_program_main_of(const sw_program *program, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
