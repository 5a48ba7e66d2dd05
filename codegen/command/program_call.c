/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/program_call.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command/child.h"
#include "command/commands.h"
#include "command/toolchain.h"
#include "common/files.h"
#include "common/text_writer.h"
#include "common/user_text.h"

enum { MORE_WORDS = 16 /* words that program_call_add may append */ };

/* Handles a word that is not one of our options: the first is the model, the others are for the
 * program.  Returns 0 if the model is missing. */
static int take_word(program_call *to, char *word)
{
  if (to->request.model) {
    to->words[to->n++] = word;
  } else if (word[0] != '-') {
    to->request.model = word;
  }
  return to->request.model != NULL;
}

/* Handles one of our options; returns an error message, or NULL. */
static const char *take_option(arena *a, program_call *to, int key, const char *value)
{
  switch (key) {
  case 's':
    return request_size(&to->request, a, value);
  case 'd':
    if (to->data) {
      return "--data is given twice; put all data into one file";
    }
    to->data = value;
    return *value ? NULL : "--data needs the name of a file";
  case 'c':
    return request_compile_limit(&to->request, a, value);
  case 'l':
    return request_lowering(&to->request, a, value);
  case 'o':
    to->request.output = value;
    return *value ? NULL : "-o needs the name of a file";
  default:
    to->x = value;
    return *value ? NULL : "-x needs the name of a column";
  }
}

/* Parses the words before a "--".  Returns an error message, "" for wrong usage, or NULL. */
static const char *take_options(arena *a, int argc, char **argv, program_call *to)
{
  static const struct option ours[] = {{"output", required_argument, NULL, 'o'},
                                       {"x", required_argument, NULL, 'x'},
                                       {"size", required_argument, NULL, 's'},
                                       {"data", required_argument, NULL, 'd'},
                                       {"lowering", required_argument, NULL, 'l'},
                                       {"compile-limit", required_argument, NULL, 'c'},
                                       {0}};
  const char *wrong = NULL;
  opterr = 0;
  while (!wrong) {
    const int before = optind;
    /* "-" keeps all words in order; ":" reports an option without its value. */
    const int key = to->takes_output ? getopt_long(argc, argv, "-:s:l:o:x:", ours, NULL)
                                     : getopt_long(argc, argv, "-:s:l:", ours + 2, NULL);
    if (key == -1) {
      break;
    }
    const int known = key == ':' ? optopt : key;
    if (known && strchr("sdlcox", known)) {
      wrong = take_option(a, to, known, key == ':' ? "" : optarg);
    } else if (optind > before && !take_word(to, argv[optind - 1])) {
      wrong = "";
    }
  }
  return wrong;
}

/* 1 if the program is to run this method, which needs more functions of the model than others
 * do. */
static int asks_for(const program_call *call, const char *method)
{
  int found = 0;
  for (int i = 2; i < call->n; i++) {
    const char *equals = strchr(call->words[i], '=');
    found |= !strcmp(equals ? equals + 1 : call->words[i], method);
  }
  return found;
}

const char *program_call_value(const program_call *call, const char *option)
{
  const char *value = NULL;
  const size_t length = strlen(option);
  for (int i = 2; i < call->n && strcmp(call->words[i], "--") != 0; i++) {
    const char *word = call->words[i];
    if (!strncmp(word, option, length) && word[length] == '=') {
      value = word + length + 1;
    } else if (!strcmp(word, option) && i + 1 < call->n) {
      value = call->words[i + 1];
    }
  }
  return value;
}

/* The words' setting of --compensated, encoded as in compile_settings: 1 on, -1 off, 0 unset. */
static int compensated_by(const program_call *call)
{
  static const char option[] = "--compensated";
  const size_t length = sizeof option - 1;
  int found = 0;
  for (int i = 2; i < call->n && strcmp(call->words[i], "--") != 0; i++) {
    const char *word = call->words[i];
    if (!strncmp(word, option, length) && (word[length] == '\0' || word[length] == '=')) {
      found = strcmp(word + length, "=no") != 0 ? 1 : -1;
    }
  }
  return found;
}

int program_call_is_model(const char *word)
{
  const size_t length = strlen(word);
  return word[0] != '-' && length > 3 && !strcmp(word + length - 3, ".sw");
}

/* Moves the first model file before a "--" to the front.  Options may precede the model, and only
 * the model's program knows which options take a value. */
static void put_model_first(int argc, char **argv)
{
  int i = 1;
  while (i < argc && strcmp(argv[i], "--") != 0 && !program_call_is_model(argv[i])) {
    i++;
  }
  if (i < argc && program_call_is_model(argv[i])) {
    char *const first = argv[i];
    memmove(argv + 2, argv + 1, (size_t)(i - 1) * sizeof *argv);
    argv[1] = first;
  }
}

