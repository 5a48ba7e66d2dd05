/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/command.h -- what the sub-commands of a model program have in common.
 */
#ifndef SW_PROGRAM_COMMAND_H
#define SW_PROGRAM_COMMAND_H

#include "common/subcommands.h"
#include "model/system.h"
#include "sidewinder/model.h"
#include "sidewinder/status.h"
#include "sidewinder/witness.h"

enum {
  SW_EXIT_GOOD = 0,
  SW_EXIT_NO = 1,    /* the answer is no: a check of `verify` or of `lyapunov` fails */
  SW_EXIT_USAGE = 2, /* wrong usage, a wrong parameter, or an initial state off M or M^H */
  SW_EXIT_FAILED = 3 /* a solve, a file or an allocation failed */
                     /* 128 + N: a signal N has ended a run */
};

/* One call of a sub-command: argv[0] is "PROGRAM COMMAND", its own arguments follow. */
typedef struct sw_invocation {
  const sw_model *model;
  const sw_witness *witness; /* NULL where the program has none */
  sw_system *system;         /* the model at the sizes asked for; NULL outside of a sub-command */
  const char *name;          /* argv[0] */
  int argc;
  char **argv;
} sw_invocation;

/* The sub-commands.  Each returns an exit code. */
int sw_command_run(const sw_invocation *call);
int sw_command_verify(const sw_invocation *call);
int sw_command_converge(const sw_invocation *call);
int sw_command_lyapunov(const sw_invocation *call);
int sw_command_info(const sw_invocation *call);

/* Parses the words of *call, as sw_words_parse. */
int sw_parse_arguments(const sw_invocation *call, const struct argp *argp, void *input,
                       const int *helped);

/* Prints "NAME: MESSAGE" on stderr and returns `code`.  After a usage error a second line says how to
 * get help. */
int sw_complain(const sw_invocation *call, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The exit code for the outcome of a call of the runtime: 0, 2 where the caller's input is at fault
 * (argument, option, parameter, state off M or M^H, generated for another version), else 3. */
int sw_exit_code(sw_status status);

#endif
