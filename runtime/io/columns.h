/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/columns.h -- the columns (sidewinder/columns.h) of a system, without a simulation.
 */
#ifndef SW_IO_COLUMNS_H
#define SW_IO_COLUMNS_H

#include "io/source.h"
#include "sidewinder/columns.h"

/* See sw_columns_of. */
sw_status sw_columns_create(const sw_system *given, double h, const char *wanted,
                            sw_columns **columns, char message[SW_TEXT_MESSAGE]);

/* Returns 1 if column i is an entry of z. */
int sw_columns_is_state(const sw_columns *columns, size_t i);

#endif
