/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/stated_digest.h"

enum { LONGEST_PATH = 160 };

sw_entries sw_entries_of_state(const sw_system *system)
{
  return (sw_entries){.system = system, .count = 2 * (size_t)system->nq};
}

/* Contents beside z: a second state (the previous one or the carry), and the step size. */
static int has_second(sw_contents contents)
{
  return contents == SW_CONTENTS_BDF2 || contents == SW_CONTENTS_CARRY;
}

static int has_step(sw_contents contents)
{
  return contents == SW_CONTENTS_BDF2 || contents == SW_CONTENTS_LEAPFROG;
}

/* Prefixes of the names of values beside z; no name in a model contains a colon. */
static const char *const prefixes[] = {"", "leapfrog:", "bdf2:", "carry:"};

sw_entries sw_entries_of_contents(const sw_system *system, sw_contents contents)
{
  const size_t dim = 2 * (size_t)system->nq;
  const size_t count = dim + (has_second(contents) ? dim : 0) + (has_step(contents) ? 1 : 0);

  return (sw_entries){.system = system, .count = count, .contents = contents};
}

const char *sw_contents_words(sw_contents contents)
{
  static const char *const words[] = {
      "a state z = (q, p)",
      "the state of leapfrog: z with momenta of half a step before, and the size of the step",
      "the state of bdf2: z, z of the step before, and the size of the step",
      "the state of a compensated run: z and its carry"};

  return words[contents];
}

const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES])
{
  const size_t d = (size_t)entries->system->nq;
  char name[SW_NAME_BYTES];

  if (entries->parameter != NULL) {
    return sw_system_name(entries->system, SW_K, (int)(entries->first + i), buffer);
  }
  if (i < 2 * d) {
    return sw_system_name(entries->system, i < d ? SW_Q : SW_P, (int)(i % d), buffer);
  }
  if (has_step(entries->contents) && i + 1 == entries->count) {
    snprintf(name, sizeof name, "step");
  } else {
    sw_system_name(entries->system, i < 3 * d ? SW_Q : SW_P, (int)(i % d), name);
  }
  snprintf(buffer, SW_NAME_BYTES, "%s%.600s", prefixes[entries->contents], name);
  return buffer;
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

/* Replaces control characters, because a file's name or text in a message could contain terminal
 * commands. */
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
  if (errno == ENOMEM) {
    source->message[0] = '\0';
    return SW_ERR_MEMORY;
  }
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

/* Stores a character in a growing text.  Returns 0 if memory is short. */
static int source_put(char **text, size_t *room, size_t at, int c)
{
  if (at >= *room) {
    char *grown = realloc(*text, 2 * *room + 128);
    if (grown == NULL) {
      return 0;
    }
    *text = grown;
    *room = 2 * *room + 128;
  }
  (*text)[at] = (char)c;
  return 1;
}

sw_status sw_source_line(const sw_source *source, size_t number, size_t most, char **line,
                         size_t *room, int *more)
{
  FILE *stream = source->stream;
  size_t length = 0;
  int c = getc_unlocked(stream);
  *more = c != EOF;
  for (; c != EOF && c != '\n'; c = getc_unlocked(stream)) {
    if (c == '\0') {
      return sw_source_refuse(source, ": line %zu has a zero byte: this is no text", number);
    }
    if (length == most) {
      return sw_source_refuse(source, ": line %zu is longer than %zu characters", number, most);
    }
    if (!source_put(line, room, length++, c)) {
      return SW_ERR_MEMORY;
    }
  }
  if (ferror(stream)) {
    return sw_source_broken(source);
  }
  if (*more && c == EOF) {
    return sw_source_refuse(
        source,
        ": line %zu does not end: the file is truncated, or its last line break "
        "is missing",
        number);
  }
  length -= length > 0 && (*line)[length - 1] == '\r';
  return source_put(line, room, length, '\0') ? SW_OK : SW_ERR_MEMORY;
}

sw_status sw_source_check_digest(const sw_source *source, long from)
{
  return sw_has_stated_digest(fileno(source->stream), from, source->path)
             ? SW_OK
             : sw_source_refuse(source, " is not the file that its .json is about: its digest is "
                                        "another one; remove the .json if the file was edited");
}
