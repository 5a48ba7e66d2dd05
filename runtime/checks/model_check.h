/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/model_check.h -- sw_model_check for an existing system.
 */
#ifndef SIDEWINDER_CHECKS_MODEL_CHECK_H
#define SIDEWINDER_CHECKS_MODEL_CHECK_H

#include "model/system.h"

/* As sw_model_check, with the same errors. */
sw_status sw_system_check(const sw_system *system, const double k[], const double z[],
                          sw_check *result);

#endif
