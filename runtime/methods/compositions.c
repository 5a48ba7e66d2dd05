/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/compositions.h"

#include <stddef.h>
#include <string.h>

#include "sidewinder/sim.h"

#define SW_COMPOSITION_ADDRESS(identifier, name) &sw_composition_##identifier,
static const sw_composition *const compositions[] = {SW_COMPOSITIONS(SW_COMPOSITION_ADDRESS)};

#define SW_COMPOSITION_NAME(identifier, name) name,
static const char *const names[] = {SW_COMPOSITIONS(SW_COMPOSITION_NAME) NULL};

const sw_composition *sw_composition_find(const char *name)
{
  for (size_t i = 0; name && i < sizeof compositions / sizeof compositions[0]; i++) {
    if (strcmp(names[i], name) == 0) {
      return compositions[i];
    }
  }
  return NULL;
}

const char *const *sw_composition_names(void)
{
  return names;
}
