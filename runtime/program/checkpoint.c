/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/target.h"
#include "common/vectors.h"
#include "io/npy.h"

static const char first_line[] = "sidewinder checkpoint 1\n";
static const char end_of_lines[] = "-\n";

/* ---- the numbers: parameters, what the simulation saves, and the summary ---- */

static size_t count_numbers(const sw_sim *sim, const sw_summary *summary)
{
  return (size_t)sw_sim_nk(sim) + sw_sim_saved_count(sim) + sw_summary_size(summary);
}

static void collect_numbers(const sw_sim *sim, const sw_summary *summary, double seconds,
                            double numbers[])
{
  const size_t nk = (size_t)sw_sim_nk(sim);
  sw_copy(numbers, sw_sim_parameters(sim), nk);
  sw_sim_save(sim, numbers + nk);
  sw_summary_save(summary, sim, seconds, numbers + nk + sw_sim_saved_count(sim));
}

/* The parameters have been compared. */
static sw_status restore_numbers(const double numbers[], sw_sim *sim, sw_summary *summary)
{
  const size_t nk = (size_t)sw_sim_nk(sim);
  sw_status status = sw_sim_restore(sim, numbers + nk);
  if (status == SW_OK) {
    sw_summary_restore(summary, numbers + nk + sw_sim_saved_count(sim));
  }
  return status;
}

/* ---- the file ---- */

/* FNV-1a of 64 bits (Fowler, Noll, Vo): it is to find damage, not malice. */
static uint64_t check_sum(const char *bytes, size_t size)
{
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++) {
    sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  }
  return sum;
}

static void put_sum(FILE *file, uint64_t sum)
{
  for (int i = 0; i < 8; i++) {
    fputc((int)(sum >> 8 * i & 0xff), file);
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

/* All but the check sum, to be freed; NULL without memory. */
static char *make_content(const char *run, const sw_checkpoint *at, const sw_sim *sim,
                          const sw_summary *summary, size_t *size)
{
  const size_t count = count_numbers(sim, summary);
  double *numbers = calloc(count, sizeof *numbers);
  char *content = NULL;
  FILE *file = numbers == NULL ? NULL : open_memstream(&content, size);
  if (file != NULL) {
    collect_numbers(sim, summary, at->seconds, numbers);
    fprintf(file, "%s%s%s", first_line, run, end_of_lines);
    fprintf(file, "steps: %ld\nrows: %ld\nbytes: %ld\nunfinished: %s\n%s", at->step, at->mark.rows,
            at->mark.bytes, at->mark.unfinished == NULL ? "" : at->mark.unfinished, end_of_lines);
    sw_npy_write_values(file, numbers, count);
    content = sw_text_written(file, &content);
  }
  free(numbers);
  return content;
}

static sw_status refuse_target(const sw_source *source, int cause)
{
  sw_source_refuse(source, " cannot be written: %s", strerror(cause));
  return SW_ERR_IO;
}

sw_status sw_checkpoint_write(const char *path, const char *run, const sw_checkpoint *at,
                              const sw_sim *sim, const sw_summary *summary,
                              char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  sw_target target = {.file = NULL};
  size_t size = 0;
  char *content = make_content(run, at, sim, summary, &size);
  message[0] = '\0';
  sw_status status = content == NULL ? SW_ERR_MEMORY : sw_target_open(path, SW_HIDDEN, &target);
  int cause = errno;
  if (status == SW_OK) {
    fwrite(content, 1, size, target.file);
    put_sum(target.file, check_sum(content, size));
    status = sw_target_commit(&target);
    cause = target.cause;
  }
  if (status != SW_OK) {
    sw_target_discard(&target);
  }
  sw_target_clear(&target);
  free(content);
  return status == SW_ERR_IO ? refuse_target(&source, cause) : status;
}

sw_status sw_checkpoint_try(const char *path, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  sw_target target;
  message[0] = '\0';
  sw_status status = sw_target_open(path, SW_HIDDEN, &target);
  int cause = errno;
  if (status == SW_OK && target.in_place) {
    sw_source_refuse(&source, " is not a regular file");
    status = SW_ERR_ARGUMENT;
  }
  sw_target_discard(&target);
  sw_target_clear(&target);
  return status == SW_ERR_IO ? refuse_target(&source, cause) : status;
}

/* ---- reading ---- */

/* A file in memory; `at` goes through its lines. */
typedef struct reader {
  const sw_source *source;
  char *bytes;
  size_t size;
  char *at;
} reader;

static sw_status refuse_damage(const reader *in)
{
  return sw_source_refuse(in->source, " is damaged, or no checkpoint of this version");
}

/* Reads the whole file, of at most `most` bytes, and looks at its ends. */
static sw_status load(reader *in, size_t most)
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
    return sw_source_refuse(in->source, " is no checkpoint: it does not begin as one does");
  }
  in->at = in->bytes + head;
  return SW_OK;
}

