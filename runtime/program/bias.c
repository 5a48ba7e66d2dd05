/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/bias.h"

#include <string.h>

#include "common/user_text.h"
#include "sidewinder/methods.h"

static const struct {
  const char *name;
  double value[2];
} named[] = {
#define NAMED_BIAS(identifier, name, before, after) {name, {before, after}},
    SW_BIASES(NAMED_BIAS)
#undef NAMED_BIAS
};

int sw_bias_read(const char *text, double bias[2])
{
  char first[SW_TEXT_MESSAGE];
  const char *comma = strchr(text, ',');
  const size_t length = comma != NULL ? (size_t)(comma - text) : 0;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    if (strcmp(text, named[i].name) == 0) {
      memcpy(bias, named[i].value, sizeof named[i].value);
      return 1;
    }
  }
  if (length == 0 || length >= sizeof first) {
    return 0;
  }
  memcpy(first, text, length);
  first[length] = '\0';
  return sw_text_real(first, &bias[0]) && sw_text_real(comma + 1, &bias[1]);
}
