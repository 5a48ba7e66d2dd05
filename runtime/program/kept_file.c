/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/kept_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/target.h"
#include "io/npy.h"

static const char first_line[] = "sidewinder checkpoint 3\n";
static const char end_of_lines[] = "-\n";

/* Bytes of the check sum at the end of the file. */
enum { SUM = 8 };
static const char no_sum[SUM];

/* 64-bit FNV-1a hash (Fowler, Noll, Vo).  It detects damage, not malice. */
static uint64_t check_sum(const char *bytes, size_t size)
{
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++) {
    sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  }
  return sum;
}

static void put_sum(unsigned char *to, uint64_t sum)
{
  for (int i = 0; i < SUM; i++) {
    to[i] = (unsigned char)(sum >> 8 * i & 0xff);
  }
}

static uint64_t get_sum(const char *bytes)
{
  uint64_t sum = 0;
  for (int i = 8; i > 0; i--) {
    sum = sum << 8 | (unsigned char)bytes[i - 1];
  }
  return sum;
}

/* Returns the content of the file, with zero bytes instead of the check sum, to be freed; NULL if
 * memory is short. */
static char *make_content(const char *run, const sw_reached *at, const double numbers[],
                          size_t count, size_t *size)
{
  char *content = NULL;
  FILE *file = open_memstream(&content, size);
  if (file != NULL) {
    fprintf(file, "%s%s%s", first_line, run, end_of_lines);
    fprintf(file, "steps: %ld\nrows: %ld\nbytes: %ld\ncrc32: %lu\nunfinished: %s\n%s", at->step,
            at->mark.rows, at->mark.bytes, (unsigned long)at->mark.digest,
            at->mark.unfinished == NULL ? "" : at->mark.unfinished, end_of_lines);
    sw_npy_write_values(file, numbers, count);
    fwrite(no_sum, 1, sizeof no_sum, file);
    content = sw_text_written(file, &content);
  }
  return content;
}

sw_status sw_kept_write(const char *path, const char *run, const sw_reached *at,
                        const double numbers[], size_t count, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  size_t size = 0;
  char *content = make_content(run, at, numbers, count, &size);
  sw_status status = SW_ERR_MEMORY;
  int cause = 0;
  message[0] = '\0';
  if (content != NULL) {
    put_sum((unsigned char *)content + size - SUM, check_sum(content, size - SUM));
    status = sw_target_write(path, content, size, 0);
    cause = errno;
  }
  free(content);
  return status == SW_ERR_IO ? sw_source_refuse_target(&source, cause) : status;
}

sw_status sw_kept_try(const char *path, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  sw_target target;
  message[0] = '\0';
  if (sw_target_is_special(path)) {
    return sw_source_refuse(&source, " is not a regular file");
  }
  sw_status status = sw_target_open(path, SW_HIDDEN, &target);
  int cause = errno;
  sw_target_discard(&target);
  sw_target_clear(&target);
  return status == SW_ERR_IO ? sw_source_refuse_target(&source, cause) : status;
}

/* ---- reading ---- */

/* A file in memory; `at` is the start of the next line. */
typedef struct reader {
  const sw_source *source;
  char *bytes;
  size_t size;
  char *at;
} reader;

static sw_status refuse_damage(const reader *in)
{
  return sw_source_refuse(in->source, " is damaged, or is not a checkpoint of this version");
}

/* Reads the whole file, up to most + 1 bytes, and checks its first line. */
static sw_status kept_file_load(reader *in, size_t most)
{
  FILE *stream = in->source->stream;
  in->bytes = malloc(most + 1);
  if (in->bytes == NULL) {
    return SW_ERR_MEMORY;
  }
  in->at = in->bytes;
  in->size = fread(in->bytes, 1, most + 1, stream);
  if (ferror(stream)) {
    return sw_source_broken(in->source);
  }
  const size_t head = sizeof first_line - 1;
  if (in->size < head || memcmp(in->bytes, first_line, head) != 0) {
    return sw_source_refuse(in->source, " is not a checkpoint: its first line is wrong");
  }
  in->at = in->bytes + head;
  return SW_OK;
}

/* Returns the next line without its newline; NULL at the end. */
static const char *kept_file_next_line(reader *in)
{
  char *end = memchr(in->at, '\n', (size_t)(in->bytes + in->size - in->at));
  if (end == NULL) {
    return NULL;
  }
  const char *line = in->at;
  *end = '\0';
  in->at = end + 1;
  return line;
}