outcome program_call_read(arena *a, int argc, char **argv, program_call *call)
{
  put_model_first(argc, argv);
  call->room = argc + REQUEST_SIZES + MORE_WORDS;
  call->words = ARENA_ARRAY(a, call->room + 1, char *);
  call->words[1] = arena_strdup(a, call->command);
  call->n = 2;
  const char *wrong = take_options(a, argc, argv, call);
  int i = optind;
  if (!wrong && !call->request.model && i < argc) {
    call->request.model = argv[i++];
  } else if (!wrong && i < argc) {
    i--; /* passes the "--" on to the program */
  }
  while (!wrong && i < argc) {
    call->words[call->n++] = argv[i++];
  }
  if (wrong && *wrong) {
    fprintf(stderr, "sidewinder: %s\n", wrong);
    return OUTCOME_WRONG;
  }
  if (call->request.model) {
    return OUTCOME_GOOD;
  }
  const char *last = argv[optind - 1];
  const int is_help = !strcmp(last, "--help") || !strcmp(last, "-h") || !strcmp(last, "-?");
  fprintf(is_help ? stdout : stderr,
          "Usage: sidewinder %s [--size NAME=VALUE] [--data FILE] [--lowering HOW]\n"
          "       [--compile-limit SECONDS] %sMODEL [options]\n"
          "MODEL is the first word that ends with '.sw', or else the first word.\n",
          call->own, call->takes_output ? "[-o FILE] " : "");
  if (!is_help || strcmp(call->own, call->command) != 0) {
    fprintf(is_help ? stdout : stderr, "`sidewinder %s --help` lists the options%s.\n",
            call->command, strcmp(call->own, call->command) != 0 ? " of the run" : "");
  }
  return is_help ? OUTCOME_GOOD : OUTCOME_WRONG;
}

/* Inserts an option after the program and its command, and therefore before any "--". */
static void insert_option(program_call *call, char *option)
{
  memmove(call->words + 3, call->words + 2, (size_t)(call->n - 2) * sizeof *call->words);
  call->words[2] = option;
  call->n++;
}

outcome program_call_compile(arena *a, program_call *call)
{
  request *r = &call->request;
  r->discrete = asks_for(call, "energy-momentum");
  r->variational = asks_for(call, "variational");
  r->method = program_call_value(call, "--method");
  r->base = program_call_value(call, "--base");
  r->compensated = compensated_by(call);
  return request_compile(a, r, &call->c);
}

outcome program_call_build(arena *a, program_call *call)
{
  const request *r = &call->request;
  /* The program of a looped model serves all sizes. */
  for (int i = call->c.loops ? r->n_sizes - 1 : -1; i >= 0; i--) {
    insert_option(call, arena_printf(a, "--size=%s=%ld", r->sizes[i].name, r->sizes[i].value));
  }
  if (call->data) {
    insert_option(call, arena_printf(a, "--data=%s", call->data));
  }
  /* Commands that write files must not overwrite the model. */
  if (!strcmp(call->command, "run") || !strcmp(call->command, "ensemble")) {
    insert_option(call, arena_printf(a, "--model-file=%s", r->model));
  }
  if (!strcmp(call->command, "verify")) {
    compile_witness(a, &call->c);
  }
  call->words[0] = arena_strdup(a, call->c.model->name);
  const toolchain_product what = {.lanes = !strcmp(call->command, "ensemble"),
                                  .limit = r->compile_limit};
  return toolchain_cached(a, &call->c, &what, &call->program);
}

/* Appends a word for the program. */
static void program_call_add(arena *a, program_call *call, const char *word)
{
  if (call->n < call->room) {
    call->words[call->n++] = arena_strdup(a, word);
  }
}

/* A model for help without a model: all programs have the same options.  NULL after an error. */
static const char *any_model(arena *a)
{
  static const char text[] = "model MODEL\ncoord q momentum p\nhamiltonian H = p^2/2\n";
  const int file = memfd_create("MODEL.sw", MFD_CLOEXEC);
  return file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1
             ? arena_printf(a, "/proc/self/fd/%d", file)
             : NULL;
}

outcome forward(arena *a, const char *command, int argc, char **argv)
{
  program_call call = {.own = command, .command = command, .request = {.at_own_sizes = 1}};
  outcome result = program_call_read(a, argc, argv, &call);
  const int is_help = result == OUTCOME_GOOD && !call.request.model;
  if (is_help) {
    putchar('\n');
    program_call_add(a, &call, "--help");
    call.request = (request){.at_own_sizes = 1, .model = any_model(a)};
    call.data = NULL;
  }
  if (result != OUTCOME_GOOD || !call.request.model) {
    return result;
  }
  result = program_call_compile(a, &call);
  if (result == OUTCOME_GOOD) {
    result = program_call_build(a, &call);
  }
  compilation_free(&call.c);
  if (is_help) {
    call.words[0] = arena_strdup(a, "sidewinder");
    if (result != OUTCOME_GOOD) {
      puts("The options of a model's program are listed by a program, which needs a C compiler.");
      return OUTCOME_GOOD;
    }
  }
  if (result == OUTCOME_GOOD) {
    fflush(stdout);
    execv(call.program, call.words);
    file_failed("start", call.program);
    result = OUTCOME_FAILED;
  }
  return result;
}

