/* SPDX-License-Identifier: BSD-3-Clause */
#include "circle.h"

int third(int n)
{
  return first(n) + second(n);
}
