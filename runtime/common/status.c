/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/status.h"

typedef struct {
  const char *name;
  const char *text;
} status_entry;

static const status_entry entries[] = {
#define STATUS_ENTRY(code, text) [code] = {#code, text},
    SW_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const status_entry unknown = {"SW_ERR_UNKNOWN", "the value is no status code"};

static const status_entry *status_find(sw_status status)
{
  /* The value may be out of range, since a caller in C can pass any integer. */
  const int index = (int)status;

  return index >= 0 && index < (int)SW_STATUS_COUNT ? &entries[index] : &unknown;
}

const char *sw_status_name(sw_status status)
{
  return status_find(status)->name;
}

const char *sw_status_text(sw_status status)
{
  return status_find(status)->text;
}
