/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/overview.h"
#include "command/plot_draw.h"
#include "command/program_call.h"
#include "common/files.h"
#include "common/subcommands.h"
#include "common/text_writer.h"
#include "report/page.h"
#include "sidewinder/version.h"

/* ---- the template web/page.html, filled with a JSON object ----
 *
 * {{key}} is a text, escaped for HTML; {{{key}}} is HTML, or any other value as JSON.
 * {{#key}}...{{/key}} is left out if the key is missing or its text empty, is repeated for each
 * element of an array, and appears once otherwise.  Keys are looked up in the element or object
 * of the innermost section that has them. */

/* The files in report/web, which the build turns into texts. */
extern const char web_template[];
extern const char web_style[];
extern const char web_script[];

/* A JSON string; invalid UTF-8 is replaced. */
static json_t *web_text(arena *a, const char *text)
{
  return json_string(page_utf8(a, text));
}

/* The object of a section, inside another one. */
typedef struct scope {
  const json_t *object;
  const struct scope *outer;
} scope;

static const json_t *web_find(const scope *s, const char *key)
{
  const json_t *found = NULL;
  for (; s && !found; s = s->outer) {
    found = json_object_get(s->object, key);
  }
  return found;
}

static void web_put_value(writer *w, const json_t *value, int is_raw)
{
  const char *text = json_string_value(value);
  if (text) {
    writer_printf(w, "%s", is_raw ? text : page_words(writer_memory(w), SPELL_MATHML, text));
  } else if (value) {
    char *json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
    writer_printf(w, "%s", json ? json : "null");
    free(json);
  }
}

/* Fills the template from `at` to the end of its section or of the text, and returns what follows.
 * s: NULL for a section that is left out. */
static const char *web_fill(writer *w, const char *at, const scope *s)
{
  for (const char *tag = strstr(at, "{{"); tag; tag = strstr(at, "{{")) {
    const char kind = tag[2];
    const char *key = tag + 2 + (strchr("{#/", kind) != NULL);
    const size_t length = strcspn(key, "}");
    const json_t *value = web_find(s, arena_strndup(writer_memory(w), key, length));
    writer_append(w, at, s ? (size_t)(tag - at) : 0);
    at = key + length + (kind == '{' ? 3 : 2);
    if (kind == '/') {
      return at;
    }
    if (kind != '#') {
      web_put_value(w, value, kind == '{');
      continue;
    }
    const char *begin = at;
    const char *text = json_string_value(value);
    const size_t n = json_is_array(value) ? json_array_size(value) : value && (!text || *text);
    at = n ? at : web_fill(w, begin, NULL);
    for (size_t i = 0; i < n; i++) {
      const scope inner = {json_is_array(value) ? json_array_get(value, i) : value, s};
      at = web_fill(w, begin, &inner);
    }
  }
  writer_append(w, at, strlen(at));
  return at + strlen(at);
}

/* Returns the page, one file that needs no network.  run: the keys of the section `run` in the
 * template, which the page takes over; NULL without a run, for example if the model is refused.
 * c->summary must be set. */
static const char *web_page(arena *a, const compilation *c, json_t *run)
{
  const model *m = c->model;
  writer *w = writer_create(a);
  json_t *page = json_pack(
      "{so ss ss so ss so ss so so so}", "title", web_text(a, *m->title ? m->title : m->name),
      "version", SW_VERSION, "style", web_style, "name", web_text(a, m->name), "answer",
      page_answer_name(c), "conclusion", web_text(a, page_conclusion(c)), "script", web_script,
      "text", web_text(a, m->text), "digest", web_text(a, arena_printf(a, "%.16s", c->digest)),
      "facts", web_text(a, page_write(c, SPELL_MATHML, 0)));
  if (run) {
    json_object_set_new(page, "run", run);
  }
  const scope all = {page, NULL};
  web_fill(w, web_template, &all);
  json_decref(page);
  return writer_text(w);
}

