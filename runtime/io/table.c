/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

#include "common/sorted_names.h"

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
