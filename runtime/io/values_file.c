/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sorted_names.h"
#include "common/target.h"
#include "common/user_text.h"
#include "io/metadata.h"
#include "io/npy.h"
#include "io/source.h"
#include "io/values_file.h"
#include "sim/sim_internal.h"

/* ---- the expected values of a file (io/source.h): their names and their number ---- */

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

static sw_entries sw_entries_of_contents(const sw_system *system, sw_contents contents)
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

/* Writes the name of entry i, such as "q.1.x" or "m.3", to buffer, and returns buffer. */
static const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES])
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

/* The kind of the entries' owner: "model" or "parameter". */
static const char *sw_entries_kind(const sw_entries *entries)
{
  return entries->parameter != NULL ? "parameter" : "model";
}

/* The name of the owner. */
static const char *sw_entries_owner(const sw_entries *entries)
{
  return entries->parameter != NULL ? entries->parameter : entries->system->model->name;
}

/* Writes the message that the file has `count` values instead of the wanted number, followed by
 * `detail`. Returns SW_ERR_ARGUMENT. */
static sw_status sw_source_refuse_count(const sw_source *source, size_t count, const char *detail)
{
  const sw_entries *wanted = source->wanted;
  return sw_source_refuse(source, " has %zu value%s; %s '%s' needs %zu%s%s", count,
                          count == 1 ? "" : "s", sw_entries_kind(wanted), sw_entries_owner(wanted),
                          wanted->count, wanted->parameter != NULL ? "" : " (q then p)", detail);
}

/* ---- named values as comma-separated text ---- */

enum { LONGEST_LINE = 1000, MOST_COMMENTS = 10000 };

static const char header[] = "name,value";

typedef struct reader {
  const sw_source *source;
  const char **names; /* of the wanted entries */
  sw_sorted_names sorted;
  size_t *line_of; /* of each entry, the line on which it was found; 0 before */
  size_t line;     /* number of the line in `text`, from 1 */
  size_t found;
  int comments;
  char *text;
  size_t room;
} reader;

/* Allocates the members that depend on the entries; the caller frees them.  Returns 0 if memory is
 * short. */
static int open_entries(reader *in)
{
  const sw_entries *wanted = in->source->wanted;
  in->names = sw_names_create(wanted->count, sw_name_entry, wanted);
  in->line_of = calloc(wanted->count + 1, sizeof *in->line_of);
  if (in->names == NULL || in->line_of == NULL) {
    return 0;
  }
  in->sorted = sw_names_sort(in->names, wanted->count);
  return in->sorted.place != NULL;
}

static sw_status table_next_line(reader *in, int *more)
{
  return sw_source_line(in->source, ++in->line, LONGEST_LINE, &in->text, &in->room, more);
}

/* Reads the next line that is neither blank nor a comment into in->text. */
static sw_status next_content(reader *in, int *more)
{
  sw_status status = table_next_line(in, more);
  while (status == SW_OK && *more &&
         (in->text[0] == '#' || in->text[strspn(in->text, " \t")] == '\0')) {
    if (in->comments == MOST_COMMENTS) {
      return sw_source_refuse(in->source, " has more than %d lines of comments", MOST_COMMENTS);
    }
    in->comments++;
    status = table_next_line(in, more);
  }
  return status;
}

static char *table_trim(char *text)
{
  return sw_text_trim(text, text + strlen(text));
}

/* Parses the line in in->text. */
static sw_status take_entry(reader *in, double values[])
{
  const sw_entries *wanted = in->source->wanted;
  char *comma = strchr(in->text, ',');
  if (comma == NULL || strchr(comma + 1, ',') != NULL) {
    return sw_source_refuse(in->source, ": line %zu: '%.60s' is not of the form %s", in->line,
                            in->text, header);
  }
  *comma = '\0';
  const char *number = table_trim(comma + 1);
  const char *name = table_trim(in->text);
  const size_t i = sw_names_number(&in->sorted, name);
  if (i == wanted->count) {
    return sw_source_refuse(in->source, ": line %zu: '%.60s' is no entry of %s '%s' (%s ... %s)",
                            in->line, name, sw_entries_kind(wanted), sw_entries_owner(wanted),
                            in->names[0], in->names[wanted->count - 1]);
  }
  if (in->line_of[i] > 0) {
    return sw_source_refuse(in->source,
                            ": line %zu: '%s' for the second time; it stands on line %zu", in->line,
                            name, in->line_of[i]);
  }
  if (!sw_text_real(number, &values[i])) {
    return sw_source_refuse(in->source,
                            ": line %zu: '%.60s' for '%s' is not a finite decimal number", in->line,
                            number, name);
  }
  in->line_of[i] = in->line;
  in->found++;
  return SW_OK;
}

/* Writes the message that names the first missing entry. */
static sw_status refuse_missing(const reader *in)
{
  const size_t count = in->source->wanted->count;
  char detail[SW_TEXT_MESSAGE] = "";
  size_t i = 0;
  while (i < count && in->line_of[i] > 0) {
    i++;
  }
  if (i < count) {
    snprintf(detail, sizeof detail, ": '%s' is missing", in->names[i]);
  }
  return sw_source_refuse_count(in->source, in->found, detail);
}

