/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_call.h -- a command of a model's program, such as `run`, from the words behind `sidewinder run MODEL`.
 *
 * sidewinder reads --size, --data, --lowering, --compile-limit and the model; the program reads
 * all other words.  The model is the first word that ends with ".sw", or else the first word that
 * is no option, or the word after "--".
 */
#ifndef SIDEWINDER_COMMAND_PROGRAM_CALL_H
#define SIDEWINDER_COMMAND_PROGRAM_CALL_H

#include "command/request.h"

typedef struct program_call {
  const char *own;     /* the command of sidewinder: "report", */
  const char *command; /* and of the program: "run" */
  int takes_output;    /* 1: -o (--output) and -x (--x) are ours, too */
  request request;
  const char *data; /* of --data, which the program reads; NULL where it is not there, and so is */
  const char *x;    /* what -x says */
  compilation c;    /* once it is made; for compilation_free */
  const char *program; /* its path */
  char **words;        /* the program, its command, and its words, with a NULL behind them */
  int n;
  int room; /* for words */
} program_call;

/* 1 if the word names a model file. */
int program_call_is_model(const char *word);

/* Reads argv, whose order it may change, into a call whose first three members are set.  OUTCOME_GOOD with request.model NULL: help was printed. */
outcome program_call_read(arena *a, int argc, char **argv, program_call *call);

/* What the program's words say for an option that takes a value, the last time; NULL where they do not. */
const char *program_call_value(const program_call *call, const char *option);

/* Compiles the model; as request_compile. */
outcome program_call_compile(arena *a, program_call *call);

/* Builds the program, unless it is in the cache, and completes its words. */
outcome program_call_build(arena *a, program_call *call);

/* Another word for the program, behind all others. */
void program_call_add(arena *a, program_call *call, const char *word);

#endif
