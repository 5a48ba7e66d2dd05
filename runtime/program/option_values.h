/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/option_values.h -- tables of command-line options, and parsers for their values: names
 * of a list, and numbers.
 *
 * The parsers return 0, or EINVAL after they have printed the error.  After an error the value is
 * undefined.
 */
#ifndef SW_PROGRAM_OPTION_VALUES_H
#define SW_PROGRAM_OPTION_VALUES_H

#include <argp.h>
#include <stddef.h>

/* Sets *choice to the index of the name that equals arg; errors call the list `kind`. */
error_t sw_option_number(struct argp_state *state, const char *kind, const char *arg,
                         const char *const names[], size_t count, int *choice);

/* Sets *choice to the name that equals arg, in a list that ends with NULL. */
error_t sw_option_choose(struct argp_state *state, const char *kind, const char *arg,
                         const char *const *names, const char **choice);

/* Parse a finite decimal number, and a number between 0 and 1. */
error_t sw_option_real(struct argp_state *state, const char *option, const char *arg,
                       double *value);
error_t sw_option_tolerance(struct argp_state *state, const char *option, const char *arg,
                            double *tolerance);

/* ---- tables ---- */

/* The kind of an option's value.  It decides the type of the member that receives the value. */
typedef enum sw_value_kind {
  SW_VALUE_TEXT,    /* const char * */
  SW_VALUE_FLAG,    /* int: 1 if the option is given */
  SW_VALUE_INTEGER, /* long, from `lowest` to `highest` */
  SW_VALUE_SMALL,   /* int, from `lowest` to `highest` */
  SW_VALUE_SECONDS, /* double */
  SW_VALUE_REAL,
  SW_VALUE_TOLERANCE,
  SW_VALUE_NAME, /* const char *: one of `names` */
  SW_VALUE_READ  /* the result of `read` */
} sw_value_kind;

/* An option with the fields of argp and the destination of its value.  Zeros end a table. */
typedef struct sw_option {
  const char *name;
  const char *arg;
  const char *doc;
  sw_value_kind kind;
  size_t at; /* offset of the member that receives the value */
  int flags; /* flags of argp */
  long lowest;
  long highest;     /* 0: no upper bound */
  const char *what; /* the kind of the names, for errors */
  const char *const *(*names)(void);
  error_t (*read)(struct argp_state *state, const char *arg, void *into);
} sw_option;

enum { SW_OPTIONS_MOST = 32 };

/* The arguments of a command that are not options. */
typedef struct sw_words {
  char **at;
  size_t count;
} sw_words;

/* The input of an argp parser over a table: the options, the struct that receives the values, and
 * the input of the only child parser. */
typedef struct sw_taking {
  const sw_option *options;
  void *into;
  void *of_child;
  sw_words *words; /* NULL: no other arguments are allowed */
} sw_taking;

void sw_options_list(const sw_option options[], struct argp_option made[SW_OPTIONS_MOST + 1]);
error_t sw_options_take(int key, char *arg, struct argp_state *state);

/* Parses the words of a command whose options are one table, as sw_words_parse does
 * (common/subcommands.h).  Values go to `into`.  Other arguments, which help calls args_doc, go
 * to *words; they are errors if both are NULL. */
int sw_options_parse(int argc, char **argv, const sw_option options[], const char *doc, void *into,
                     const char *args_doc, sw_words *words);

#endif