/* ---- the numbers of a run ---- */

enum { MOST_ROWS = 40 };

typedef struct table {
  arena *memory;
  json_t *rows;
} table;

static void put_row(table *t, const char *what, const char *value)
{
  if (json_array_size(t->rows) < MOST_ROWS) {
    json_array_append_new(t->rows, json_pack("{so so}", "what", web_text(t->memory, what), "value",
                                             web_text(t->memory, value)));
  }
}

/* Adds a row for a number or a text of the summary, if it exists; `form` formats real numbers. */
static void put_member(table *t, const char *what, const json_t *summary, const char *key,
                       const char *form)
{
  const json_t *value = json_object_get(summary, key);
  if (json_is_string(value)) {
    put_row(t, what, arena_strdup(t->memory, json_string_value(value)));
  } else if (json_is_integer(value)) {
    put_row(t, what, arena_printf(t->memory, "%lld", (long long)json_integer_value(value)));
  } else if (json_is_number(value)) {
    put_row(t, what, arena_printf(t->memory, form, json_number_value(value)));
  }
}

/* Adds rows for the largest deviation of an invariant from its initial value, over all steps,
 * absolute and relative. */
static void put_course(table *t, const char *name, const json_t *course)
{
  const double first = json_number_value(json_object_get(course, "first"));
  const double low = json_number_value(json_object_get(course, "lowest"));
  const double high = json_number_value(json_object_get(course, "highest"));
  const double change = fmax(high - first, first - low);
  put_row(t, arena_printf(t->memory, "largest change of %s", name),
          arena_printf(t->memory, "%.2e", change));
  if (first != 0.0) {
    put_row(t, "in relation to its start", arena_printf(t->memory, "%.2e", change / fabs(first)));
  }
}

/* Entries of one array of parameters. */
typedef struct entries {
  const char *name;
  size_t length; /* length of the array's name in `name` */
  int n;
  double low;
  double high;
} entries;

static void put_entries(table *t, const entries *e)
{
  const char *name = arena_strndup(t->memory, e->name, e->n == 1 ? strlen(e->name) : e->length);
  const char *value = e->low == e->high
                          ? arena_printf(t->memory, "%.6g", e->low)
                          : arena_printf(t->memory, "%.6g \u2026 %.6g", e->low, e->high);
  if (e->n > 0) {
    put_row(t, e->n == 1 ? name : arena_printf(t->memory, "%s (%d values)", name, e->n), value);
  }
}

/* One row per parameter array. */
static void put_parameters(table *t, const json_t *about)
{
  const char *name;
  json_t *value;
  entries now = {.n = 0};
  json_t *parameters = json_object_get(about, "parameters");
  json_object_foreach(parameters, name, value)
  {
    const size_t length = strcspn(name, ".");
    const double x = json_number_value(value);
    if (now.n == 0 || length != now.length || strncmp(name, now.name, length) != 0) {
      put_entries(t, &now);
      now = (entries){arena_strdup(t->memory, name), length, 0, x, x};
    }
    now.n++;
    now.low = fmin(now.low, x);
    now.high = fmax(now.high, x);
  }
  put_entries(t, &now);
}

/* The work of the forces, the mean temperature of a heat bath, and the number of crossings of each
 * event. */
static void put_influences(table *t, const json_t *summary)
{
  const char *name;
  json_t *crossings;
  json_t *events = json_object_get(summary, "events");
  put_member(t, "work of the forces", summary, "work", "%.6g");
  put_member(t, "seed", summary, "seed", "%.6g");
  put_member(t, "mean kinetic temperature", summary, "temperature", "%.6g");
  json_object_foreach(events, name, crossings)
  {
    put_member(t, arena_printf(t->memory, "crossings of %s", name), events, name, "%.6g");
  }
  put_member(t, "ended by the event", summary, "stopped_by", "%s");
}

