/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/place.h"
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

/* ---- files ---- */

/* A file or a standard stream, and its location. */
typedef struct use {
  const char *option;
  const char *path; /* NULL: a standard stream */
  sw_file_role role;
  sw_place place;
  int known; /* 0 if the file cannot be located; opening it will then report the reason */
} use;

int sw_files_add(sw_files *files, const char *option, const char *path, sw_file_role role)
{
  if (path == NULL || strcmp(path, "-") == 0) {
    return 1;
  }
  sw_file *grown = realloc(files->file, (files->count + 1) * sizeof *grown);
  if (grown == NULL) {
    return 0;
  }
  files->file = grown;
  grown[files->count] = (sw_file){option, strdup(path), role};
  return grown[files->count++].path != NULL;
}

void sw_files_clear(sw_files *files)
{
  for (size_t i = 0; i < files->count; i++) {
    free(files->file[i].path);
  }
  free(files->file);
  *files = (sw_files){NULL, 0};
}

static use use_stream(const char *name, int stream)
{
  struct stat about;
  use made = {.option = name, .role = SW_FILE_WRITTEN};
  made.known = fstat(stream, &about) == 0;
  if (made.known) {
    made.place = (sw_place){NULL, 1, about.st_mode, about.st_dev, about.st_ino};
  }
  return made;
}

static int may_be_one(const use *a, const use *b)
{
  if (a->role == SW_FILE_READ && b->role == SW_FILE_READ) {
    return 1;
  }
  if (a->path == NULL && b->path == NULL) {
    return 1;
  }
  return (strcmp(a->option, "--resume") == 0 && strcmp(b->option, "--checkpoint") == 0) ||
         (strcmp(b->option, "--resume") == 0 && strcmp(a->option, "--checkpoint") == 0);
}

static int files_refuse(const sw_invocation *call, const use *a, const use *b)
{
  const use *stream = a->path == NULL ? a : b->path == NULL ? b : NULL;
  const use *other = stream == a ? b : a;
  if (stream != NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "%s '%.160s' and %s are the same file", other->option,
                       other->path, stream->option);
  }
  return sw_complain(call, SW_EXIT_USAGE, "%s '%.160s' and %s '%.160s' are the same file",
                     a->option, a->path, b->option, b->path);
}

static int files_compare(const sw_invocation *call, const use uses[], size_t count)
{
  for (size_t i = 0; i < count; i++) {
    for (size_t j = i + 1; j < count; j++) {
      if (uses[i].known && uses[j].known && !may_be_one(&uses[i], &uses[j]) &&
          sw_place_same(&uses[i].place, &uses[j].place)) {
        return files_refuse(call, &uses[i], &uses[j]);
      }
    }
  }
  return SW_EXIT_GOOD;
}

static int check(const sw_invocation *call, const sw_files *files)
{
  use *uses = calloc(files->count + 2, sizeof *uses);
  int code = SW_EXIT_GOOD;
  if (uses == NULL) {
    return sw_out_of_memory(call);
  }
  for (size_t i = 0; i < files->count; i++) {
    const sw_file *file = &files->file[i];
    uses[i] = (use){.option = file->option, .path = file->path, .role = file->role};
    sw_status status = sw_place_find(file->path, &uses[i].place);
    uses[i].known = status == SW_OK;
    if (status == SW_ERR_MEMORY) {
      code = sw_out_of_memory(call);
    }
  }
  uses[files->count] = use_stream("standard output", STDOUT_FILENO);
  uses[files->count + 1] = use_stream("standard error", STDERR_FILENO);
  if (code == SW_EXIT_GOOD) {
    code = files_compare(call, uses, files->count + 2);
  }
  for (size_t i = 0; i < files->count; i++) {
    sw_place_clear(&uses[i].place);
  }
  free(uses);
  return code;
}

int sw_files_finish(const sw_invocation *call, sw_files *files, int added)
{
  const int code = added ? check(call, files) : sw_out_of_memory(call);
  sw_files_clear(files);
  return code;
}
