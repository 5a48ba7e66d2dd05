/* SPDX-License-Identifier: BSD-3-Clause */
#include "circle.h"

int second(int n)
{
  return n > 0 ? first(n - 1) : 1;
}
