/* SPDX-License-Identifier: BSD-3-Clause */
/* Overflows a signed integer; UndefinedBehaviorSanitizer has to end it. */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  (void)argv;
  volatile int largest = INT_MAX;
  printf("not caught: %d\n", largest + argc);
  return 0;
}
