/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/validate.h -- is this a model that the runtime can work with?
 */
#ifndef SIDEWINDER_MODEL_VALIDATE_H
#define SIDEWINDER_MODEL_VALIDATE_H

#include "sidewinder/model.h"
#include "sidewinder/status.h"

/* SW_OK where *model has the right version, no negative number of anything, and every table and function that is
 * needed.  What follows from its sizes is checked with these (system_plan.h).  Errors: SW_ERR_ABI, SW_ERR_ARGUMENT. */
sw_status sw_model_validate(const sw_model *model);

#endif
