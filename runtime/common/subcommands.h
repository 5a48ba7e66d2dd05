/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subcommands.h -- a command line whose first word is a command, by argp.  The generator and the
 * programs of models share it.
 *
 * argp's own --help and --version would end the process.  We therefore define these options
 * ourselves and tell argp not to exit.
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
  /* Runs command `number`, from 0. argv[0] is "PROGRAM COMMAND"; the command's own words follow.
   * Returns an exit code. */
  int (*run)(void *context, size_t number, int argc, char **argv);
  void *context;
  char *(*help_filter)(int key, const char *text, void *input); /* as in struct argp; may be NULL */
} sw_subcommands;

/* Exit codes: help or version printed, wrong usage, and a failure of the system. */
enum { SW_HELPED = 0, SW_WRONG_USAGE = 2, SW_FAILURE = 3 };

/* Runs the command that argv names. `help` and `help COMMAND` are synonyms of `--help` and `COMMAND
 * --help`; --version prints sidewinder's version.  Returns the command's exit code or one of those
 * above, after a message that begins with `name`. */
int sw_subcommands_run(const sw_subcommands *of, const char *name, int argc, char **argv);

/* The options -h, --help, -? and --usage, as a child of a command's argp.  Its input is an int,
 * which becomes 1 once help has been printed; the remaining words are then skipped. */
extern const struct argp sw_help_argp;

/* Parses a command's words.  Returns -1 if the command should continue, else the exit code:
 * SW_HELPED if *helped is 1, SW_WRONG_USAGE after an error, which argp has printed, or SW_FAILURE
 * if memory is short or the parser returned EIO because a file could not be read. */
int sw_words_parse(const struct argp *argp, int argc, char **argv, void *input, const int *helped);

#endif