/* The next line, without its end; NULL where there is none. */
static const char *next_line(reader *in)
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

/* "KEY: VALUE" of this run is another there. */
static sw_status refuse_difference(const reader *in, const char *there, const char *here)
{
  const char *value = strstr(here, ": ");
  size_t key = value == NULL ? 0 : (size_t)(value - here) + 2;
  if (key > 0 && strncmp(here, there, key) == 0) {
    return sw_source_refuse(in->source,
                            " is of another run: %.*s is '%.100s' there and '%.100s' here",
                            (int)key - 2, here, there + key, here + key);
  }
  return sw_source_refuse(
      in->source, " is of another run: it has '%.100s' where this one has '%.100s'", there, here);
}

/* Compares the lines that say which run it is. */
static sw_status compare_run(reader *in, const char *run)
{
  char *mine = strdup(run);
  char *rest = mine;
  sw_status status = mine == NULL ? SW_ERR_MEMORY : SW_OK;
  while (status == SW_OK && *rest != '\0') {
    const char *here = strsep(&rest, "\n");
    const char *there = next_line(in);
    status = there == NULL              ? refuse_damage(in)
             : strcmp(there, here) != 0 ? refuse_difference(in, there, here)
                                        : SW_OK;
  }
  free(mine);
  const char *end = status == SW_OK ? next_line(in) : NULL;
  return status == SW_OK && (end == NULL || strcmp(end, "-") != 0) ? refuse_damage(in) : status;
}

/* The value of the next line, which has that key; NULL where it has not. */
static const char *next_value(reader *in, const char *key)
{
  const char *line = next_line(in);
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

static sw_status read_progress(reader *in, sw_checkpoint *at)
{
  const char *unfinished = NULL;
  int good = next_count(in, "steps", &at->step) && next_count(in, "rows", &at->mark.rows) &&
             next_count(in, "bytes", &at->mark.bytes);
  if (good) {
    unfinished = next_value(in, "unfinished");
  }
  if (unfinished == NULL || strlen(unfinished) >= sizeof at->unfinished ||
      strchr(unfinished, '/') != NULL) {
    return refuse_damage(in);
  }
  snprintf(at->unfinished, sizeof at->unfinished, "%s", unfinished);
  at->mark.unfinished = at->unfinished;
  const char *end = next_line(in);
  return end != NULL && strcmp(end, "-") == 0 ? SW_OK : refuse_damage(in);
}

static sw_status compare_parameters(const reader *in, const sw_sim *sim, const double k[])
{
  char name[SW_NAME_BYTES];
  for (int i = 0; i < sw_sim_nk(sim); i++) {
    const double here = sw_sim_parameters(sim)[i];
    if (memcmp(&k[i], &here, sizeof here) != 0) {
      return sw_source_refuse(in->source,
                              " is of another run: parameter %.100s is %.17g there and %.17g here",
                              sw_sim_name(sim, SW_K, i, name), k[i], here);
    }
  }
  return SW_OK;
}

static sw_status read_numbers(reader *in, sw_sim *sim, sw_summary *summary)
{
  const size_t count = count_numbers(sim, summary);
  const size_t left = (size_t)(in->bytes + in->size - in->at);
  if (left != 8 * count + 8) {
    return refuse_damage(in);
  }
  double *numbers = calloc(count, sizeof *numbers);
  if (numbers == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_npy_decode((const unsigned char *)in->at, count, numbers);
  sw_status status = compare_parameters(in, sim, numbers);
  if (status == SW_OK && restore_numbers(numbers, sim, summary) != SW_OK) {
    status = refuse_damage(in);
  }
  free(numbers);
  return status;
}

sw_status sw_checkpoint_read(const char *path, const char *run, sw_checkpoint *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE])
{
  sw_source source = {.path = path, .message = message};
  reader in = {.source = &source};
  const size_t most = strlen(run) + 8 * count_numbers(sim, summary) + 65536;
  *at = (sw_checkpoint){.step = 0};
  message[0] = '\0';
  sw_status status = sw_source_open(&source);
  if (status != SW_OK) {
    return status;
  }
  status = load(&in, most);
  fclose(source.stream);
  uint64_t found = 0;
  int whole = 0;
  if (status == SW_OK) {
    found = check_sum(in.bytes, in.size - 8);
    whole = in.size <= most && get_sum(in.bytes + in.size - 8) == found;
    /* A difference is told first, as a checkpoint of another model has another size, too. */
    status = compare_run(&in, run);
  }
  if (status == SW_OK && !whole) {
    status = refuse_damage(&in);
  }
  status = status == SW_OK ? read_progress(&in, at) : status;
  status = status == SW_OK ? read_numbers(&in, sim, summary) : status;
  free(in.bytes);
  return status;
}
