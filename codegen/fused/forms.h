/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/forms.h -- the choice between the two forms of a value that is affine in the unknowns: the
 * affine form, or the original formula.
 */
#ifndef SIDEWINDER_FUSED_FORMS_H
#define SIDEWINDER_FUSED_FORMS_H

#include "fused/step.h"

/* Chooses the form of each value that minimises the cost of the whole step. */
void fused_choose_forms(const fused_step *s);

#endif
