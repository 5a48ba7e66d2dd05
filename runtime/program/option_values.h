/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/option_values.h -- the options of a command as a table, and their values: names of a list, and numbers.
 *
 * What reads a value returns 0, or EINVAL once the error has been printed; the value then means nothing.
 */
#ifndef SW_PROGRAM_OPTION_VALUES_H
#define SW_PROGRAM_OPTION_VALUES_H

#include <argp.h>
#include <stddef.h>

/* *choice: the number of the name that equals arg; errors call it `kind`. */
error_t sw_option_number(struct argp_state *state, const char *kind, const char *arg,
                         const char *const names[], size_t count, int *choice);

/* *choice: the name itself, of a list that ends with NULL. */
error_t sw_option_choose(struct argp_state *state, const char *kind, const char *arg,
                         const char *const *names, const char **choice);

/* A finite decimal number; and one between 0 and 1. */
error_t sw_option_real(struct argp_state *state, const char *option, const char *arg,
                       double *value);
error_t sw_option_tolerance(struct argp_state *state, const char *option, const char *arg,
                            double *tolerance);

/* ---- tables ---- */

/* What an option's value is, and of what type the member is that takes it. */
typedef enum sw_value_kind {
  SW_VALUE_TEXT,    /* const char * */
  SW_VALUE_FLAG,    /* int: 1 where the option is there */
  SW_VALUE_INTEGER, /* long, from `lowest` to `highest` */
  SW_VALUE_SMALL,   /* int, likewise */
  SW_VALUE_SECONDS, /* double */
  SW_VALUE_REAL,
  SW_VALUE_TOLERANCE,
  SW_VALUE_NAME, /* const char *: one of `names` */
  SW_VALUE_READ  /* what `read` makes of it */
} sw_value_kind;

/* An option, as argp has it, and where its value goes; a table ends with zeros. */
typedef struct sw_option {
  const char *name;
  const char *arg;
  const char *doc;
  sw_value_kind kind;
  size_t at; /* of the member */
  int flags; /* of argp */
  long lowest;
  long highest;     /* 0: any */
  const char *what; /* what the names are */
  const char *const *(*names)(void);
  error_t (*read)(struct argp_state *state, const char *arg, void *into);
} sw_option;

enum { SW_OPTIONS_MOST = 32 };

/* The words of a command that are no options. */
typedef struct sw_words {
  char **at;
  size_t count;
} sw_words;

/* An argp of a table: its options, and as its input what they go to, with the input of the only child. */
typedef struct sw_taking {
  const sw_option *options;
  void *into;
  void *of_child;
  sw_words *words; /* NULL: no others are allowed */
} sw_taking;

void sw_options_list(const sw_option options[], struct argp_option made[SW_OPTIONS_MOST + 1]);
error_t sw_options_take(int key, char *arg, struct argp_state *state);

/* Parses the words of a command whose options are one table, as sw_words_parse does (common/subcommands.h): the values go to
 * `into`; other words, which help calls args_doc, to *words, or are refused where both are NULL. */
int sw_options_parse(int argc, char **argv, const sw_option options[], const char *doc, void *into,
                     const char *args_doc, sw_words *words);

#endif
