/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/base.h"

#include "base/euler_a.h"
#include "base/euler_b.h"
#include "base/midpoint.h"
#include "base/verlet.h"
#include "sidewinder/sim.h"

static const sw_base *const bases[] = {
    &sw_base_euler_a,
    &sw_base_euler_b,
    &sw_base_verlet,
    &sw_base_midpoint,
};

static const char *const names[] = {"euler-a", "euler-b", "verlet", "midpoint", NULL};

const sw_base *sw_base_find(const char *name)
{
  for (size_t i = 0; name && i < sizeof bases / sizeof bases[0]; i++) {
    if (strcmp(bases[i]->name, name) == 0) {
      return bases[i];
    }
  }
  return NULL;
}

sw_status sw_base_info(const char *base, int *order, int *symmetric)
{
  const sw_base *found = sw_base_find(base);

  if (!found) {
    return SW_ERR_OPTION;
  }
  *order = found->order;
  *symmetric = found->symmetric;
  return SW_OK;
}

const char *const *sw_base_names(void)
{
  return names;
}
