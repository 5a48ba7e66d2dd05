/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/compositions.h"

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/sim.h"

#define SW_COMPOSITION_ADDRESS(identifier, name) &sw_composition_##identifier,
static const sw_composition *const compositions[] = {SW_COMPOSITIONS(SW_COMPOSITION_ADDRESS)};

#define SW_COMPOSITION_NAME(identifier, name) name,
static const char *const names[] = {SW_COMPOSITIONS(SW_COMPOSITION_NAME) NULL};

const sw_composition *sw_composition_find(const char *name)
{
  const int place = sw_text_place(name, names, sizeof compositions / sizeof compositions[0]);

  return place < 0 ? NULL : compositions[place];
}

const char *const *sw_composition_names(void)
{
  return names;
}
