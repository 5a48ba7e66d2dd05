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

/* Runs `PROGRAM run | verify | converge | lyapunov | info ...` on *model and returns the exit code: 0 good,
 * 1 the answer is no, 2 wrong usage, 3 failed numerically, 128 + N after signal N.  Prints to stdout and stderr.
 * `run` catches SIGINT and SIGTERM while it takes steps. */
int sw_program_main(const sw_model *model, int argc, char **argv);

/* The same, with the model's table of witnesses, which `verify` compares it with, and with its step as straight-line code: first the one of a
 * single trajectory, then those of several ones, NULL after the last.  NULL: without. */
int sw_program_main_with(const sw_model *model, const sw_witness *witness,
                         const sw_stepper *const steppers[], int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
