/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/values_file.h"

/* 1 if the parameter has this name (of `length` characters), or is an entry of an array with this
 * name. */
static int matches(const char *parameter, const char *name, size_t length)
{
  return strncmp(parameter, name, length) == 0 &&
         (parameter[length] == '\0' || parameter[length] == '.');
}

/* Writes the message for an unknown name.  Suggestions are the names of scalars and arrays; or
 * the names of entries if the unknown name contains a dot. */
static sw_status parameter_names_unknown(const sw_system *system, const char *name,
                                         char message[SW_TEXT_MESSAGE])
{
  size_t count = 0;
  int entry = strchr(name, '.') != NULL;
  char **names = (char **)(void *)sw_system_names(system, SW_K);
  if (names == NULL) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < system->nk; i++) {
    /* Cut an entry's name down to the name of its array; the copies in `names` may be changed. */
    if (!entry) {
      names[i][strcspn(names[i], ".")] = '\0';
    }
    if (count == 0 || strcmp(names[count - 1], names[i]) != 0) {
      names[count++] = names[i];
    }
  }
  sw_text_unknown("parameter", name, (const char *const *)names, count, message);
  free(names);
  return SW_ERR_PARAMETER;
}

/* Returns the number of parameters with this name and sets *first to the index of the first
 * one. */
static int parameter_names_find(const sw_system *system, const char *name, int *first)
{
  size_t length = strlen(name);
  char parameter[SW_NAME_BYTES];
  int count = 0;
  for (int i = 0; i < system->nk; i++) {
    if (matches(sw_system_name(system, SW_K, i, parameter), name, length)) {
      *first = count == 0 ? i : *first;
      count++;
    }
  }
  return count;
}

/* Rejects a name with a wrong index list whose array exists: "J.1" if J has two indices, and the
 * spelling "J[1,2]" of the model language. */
static sw_status refuse_index(const sw_system *system, const char *name,
                              char message[SW_TEXT_MESSAGE])
{
  char dotted[SW_TEXT_MESSAGE];
  int first = 0;
  snprintf(dotted, sizeof dotted, "%s", name);
  sw_text_with_dots(dotted);
  if (parameter_names_find(system, dotted, &first) == 0) {
    return SW_OK;
  }
  char found[SW_NAME_BYTES];
  int array = (int)strcspn(dotted, ".");
  int entry = strcmp(sw_system_name(system, SW_K, first, found), dotted) == 0;
  if (entry && strcmp(dotted, name) != 0) {
    snprintf(message, SW_TEXT_MESSAGE, "'%.100s' is not the name of an entry; write it as '%.100s'",
             name, dotted);
    return SW_ERR_PARAMETER;
  }
  if (!entry && dotted[array] != '\0') {
    snprintf(message, SW_TEXT_MESSAGE,
             "'%.100s' has too few indices; name an entry, such as '%.100s', or the whole array "
             "'%.*s'",
             name, found, array < 100 ? array : 100, dotted);
    return SW_ERR_PARAMETER;
  }
  return SW_OK;
}

/* Reads one value for all entries, or after "@" a file with one value for each. */
static sw_status parameter_names_read_values(const sw_entries *wanted, const char *text,
                                             double values[], char message[SW_TEXT_MESSAGE])
{
  if (text[0] == '@') {
    return sw_values_read(text + 1, wanted, values, message);
  }
  if (!sw_text_real(text, &values[0])) {
    snprintf(message, SW_TEXT_MESSAGE, "'%.100s' in '%.100s=%.100s' is not a finite decimal number",
             text, wanted->parameter, text);
    return SW_ERR_PARAMETER;
  }
  for (size_t i = 1; i < wanted->count; i++) {
    values[i] = values[0];
  }
  return SW_OK;
}

/* Sets the parameters from index `first` on, if every value is within its bounds.  `from`: the
 * file of the values, or "". */
static sw_status parameter_names_assign(const sw_system *system, int first, int count,
                                        const double values[], const char *from, double k[],
                                        char message[SW_TEXT_MESSAGE])
{
  for (int i = 0; i < count; i++) {
    if (!sw_system_allows(system, first + i, values[i])) {
      char bounds[64];
      char entry[SW_NAME_BYTES];
      sw_bounds_text(sw_system_bounds(system, first + i), bounds);
      snprintf(message, SW_TEXT_MESSAGE, "%.160s%s%.100s = %.17g is outside its bounds %s", from,
               from[0] == '\0' ? "" : ": ", sw_system_name(system, SW_K, first + i, entry),
               values[i], bounds);
      return SW_ERR_PARAMETER;
    }
  }
  memcpy(k + first, values, (size_t)count * sizeof *k);
  return SW_OK;
}

static sw_status set(const sw_system *system, const char *name, const char *text, double k[],
                     char message[SW_TEXT_MESSAGE])
{
  int first = 0;
  int count = parameter_names_find(system, name, &first);
  sw_status refused = refuse_index(system, name, message);
  if (refused != SW_OK) {
    return refused;
  }
  if (count == 0) {
    return parameter_names_unknown(system, name, message);
  }
  const sw_entries wanted = {
      .system = system, .parameter = name, .first = (size_t)first, .count = (size_t)count};
  double *values = calloc(wanted.count, sizeof *values);
  if (values == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_status status = parameter_names_read_values(&wanted, text, values, message);
  if (status == SW_OK) {
    const char *from = text[0] == '@' ? text + 1 : "";
    status = parameter_names_assign(system, first, count, values, from, k, message);
  }
  free(values);
  return status;
}

sw_status sw_parameters_set(const sw_system *system, const char *assignment, double k[],
                            char message[SW_TEXT_MESSAGE])
{
  const char *equals = strchr(assignment, '=');
  message[0] = '\0';
  if (equals == NULL || equals == assignment) {
    snprintf(message, SW_TEXT_MESSAGE, "'%.100s' is not of the form PARAM=VALUE", assignment);
    return SW_ERR_PARAMETER;
  }
  size_t length = (size_t)(equals - assignment);
  char *name = malloc(length + 1);
  if (name == NULL) {
    return SW_ERR_MEMORY;
  }
  memcpy(name, assignment, length);
  name[length] = '\0';
  sw_status status = set(system, name, equals + 1, k, message);
  free(name);
  return status;
}
