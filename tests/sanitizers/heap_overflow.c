/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads one past the end of a heap block; AddressSanitizer has to end it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  (void)argv;
  int *block = calloc((size_t)argc, sizeof *block);
  if (!block) {
    return 2;
  }
  printf("not caught: %d\n", block[argc]);
  free(block);
  return 0;
}