/* Fills the table.  Wall-clock times are omitted, so that equal runs give equal pages. */
static void fill_table(table *t, const json_t *summary, const json_t *about)
{
  static const char *const members[][2] = {
      {"method", "method"}, {"base method", "base"},   {"composition", "compose"},
      {"step h", "step"},   {"initial state", "init"}, {"steps", "steps"},
      {"end", "end"},       {"time at the end", "t"}};
  static const char *const residuals[][2] = {{"largest |g|", "residual_g"},
                                             {"largest |\u03c1|", "residual_hidden"},
                                             {"largest residual of a solve", "residual_solve"},
                                             {"solves", "solves"},
                                             {"Newton iterations", "newton_iterations"}};
  const char *name;
  json_t *size;
  json_t *course;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    put_member(t, members[i][0], summary, members[i][1], "%.6g");
  }
  json_t *sizes = json_object_get(about, "sizes");
  json_object_foreach(sizes, name, size)
  {
    put_member(t, name, sizes, name, "%.6g");
  }
  put_parameters(t, about);
  json_t *invariants = json_object_get(summary, "invariants");
  if (json_object_size(invariants) == 0) {
    put_course(t, json_object_get(summary, "work") ? "H minus the work" : "H",
               json_object_get(summary, "energy"));
  }
  json_object_foreach(invariants, name, course)
  {
    put_course(t, arena_strdup(t->memory, name), course);
  }
  put_influences(t, summary);
  for (size_t i = 0; i < sizeof residuals / sizeof *residuals; i++) {
    put_member(t, residuals[i][0], summary, residuals[i][1], "%.2e");
  }
}

/* The parameters of the run, in the order of an unrolled model; NULL if some are missing or the
 * model is looped. */
static const double *parameters_of(arena *a, const compilation *c, const json_t *about)
{
  const json_t *all = json_object_get(about, "parameters");
  const ir_program *p = c->loops ? NULL : c->program;
  double *k = p ? ARENA_ARRAY(a, p->nk + 1, double) : NULL;
  for (int i = 0; k && i < p->nk; i++) {
    const json_t *value = json_object_get(all, p->k_names[i]);
    if (!json_is_number(value)) {
      return NULL;
    }
    k[i] = json_number_value(value);
  }
  return k;
}

/* ---- pictures ---- */

/* What follows "<svg" in an SVG element, without the parts that only a separate file needs: a title
 * that browsers show as a hint, definitions of symbols that lines do not use, and ids that other
 * figures share. */
static const char *without_extras(arena *a, const char *svg)
{
  static const char *const left_out[][2] = {{"<title>", "</title>"},
                                            {"<desc>", "</desc>"},
                                            {"<defs>", "</defs>"},
                                            {" id=\"gnuplot", "\""}};
  writer *w = writer_create(a);
  const char *rest = svg + strcspn(svg, " ");
  while (*rest) {
    size_t skipped = 0;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out && !skipped; i++) {
      const size_t begin = strlen(left_out[i][0]);
      const char *end =
          strncmp(rest, left_out[i][0], begin) ? NULL : strstr(rest + begin, left_out[i][1]);
      skipped = end ? (size_t)(end - rest) + strlen(left_out[i][1]) : 0;
    }
    const size_t n = skipped ? 0 : 1 + strcspn(rest + 1, "< ");
    writer_append(w, rest, n);
    rest += skipped ? skipped : n;
  }
  return writer_text(w);
}

/* Draws the figures.  If gnuplot fails, the remaining figures are missing and the page says so; a
 * message was printed. */
