/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_rows.h -- a half of the gradient of H in pieces, which threads compute side by side.
 *
 * A piece has the entries of some rows of the arrays: of those whose first index is from `begin` to `end` - 1.  A kernel whose entries all
 * stand in rows i + c, i being the variable of its outermost loop, is gone through for those i that lead to such a row, and adds
 * to these rows alone.  So each entry is a sum in the order of the loops, whatever the pieces.  Other kernels, such as those of
 * pairs, come behind, in one piece.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_ROWS_H
#define SIDEWINDER_EMIT_LOOPS_ROWS_H

#include "emit/loops_functions.h"

/* Writes the functions NAME, NAME_piece and, where kernels are left, NAME_rest, and their members; returns 0 where it pays not, and nothing
 * has been written. */
int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                    const loops_quantity *q);

#endif
