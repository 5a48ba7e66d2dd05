/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/bases.h"

#include <stddef.h>
#include <string.h>

#include "common/user_text.h"

#define SW_BASE_ADDRESS(identifier, name) &sw_base_##identifier,
static const sw_base *const bases[] = {SW_BASES(SW_BASE_ADDRESS)};

#define SW_BASE_NAME(identifier, name) name,
static const char *const names[] = {SW_BASES(SW_BASE_NAME) NULL};
static const char *const choices[] = {SW_BASES(SW_BASE_NAME) SW_SPLITTING, NULL};

const sw_base *sw_base_find(const char *name)
{
  const int place = sw_text_place(name, names, sizeof bases / sizeof bases[0]);

  return place < 0 ? NULL : bases[place];
}

const sw_tableau *sw_base_tableau(const char *name)
{
  const sw_base *base = sw_base_find(name);

  return base ? &base->tableau : NULL;
}

sw_status sw_base_info(const char *name, int *order, int *symmetric)
{
  const sw_base *base = sw_base_find(name);
  sw_tableau_report report;

  if (name && strcmp(name, SW_SPLITTING) == 0) {
    *order = 2;
    *symmetric = 1;
    return SW_OK;
  }
  if (!base || sw_tableau_examine(&base->tableau, &report, NULL) != SW_OK) {
    return SW_ERR_OPTION;
  }
  *order = base->order;
  *symmetric = report.symmetric;
  return SW_OK;
}

const char *const *sw_base_names(void)
{
  return names;
}

const char *const *sw_base_choices(void)
{
  return choices;
}
