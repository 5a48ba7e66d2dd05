/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/tableau_file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"

/* enough for a tableau with the most stages and 30 bytes per number */
enum { most_bytes = 1 << 15 };

static const char *const keys[] = {"name", "A", "b", "c", "A_hat", "b_hat"};

enum { KEYS = sizeof keys / sizeof *keys };

/* Reads a number, or an integer or a fraction in quotes such as "-5/12".  A fraction is rounded
 * once: its integers are exact.  Returns 0 if the value is neither. */
static int read_number(const json_t *value, double *out)
{
  static const double most = 9007199254740992.0; /* 2^53 */
  const char *text = json_string_value(value);
  double below = 1.0;
  char *end = NULL;

  if (!text) {
    *out = json_number_value(value);
    return json_is_number(value);
  }
  if (text[strspn(text, "-0123456789/")] != '\0') {
    return 0;
  }
  const double above = strtod(text, &end);
  if (end != text && end[0] == '/' && end[1] != '-') {
    text = end + 1;
    below = strtod(text, &end);
  }
  *out = above / below;
  return end != text && *end == '\0' && fabs(above) < most && below > 0.0 && below < most;
}

/* Reads an array of n numbers. */
static sw_status tableau_file_read_row(const sw_source *source, const char *key, const json_t *row,
                                       int n, double out[])
{
  if (!json_is_array(row) || json_array_size(row) != (size_t)n) {
    return sw_source_refuse(source, ": \"%s\" is a list of %d numbers%s", key, n,
                            key[0] == 'A' ? " for each stage" : "");
  }
  for (int i = 0; i < n; i++) {
    const json_t *value = json_array_get(row, (size_t)i);
    if (!read_number(value, &out[i])) {
      return sw_source_refuse(source, ": entry %d of \"%s\" is no number, such as 0.25 or \"5/12\"",
                              i + 1, key);
    }
  }
  return SW_OK;
}

static sw_status read_matrix(const sw_source *source, const char *key, const json_t *rows, int n,
                             double out[])
{
  sw_status status = SW_OK;

  if (!json_is_array(rows) || json_array_size(rows) != (size_t)n) {
    return sw_source_refuse(source, ": \"%s\" is a list of %d rows, one for each stage", key, n);
  }
  for (int i = 0; i < n && status == SW_OK; i++) {
    status = tableau_file_read_row(source, key, json_array_get(rows, (size_t)i), n,
                                   out + (size_t)i * (size_t)n);
  }
  return status;
}

/* Compares "c" with the sums of the rows of A, which define the method. */
static sw_status check_nodes(const sw_source *source, const json_t *nodes, const sw_tableau *t)
{
  double c[SW_TABLEAU_STAGES];
  sw_status status = nodes ? tableau_file_read_row(source, "c", nodes, t->stages, c) : SW_OK;

  for (int i = 0; i < t->stages && nodes && status == SW_OK; i++) {
    double sum = 0.0;
    for (int j = 0; j < t->stages; j++) {
      sum += t->A[i * t->stages + j];
    }
    if (fabs(c[i] - sum) > 1e-13 * fmax(1.0, fabs(c[i]))) {
      status = sw_source_refuse(
          source, ": entry %d of \"c\" is %.15g, but row %d of \"A\" adds up to %.15g", i + 1, c[i],
          i + 1, sum);
    }
  }
  return status;
}

/* Rejects unknown keys. */
static sw_status check_keys(const sw_source *source, json_t *root)
{
  const char *key = NULL;
  json_t *value = NULL;

  json_object_foreach(root, key, value)
  {
    if (sw_text_place(key, keys, KEYS) < 0) {
      char what[SW_TEXT_MESSAGE];
      sw_text_unknown("key", key, keys, KEYS, what);
      return sw_source_refuse(source, ": %s", what);
    }
  }
  return SW_OK;
}