static int has_forces(const model *m)
{
  long n = 0;
  for (int i = 0; i < m->n_forces; i++) {
    n += m->forces[i]->count;
  }
  return n > 0;
}

/* Appends a column.  Names of the columns of every trajectory are reserved, so an array with such a
 * name needs its group in front (sidewinder/columns.h). */
static void add_column(writer *w, const model *m, const char *group, const char *name)
{
  static const char *const taken[] = {"step",  "t",    "residual_g",  "residual_hidden",
                                      "det_N", "work", "H_minus_work"};
  const size_t n = sizeof taken / sizeof *taken - (has_forces(m) ? 0 : 2);
  const int is_taken = sw_text_place(name, taken, n) >= 0;
  writer_printf(w, ",%s%s", is_taken ? group : "", name);
}

static void add_families(writer *w, const model *m, const char *group, int n,
                         const model_family *const of[])
{
  for (int i = 0; i < n; i++) {
    if (of[i]->count > 0) {
      add_column(w, m, group, of[i]->name);
    }
  }
}

const char *recorded_run_columns(arena *a, const compilation *c)
{
  enum { FEW = 1000 };
  const model *m = c->model;
  writer *w = writer_create(a);
  long observed = 0;
  writer_printf(w, "step,t");
  for (int i = 0; i < m->n_coordinates; i++) {
    add_column(w, m, "state.", m->coordinates[i]->name);
  }
  for (int i = 0; i < m->n_coordinates; i++) {
    add_column(w, m, "state.", m->coordinates[i]->momentum);
  }
  for (int i = 0; i < m->n_observe; i++) {
    observed += m->observe[i]->count;
  }
  add_families(w, m, "observe.", observed <= FEW ? m->n_observe : 0, m->observe);
  add_families(w, m, "invariant.", m->n_invariants, m->invariants);
  writer_printf(w, ",residual_g,residual_hidden%s%s", has_forces(m) ? ",work" : "",
                m->nc > 0 ? ",multiplier" : "");
  return writer_text(w);
}

static outcome recorded_run_start(const program_call *call, const char *said,
                                  const sigset_t *blocked, recorded_run *run)
{
  FILE *output = fopen(said, "w");
  if (!output) {
    file_failed("write", said);
    return OUTCOME_FAILED;
  }
  const child program = {.path = call->program,
                         .words = call->words,
                         .input = -1,
                         .output = fileno(output),
                         .mask = &run->mask,
                         .handed_on = blocked};
  fflush(stderr);
  errno = child_run(&program, &run->code);
  const int good = errno == 0 || file_failed("start", call->program);
  fclose(output);
  return good ? OUTCOME_GOOD : OUTCOME_FAILED;
}

outcome recorded_run_open(arena *a, program_call *call, const char *columns, recorded_run *run)
{
  const sigset_t blocked = child_interruptions();
  *run = (recorded_run){.shop = {.lock = -1}, .kept = {.descriptor = -1}};
  sigprocmask(SIG_BLOCK, &blocked, &run->mask);
  if (!cache_open(a, &run->kept)) {
    run->kept.descriptor = -1;
    return OUTCOME_FAILED;
  }
  if (!workshop_open(a, &run->kept, &run->shop)) {
    return OUTCOME_FAILED;
  }
  const char *trajectory = arena_printf(a, "%s/trajectory.npy", run->shop.folder);
  const char *said = arena_printf(a, "%s/summary.json", run->shop.folder);
  call->n -= !strcmp(call->words[call->n - 1], "--"); /* the program ignores options after it */
  program_call_add(a, call, arena_printf(a, "--out=%s", trajectory));
  program_call_add(a, call, "--json");
  if (columns) {
    program_call_add(a, call, arena_printf(a, "--columns=%s", columns));
  }
  const outcome result = recorded_run_start(call, said, &blocked, run);
  if (result == OUTCOME_GOOD) {
    run->trajectory = access(trajectory, R_OK) == 0 ? trajectory : NULL;
    run->summary = json_load_file(said, 0, NULL);
  }
  return result;
}

void recorded_run_close(recorded_run *run)
{
  json_decref(run->summary);
  workshop_close(&run->shop);
  if (run->kept.descriptor >= 0) {
    cache_close(&run->kept);
  }
  sigprocmask(SIG_SETMASK, &run->mask, NULL);
}
