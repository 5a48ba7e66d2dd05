/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command/overview.h"
#include "command/plot_draw.h"
#include "command/program_call.h"
#include "common/files.h"
#include "common/subcommands.h"
#include "common/user_text.h"

enum { MOST_CURVES = 50 };

typedef struct plot_request {
  arena *arena;
  const char *file;
  const char *output;
  const char *x;
  const char **wanted; /* names of columns, as typed */
  size_t n_wanted;
  size_t room;
  int helped;
} plot_request;

static const struct argp_option options[] = {
    {"output", 'o', "FILE.svg", 0, "Output file (FILE with the ending .svg)", 0},
    {"x", 'x', "NAME", 0, "Column of the horizontal axis (t)", 0},
    {0}};

static const char doc[] =
    "Draw columns of a trajectory over t, as SVG, with gnuplot.\v"
    "FILE is a .csv, .npy or .h5 file that `run --out` has written.  COLUMNS are names, separated "
    "by commas or blanks; an array's name selects all of its entries.  Without COLUMNS, panels "
    "show the change of the energy, the residuals, the orbit of the first two positions that move, "
    "and invariants and multipliers if the file has them.  With MODEL.sw instead of FILE, the "
    "model is run and its trajectory is drawn.  All options except -o, -x, --size and --lowering "
    "are then those of `run`, and --columns gives the COLUMNS.";

/* Appends the comma-separated names of a list, which is split in place. */
static void add_wanted(plot_request *r, char *list)
{
  for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
    r->wanted = arena_grow(r->arena, r->wanted, r->n_wanted, &r->room, sizeof *r->wanted);
    r->wanted[r->n_wanted++] = name;
  }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
  plot_request *r = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &r->helped;
    return 0;
  case 'o':
    r->output = value;
    return 0;
  case 'x':
    r->x = value;
    return 0;
  case ARGP_KEY_ARG:
    if (!r->file) {
      r->file = value;
      return 0;
    }
    add_wanted(r, value);
    return 0;
  case ARGP_KEY_END:
    if (!r->helped && (!r->file || (r->x && r->n_wanted == 0))) {
      argp_error(state, r->file ? "-x needs COLUMNS" : "FILE is missing");
      return EINVAL;
    }
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- columns ---- */

