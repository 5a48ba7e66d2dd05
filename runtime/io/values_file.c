/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/values_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/npy.h"
#include "io/table.h"
#include "sim_internal.h"

typedef enum format { FORMAT_NONE, FORMAT_NPY, FORMAT_CSV } format;

/* The format that the name tells, or FORMAT_NONE with a message. */
static format find_format(const sw_source *source)
{
  const char *dot = strrchr(source->path, '.');
  if (dot != NULL && strcmp(dot, ".npy") == 0) {
    return FORMAT_NPY;
  }
  if (dot != NULL && strcmp(dot, ".csv") == 0) {
    return FORMAT_CSV;
  }
  sw_source_refuse(source, ": the name ends in neither .npy nor .csv, so its format is not known");
  return FORMAT_NONE;
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
  status = kind == FORMAT_NPY ? sw_npy_read(&source, values) : sw_table_read(&source, values);
  fclose(source.stream);
  return status;
}

/* Opens "PATH.part", whose name goes to *part, to be freed by the caller. */
static sw_status open_part(const sw_source *target, char **part, FILE **file)
{
  size_t size = strlen(target->path) + sizeof ".part";
  target->message[0] = '\0';
  *file = NULL;
  *part = malloc(size);
  if (*part == NULL) {
    return SW_ERR_MEMORY;
  }
  snprintf(*part, size, "%s.part", target->path);
  *file = fopen(*part, "wb");
  if (*file != NULL) {
    return SW_OK;
  }
  sw_source_refuse(target, " cannot be written: %s", strerror(errno));
  free(*part);
  *part = NULL;
  return SW_ERR_IO;
}

static void put_state(FILE *file, format kind, const sw_sim *sim)
{
  const sw_system *system = sim->system;
  const sw_entries entries = sw_entries_of_state(system);
  if (kind == FORMAT_NPY) {
    sw_npy_write(file, sw_sim_state(sim), entries.count);
    return;
  }
  sw_file_metadata(file, "model", system->model->name);
  sw_file_metadata(file, "digest", system->model->digest);
  fprintf(file, "# t: %.17g\n", sw_sim_time(sim));
  sw_table_write(file, &entries, sw_sim_state(sim));
}

sw_status sw_values_write(const char *path, const sw_sim *sim, char message[SW_TEXT_MESSAGE])
{
  const sw_source target = {.path = path, .message = message};
  char *part;
  FILE *file;
  int cause = 0;
  format kind = find_format(&target);
  if (kind == FORMAT_NONE) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = open_part(&target, &part, &file);
  if (status != SW_OK) {
    return status;
  }
  errno = 0;
  put_state(file, kind, sim);
  sw_file_check(file, &cause);
  status = sw_file_close(file, &cause);
  if (status == SW_OK && rename(part, path) != 0) {
    cause = errno;
    status = SW_ERR_IO;
  }
  if (status != SW_OK) {
    unlink(part);
    sw_source_refuse(&target, " cannot be written: %s", strerror(cause));
  }
  free(part);
  return status;
}

sw_status sw_values_try(const char *path, char message[SW_TEXT_MESSAGE])
{
  const sw_source target = {.path = path, .message = message};
  char *part;
  FILE *file;
  if (find_format(&target) == FORMAT_NONE) {
    return SW_ERR_ARGUMENT;
  }
  sw_status status = open_part(&target, &part, &file);
  if (status == SW_OK) {
    fclose(file);
    unlink(part);
    free(part);
  }
  return status;
}
