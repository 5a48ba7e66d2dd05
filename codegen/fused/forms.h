/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/forms.h -- whether a value that is affine in the unknowns is computed as that, or by the formula that it came from.
 */
#ifndef SIDEWINDER_FUSED_FORMS_H
#define SIDEWINDER_FUSED_FORMS_H

#include "fused/step.h"

/* Takes for each value of the step the form by which the whole step costs least. */
void fused_choose_forms(const fused_step *s);

#endif