static json_t *draw_figures(arena *a, const drawing *d, const overview *o)
{
  panel panels[OVERVIEW_PANELS];
  json_t *figures = json_array();
  const char *missing = "";
  const int n = overview_panels(d, o, panels);
  for (int i = 0; i < n && !*missing; i++) {
    const int has_points = plot_has_points(&panels[i], d->table.rows);
    const char *svg = has_points ? plot_svg(a, &panels[i], d->table.rows) : NULL;
    if (svg) {
      json_array_append_new(figures, json_pack("{so so}", "title", web_text(a, panels[i].title),
                                               "svg", web_text(a, without_extras(a, svg))));
    } else if (has_points) {
      missing = "gnuplot is missing, or has failed: there are no more figures.";
    }
  }
  return json_pack("{ss so}", "missing", missing, "figure", figures);
}

/* 1 if gnuplot has failed. */
static int is_missing(const json_t *figures)
{
  return json_string_length(json_object_get(figures, "missing")) > 0;
}

/* Adds the animation and the figures; returns 0 after a message. */
static int look_at_rows(arena *a, const program_call *call, const recorded_run *run,
                        const json_t *about, json_t *shown)
{
  drawing d;
  const scene *s = scene_find(a, &call->c, parameters_of(a, &call->c, about));
  outcome result = drawing_open(a, run->trajectory, &d);
  if (result == OUTCOME_GOOD) {
    const overview o = overview_look(&d);
    motion_use(&d, s);
    result = drawing_read(&d);
    if (result == OUTCOME_GOOD) {
      json_t *film = motion_make(a, &d, &o, s);
      json_t *figures = draw_figures(a, &d, &o);
      json_object_set_new(shown, film ? "animation" : "still", film ? film : json_true());
      if (json_array_size(json_object_get(figures, "figure")) > 0 || is_missing(figures)) {
        json_object_set(shown, "figures", figures);
      }
      json_decref(figures);
    }
  }
  drawing_close(&d);
  return result == OUTCOME_GOOD;
}

/* ---- the command ---- */

/* Writes the page, which takes over `run`. */
static outcome write_page(arena *a, const program_call *call, json_t *run)
{
  const char *path = call->request.output;
  if (file_write(a, path, web_page(a, &call->c, run)) != 0) {
    file_failed("write", path);
    return OUTCOME_FAILED;
  }
  printf("%s\n", path);
  return OUTCOME_GOOD;
}

/* The equivalent `run` command with the user's options, such as "sidewinder run models/hopf.sw
 * --step 0.1". */
static const char *command_of(arena *a, const program_call *call, int n, char *const words[])
{
  const request *r = &call->request;
  writer *w = writer_create(a);
  writer_printf(w, "sidewinder run %s", r->model);
  for (int i = 0; i < r->n_sizes; i++) {
    writer_printf(w, " --size %s=%ld", r->sizes[i].name, r->sizes[i].value);
  }
  for (int i = 2; i < n; i++) {
    writer_printf(w, " %s", words[i]);
  }
  return writer_text(w);
}

/* The reason why the run ended early, without the path of the temporary trajectory. */
static const char *message_of(arena *a, const recorded_run *run)
{
  const char *message = json_string_value(json_object_get(run->summary, "message"));
  const char *place = message ? strstr(message, arena_printf(a, "; %s", run->trajectory)) : NULL;
  return !message ? ""
         : place  ? arena_strndup(a, message, (size_t)(place - message))
                  : arena_strdup(a, message);
}

/* Writes the page of a run. */
static outcome report_rows(arena *a, const program_call *call, const recorded_run *run,
                           const char *command)
{
  json_t *about = json_load_file(arena_printf(a, "%s.json", run->trajectory), 0, NULL);
  table facts = {.memory = a, .rows = json_array()};
  outcome result = OUTCOME_FAILED;
  fill_table(&facts, run->summary, about);
  json_t *shown = json_pack("{so so so}", "command", web_text(a, command), "message",
                            web_text(a, message_of(a, run)), "rows", facts.rows);
  if (look_at_rows(a, call, run, about, shown)) {
    const int has_all = !is_missing(json_object_get(shown, "figures"));
    result = write_page(a, call, shown);
    result = !has_all && result == OUTCOME_GOOD ? OUTCOME_FAILED : result;
  } else {
    json_decref(shown);
  }
  json_decref(about);
  return result;
}

