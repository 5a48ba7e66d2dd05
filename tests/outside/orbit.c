/* SPDX-License-Identifier: BSD-3-Clause */
#include "motion.h"
#include <stdio.h>

int main(void)
{
  double alone[2] = {0.0};
  double of_batch[2] = {0.0};
  int status = motion(1000, alone, of_batch);
  printf("status %d, mirror %d\n", status, mirror_freedom());
  printf("%.17g,%.17g\n%.17g,%.17g\n", alone[0], alone[1], of_batch[0], of_batch[1]);
  return status;
}
