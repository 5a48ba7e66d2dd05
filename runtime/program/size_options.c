/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/size_options.h"

#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"

static const char option[] = "--size";

/* Splits "NAME=VALUE" in place. */
static int read_size(const sw_invocation *call, char *text, sw_size *size)
{
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    return sw_complain(call, SW_EXIT_USAGE, "--size: '%.100s' is not of the form NAME=VALUE", text);
  }
  *equals = '\0';
  size->name = text;
  if (!sw_text_integer(equals + 1, 0, &size->value)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--size: '%.100s' in '%.100s=%.100s' is no integer of at least 0",
                       equals + 1, text, equals + 1);
  }
  return SW_EXIT_GOOD;
}

/* The sizes go to sizes[] (room for argc), their texts to texts[], which the caller frees; what is left of
 * the arguments moves up. */
static int take_sizes(sw_invocation *call, sw_size sizes[], char *texts[], int *count)
{
  int kept = 1;
  for (int i = 1; i < call->argc; i++) {
    const char *argument = call->argv[i];
    const size_t length = sizeof option - 1;
    const int own = strcmp(argument, option) == 0;
    if (strcmp(argument, "--") == 0) {
      while (i < call->argc) {
        call->argv[kept++] = call->argv[i++];
      }
      break;
    }
    if (!own && (strncmp(argument, option, length) != 0 || argument[length] != '=')) {
      call->argv[kept++] = call->argv[i];
      continue;
    }
    if (own && i + 1 == call->argc) {
      return sw_complain(call, SW_EXIT_USAGE, "--size needs NAME=VALUE behind it");
    }
    texts[*count] = strdup(own ? call->argv[++i] : argument + length + 1);
    if (texts[*count] == NULL) {
      return sw_complain(call, SW_EXIT_FAILED, "out of memory");
    }
    (*count)++;
    const int code = read_size(call, texts[*count - 1], &sizes[*count - 1]);
    if (code != SW_EXIT_GOOD) {
      return code;
    }
  }
  call->argc = kept;
  call->argv[kept] = NULL;
  return SW_EXIT_GOOD;
}

static int open_system(sw_invocation *call, int may_be_lean, int count, const sw_size sizes[])
{
  char message[SW_SYSTEM_MESSAGE];
  const sw_status status =
      may_be_lean ? sw_system_create_lean(call->model, count, sizes, &call->system, message)
                  : sw_system_create(call->model, count, sizes, &call->system, message);
  if (status == SW_OK) {
    return SW_EXIT_GOOD;
  }
  return sw_complain(call, sw_exit_code(status), "%s",
                     message[0] != '\0' ? message : sw_status_text(status));
}

int sw_sizes_open(sw_invocation *call, int may_be_lean)
{
  sw_size *sizes = calloc((size_t)call->argc + 1, sizeof *sizes);
  char **texts = calloc((size_t)call->argc + 1, sizeof *texts);
  int count = 0;
  int code = SW_EXIT_FAILED;
  if (sizes == NULL || texts == NULL) {
    sw_complain(call, code, "out of memory");
  } else {
    code = take_sizes(call, sizes, texts, &count);
    code = code == SW_EXIT_GOOD ? open_system(call, may_be_lean, count, sizes) : code;
  }
  for (int i = 0; i < count; i++) {
    free(texts[i]);
  }
  free(texts);
  free(sizes);
  return code;
}
