/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_version.h>
#include <unistd.h>

#include "common/target.h"
#include "io/json_writer.h"
#include "sidewinder/version.h"
#include "sim/sim_internal.h"

/* The beginning of each metadata file that sidewinder writes. */
static const char mark[] = "{\n  \"sidewinder\": ";

static void put_sizes(sw_json *json, const sw_system *system)
{
  const sw_model *model = system->model;
  sw_json_open(json, "sizes", '{');
  for (int i = 0; i < model->n_sizes; i++) {
    sw_json_integer(json, model->size_names[i], sw_system_sizes(system)[i]);
  }
  sw_json_close(json, '}');
  if (model->n_indices > 0) {
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, sw_system_indices_digest(system));
    sw_json_text(json, "indices", digest);
  }
}

static void metadata_put_parameters(sw_json *json, const sw_sim *sim)
{
  char name[SW_NAME_BYTES];
  sw_json_open(json, "parameters", '{');
  for (int i = 0; i < sim->system->nk; i++) {
    sw_json_number(json, sw_system_name(sim->system, SW_K, i, name), sw_sim_parameters(sim)[i]);
  }
  sw_json_close(json, '}');
}

/* The versions of libraries that can change the last digits. */
static void put_versions(sw_json *json)
{
  char sundials[64] = "";
  SUNDIALSGetVersion(sundials, sizeof sundials);
  sw_json_open(json, "versions", '{');
  sw_json_text(json, "sundials", sundials);
  sw_json_text(json, "libc", gnu_get_libc_version());
  sw_json_close(json, '}');
}

static void put_head(sw_json *json, const char *kind, const char *format, const sw_sim *sim)
{
  const sw_system *system = sim->system;
  sw_json_open(json, NULL, '{');
  sw_json_text(json, "sidewinder", SW_VERSION);
  sw_json_text(json, "kind", kind);
  sw_json_text(json, "format", format);
  sw_json_text(json, "model", system->model->name);
  sw_json_text(json, "title", system->model->title);
  sw_json_text(json, "digest", system->model->digest);
  put_sizes(json, system);
  metadata_put_parameters(json, sim);
  put_versions(json);
}

/* ---- the model file ---- */

static void put_text(sw_json *json, const char *const pieces[])
{
  sw_json_open(json, "text", '[');
  for (int i = 0; pieces[i] != NULL; i++) {
    sw_json_text(json, NULL, pieces[i]);
  }
  sw_json_close(json, ']');
}

/* Writes the lines of the analysis.  The generator keeps the text within the length that C99
 * guarantees for a string. */
static void put_verdicts(sw_json *json, const char *analysis)
{
  char line[4096];
  sw_json_open(json, "verdicts", '[');
  while (*analysis != '\0') {
    const size_t length = strcspn(analysis, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, analysis);
    sw_json_text(json, NULL, line);
    analysis += length + (analysis[length] == '\n');
  }
  sw_json_close(json, ']');
}

static void put_file(sw_json *json, const sw_program *program)
{
  if (program == NULL) {
    return;
  }
  if (program->text != NULL) {
    put_text(json, program->text);
  }
  put_verdicts(json, program->model->analysis);
  sw_json_open(json, "comments", '{');
  for (const sw_comment *c = program->comments; c != NULL && c->name != NULL; c++) {
    sw_json_text(json, c->name, c->text);
  }
  sw_json_close(json, '}');
}

/* The comment on the array whose name is the part before the first dot; NULL if there is none. */
static const char *find_comment(const sw_comment *comments, const char *name)
{
  const size_t length = strcspn(name, ".");
  for (const sw_comment *c = comments; c->name != NULL; c++) {
    if (strlen(c->name) == length && memcmp(c->name, name, length) == 0) {
      return c->text;
    }
  }
  return NULL;
}

const char *sw_metadata_comment(const sw_program *program, const char *column)
{
  if (program == NULL || program->comments == NULL) {
    return "";
  }
  const char *dot = strchr(column, '.');
  const char *found = find_comment(program->comments, column);
  if (found == NULL && dot != NULL) {
    found = find_comment(program->comments, dot + 1);
  }
  return found != NULL ? found : "";
}

