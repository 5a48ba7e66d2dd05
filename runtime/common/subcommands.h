/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subcommands.h -- a program whose first word is a command, by argp.  The compiler and the programs of models have it in
 * common.
 *
 * argp's own --help and --version would end the process, so they are options of ours, and argp is told not to exit.
 */
#ifndef SIDEWINDER_COMMON_SUBCOMMANDS_H
#define SIDEWINDER_COMMON_SUBCOMMANDS_H

#include <argp.h>
#include <stddef.h>

typedef struct sw_subcommands {
  const char *args_doc; /* as in struct argp */
  const char *doc;
  size_t count;
  const char *const *names;
  /* Runs the command of that number, from 0.  argv[0] is "PROGRAM COMMAND", its own words follow.  Returns an exit
   * code. */
  int (*run)(void *context, size_t number, int argc, char **argv);
  void *context;
} sw_subcommands;

/* Exit codes: of what has printed help or a version, of wrong usage, and of a failure that is nobody's fault. */
enum { SW_HELPED = 0, SW_WRONG_USAGE = 2, SW_FAILURE = 3 };

/* Runs the command that the words name.  `help` and `help COMMAND` are `--help` and `COMMAND --help`; --version prints
 * that of sidewinder.  Returns the command's exit code or one of those above, after a message that begins with
 * `name`. */
int sw_subcommands_run(const sw_subcommands *of, const char *name, int argc, char **argv);

/* The options -h, --help, -? and --usage, as a child of a command's argp.  Its input is an int that is set
 * to 1 once help has been printed; the words behind it are not read then. */
extern const struct argp sw_help_argp;

/* Parses a command's words.  Returns -1 where the command should go on, else the exit code to return: SW_HELPED
 * where *helped is set, SW_WRONG_USAGE after an error, which argp has printed, and SW_FAILURE when out of memory or,
 * as the parser's EIO, where a file could not be read. */
int sw_words_parse(const struct argp *argp, int argc, char **argv, void *input, const int *helped);

#endif
