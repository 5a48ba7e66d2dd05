/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 160 };

sw_entries sw_entries_of_state(const sw_system *system)
{
  return (sw_entries){.system = system, .count = 2 * (size_t)system->nq};
}

const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES])
{
  const size_t half = entries->count / 2;

  if (entries->parameter != NULL) {
    return sw_system_name(entries->system, SW_K, (int)(entries->first + i), buffer);
  }
  return sw_system_name(entries->system, i < half ? SW_Q : SW_P, (int)(i < half ? i : i - half),
                        buffer);
}

const char *sw_name_entry(const void *entries, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_entries_name(entries, i, buffer);
}

const char *sw_entries_kind(const sw_entries *entries)
{
  return entries->parameter != NULL ? "parameter" : "model";
}

const char *sw_entries_owner(const sw_entries *entries)
{
  return entries->parameter != NULL ? entries->parameter : entries->system->model->name;
}

/* A name or a piece of a file inside a message must not reach the terminal as a command. */
static void make_printable(char message[])
{
  for (; *message != '\0'; message++) {
    if ((unsigned char)*message < ' ' || *message == '\x7f') {
      *message = '?';
    }
  }
}

sw_status sw_source_refuse(const sw_source *source, const char *format, ...)
{
  size_t length = strlen(source->path);
  const char *end = length > LONGEST_PATH ? source->path + length - LONGEST_PATH : source->path;
  int used =
      snprintf(source->message, SW_TEXT_MESSAGE, "%s%s", end == source->path ? "" : "...", end);
  va_list arguments;
  va_start(arguments, format);
  if (used >= 0) {
    vsnprintf(source->message + used, SW_TEXT_MESSAGE - (size_t)used, format, arguments);
  }
  va_end(arguments);
  make_printable(source->message);
  return SW_ERR_ARGUMENT;
}

sw_status sw_source_refuse_target(const sw_source *target, int cause)
{
  sw_source_refuse(target, " cannot be written: %s", strerror(cause));
  return SW_ERR_IO;
}

sw_status sw_source_refuse_count(const sw_source *source, size_t count, const char *detail)
{
  const sw_entries *wanted = source->wanted;
  return sw_source_refuse(source, " has %zu value%s; %s '%s' needs %zu%s%s", count,
                          count == 1 ? "" : "s", sw_entries_kind(wanted), sw_entries_owner(wanted),
                          wanted->count, wanted->parameter != NULL ? "" : " (q then p)", detail);
}

sw_status sw_source_broken(const sw_source *source)
{
  sw_source_refuse(source, " cannot be read: %s", strerror(errno));
  return SW_ERR_IO;
}

sw_status sw_source_open(sw_source *source)
{
  struct stat about;
  sw_status status = SW_OK;
  source->stream = NULL;
  int file = open(source->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0 || fstat(file, &about) != 0) {
    status = sw_source_broken(source);
  } else if (!S_ISREG(about.st_mode)) {
    status = sw_source_refuse(source, " is not a regular file; copy what it gives into one");
  } else {
    source->stream = fdopen(file, "rb");
    status = source->stream == NULL ? sw_source_broken(source) : SW_OK;
  }
  if (source->stream == NULL && file >= 0) {
    close(file);
  }
  return status;
}
