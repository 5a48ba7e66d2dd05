/* SPDX-License-Identifier: BSD-3-Clause */
#include "circle.h"

int first(int n)
{
  return n > 0 ? second(n - 1) : 0;
}
