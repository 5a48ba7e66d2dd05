/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/target.h"

enum { LONGEST_PATH = 160 };

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

sw_status sw_source_refuse_value(const sw_source *source, const char *where, const char *name,
                                 double value)
{
  return isfinite(value)
             ? sw_source_refuse(source,
                                ": %s%.100s is an integer that no double is; the nearest is %.17g",
                                where, name, value)
             : sw_source_refuse(source, ": %s%.100s is %s; wanted are finite numbers", where, name,
                                isnan(value) ? "nan" : "infinite");
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
  if (*more && c == EOF && !source->may_lack_last_break) {
    return sw_source_refuse(
        source,
        ": line %zu does not end: the file is truncated, or its last line break "
        "is missing",
        number);
  }
  length -= length > 0 && (*line)[length - 1] == '\r';
  return source_put(line, room, length, '\0') ? SW_OK : SW_ERR_MEMORY;
}

/* Removes the quotes of a field that begins at `from`, in place.  Returns the text after the
 * closing quote, or NULL if that is missing. */
static char *unquote(char *from)
{
  char *to = from;
  for (const char *c = from + 1; *c != '\0'; c++) {
    if (*c == '"' && c[1] != '"') {
      char *behind = from + (c + 1 - from);
      *to = '\0';
      return behind;
    }
    c += *c == '"';
    *to++ = *c;
  }
  return NULL;
}

size_t sw_source_split(char *line, size_t room, const char *field[])
{
  char *end = line + strlen(line);
  size_t n = 0;
  for (char *from = line; from <= end; n++) {
    from += strspn(from, " \t");
    char *behind = *from == '"' ? unquote(from) : from;
    char *comma = behind == NULL ? NULL : strchr(behind, ',');
    comma = comma == NULL ? end : comma;
    if (behind == NULL || (behind != from && *sw_text_trim(behind, comma) != '\0')) {
      return 0;
    }
    const char *text = behind == from ? sw_text_trim(from, comma) : from;
    if (n < room) {
      field[n] = text;
    }
    from = comma + 1;
  }
  return n;
}

/* The digest of PATH.json; NULL if there is none. */
static json_t *stated(const char *path)
{
  const size_t room = strlen(path) + sizeof ".json";
  char *beside = malloc(room);
  json_t *about = NULL;

  if (beside != NULL) {
    snprintf(beside, room, "%s.json", path);
    about = json_load_file(beside, 0, NULL);
    free(beside);
  }
  json_t *digest = json_incref(json_object_get(about, "crc32"));
  json_decref(about);
  return digest;
}

/* 1 if the bytes of an open file from number `from` on have the digest that PATH.json gives, or if
 * there is no such digest.  0 if they have another one or cannot be read. */
static int has_stated_digest(int file, long from, const char *path)
{
  json_t *wanted = stated(path);
  struct stat of;
  uint32_t digest = 0;
  const int has =
      !json_is_integer(wanted) ||
      (fstat(file, &of) == 0 && sw_digest_bytes(file, from, (long)of.st_size, &digest) == SW_OK &&
       digest == json_integer_value(wanted));

  json_decref(wanted);
  return has;
}

sw_status sw_source_check_digest(const sw_source *source, long from)
{
  return has_stated_digest(fileno(source->stream), from, source->path)
             ? SW_OK
             : sw_source_refuse(source, " is not the file that its .json is about: its digest is "
                                        "another one; remove the .json if the file was edited");
}
