/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/values_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/target.h"
#include "common/user_text.h"
#include "io/metadata.h"
#include "io/npy.h"
#include "io/table.h"
#include "sim/sim_internal.h"

typedef enum format { FORMAT_NONE = -1, FORMAT_NPY, FORMAT_CSV } format;

/* The format for the name's ending; FORMAT_NONE, with a message, if it is unknown. */
static format find_format(const sw_source *source)
{
  static const char *const endings[] = {[FORMAT_NPY] = ".npy", [FORMAT_CSV] = ".csv"};
  const int place = sw_text_ending(source->path, endings, 2);
  if (place < 0) {
    sw_source_refuse(source,
                     ": the name ends in neither .npy nor .csv, so its format is not known");
  }
  return (format)place;
}

sw_status sw_values_read(const char *path, const sw_entries *wanted, double values[],
                         char message[SW_TEXT_MESSAGE])
{
  sw_source source = {.path = path, .wanted = wanted, .message = message};
  format kind = find_format(&source);
  if (kind == FORMAT_NONE) {
    return SW_ERR_ARGUMENT;
  }
  message[0] = '\0';
  sw_status status = sw_source_open(&source);
  if (status != SW_OK) {
    return status;
  }
  status = sw_source_check_digest(&source, kind == FORMAT_NPY ? SW_NPY_HEADER : 0);
  if (status == SW_OK) {
    status = kind == FORMAT_NPY ? sw_npy_read(&source, values) : sw_table_read(&source, values);
  }
  fclose(source.stream);
  return status;
}

/* The contents of the current state, which depend on whether a step has been made. */
static sw_contents contents_of(const sw_sim *sim)
{
  return sim->carry.now                                  ? SW_CONTENTS_CARRY
         : sim->method->earlier && sim->clock.h != 0.0   ? SW_CONTENTS_BDF2
         : sim->method->staggered && sim->clock.h != 0.0 ? SW_CONTENTS_LEAPFROG
                                                         : SW_CONTENTS_STATE;
}

/* The contents, other than z alone, that a run of *sim accepts. */
static sw_contents contents_for(const sw_sim *sim)
{
  return sim->carry.now           ? SW_CONTENTS_CARRY
         : sim->method->earlier   ? SW_CONTENTS_BDF2
         : sim->method->staggered ? SW_CONTENTS_LEAPFROG
                                  : SW_CONTENTS_STATE;
}

static sw_status refuse_contents(const char *path, const sw_sim *sim, sw_contents found,
                                 char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  return sw_source_refuse(
      &source,
      " has %s, which is no state to begin a run of %s%s with: give the same method, "
      "or a file of z alone",
      sw_contents_words(found), sim->carry.now ? "compensated " : "", sim->method->name);
}

sw_status sw_values_read_state(const char *path, const sw_sim *sim, double values[],
                               sw_contents *contents, char message[SW_TEXT_MESSAGE])
{
  char other[SW_TEXT_MESSAGE];
  *contents = SW_CONTENTS_STATE;
  sw_entries wanted = sw_entries_of_state(sim->system);
  sw_status status = sw_values_read(path, &wanted, values, message);
  for (int kind = 1; status == SW_ERR_ARGUMENT && kind < SW_CONTENTS_KINDS; kind++) {
    wanted = sw_entries_of_contents(sim->system, (sw_contents)kind);
    if (sw_values_read(path, &wanted, values, other) == SW_OK) {
      *contents = (sw_contents)kind;
      return *contents == contents_for(sim) ? SW_OK
                                            : refuse_contents(path, sim, *contents, message);
    }
  }
  return status;
}

/* Collects everything the next step depends on; values: 4d + 1. */
static void collect(const sw_sim *sim, sw_contents contents, double values[])
{
  const size_t dim = 2 * (size_t)sim->system->nq;
  sw_copy(values, sw_sim_state(sim), dim);
  if (contents == SW_CONTENTS_CARRY || contents == SW_CONTENTS_BDF2) {
    sw_copy(values + dim, sw_sim_more(sim), dim);
  }
  values[contents == SW_CONTENTS_LEAPFROG ? dim : 2 * dim] = sim->clock.h;
}

