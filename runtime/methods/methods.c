/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/methods.h"

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/sim.h"

#define SW_METHOD_ADDRESS(identifier, name) &sw_method_##identifier,
static const sw_method *const methods[] = {SW_METHODS(SW_METHOD_ADDRESS)};

#define SW_METHOD_NAME(identifier, name) name,
static const char *const names[] = {SW_METHODS(SW_METHOD_NAME) NULL};

const sw_method *sw_method_find(const char *name)
{
  const int place = sw_text_place(name, names, sizeof methods / sizeof methods[0]);

  return place < 0 ? NULL : methods[place];
}

const char *const *sw_method_names(void)
{
  return names;
}
