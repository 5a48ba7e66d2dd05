/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/parameter_names.h -- looks up parameters by name.  The entries of an array parameter m
 * are adjacent and have the names m.1, m.2 and so on, or m.1.2 with two indices.  The name m
 * means all of its entries.  A partial list of indices, such as m.1 for m.1.2, is not a name.
 */
#ifndef SIDEWINDER_PROGRAM_PARAMETER_NAMES_H
#define SIDEWINDER_PROGRAM_PARAMETER_NAMES_H

#include "common/user_text.h"
#include "model/system.h"
#include "sidewinder/status.h"

/* Applies an assignment "PARAM=VALUE" to k (nk values): sets every entry with the name PARAM to
 * VALUE.  If VALUE is "@FILE", the file has one value for each entry (io/values_file.h).
 *
 * Errors, with the reason in message and k unchanged: SW_ERR_PARAMETER if the text is not an
 * assignment, PARAM is unknown, or VALUE is not a number within the bounds; SW_ERR_ARGUMENT if
 * FILE has the wrong format; SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_parameters_set(const sw_system *system, const char *assignment, double k[],
                            char message[SW_TEXT_MESSAGE]);

#endif
