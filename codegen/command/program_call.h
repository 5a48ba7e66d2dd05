/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_call.h -- a command of a model's program, such as `run`, from the words after `sidewinder
 * run MODEL`.
 *
 * sidewinder reads --size, --data, --lowering, --compile-limit and the model; the program reads
 * all other words.  The model is the first word that ends with ".sw", or else the first word that
 * is no option, or the word after "--".
 */
#ifndef SIDEWINDER_COMMAND_PROGRAM_CALL_H
#define SIDEWINDER_COMMAND_PROGRAM_CALL_H

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

/* Appends a word for the program. */
void program_call_add(arena *a, program_call *call, const char *word);

#endif
