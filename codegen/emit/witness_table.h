/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness_table.h -- the table of witnesses as a C file.
 */
#ifndef SIDEWINDER_EMIT_WITNESS_TABLE_H
#define SIDEWINDER_EMIT_WITNESS_TABLE_H

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"

/* NAME.witness.c: C99, includes sidewinder/witness.h, exports only sw_witness_of_NAME. */
const char *emit_witness_table(arena *a, const model *m, const sw_witness *table);

#endif
