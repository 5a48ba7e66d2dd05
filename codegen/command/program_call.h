/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_call.h -- a command of a model's program, such as `run`, from the words after `sidewinder
 * run MODEL`, and a recorded run for `report` and `plot`.
 *
 * sidewinder reads --size, --data, --lowering, --compile-limit and the model; the program reads
 * all other words.  The model is the first word that ends with ".sw", or else the first word that
 * is no option, or the word after "--".
 */
#ifndef SIDEWINDER_COMMAND_PROGRAM_CALL_H
#define SIDEWINDER_COMMAND_PROGRAM_CALL_H

#include <jansson.h>
#include <signal.h>

#include "command/cache.h"
#include "command/request.h"

typedef struct program_call {
  const char *own;     /* command of sidewinder, such as "report" */
  const char *command; /* command of the program, such as "run" */
  int takes_output;    /* 1 if sidewinder also reads -o (--output) and -x (--x) */
  request request;
  const char *data;    /* value of --data, which the program reads; NULL if absent */
  const char *x;       /* value of -x; NULL if absent */
  compilation c;       /* set by program_call_compile; release it with compilation_free */
  const char *program; /* path of the program */
  char **words;        /* the program, its command and its words, terminated by NULL */
  int n;
  int room; /* capacity of words */
} program_call;

/* 1 if the word names a model file. */
int program_call_is_model(const char *word);

/* Parses argv, and may reorder it.  The caller sets the first three members of the call.  Returns
 * OUTCOME_GOOD with request.model NULL if help was printed. */
outcome program_call_read(arena *a, int argc, char **argv, program_call *call);

/* The last value of an option among the program's words; NULL if it is absent. */
const char *program_call_value(const program_call *call, const char *option);

/* Compiles the model; results as for request_compile. */
outcome program_call_compile(arena *a, program_call *call);

/* Builds the program, unless it is cached, and completes its words. */
outcome program_call_build(arena *a, program_call *call);

/* A run whose trajectory is kept for `report` and `plot`. */
typedef struct recorded_run {
  int code; /* exit code of the program */
  /* path of the .npy file (its metadata is in .npy.json); NULL if the program wrote none */
  const char *trajectory;
  json_t *summary; /* output of `run --json`; NULL if there was none */
  cache kept;
  workshop shop;
  sigset_t mask; /* signal mask before the run */
} recorded_run;

/* The columns for an overview of the model's trajectory (overview.h), as a list for --columns.
 * These are steps, times, positions and momenta, observables unless they are many, invariants,
 * residuals, and multipliers. */
const char *recorded_run_columns(arena *a, const compilation *c);

/* Runs the program of a call, after program_call_build, in a temporary folder of the cache.  The
 * run writes these columns; NULL keeps the user's choice.  Messages and progress go to stderr.  If
 * the user interrupts the run, its rows so far are available, and recorded_run_close ends this
 * process.  Returns OUTCOME_FAILED after a message if the folder cannot be created or the program
 * cannot be started. */
outcome recorded_run_open(arena *a, program_call *call, const char *columns, recorded_run *run);

/* Removes the folder.  Must be called after recorded_run_open, even if it failed. */
void recorded_run_close(recorded_run *run);

#endif