/* ---- settings of trajectories ---- */

static void metadata_put_numbers(sw_json *json, const char *key, const double values[], int n)
{
  sw_json_open(json, key, '[');
  for (int i = 0; i < n; i++) {
    sw_json_number(json, NULL, values[i]);
  }
  sw_json_close(json, ']');
}

void sw_metadata_put_curve(sw_json *json, const sw_sim *sim, const sw_origin *origin)
{
  if (sim->plan->method->has_bias) {
    const sw_options *of = origin->options;
    metadata_put_numbers(json, "bias", of->bias, 2);
    sw_json_text(json, "base_minus", of->base_minus ? of->base_minus : of->base);
    sw_json_text(json, "adjoint", of->adjoint);
  }
}

void sw_metadata_put_dropped(sw_json *json, const sw_sim *sim)
{
  const sw_system *system = sw_system_whole(sim->system);
  char name[SW_NAME_BYTES];
  sw_json_open(json, "dropped", '[');
  for (int i = 0; i < system->nc; i++) {
    if (sw_sim_drops(sim, i)) {
      sw_json_text(json, NULL, sw_system_name(system, SW_C, i, name));
    }
  }
  sw_json_close(json, ']');
}

/* Writes a user-defined base method in the form of io/tableau_file.h, with matrices by rows. */
static void put_tableau(sw_json *json, const sw_tableau *t)
{
  static const char *const keys[2][2] = {{"A", "b"}, {"A_hat", "b_hat"}};
  if (t == NULL) {
    return;
  }
  sw_json_open(json, "tableau", '{');
  for (int half = 0; half < (t->A_hat != NULL ? 2 : 1); half++) {
    const double *A = half == 0 ? t->A : t->A_hat;
    sw_json_open(json, keys[half][0], '[');
    for (int i = 0; i < t->stages; i++) {
      metadata_put_numbers(json, NULL, A + (ptrdiff_t)i * t->stages, t->stages);
    }
    sw_json_close(json, ']');
    metadata_put_numbers(json, keys[half][1], half == 0 ? t->b : t->b_hat, t->stages);
  }
  sw_json_close(json, '}');
}

static const char *const endings[] = {"complete", "interrupted", "step failed"};

/* Writes the settings of a run. */
static void put_origin(sw_json *json, const sw_sim *sim, const sw_origin *origin)
{
  sw_json_text(json, "method", origin->options->method);
  sw_json_text(json, "base", origin->options->base);
  put_tableau(json, origin->options->tableau);
  sw_metadata_put_curve(json, sim, origin);
  sw_json_text(json, "compose", origin->options->compose);
  if (sim->plan->has_noise) {
    sw_json_integer(json, "seed", (long)sw_heat_seed(sim)[SW_SEED_KEY]);
  }
  if (sim->plan->options.compensated) {
    sw_json_flag(json, "compensated", 1);
  }
  sw_json_text(json, "solver", sim->plan->options.solver);
  sw_json_number(json, "tolerance", sim->plan->options.tolerance);
  sw_json_text(json, "redundant", sim->plan->options.redundant);
  if (sim->plan->options.check_reversible) {
    sw_json_number(json, "check_reversible", sim->plan->options.reversible_tolerance);
  }
  sw_json_number(json, "step", origin->step);
  sw_json_text(json, "init", origin->init);
  if (origin->input != NULL) {
    sw_json_text(json, "input", origin->input);
    sw_json_text(json, "input_between_rows", origin->input_linear ? "linear" : "hold");
  }
  sw_json_flag(json, "projected", origin->projected);
}

/* Writes the names of all columns, or of those that are not entries of the state. */
static void put_columns(sw_json *json, const sw_columns *columns, int others_alone)
{
  char name[SW_NAME_BYTES];
  sw_json_open(json, "columns", '[');
  for (size_t i = 0; i < sw_columns_count(columns); i++) {
    if (!others_alone || !sw_columns_is_state(columns, i)) {
      sw_json_text(json, NULL, sw_columns_name(columns, i, name));
    }
  }
  sw_json_close(json, ']');
}

