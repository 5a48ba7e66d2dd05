/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * commands.h -- numbers that a command of `sidewinder` prints.
 */
#ifndef EXPERIMENTS_COMMANDS_H
#define EXPERIMENTS_COMMANDS_H

#include "page.h"

enum { COMMAND_COLUMNS = 12, COMMAND_ROWS = 32 };

/* The rows of a table: of each its numbers, and the words between them as NaN. */
typedef struct command_table {
  int rows;
  int starred; /* the row with a star, -1 if there is none */
  double at[COMMAND_ROWS][COMMAND_COLUMNS];
} command_table;

/* Runs `sidewinder` with the words, and keeps the rows that begin with a number.  Ends the program if the command fails. */
void command_run(const page *p, command_table *table, const char *words, ...)
    __attribute__((format(printf, 3, 4)));

#endif
