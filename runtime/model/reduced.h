/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/reduced.h -- a system without the constraints that are proved to follow from the others.
 *
 * The multipliers of such constraints are not unique, and a numerical rank test does not always
 * find them: their gradients are dependent on M, but discrete gradients, and gradients off M, are
 * not.
 *
 * The reduced system can be used like any other.  It has the remaining constraints, in their order
 * and with their names.  Its functions call the functions of the whole system, with multiplier 0
 * for the omitted constraints.
 */
#ifndef SIDEWINDER_MODEL_REDUCED_H
#define SIDEWINDER_MODEL_REDUCED_H

#include "model/system.h"

/* Returns 1 if the model has constraints that are proved to follow from others. */
static inline int sw_has_follower(const sw_model *model)
{
  return model->follows != NULL;
}

/* 1 if it is proved that a constraint of the system follows from others; 0 for every constraint of
 * a reduced system. */
int sw_follows(const sw_system *system, int constraint);

/* all: one value per constraint of the whole system; left: one value per remaining constraint. */
void sw_reduced_spread(const sw_system *reduced, const double left[], double all[]);
void sw_reduced_gather(const sw_system *reduced, const double all[], double left[]);

/* The number in the whole system of a remaining constraint. */
int sw_reduced_number(const sw_system *reduced, int constraint);

/* The number among the remaining constraints of a constraint of the whole system, or -1. */
int sw_reduced_place(const sw_system *reduced, int constraint);

/* ---- for create.c ---- */

/* sw_reduced_make turns *made, a copy of made->whole, into a reduced system. sw_reduced_share makes
 * scratch memory for another copy, which has its own whole system.  The caller calls
 * sw_reduced_free even on failure; it frees neither made->whole nor *made.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_reduced_make(sw_system *made);
sw_status sw_reduced_share(sw_system *made);
void sw_reduced_free(sw_system *made);

#endif
