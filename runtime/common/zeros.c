/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/zeros.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* From this size on a block contains at least one whole huge page of 2 MB, wherever it begins. */
#define LARGE ((size_t)1 << 22)

void *sw_zeros(size_t count, size_t size)
{
  char *block = calloc(count, size);

#ifdef MADV_HUGEPAGE
  const size_t bytes = count * size; /* calloc has checked this product */
  if (block && bytes >= LARGE) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t before = (page - (uintptr_t)block % page) % page;
    /* If the advice is ignored, the pages stay small. */
    (void)madvise(block + before, (bytes - before) / page * page, MADV_HUGEPAGE);
  }
#endif
  return block;
}