static outcome report_run(arena *a, program_call *call)
{
  recorded_run run;
  const char *command = command_of(a, call, call->n, call->words);
  outcome result = program_call_build(a, call);
  if (result != OUTCOME_GOOD) {
    return result;
  }
  result = recorded_run_open(a, call, recorded_run_columns(a, &call->c), &run);
  const outcome code = (outcome)run.code;
  if (result == OUTCOME_GOOD && run.trajectory) {
    result = report_rows(a, call, &run, command);
  }
  recorded_run_close(&run);
  return result == OUTCOME_GOOD ? code : result;
}

/* The default output: NAME.html in the current folder for the model file FOLDER/NAME.sw. */
static const char *default_page(arena *a, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const size_t length = strlen(name) - (program_call_is_model(name) ? strlen(".sw") : 0);
  return arena_printf(a, "%.*s.html", (int)length, name);
}

/* Returns 0, after a message, for options that a report does not accept. */
static int is_sensible(const program_call *call)
{
  const char *path = call->request.output;
  if (call->x || program_call_value(call, "--columns")) {
    fprintf(stderr, "sidewinder: a report chooses its own columns; `sidewinder plot` takes -x and "
                    "--columns\n");
    return 0;
  }
  return !request_is_model(&call->request, path);
}

static error_t pass(int key, char *value, struct argp_state *state)
{
  (void)value;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = state->input;
  }
  return key == ARGP_KEY_INIT || key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE.html", 0, "Output file (NAME.html for NAME.sw)", 0},
    {"size", 's', "NAME=VALUE", 0, "Set a size of the model", 0},
    {"lowering", 'l', "HOW", 0, "unrolled, looped or auto (auto), as for `run`", 0},
    {0}};

static const char doc[] =
    "Analyse MODEL, run it, and write one self-contained page: the model, its formulas, the "
    "findings, figures of the run (drawn by gnuplot), and an animation.\v"
    "All other options are those of `run` (`sidewinder run MODEL --help`).  If the model is "
    "refused, the page gives the reason, and the exit code is 1.  If a step fails, the page ends "
    "there, and the exit code is 3.";

/* Prints help if the only word asks for it, without a model; else returns -1. */
static int help(int argc, char **argv)
{
  static const char *const asked[] = {"--help", "-h", "-?", "--usage"};
  const struct argp_child children[] = {{&sw_help_argp, 0, NULL, 0}, {0}};
  const struct argp parser = {options, pass, "MODEL", doc, children, NULL, NULL};
  int helped = 0;
  for (size_t i = 0; i < sizeof asked / sizeof *asked && argc == 2; i++) {
    if (!strcmp(argv[1], asked[i])) {
      return sw_words_parse(&parser, argc, argv, &helped, &helped);
    }
  }
  return -1;
}

outcome web_report(arena *a, int argc, char **argv)
{
  const int helped = help(argc, argv);
  if (helped >= 0) {
    return (outcome)helped;
  }
  program_call call = {.own = "report", .command = "run", .takes_output = 1};
  outcome result = program_call_read(a, argc, argv, &call);
  if (result != OUTCOME_GOOD || !call.request.model) {
    return result;
  }
  if (!call.request.output) {
    call.request.output = default_page(a, call.request.model);
  }
  if (!is_sensible(&call)) {
    return OUTCOME_WRONG;
  }
  result = program_call_compile(a, &call);
  if (result == OUTCOME_GOOD) {
    result = report_run(a, &call);
  } else if (result == OUTCOME_NO && call.c.summary) {
    const outcome written = write_page(a, &call, NULL);
    result = written == OUTCOME_GOOD ? OUTCOME_NO : written;
  }
  compilation_free(&call.c);
  return result;
}