/* Writes for each point the names of its two or three coordinates. */
static void put_points(sw_json *json, const sw_system *system, const sw_points *points)
{
  char name[SW_NAME_BYTES];
  sw_json_open(json, "points", '[');
  for (int i = 0; i < points->n; i++) {
    sw_json_open(json, NULL, '[');
    for (int axis = 0; axis < points->at[i].axes; axis++) {
      sw_json_text(json, NULL, sw_system_name(system, SW_Q, points->at[i].first + axis, name));
    }
    sw_json_close(json, ']');
  }
  sw_json_close(json, ']');
}

/* Writes the names of the contents of a row. */
static void put_shown(sw_json *json, const sw_system *system, const sw_shown *shown)
{
  if (shown->points == NULL) {
    put_columns(json, shown->columns, 0);
    return;
  }
  if (shown->step_and_t_alone) {
    sw_json_open(json, "columns", '[');
    sw_json_text(json, NULL, "step");
    sw_json_text(json, NULL, "t");
    sw_json_close(json, ']');
  } else {
    put_columns(json, shown->columns, 1);
  }
  put_points(json, system, shown->points);
  sw_json_flag(json, "velocities", shown->velocities);
}

static void put_names(sw_json *json, const char *key, const sw_system *system, sw_name_kind kind,
                      int n)
{
  char name[SW_NAME_BYTES];
  sw_json_open(json, key, '[');
  for (int i = 0; i < n; i++) {
    sw_json_text(json, NULL, sw_system_name(system, kind, i, name));
  }
  sw_json_close(json, ']');
}

char *sw_metadata_of_trajectory(const sw_sim *sim, const sw_origin *origin, const sw_shown *shown,
                                long step, sw_ending ending, size_t *size)
{
  char *text = NULL;
  sw_json json = {.file = open_memstream(&text, size)};
  if (json.file == NULL) {
    return NULL;
  }
  put_head(&json, shown->of_crossings ? "crossings" : "trajectory", shown->format, sim);
  put_file(&json, origin->program);
  put_origin(&json, sim, origin);
  sw_json_flag(&json, "projected_rows", origin->projected_rows);
  if (origin->at_times) {
    sw_json_flag(&json, "at", 1);
  } else {
    sw_json_integer(&json, "every", origin->every);
  }
  sw_json_text(&json, "end", endings[ending]);
  sw_json_integer(&json, "steps", step);
  sw_json_number(&json, "t", sw_sim_time(sim));
  if (sim->plan->redundant == SW_REDUNDANT_DROP) {
    sw_metadata_put_dropped(&json, sim);
  }
  put_names(&json, "invariants", sim->system, SW_INVARIANT, sim->system->n_invariant);
  if (shown->of_crossings) {
    put_names(&json, "events", sim->system, SW_EVENT, sim->system->n_event);
  }
  sw_json_integer(&json, "rows", shown->rows);
  sw_json_integer(&json, "crc32", shown->digest);
  put_shown(&json, sim->system, shown);
  sw_json_close(&json, '}');
  return sw_text_written(json.file, &text);
}

/* Writes the distribution of each random coordinate and momentum. */
static void put_sample(sw_json *json, const sw_system *system, const sw_many *many, int has_noise)
{
  const int d = system->nq;
  char name[SW_NAME_BYTES];
  sw_json_open(json, "sample", '{');
  for (int i = 0; i < 2 * d; i++) {
    const sw_sample_entry *of = &many->sample[i];
    if (of->kind != SW_FIXED) {
      sw_json_open(json, sw_system_name(system, i < d ? SW_Q : SW_P, i < d ? i : i - d, name), '[');
      sw_json_text(json, NULL, of->kind == SW_NORMAL ? "normal" : "uniform");
      sw_json_number(json, NULL, of->a);
      sw_json_number(json, NULL, of->b);
      sw_json_close(json, ']');
    }
  }
  sw_json_close(json, '}');
  if (!has_noise) { /* put_origin writes it */
    sw_json_integer(json, "seed", many->seed);
  }
}

