/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 where the parameter is called name (of that length), or is an entry of an array of that name. */
static int matches(const char *parameter, const char *name, size_t length)
{
  return strncmp(parameter, name, length) == 0 &&
         (parameter[length] == '\0' || parameter[length] == '.');
}

static int within(const sw_model *model, int i, double value)
{
  unsigned closed = model->k_closed[i];
  return (value > model->k_lower[i] || ((closed & 1u) && value == model->k_lower[i])) &&
         (value < model->k_upper[i] || ((closed & 2u) && value == model->k_upper[i]));
}

void sw_parameters_bounds(const sw_model *model, int i, char text[64])
{
  unsigned closed = model->k_closed[i];
  text[0] = '\0';
  if (isfinite(model->k_lower[i]) || isfinite(model->k_upper[i])) {
    snprintf(text, 64, "%c%.10g, %.10g%c", closed & 1u ? '[' : '(', model->k_lower[i],
             model->k_upper[i], closed & 2u ? ']' : ')');
  }
}

/* The message for a name that is no parameter.  It is compared with the names of scalars and arrays,
 * and with those of entries where it looks like one. */
static sw_status unknown(const sw_model *model, const char *name, char message[SW_TEXT_MESSAGE])
{
  size_t count = 0;
  size_t size = 1;
  int entry = strchr(name, '.') != NULL;
  for (int i = 0; i < model->nk; i++) {
    size += strlen(model->k_names[i]) + 1;
  }
  const char **names = calloc((size_t)model->nk + 1, sizeof *names);
  char *text = malloc(size);
  if (names == NULL || text == NULL) {
    free(names);
    free(text);
    return SW_ERR_MEMORY;
  }
  char *end = text;
  for (int i = 0; i < model->nk; i++) {
    const char *parameter = model->k_names[i];
    size_t length = entry ? strlen(parameter) : strcspn(parameter, ".");
    if (count > 0 && strlen(names[count - 1]) == length &&
        strncmp(names[count - 1], parameter, length) == 0) {
      continue;
    }
    memcpy(end, parameter, length);
    end[length] = '\0';
    names[count++] = end;
    end += length + 1;
  }
  sw_text_unknown("parameter", name, names, count, message);
  free(names);
  free(text);
  return SW_ERR_PARAMETER;
}

/* Checks the value against the bounds of every entry before it sets the first. */
static sw_status assign(const sw_model *model, const char *name, double value, double k[],
                        char message[SW_TEXT_MESSAGE])
{
  size_t length = strlen(name);
  int found = 0;
  for (int i = 0; i < model->nk; i++) {
    if (!matches(model->k_names[i], name, length)) {
      continue;
    }
    found = 1;
    if (!within(model, i, value)) {
      char bounds[64];
      sw_parameters_bounds(model, i, bounds);
      snprintf(message, SW_TEXT_MESSAGE, "%s = %.17g is outside its bounds %s", model->k_names[i],
               value, bounds);
      return SW_ERR_PARAMETER;
    }
  }
  if (!found) {
    return unknown(model, name, message);
  }
  for (int i = 0; i < model->nk; i++) {
    if (matches(model->k_names[i], name, length)) {
      k[i] = value;
    }
  }
  return SW_OK;
}

sw_status sw_parameters_set(const sw_model *model, const char *assignment, double k[],
                            char message[SW_TEXT_MESSAGE])
{
  double value;
  const char *equals = strchr(assignment, '=');
  message[0] = '\0';
  if (equals == NULL || equals == assignment) {
    snprintf(message, SW_TEXT_MESSAGE, "'%.100s' is not of the form PARAM=VALUE", assignment);
    return SW_ERR_PARAMETER;
  }
  if (!sw_text_real(equals + 1, &value)) {
    snprintf(message, SW_TEXT_MESSAGE, "'%.100s' in '%.100s' is not a finite decimal number",
             equals + 1, assignment);
    return SW_ERR_PARAMETER;
  }
  size_t length = (size_t)(equals - assignment);
  char *name = malloc(length + 1);
  if (name == NULL) {
    return SW_ERR_MEMORY;
  }
  memcpy(name, assignment, length);
  name[length] = '\0';
  sw_status status = assign(model, name, value, k, message);
  free(name);
  return status;
}
