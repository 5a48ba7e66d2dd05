/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system/validate.h -- is this a model that the runtime can work with?
 */
#ifndef SIDEWINDER_SYSTEM_VALIDATE_H
#define SIDEWINDER_SYSTEM_VALIDATE_H

#include "sidewinder/model.h"
#include "sidewinder/status.h"

/* SW_OK where *model has the right version, sensible sizes, every function that is needed, and patterns
 * inside of their matrices.  Errors: SW_ERR_ABI, SW_ERR_ARGUMENT, SW_ERR_MEMORY where a size does not fit
 * an int. */
sw_status sw_model_validate(const sw_model *model);

/* Only what a looped model must have, and the version.  Errors: SW_ERR_ABI, SW_ERR_ARGUMENT. */
sw_status sw_loops_validate(const sw_model *model);

#endif
