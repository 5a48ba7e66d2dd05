/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/option_values.h"

#include <errno.h>
#include <limits.h>

#include "common/user_text.h"

error_t sw_option_number(struct argp_state *state, const char *kind, const char *arg,
                         const char *const names[], size_t count, int *choice)
{
  char message[SW_TEXT_MESSAGE];
  const int place = sw_text_place(arg, names, count);
  if (place >= 0) {
    *choice = place;
    return 0;
  }
  sw_text_unknown(kind, arg, names, count, message);
  argp_error(state, "%s", message);
  return EINVAL;
}

error_t sw_option_choose(struct argp_state *state, const char *kind, const char *arg,
                         const char *const *names, const char **choice)
{
  size_t count = 0;
  int number = 0;
  while (names[count] != NULL) {
    count++;
  }
  error_t error = sw_option_number(state, kind, arg, names, count, &number);
  *choice = error == 0 ? names[number] : *choice;
  return error;
}

error_t sw_option_integer(struct argp_state *state, const char *option, const char *arg,
                          long lowest, long highest, long *value)
{
  if (sw_text_integer(arg, lowest, value) && *value <= highest) {
    return 0;
  }
  if (highest == LONG_MAX && sw_text_is_too_large(arg)) {
    argp_error(state, "--%s: %.100s is too large; the largest is %ld", option, arg, LONG_MAX);
  } else if (highest == LONG_MAX) {
    argp_error(state, "--%s: '%.100s' is not an integer of at least %ld", option, arg, lowest);
  } else {
    argp_error(state, "--%s: '%.100s' is not an integer from %ld to %ld", option, arg, lowest,
               highest);
  }
  return EINVAL;
}

error_t sw_option_real(struct argp_state *state, const char *option, const char *arg, double *value)
{
  if (sw_text_real(arg, value)) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a finite decimal number", option, arg);
  return EINVAL;
}

error_t sw_option_tolerance(struct argp_state *state, const char *option, const char *arg,
                            double *tolerance)
{
  error_t error = sw_option_real(state, option, arg, tolerance);
  if (error == 0 && !(*tolerance > 0.0 && *tolerance < 1.0)) {
    argp_error(state, "--%s: it must be between 0 and 1", option);
    return EINVAL;
  }
  return error;
}

error_t sw_option_seconds(struct argp_state *state, const char *option, const char *arg,
                          double *seconds)
{
  if (sw_text_real(arg, seconds) && *seconds >= 0.0) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a number of at least 0", option, arg);
  return EINVAL;
}
