/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/target.h"

int sw_complain(const sw_invocation *call, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", call->name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  if (code == SW_EXIT_USAGE) {
    fprintf(stderr, "Try '%s --help' for more information.\n", call->name);
  }
  return code;
}

int sw_out_of_memory(const sw_invocation *call)
{
  return sw_complain(call, SW_EXIT_FAILED, "out of memory");
}

int sw_exit_code(sw_status status)
{
  switch (status) {
  case SW_OK:
    return SW_EXIT_GOOD;
  case SW_ERR_ARGUMENT:
  case SW_ERR_ABI:
  case SW_ERR_OPTION:
  case SW_ERR_PARAMETER:
  case SW_ERR_SIZE:
  case SW_ERR_OFF_M:
  case SW_ERR_OFF_MH:
  case SW_ERR_SECOND_CLASS:
    return SW_EXIT_USAGE;
  default:
    return SW_EXIT_FAILED;
  }
}

void sw_program_message(const sw_sim *sim, char message[SW_MESSAGE_BYTES])
{
  static const char *const remedies[] = {
      [SW_REMEDY_OTHER] = NULL,
      [SW_REMEDY_PROJECT] = "ask for projection (--project)",
      [SW_REMEDY_REDUNDANT] =
          "remove those that follow from others, or ask for --redundant drop or min-norm",
      [SW_REMEDY_DEPENDENT] =
          "the shape is a singular one, as that of a molecule in line, or all shapes are, as of "
          "parallel cranks: ask for --redundant drop or min-norm",
  };
  sw_sim_message_with(sim, remedies, message);
}

int sw_program_refuse(const sw_invocation *call, const sw_sim *sim, sw_status status)
{
  char message[SW_MESSAGE_BYTES] = "";
  if (sim != NULL) {
    sw_program_message(sim, message);
  }
  return sw_complain(call, sw_exit_code(status), "%s",
                     message[0] != '\0' ? message : sw_status_text(status));
}

int sw_program_check_parameters(const sw_invocation *call, const double k[])
{
  const int unset = sw_system_unset(call->system, k);
  char name[SW_NAME_BYTES];
  if (unset == call->system->nk) {
    return SW_EXIT_GOOD;
  }
  sw_system_name(call->system, SW_K, unset, name);
  return sw_complain(call, SW_EXIT_USAGE,
                     "parameter %.100s comes from data and has no value: give it with --data FILE "
                     "or --set %.100s=VALUE",
                     name, name);
}

void sw_name_left_over(const sw_invocation *call, const char *out)
{
  char *names = strcmp(out, "-") != 0 ? sw_target_left_over(out) : NULL;
  if (names != NULL) {
    sw_complain(
        call, SW_EXIT_GOOD,
        "note: earlier runs have left %.300s beside '%.160s'; go on with --resume, or remove "
        "them",
        names, out);
  }
  free(names);
}

int sw_output_flush(const sw_invocation *call)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) {
    return SW_EXIT_GOOD;
  }
  /* 0 after an earlier failure, because the stream does not keep its cause */
  const int cause = errno;
  clearerr(stdout);
  return sw_complain(call, SW_EXIT_FAILED, "standard output cannot be written%s%s",
                     cause != 0 ? ": " : "", cause != 0 ? strerror(cause) : "");
}

int sw_file_exit_code(const sw_invocation *call, const char *option, const char *message,
                      sw_status status)
{
  return status == SW_OK ? SW_EXIT_GOOD
                         : sw_complain(call, sw_exit_code(status), "--%s: %s", option,
                                       message[0] != '\0' ? message : sw_status_text(status));
}
