/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_entries.h -- names of the entries of an unrolled model.
 */
#ifndef SIDEWINDER_NAME_ENTRIES_H
#define SIDEWINDER_NAME_ENTRIES_H

#include "expr/ir_program.h"
#include "model/model.h"

namespace sidewinder
{

/* Sets the names of q, p, k, constraints, observables and invariants, and the array that each q
 * belongs to. */
void name_entries(arena *memory, const model &source, ir_program *program);

} // namespace sidewinder

#endif