char *sw_metadata_of_ensemble(const sw_sim *sim, const sw_origin *origin, const sw_many *many,
                              const sw_columns *columns, long rows, long step, sw_ending ending,
                              size_t *size)
{
  char *text = NULL;
  sw_json json = {.file = open_memstream(&text, size)};
  if (json.file == NULL) {
    return NULL;
  }
  put_head(&json, "ensemble", "hdf5", sim);
  put_file(&json, origin->program);
  put_origin(&json, sim, origin);
  if (sim->system->whole) { /* steps of single trajectories may drop more */
    sw_metadata_put_dropped(&json, sim);
  }
  sw_json_integer(&json, "count", many->count);
  if (many->sample != NULL) {
    put_sample(&json, sim->system, many, sim->plan->has_noise);
  }
  if (many->parameters != NULL) {
    sw_json_text(&json, "parameters_from", many->parameters);
  }
  sw_json_integer(&json, "every", origin->every);
  sw_json_text(&json, "end", endings[ending]);
  sw_json_integer(&json, "steps", step);
  sw_json_integer(&json, "rows", rows);
  put_columns(&json, columns, 0);
  metadata_put_numbers(&json, "quantiles", many->levels, many->n_levels);
  sw_json_flag(&json, "trajectories", many->stored);
  sw_json_close(&json, '}');
  return sw_text_written(json.file, &text);
}

char *sw_metadata_of_state(const char *format, uint32_t digest, const sw_sim *sim,
                           const char *contents, size_t *size)
{
  char *text = NULL;
  sw_json json = {.file = open_memstream(&text, size)};
  if (json.file == NULL) {
    return NULL;
  }
  put_head(&json, "state", format, sim);
  sw_json_text(&json, "contents", contents);
  sw_json_integer(&json, "crc32", digest);
  sw_json_number(&json, "t", sw_sim_time(sim));
  sw_json_close(&json, '}');
  return sw_text_written(json.file, &text);
}

char *sw_metadata_path(const char *path)
{
  size_t size = strlen(path) + sizeof ".json";
  char *made = malloc(size);
  if (made != NULL) {
    snprintf(made, size, "%s.json", path);
  }
  return made;
}

/* Returns 1 if the file does not exist (*missing is 1 then) or begins like ours. *error: errno if
 * the file cannot be opened, else 0. */
static int is_ours(const char *path, int *missing, int *error)
{
  char begin[sizeof mark] = "";
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  *missing = file < 0 && errno == ENOENT;
  *error = file < 0 && !*missing ? errno : 0;
  if (file < 0) {
    return *missing;
  }
  ssize_t got = read(file, begin, sizeof mark - 1);
  close(file);
  return got == (ssize_t)sizeof mark - 1 && memcmp(begin, mark, sizeof mark - 1) == 0;
}

int sw_metadata_may_write(const char *path, char message[SW_TEXT_MESSAGE])
{
  char *beside = sw_metadata_path(path);
  int missing = 0;
  int error = 0;
  int may = beside != NULL && is_ours(beside, &missing, &error);
  message[0] = '\0';
  const sw_source source = {.path = beside, .message = message};
  if (beside != NULL && error != 0) {
    sw_source_refuse(&source, ", where metadata would go, cannot be read: %s", strerror(error));
  } else if (beside != NULL && !may) {
    sw_source_refuse(&source, " is in the way: metadata would go there, and it is none of "
                              "sidewinder's files; move it, or choose another name");
  }
  free(beside);
  return may;
}

void sw_metadata_remove(const char *path)
{
  char *beside = sw_metadata_path(path);
  int missing = 0;
  int error = 0;
  if (beside != NULL && is_ours(beside, &missing, &error) && !missing) {
    unlink(beside);
  }
  free(beside);
}

sw_status sw_metadata_write(const char *path, const char *text, size_t size)
{
  char *beside = sw_metadata_path(path);
  sw_status status = beside == NULL ? SW_ERR_MEMORY : sw_target_write(beside, text, size, 0);
  int error = errno;
  free(beside);
  errno = error;
  return status;
}