static sw_status read_object(const sw_source *source, json_t *root, sw_own_tableau *own)
{
  const char *name = json_string_value(json_object_get(root, "name"));
  const json_t *A = json_object_get(root, "A");
  const json_t *A_hat = json_object_get(root, "A_hat");
  const json_t *b_hat = json_object_get(root, "b_hat");
  const size_t s = json_array_size(A);
  sw_tableau *t = &own->tableau;

  if (!json_is_object(root)) {
    return sw_source_refuse(
        source, ": a tableau is an object such as {\"name\": \"euler\", \"A\": [[0]], \"b\": [1]}");
  }
  sw_status status = check_keys(source, root);
  if (status != SW_OK) {
    return status;
  }
  if (!name || name[0] == '\0' || strlen(name) >= SW_TABLEAU_NAME) {
    return sw_source_refuse(source, ": \"name\" is a text of 1 to %d bytes", SW_TABLEAU_NAME - 1);
  }
  if (s < 1 || s > SW_TABLEAU_STAGES) {
    return sw_source_refuse(source, ": \"A\" is a list of 1 to %d rows, one for each stage",
                            SW_TABLEAU_STAGES);
  }
  if (!A_hat != !b_hat) {
    return sw_source_refuse(source,
                            ": \"A_hat\" and \"b_hat\" belong together: give both or neither");
  }
  (void)snprintf(own->name, sizeof own->name, "%s", name);
  *t = (sw_tableau){
      own->name, (int)s, own->A, own->b, A_hat ? own->A_hat : NULL, A_hat ? own->b_hat : NULL};
  status = read_matrix(source, "A", A, (int)s, own->A);
  if (status == SW_OK) {
    status = tableau_file_read_row(source, "b", json_object_get(root, "b"), (int)s, own->b);
  }
  if (status == SW_OK) {
    status = check_nodes(source, json_object_get(root, "c"), t);
  }
  if (status == SW_OK && A_hat) {
    status = read_matrix(source, "A_hat", A_hat, (int)s, own->A_hat);
  }
  if (status == SW_OK && A_hat) {
    status = tableau_file_read_row(source, "b_hat", b_hat, (int)s, own->b_hat);
  }
  return status;
}

sw_status sw_tableau_read(const char *path, sw_own_tableau *own, sw_tableau_report *report,
                          char message[SW_TEXT_MESSAGE])
{
  sw_source source = {.path = path, .message = message};
  char text[most_bytes];
  const char *why = "";
  json_error_t error;

  message[0] = '\0';
  sw_status status = sw_source_open(&source);
  if (status != SW_OK) {
    return status;
  }
  const size_t bytes = fread(text, 1, sizeof text, source.stream);
  if (ferror(source.stream)) {
    status = sw_source_broken(&source);
  }
  (void)fclose(source.stream);
  if (status != SW_OK) {
    return status;
  }
  if (bytes == sizeof text) {
    return sw_source_refuse(&source, ": it is too long for a tableau of %d stages",
                            SW_TABLEAU_STAGES);
  }
  errno = 0;
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
  if (!root) {
    if (errno == ENOMEM) { /* see sw_data_read_json (data_json.c) */
      message[0] = '\0';
      return SW_ERR_MEMORY;
    }
    return sw_source_refuse(&source, ": line %d, column %d: %s", error.line, error.column,
                            error.text);
  }
  status = read_object(&source, root, own);
  json_decref(root);
  if (status == SW_OK && sw_tableau_examine(&own->tableau, report, &why) != SW_OK) {
    status = sw_source_refuse(&source, ": this is no method: %s", why);
  }
  return status;
}

void sw_tableau_text(const sw_tableau *tableau, const sw_tableau_report *report,
                     char text[SW_TABLEAU_TEXT])
{
  char symplectic[48] = "symplectic";
  char symmetric[48] = "symmetric";

  if (!report->symplectic) {
    (void)snprintf(symplectic, sizeof symplectic, "not symplectic (by %.2g)",
                   report->not_symplectic);
  }
  if (!report->symmetric) {
    (void)snprintf(symmetric, sizeof symmetric, "not symmetric (by %.2g)", report->not_symmetric);
  }
  (void)snprintf(text, SW_TABLEAU_TEXT,
                 "%d stage%s, order %d%s, %s, %s; %d d unknowns a step, %d d where H is separable",
                 tableau->stages, tableau->stages == 1 ? "" : "s", report->order,
                 report->order == 4 ? " at least" : "", symplectic, symmetric, report->unknowns,
                 report->unknowns_separable);
}
