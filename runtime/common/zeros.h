/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zeros.h -- memory for arrays that each step reads from end to end.
 *
 * A memory page has 4 kB, and a processor caches the addresses of about a thousand pages (TLB).  A
 * step of a large system reads hundreds of thousands of pages and would wait for each address.
 * Linux provides huge pages of 2 MB on request.
 */
#ifndef SIDEWINDER_COMMON_ZEROS_H
#define SIDEWINDER_COMMON_ZEROS_H

#include <stddef.h>

/* As calloc; the caller frees the memory with free.  Large blocks use huge pages if the system
 * provides them. */
void *sw_zeros(size_t count, size_t size);

#endif
