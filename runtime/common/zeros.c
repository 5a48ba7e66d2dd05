/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/zeros.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* From here on there is room for two large pages, of which the first one may begin anywhere. */
#define LARGE ((size_t)1 << 22)

void *sw_zeros(size_t count, size_t size)
{
  char *block = calloc(count, size);

#ifdef MADV_HUGEPAGE
  const size_t bytes = count * size; /* which calloc has found to be one */
  if (block && bytes >= LARGE) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t before = (page - (uintptr_t)block % page) % page;
    /* Where the advice is not taken, the pages stay small, and all else as it is. */
    (void)madvise(block + before, (bytes - before) / page * page, MADV_HUGEPAGE);
  }
#endif
  return block;
}