static int refuse_column(const plot_table *t, const char *name)
{
  const char *near = sw_text_nearest(name, t->names, (size_t)t->n_names);
  fprintf(stderr, "sidewinder: '%s' has no column '%.100s'%s%.100s%s\n", t->path, name,
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return 0;
}

/* Appends the columns selected by a name to list; returns 0 after a message. */
static int plot_add_named(const plot_table *t, const char *name, int list[], int *n)
{
  const size_t length = strlen(name);
  const int exact = column_find(t, name);
  const int before = *n;
  for (int i = exact < 0 ? 0 : exact; i < t->n_names && *n <= MOST_CURVES; i++) {
    if (i == exact ||
        (exact < 0 && !strncmp(t->names[i], name, length) && t->names[i][length] == '.')) {
      list[(*n)++] = i;
    }
    if (i == exact) {
      break;
    }
  }
  if (*n > MOST_CURVES) {
    fprintf(stderr, "sidewinder: more than %d curves; name fewer columns\n", MOST_CURVES);
    return 0;
  }
  return *n > before ? 1 : refuse_column(t, name);
}

/* ---- named columns ---- */

static outcome draw_named(drawing *d, const plot_request *r, const char *path)
{
  int list[MOST_CURVES + 1];
  curve curves[MOST_CURVES];
  int n = 0;
  const char *x = r->x ? r->x : "t";
  const int x_column = column_find(&d->table, x);
  if (x_column < 0) {
    refuse_column(&d->table, x);
    return OUTCOME_WRONG;
  }
  for (size_t i = 0; i < r->n_wanted; i++) {
    if (!plot_add_named(&d->table, r->wanted[i], list, &n)) {
      return OUTCOME_WRONG;
    }
  }
  const int x_at = drawing_use(d, x_column);
  int at[MOST_CURVES];
  for (int i = 0; i < n; i++) {
    at[i] = drawing_use(d, list[i]);
  }
  const outcome result = drawing_read(d);
  if (result != OUTCOME_GOOD) {
    return result;
  }
  for (int i = 0; i < n; i++) {
    curves[i] = (curve){d->table.names[list[i]], d->values[x_at], d->values[at[i]]};
  }
  const int over_time = !strcmp(x, "t") || !strcmp(x, "step");
  const panel one = {.title = d->table.path,
                     .x_name = x,
                     .y_name = n == 1 ? curves[0].name : "",
                     .is_orbit = !over_time,
                     .n = n,
                     .curves = curves};
  return plot_draw(d->arena, 1, &one, d->table.rows, path);
}

/* ---- the overview ---- */

static outcome draw_overview(drawing *d, const char *path)
{
  const overview o = overview_look(d);
  panel panels[OVERVIEW_PANELS];
  const outcome result = drawing_read(d);
  if (result != OUTCOME_GOOD) {
    return result;
  }
  const int n = overview_panels(d, &o, panels);
  if (n == 0) {
    fprintf(stderr,
            "sidewinder: '%s' has neither an energy nor residuals nor positions that move; "
            "name the columns to be drawn\n",
            d->table.path);
    return OUTCOME_WRONG;
  }
  return plot_draw(d->arena, n, panels, d->table.rows, path);
}

/* ---- the command ---- */

/* The output file: FILE.csv or FILE.npy becomes FILE.svg. */
static const char *picture_of(arena *a, const plot_request *r)
{
  const char *slash = strrchr(r->file, '/');
  const char *dot = strrchr(slash ? slash : r->file, '.');
  const int length = dot ? (int)(dot - r->file) : (int)strlen(r->file);
  return r->output ? r->output : arena_printf(a, "%.*s.svg", length, r->file);
}

/* Draws the requested columns of the file at `path`. */
static outcome draw_file(const plot_request *r, const char *path, const char *picture)
{
  drawing d;
  outcome result = drawing_open(r->arena, path, &d);
  if (result == OUTCOME_GOOD) {
    result = r->n_wanted > 0 ? draw_named(&d, r, picture) : draw_overview(&d, picture);
  }
  if (result == OUTCOME_GOOD) {
    printf("%s\n", picture);
  }
  drawing_close(&d);
  return result;
}

static int plot_is_same(const char *file, const char *picture)
{
  if (strcmp(picture, file) != 0 && !file_same(picture, file)) {
    return 0;
  }
  fprintf(stderr, "sidewinder: '%s' and '%s' are the same file\n", file, picture);
  return 1;
}

/* ---- drawing a run ---- */

/* Takes the names of --columns.  Returns the columns for the run to write, including the horizontal
 * axis. */
static const char *take_columns(plot_request *r, const char *list)
{
  const char *x = r->x ? r->x : "t";
  add_wanted(r, arena_strdup(r->arena, list));
  return sw_text_place(x, r->wanted, r->n_wanted) >= 0 ? list
                                                       : arena_printf(r->arena, "%s,%s", x, list);
}

/* Draws the rows of a run, even if a step failed; the exit code is then that of the run. */
static outcome draw_run(program_call *call, plot_request *r)
{
  arena *a = r->arena;
  recorded_run run;
  const char *picture = picture_of(a, r);
  const char *list = program_call_value(call, "--columns");
  if (plot_is_same(r->file, picture)) {
    return OUTCOME_WRONG;
  }
  const char *columns = list ? take_columns(r, list) : recorded_run_columns(a, &call->c);
  outcome result = recorded_run_open(a, call, columns, &run);
  if (result == OUTCOME_GOOD && run.trajectory) {
    result = draw_file(r, run.trajectory, picture);
  }
  const int code = run.code;
  recorded_run_close(&run);
  return result == OUTCOME_GOOD ? (outcome)code : result;
}

static outcome plot_model(arena *a, int argc, char **argv)
{
  program_call call = {.own = "plot", .command = "run", .takes_output = 1};
  outcome result = program_call_read(a, argc, argv, &call);
  if (result != OUTCOME_GOOD || !call.request.model) {
    return result;
  }
  plot_request r = {
      .arena = a, .file = call.request.model, .output = call.request.output, .x = call.x};
  result = program_call_compile(a, &call);
  result = result == OUTCOME_GOOD ? program_call_build(a, &call) : result;
  result = result == OUTCOME_GOOD ? draw_run(&call, &r) : result;
  compilation_free(&call.c);
  return result;
}

outcome plot_command(arena *a, int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (program_call_is_model(argv[i])) {
      return plot_model(a, argc, argv);
    }
  }
  const struct argp_child children[] = {{&sw_help_argp, 0, NULL, 0}, {0}};
  const struct argp parser = {
      options, parse, "FILE [COLUMNS]\nMODEL.sw [OPTION OF run...]", doc, children, NULL, NULL};
  plot_request r = {.arena = a};
  int code = sw_words_parse(&parser, argc, argv, &r, &r.helped);
  if (code >= 0) {
    return (outcome)code;
  }
  const char *picture = picture_of(a, &r);
  return plot_is_same(r.file, picture) ? OUTCOME_WRONG : draw_file(&r, r.file, picture);
}
