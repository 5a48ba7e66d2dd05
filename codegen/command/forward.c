/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/forward.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/program_call.h"

outcome forward(arena *a, const char *command, int argc, char **argv)
{
  program_call call = {.own = command, .command = command, .request = {.at_own_sizes = 1}};
  outcome result = program_call_read(a, argc, argv, &call);
  if (result != OUTCOME_GOOD || !call.request.model) {
    return result;
  }
  result = program_call_compile(a, &call);
  if (result == OUTCOME_GOOD) {
    result = program_call_build(a, &call);
  }
  compilation_free(&call.c);
  if (result == OUTCOME_GOOD) {
    fflush(stdout);
    execv(call.program, call.words);
    fprintf(stderr, "sidewinder: cannot start '%s': %s\n", call.program, strerror(errno));
    result = OUTCOME_FAILED;
  }
  return result;
}