/* Reports that the line "KEY: VALUE" of this run differs from the file's line. */
static sw_status refuse_difference(const reader *in, const char *there, const char *here)
{
  const char *value = strstr(here, ": ");
  size_t key = value == NULL ? 0 : (size_t)(value - here) + 2;
  if (key > 0 && strncmp(here, there, key) == 0) {
    return sw_source_refuse(in->source,
                            " is of another run: %.*s is '%.100s' there and '%.100s' here",
                            (int)key - 2, here, there + key, here + key);
  }
  return sw_source_refuse(in->source, " is of another run: it has '%.100s', this run has '%.100s'",
                          there, here);
}

/* Compares the lines that identify the run. */
static sw_status compare_run(reader *in, const char *run)
{
  char *mine = strdup(run);
  char *rest = mine;
  sw_status status = mine == NULL ? SW_ERR_MEMORY : SW_OK;
  while (status == SW_OK && *rest != '\0') {
    const char *here = strsep(&rest, "\n");
    const char *there = kept_file_next_line(in);
    status = there == NULL              ? refuse_damage(in)
             : strcmp(there, here) != 0 ? refuse_difference(in, there, here)
                                        : SW_OK;
  }
  free(mine);
  const char *end = status == SW_OK ? kept_file_next_line(in) : NULL;
  return status == SW_OK && (end == NULL || strcmp(end, "-") != 0) ? refuse_damage(in) : status;
}

/* Returns the value of the next line if the line has this key; else NULL. */
static const char *next_value(reader *in, const char *key)
{
  const char *line = kept_file_next_line(in);
  const size_t length = strlen(key);
  return line != NULL && strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0
             ? line + length + 2
             : NULL;
}

static int next_count(reader *in, const char *key, long *value)
{
  const char *text = next_value(in, key);
  return text != NULL && sw_text_integer(text, 0, value);
}

static sw_status read_progress(reader *in, sw_reached *at)
{
  const char *unfinished = NULL;
  long digest = 0;
  int good = next_count(in, "steps", &at->step) && next_count(in, "rows", &at->mark.rows) &&
             next_count(in, "bytes", &at->mark.bytes) && next_count(in, "crc32", &digest) &&
             digest <= (long)UINT32_MAX;
  at->mark.digest = (uint32_t)digest;
  if (good) {
    unfinished = next_value(in, "unfinished");
  }
  if (unfinished == NULL || strlen(unfinished) >= sizeof at->unfinished ||
      strchr(unfinished, '/') != NULL) {
    return refuse_damage(in);
  }
  snprintf(at->unfinished, sizeof at->unfinished, "%s", unfinished);
  at->mark.unfinished = at->unfinished;
  const char *end = kept_file_next_line(in);
  return end != NULL && strcmp(end, "-") == 0 ? SW_OK : refuse_damage(in);
}

/* Reads the numbers from the rest of the file, without the check sum. */
static sw_status read_numbers(const reader *in, double **numbers, size_t *count)
{
  const size_t left = (size_t)(in->bytes + in->size - in->at);
  if (left < SUM || left % 8 != 0) {
    return refuse_damage(in);
  }
  *count = (left - SUM) / 8;
  *numbers = calloc(*count + 1, sizeof **numbers);
  if (*numbers == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_npy_decode((const unsigned char *)in->at, *count, *numbers);
  return SW_OK;
}

sw_status sw_kept_refuse_damage(const char *path, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  const reader in = {.source = &source};
  return refuse_damage(&in);
}

sw_status sw_kept_read(const char *path, const char *run, size_t most_numbers, sw_reached *at,
                       double **numbers, size_t *count, char message[SW_TEXT_MESSAGE])
{
  sw_source source = {.path = path, .message = message};
  reader in = {.source = &source};
  const size_t most = strlen(run) + 8 * most_numbers + 65536;
  *at = (sw_reached){.step = 0};
  *numbers = NULL;
  message[0] = '\0';
  sw_status status = sw_source_open(&source);
  if (status != SW_OK) {
    return status;
  }
  status = kept_file_load(&in, most);
  fclose(source.stream);
  uint64_t found = 0;
  int whole = 0;
  if (status == SW_OK) {
    found = check_sum(in.bytes, in.size - 8);
    whole = in.size <= most && get_sum(in.bytes + in.size - 8) == found;
    /* Report a difference before damage, because a checkpoint of another model also has another
     * size. */
    status = compare_run(&in, run);
  }
  if (status == SW_OK && !whole) {
    status = refuse_damage(&in);
  }
  status = status == SW_OK ? read_progress(&in, at) : status;
  status = status == SW_OK ? read_numbers(&in, numbers, count) : status;
  free(in.bytes);
  return status;
}
