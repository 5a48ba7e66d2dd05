/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/validate.h -- checks that the runtime can use a model.
 */
#ifndef SIDEWINDER_MODEL_VALIDATE_H
#define SIDEWINDER_MODEL_VALIDATE_H

#include "sidewinder/model.h"
#include "sidewinder/status.h"

/* Returns SW_OK if *model has the right version, no negative counts, and all required tables and
 * functions.  Conditions that depend on the sizes are checked later (system_plan.h).  Errors:
 * SW_ERR_ABI, SW_ERR_ARGUMENT. */
sw_status sw_model_validate(const sw_model *model);

#endif
