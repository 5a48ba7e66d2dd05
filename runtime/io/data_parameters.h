/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_parameters.h -- the parameters in a list of data.
 */
#ifndef SW_IO_DATA_PARAMETERS_H
#define SW_IO_DATA_PARAMETERS_H

#include "io/data_list.h"

/* k, nk values: the defaults, overridden by the list's parameters after their shapes and values
 * have been checked.  Errors, with a message: SW_ERR_ARGUMENT, SW_ERR_PARAMETER; SW_ERR_MEMORY. */
sw_status sw_data_take_parameters(const sw_data_list *list, const sw_system *system, double k[]);

#endif
