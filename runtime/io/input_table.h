/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/input_table.h -- the inputs of a run as functions of the time: a table with a column t and
 * columns with the names of inputs, in a format of io/number_table.h.
 *
 * The inputs are constant during a step.  Let a be the lower of its two times.
 *   hold:    the values of the last row with t <= a
 *   linear:  the values at the middle of the step, between the two rows around it
 * Both depend on the times of the step alone, so restarts and steps back get the same values.
 * Times count as equal up to 1e-9 of a step: the products n h are rounded.
 */
#ifndef SW_IO_INPUT_TABLE_H
#define SW_IO_INPUT_TABLE_H

#include "common/user_text.h"
#include "model/system.h"
#include "sidewinder/sim.h"

typedef struct sw_input_table {
  int is_linear;   /* 0: hold */
  size_t rows;     /* at least 1 */
  int n;           /* number of inputs of the system */
  double *values;  /* rows x (1 + n): t, which increases, and the inputs */
  char *given;     /* 1 + n flags: 1 if the table has the column */
  double *present; /* n values of scratch */
} sw_input_table;

/* Reads and checks a table.  The caller calls sw_input_table_clear in every case.  Errors, with a
 * message that begins with the path, and the line if there are lines: SW_ERR_ARGUMENT for a model
 * without inputs, unknown or missing columns, times that do not increase, values outside the bounds
 * of an input; SW_ERR_IO, SW_ERR_OPTION without HDF5.  SW_ERR_MEMORY, with message "". */
sw_status sw_input_table_read(const char *path, int is_linear, const sw_system *system,
                              sw_input_table *table, char message[SW_TEXT_MESSAGE]);
void sw_input_table_clear(sw_input_table *table);

/* Checks whether the table covers `steps` steps of size h from the time t.  Errors:
 * SW_ERR_ARGUMENT, with a message. */
sw_status sw_input_table_check_times(const sw_input_table *table, const char *path, double t,
                                     double h, long steps, char message[SW_TEXT_MESSAGE]);

/* Sets the inputs for a step of size h from the present state.  Inputs without a column keep their
 * values. */
sw_status sw_input_table_set(const sw_input_table *table, sw_sim *sim, double h);

/* 1 if entry i of k is an input of the table. */
int sw_input_table_has(const sw_input_table *table, const sw_system *system, int i);

/* The CRC-32 of the columns and the values. */
uint32_t sw_input_table_digest(const sw_input_table *table);

#endif