/* Parses the number in in->text, in a file of one column. */
static sw_status table_take_number(reader *in, double values[])
{
  const size_t count = in->source->wanted->count;
  const char *number = table_trim(in->text);
  double value = 0.0;
  if (!sw_text_real(number, &value)) {
    return sw_source_refuse(in->source, ": line %zu: '%.60s' is not a finite decimal number",
                            in->line, number);
  }
  if (in->found < count) {
    values[in->found] = value;
  }
  in->found++;
  return SW_OK;
}

/* Reads a number from each line. in->text is the first line; it may be a one-word header. */
static sw_status read_column(reader *in, double values[])
{
  double first = 0.0;
  int more = 1;
  sw_status status =
      sw_text_real(table_trim(in->text), &first) ? table_take_number(in, values) : SW_OK;
  while (status == SW_OK) {
    status = next_content(in, &more);
    if (status == SW_OK && !more) {
      break;
    }
    status = status == SW_OK ? table_take_number(in, values) : status;
  }
  return status != SW_OK || in->found == in->source->wanted->count
             ? status
             : sw_source_refuse_count(in->source, in->found, "");
}

/* Reads the lines after the header. */
static sw_status read_entries(reader *in, double values[])
{
  int more = 1;
  sw_status status = SW_OK;
  while (status == SW_OK) {
    status = next_content(in, &more);
    if (status == SW_OK && !more) {
      return in->found == in->source->wanted->count ? SW_OK : refuse_missing(in);
    }
    if (status == SW_OK) {
      status = take_entry(in, values);
    }
  }
  return status;
}

static sw_status read_lines(reader *in, double values[])
{
  int more = 0;
  sw_status status = next_content(in, &more);
  if (status != SW_OK) {
    return status;
  }
  if (!more) {
    return sw_source_refuse(in->source,
                            " is empty; wanted is the header '%s' and a line for each "
                            "value, or a column of numbers",
                            header);
  }
  if (strcmp(in->text, header) == 0) {
    return read_entries(in, values);
  }
  if (strchr(in->text, ',') == NULL) {
    return read_column(in, values);
  }
  return sw_source_refuse(in->source,
                          ": line %zu: '%.60s' is not the header '%s', and not a number alone",
                          in->line, in->text, header);
}

sw_status sw_table_read(const sw_source *source, double values[])
{
  reader in = {.source = source};
  sw_status status = SW_ERR_MEMORY;
  source->message[0] = '\0';
  if (open_entries(&in)) {
    status = read_lines(&in, values);
  }
  free(in.text);
  free(in.sorted.place);
  free(in.line_of);
  free(in.names);
  return status;
}

void sw_table_write(FILE *file, const sw_entries *entries, const double values[])
{
  char name[SW_NAME_BYTES];
  fprintf(file, "%s\n", header);
  for (size_t i = 0; i < entries->count; i++) {
    fprintf(file, "%s,%.17g\n", sw_entries_name(entries, i, name), values[i]);
  }
}

/* ---- arrays ---- */

static sw_status check_shape(const sw_source *source, const sw_npy *of)
{
  const sw_entries *wanted = source->wanted;
  size_t half = wanted->count / 2;
  if (of->count != wanted->count) {
    return sw_source_refuse_count(source, of->count, "");
  }
  if (wanted->parameter != NULL || of->dimensions == 1 ||
      (of->dimensions == 2 && (of->shape[0] == 2 || of->shape[1] == 1))) {
    return SW_OK;
  }
  return sw_source_refuse(source,
                          " has shape %s; model '%.63s' needs (%zu,), (2, %zu) or (%zu, 1), q then "
                          "p: reshape it",
                          of->shape_text, sw_entries_owner(wanted), wanted->count, half,
                          wanted->count);
}

sw_status sw_npy_read(const sw_source *source, double values[])
{
  char name[SW_NAME_BYTES];
  sw_npy array = {.count = 0};
  size_t inexact = 0;
  sw_status status = sw_npy_open(source, &array);
  status = status == SW_OK ? check_shape(source, &array) : status;
  status = status == SW_OK ? sw_npy_take(source, &array, array.count, values, &inexact) : status;
  for (size_t i = 0; status == SW_OK && i < array.count; i++) {
    if (!isfinite(values[i]) || i == inexact) {
      sw_entries_name(source->wanted, i, name);
      return sw_source_refuse_value(source, "", name, values[i]);
    }
  }
  return status == SW_OK ? sw_npy_close(source, &array) : status;
}

/* ---- files ---- */

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
  return sim->plan->options.compensated                              ? SW_CONTENTS_CARRY
         : sim->plan->method->earlier && sim->state.clock.h != 0.0   ? SW_CONTENTS_BDF2
         : sim->plan->method->staggered && sim->state.clock.h != 0.0 ? SW_CONTENTS_LEAPFROG
                                                                     : SW_CONTENTS_STATE;
}

/* The contents, other than z alone, that a run of *sim accepts. */
static sw_contents contents_for(const sw_sim *sim)
{
  return sim->plan->options.compensated ? SW_CONTENTS_CARRY
         : sim->plan->method->earlier   ? SW_CONTENTS_BDF2
         : sim->plan->method->staggered ? SW_CONTENTS_LEAPFROG
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
      sw_contents_words(found), sim->plan->options.compensated ? "compensated " : "",
      sim->plan->method->name);
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
    sw_copy(values + dim, sim->state.more, dim);
  }
  values[contents == SW_CONTENTS_LEAPFROG ? dim : 2 * dim] = sim->state.clock.h;
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
