/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/parameter_names.h -- parameters by name.  The entries of an array parameter m are named m.1, m.2
 * and so on, or m.1.2 where it has two indices, and stand next to each other; m itself names all of them.
 * Some of its indices alone, such as m.1 for m.1.2, are no name.
 */
#ifndef SIDEWINDER_PROGRAM_PARAMETER_NAMES_H
#define SIDEWINDER_PROGRAM_PARAMETER_NAMES_H

#include "common/user_text.h"
#include "model/system.h"
#include "sidewinder/status.h"

/* Carries out "PARAM=VALUE" on k (nk values): every entry that PARAM names becomes VALUE.  VALUE may
 * also be "@FILE", a file with a value for each of them (io/values_file.h).  Errors, with the reason in
 * message: SW_ERR_PARAMETER where it has another form, PARAM is not known, or VALUE is no number or
 * outside the bounds; SW_ERR_ARGUMENT where FILE is another file; SW_ERR_IO.  k is then unchanged.
 * SW_ERR_MEMORY, with message "". */
sw_status sw_parameters_set(const sw_system *system, const char *assignment, double k[],
                            char message[SW_TEXT_MESSAGE]);

#endif