static sw_status values_file_put_state(sw_target *file, format kind, const sw_sim *sim)
{
  const sw_contents contents = contents_of(sim);
  const sw_entries entries = sw_entries_of_contents(sim->system, contents);
  double *values = calloc(4 * (size_t)sim->system->nq + 1, sizeof *values);
  if (values == NULL) {
    return SW_ERR_MEMORY;
  }
  collect(sim, contents, values);
  errno = 0;
  if (kind == FORMAT_NPY) {
    sw_npy_write_header(file->file, entries.count, 0);
    sw_npy_write_values(file->file, values, entries.count);
  } else {
    sw_table_write(file->file, &entries, values);
  }
  free(values);
  return sw_target_check(file);
}

/* Writes the state and then its metadata.  Older metadata is removed first, so that it never
 * describes another state. */
static sw_status write_both(const sw_source *target, format kind, const sw_sim *sim,
                            sw_target *file)
{
  size_t size = 0;
  uint32_t digest = 0;
  char *text = NULL;
  sw_status status = values_file_put_state(file, kind, sim);
  if (status == SW_OK) {
    status = sw_target_sync(file);
  }
  if (status == SW_OK && !file->in_place) {
    status =
        sw_target_digest(file, kind == FORMAT_NPY ? SW_NPY_HEADER : 0, ftell(file->file), &digest);
  }
  if (status == SW_OK) {
    text = sw_metadata_of_state(kind == FORMAT_NPY ? "npy" : "csv", digest, sim,
                                sw_contents_words(contents_of(sim)), &size);
    status = text == NULL ? SW_ERR_MEMORY : SW_OK;
  }
  if (status == SW_OK) {
    if (!file->in_place) {
      sw_metadata_remove(target->path);
    }
    status = sw_target_commit(file);
  }
  if (status == SW_ERR_IO) {
    status = sw_source_refuse_target(target, file->cause);
  } else if (status == SW_OK && !file->in_place) {
    status = sw_metadata_write(target->path, text, size);
    if (status == SW_ERR_IO) {
      sw_source_refuse(target, ".json cannot be written: %s", strerror(errno));
    }
  }
  free(text);
  return status;
}

/* Opens the file for writing, or writes a message that gives the obstacle. */
static sw_status open_state(const sw_source *target, sw_target *file)
{
  *file = (sw_target){.file = NULL};
  target->message[0] = '\0';
  if (!sw_metadata_may_write(target->path, target->message)) {
    return target->message[0] == '\0' ? SW_ERR_MEMORY : SW_ERR_ARGUMENT;
  }
  sw_status status = sw_target_open(target->path, SW_HIDDEN, file);
  return status == SW_ERR_IO ? sw_source_refuse_target(target, errno) : status;
}

sw_status sw_values_write(const char *path, const sw_sim *sim, char message[SW_TEXT_MESSAGE])
{
  const sw_source target = {.path = path, .message = message};
  format kind = find_format(&target);
  sw_target file;
  if (kind == FORMAT_NONE) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = open_state(&target, &file);
  if (status == SW_OK) {
    status = write_both(&target, kind, sim, &file);
  }
  if (status != SW_OK) {
    sw_target_discard(&file);
  }
  sw_target_clear(&file);
  return status;
}

sw_status sw_values_try(const char *path, char message[SW_TEXT_MESSAGE])
{
  const sw_source target = {.path = path, .message = message};
  sw_target file;
  if (find_format(&target) == FORMAT_NONE) {
    return SW_ERR_ARGUMENT;
  }
  if (sw_target_is_special(path)) {
    /* opening a pipe would wait for its reader, and closing it would end the reader's input */
    message[0] = '\0';
    return SW_OK;
  }
  sw_status status = open_state(&target, &file);
  sw_target_discard(&file);
  sw_target_clear(&file);
  return status;
}
