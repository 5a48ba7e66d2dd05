/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/reduced.h -- a system without the constraints that are proved to follow from the others.
 *
 * The multipliers of such constraints are not unique, and a method may need more of a constraint than
 * that its gradient depends on others on M: discrete gradients of dependent constraints are
 * independent, and so are gradients off M.  The reduced system is a system like any other.  Its
 * constraints are those that are left, in their order and with their names; its functions call those of
 * the whole system, with 0 for the multipliers that are left out.
 */
#ifndef SIDEWINDER_MODEL_REDUCED_H
#define SIDEWINDER_MODEL_REDUCED_H

#include "model/system.h"

/* Whether the model has constraints that are proved to follow from others. */
static inline int sw_has_follower(const sw_model *model)
{
  return model->follows != NULL;
}

/* 1 if a constraint of the system is proved to follow from others; none of a reduced system is. */
int sw_follows(const sw_system *system, int constraint);

/* all: one value for each constraint of the whole system; left: of those that are left. */
void sw_reduced_spread(const sw_system *reduced, const double left[], double all[]);
void sw_reduced_gather(const sw_system *reduced, const double all[], double left[]);

/* The number in the whole system of a constraint that is left. */
int sw_reduced_number(const sw_system *reduced, int constraint);

/* ---- for create.c ---- */

/* Makes a reduced system of a copy of made->whole, which belongs to it; then scratch memory for another
 * copy, with a whole system of its own.  sw_reduced_free has to follow, also after an error, and frees
 * neither made->whole nor *made.  Errors: SW_ERR_MEMORY. */
sw_status sw_reduced_make(sw_system *made);
sw_status sw_reduced_share(sw_system *made);
void sw_reduced_free(sw_system *made);

#endif
