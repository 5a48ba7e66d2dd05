/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zeros.h -- memory for arrays that a step reads from end to end.
 *
 * A page of memory has 4 kB, and a processor keeps the places of some thousand pages at hand.  A step of a large system goes through hundreds
 * of thousands, and waits for the place of each.  Linux has pages of 2 MB as well, for those who ask.
 */
#ifndef SIDEWINDER_COMMON_ZEROS_H
#define SIDEWINDER_COMMON_ZEROS_H

#include <stddef.h>

/* As calloc, to be freed by free; in large pages where there are many bytes and the system has such pages to give. */
void *sw_zeros(size_t count, size_t size);

#endif
