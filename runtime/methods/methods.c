/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/methods.h"

#include <stddef.h>
#include <string.h>

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

static int same_base(const sw_method *a, const sw_method *b)
{
  return a == b || (a->base && b->base && strcmp(a->base, b->base) == 0);
}

const char *sw_method_base(const sw_method *method, const sw_method *of_run,
                           const char *base_of_run)
{
  return base_of_run && of_run && same_base(method, of_run) ? base_of_run
         : method->base                                     ? method->base
                                                            : "none";
}

const sw_tableau *sw_method_tableau(const sw_method *method, const char *base)
{
  if (!method->base) {
    return strcmp(base, "none") == 0 ? method->tableau : NULL;
  }
  return sw_base_tableau(base);
}

const char *const *sw_method_names(void)
{
  return names;
}
