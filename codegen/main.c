/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c -- the command `sidewinder`.
 */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "pipeline.h"
#include "request.h"
#include "sidewinder/version.h"
#include "toolchain.h"

static const char usage[] =
    "Usage: sidewinder COMMAND MODEL [options]\n"
    "\n"
    "From a model file (a Hamiltonian and its constraints) to a verified integrator in C.\n"
    "\n"
    "  sidewinder check    MODEL              what the analysis found; exit 1 where the theory "
    "does not "
    "apply\n"
    "  sidewinder generate MODEL -o DIR       write NAME.c and NAME.h\n"
    "  sidewinder build    MODEL -o PROGRAM   make a program of its own\n"
    "  sidewinder run      MODEL [options]    build (cached) and run; also verify, converge, "
    "lyapunov, info\n"
    "\n"
    "Examples:\n"
    "  sidewinder check models/hopf.sw\n"
    "  sidewinder run models/hopf.sw --method rattle --base midpoint --step 0.1 --steps 1000 --out "
    "traj.csv\n"
    "  sidewinder verify models/hopf.sw\n"
    "  sidewinder run models/hopf.sw --help\n"
    "\n"
    "Every command takes --size N=VALUE, which replaces a size of the model, and --lowering\n"
    "unrolled|looped|auto: fixed sizes and formulas, or loops with sizes set at run time.\n"
    "`sidewinder COMMAND --help` says more.  Exit codes: 0 good, 1 the answer is no, 2 wrong usage "
    "or\n"
    "model, 3 failed.\n";

typedef struct parse_state {
  request *request;
  arena *arena;
} parse_state;

static error_t parse_option(int key, char *value, struct argp_state *state)
{
  parse_state *parse = state->input;
  request *r = parse->request;
  const char *wrong = NULL;
  switch (key) {
  case 'o':
    r->output = value;
    return 0;
  case 's':
  case 'l':
    wrong = key == 's' ? request_size(r, parse->arena, value)
                       : request_lowering(r, parse->arena, value);
    if (wrong) {
      argp_error(state, "%s", wrong);
      return EINVAL;
    }
    return 0;
  case KEY_WITNESS:
    r->witness = 1;
    return 0;
  case KEY_ASCII:
  case KEY_JSON:
  case KEY_LATEX:
  case KEY_DOCUMENT:
    wrong = request_format(r, key);
    if (wrong) {
      argp_error(state, "%s", wrong);
      return EINVAL;
    }
    return 0;
  case ARGP_KEY_ARG:
    if (r->model) {
      argp_error(state, "one model at a time: '%s' and '%s'", r->model, value);
      return EINVAL;
    }
    r->model = value;
    return 0;
  case ARGP_KEY_END:
    if (!r->model) {
      argp_error(state, "which model?");
      return EINVAL;
    }
    if (r->needs_output && !r->output) {
      argp_error(state, "where to? give -o");
      return EINVAL;
    }
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

#define SIZE_OPTION                                                                                \
  {                                                                                                \
    "size", 's', "NAME=VALUE", 0, "Set a size of the model", 0                                     \
  }
#define LOWERING_OPTION                                                                            \
  {                                                                                                \
    "lowering", 'l', "HOW", 0,                                                                     \
        "unrolled: every instance by itself, sizes fixed; looped: one loop a family, sizes set "   \
        "when the program runs; auto (default): unrolled where the model is small",                \
        0                                                                                          \
  }

static const struct argp_option check_options[] = {
    SIZE_OPTION,
    LOWERING_OPTION,
    {"ascii", KEY_ASCII, NULL, 0, "No character beyond ASCII, whatever the locale has", 0},
    {"json", KEY_JSON, NULL, 0, "One JSON object, as docs/check.md describes", 0},
    {"latex", KEY_LATEX, NULL, 0, "A fragment of LaTeX, for a document that uses amsmath", 0},
    {"document", KEY_DOCUMENT, NULL, 0, "A LaTeX document", 0},
    {0}};
static const struct argp_option generate_options[] = {
    SIZE_OPTION,
    LOWERING_OPTION,
    {"output", 'o', "DIR", 0, "Folder for NAME.c and NAME.h; made where it is missing", 0},
    {"witness", KEY_WITNESS, NULL, 0,
     "Also NAME.witness.c: values of every function to 30 digits, which `verify` compares", 0},
    {0}};
static const struct argp_option build_options[] = {
    SIZE_OPTION, LOWERING_OPTION, {"output", 'o', "PROGRAM", 0, "The program to make", 0}, {0}};

/* ---- the commands ---- */

static outcome compile_or_say_why(arena *a, const request *r, compilation *c)
{
  outcome result = compile_model(a, r->model, r->n_sizes, r->sizes, r->how, c);
  if (result == OUTCOME_NO) {
    fprintf(stderr, "sidewinder: '%s' is refused: %s", r->model, c->refusal);
  }
  const char *warning =
      result == OUTCOME_GOOD && c->found ? analysis_warning(a, c->program, c->found) : "";
  if (*warning) {
    fprintf(stderr, "sidewinder: warning: '%s' has %s", r->model, warning);
  }
  return result;
}

static outcome check(arena *a, const request *r)
{
  compilation c;
  outcome result = compile_model(a, r->model, r->n_sizes, r->sizes, r->how, &c);
  if (c.summary && !report_print(&c, r->has_format ? r->format : REPORT_TEXT, stdout)) {
    fprintf(stderr, "sidewinder: out of memory\n");
    result = OUTCOME_FAILED;
  }
  compilation_free(&c);
  return result;
}

static outcome generate(arena *a, const request *r)
{
  compilation c;
  outcome result = compile_or_say_why(a, r, &c);
  if (result == OUTCOME_GOOD && r->witness) {
    compile_witness(a, &c);
  }
  if (result == OUTCOME_GOOD) {
    const char *stem = arena_printf(a, "%s/%s", r->output, c.model->name);
    const char *source = arena_printf(a, "%s.c", stem);
    const char *header = arena_printf(a, "%s.h", stem);
    const char *witness = r->witness ? arena_printf(a, "%s.witness.c", stem) : NULL;
    if (directory_make(a, r->output) || file_write(a, source, c.source) ||
        file_write(a, header, c.header) || (witness && file_write(a, witness, c.witness_source))) {
      fprintf(stderr, "sidewinder: cannot write below '%s': %s\n", r->output, strerror(errno));
      result = OUTCOME_FAILED;
    } else {
      printf("%s\n%s\n%s%s", source, header, witness ? witness : "", witness ? "\n" : "");
    }
  }
  compilation_free(&c);
  return result;
}

static outcome build(arena *a, const request *r)
{
  compilation c;
  outcome result = compile_or_say_why(a, r, &c);
  if (result == OUTCOME_GOOD) {
    compile_witness(a, &c);
    result = toolchain_build(a, &c, r->output);
  }
  compilation_free(&c);
  return result;
}

/* The value of an option --NAME or -LETTER that `word` is, which may be the next word: then *taken is 2,
 * else 1.  NULL where the word is another. */
static const char *option_value(const char *word, const char *next, const char *name, int *taken)
{
  size_t length = strlen(name);
  const char *rest = NULL;
  if (word[0] == '-' && word[1] == name[0]) {
    rest = word + 2;
  } else if (!strncmp(word, "--", 2) && !strncmp(word + 2, name, length)) {
    rest = word + 2 + length;
    if (*rest != '=' && *rest != '\0') {
      return NULL;
    }
    rest += *rest == '=';
  }
  int is_next = rest && *rest == '\0' && rest[-1] != '=';
  *taken = is_next ? 2 : 1;
  return is_next ? next : rest;
}

/* Takes an option that is ours out of the words; how many words it has, 0 where there is none, -1 where
 * it is wrong. */
static int take_option(arena *a, const char *word, const char *next, request *r)
{
  int taken = 0;
  const char *wrong = NULL;
  const char *size = option_value(word, next, "size", &taken);
  if (size) {
    wrong = request_size(r, a, size);
  } else {
    const char *how = option_value(word, next, "lowering", &taken);
    taken = how ? taken : 0;
    wrong = how ? request_lowering(r, a, how) : NULL;
  }
  if (wrong) {
    fprintf(stderr, "sidewinder: %s\n", wrong);
    return -1;
  }
  return taken;
}

static outcome forward_usage(const char *command, int asked)
{
  fprintf(asked ? stdout : stderr,
          "Usage: sidewinder %s [--size NAME=VALUE] [--lowering HOW] MODEL [options]\n"
          "The model comes first; `sidewinder %s MODEL --help` lists the options.\n",
          command, command);
  return asked ? OUTCOME_GOOD : OUTCOME_WRONG;
}

/* Splits the words behind the command: --size, --lowering and the model are ours, and the model is the first
 * word that is no option, or follows "--"; all else is the program's and goes to rest. */
static outcome split_words(arena *a, int argc, char **argv, request *r, char **rest, int *n)
{
  for (int i = 2; i < argc; i++) {
    char *word = argv[i];
    int taken = take_option(a, word, i + 1 < argc ? argv[i + 1] : "", r);
    if (taken < 0) {
      return OUTCOME_WRONG;
    }
    if (taken > 0) {
      i += taken - 1;
      continue;
    }
    if (r->model) {
      rest[(*n)++] = word;
    } else if (!strcmp(word, "--") && i + 1 < argc) {
      r->model = argv[++i];
    } else if (word[0] != '-') {
      r->model = word;
    } else {
      return forward_usage(argv[1], !strcmp(word, "--help") || !strcmp(word, "-?"));
    }
  }
  return r->model ? OUTCOME_GOOD : forward_usage(argv[1], 0);
}

/* One program serves all sizes of a looped model: it is made at the model's own, where these are possible,
 * and told the sizes that were asked for. */
static void share_program(arena *a, const request *r, compilation *c, char **rest, int *n)
{
  diagnostics *unseen = diagnostics_create(a, c->file, c->model->text, strlen(c->model->text));
  compilation shared;
  if (!c->loops || !r->n_sizes ||
      !model_check(a, unseen, c->file, c->model->text, strlen(c->model->text), 0, NULL)) {
    return;
  }
  if (compile_model(a, r->model, 0, NULL, LOWERING_LOOPED, &shared) != OUTCOME_GOOD) {
    compilation_free(&shared);
    return;
  }
  compilation_free(c);
  *c = shared;
  /* Behind the program and its command, before a "--" that ends the options. */
  memmove(rest + 2 + r->n_sizes, rest + 2, (size_t)(*n - 2) * sizeof *rest);
  for (int i = 0; i < r->n_sizes; i++) {
    rest[2 + i] = arena_printf(a, "--size=%s=%ld", r->sizes[i].name, r->sizes[i].value);
  }
  *n += r->n_sizes;
}

/* `sidewinder run MODEL ...` becomes `PROGRAM run ...`. */
static outcome forward(arena *a, int argc, char **argv)
{
  request r = {0};
  char **rest = ARENA_ARRAY(a, argc + 2 + REQUEST_SIZES, char *);
  int n = 0;
  rest[n++] = NULL; /* the program */
  rest[n++] = argv[1];
  outcome result = split_words(a, argc, argv, &r, rest, &n);
  if (result != OUTCOME_GOOD || !r.model) {
    return result;
  }
  compilation c;
  const char *program = NULL;
  result = compile_or_say_why(a, &r, &c);
  if (result == OUTCOME_GOOD) {
    share_program(a, &r, &c, rest, &n);
    if (!strcmp(argv[1], "verify")) {
      compile_witness(a, &c);
    }
    result = toolchain_cached(a, &c, &program);
  }
  compilation_free(&c);
  if (result == OUTCOME_GOOD) {
    rest[0] = arena_strdup(a, c.model->name);
    fflush(stdout);
    execv(program, rest);
    fprintf(stderr, "sidewinder: cannot start '%s': %s\n", program, strerror(errno));
    result = OUTCOME_FAILED;
  }
  return result;
}

typedef struct command {
  const char *name;
  outcome (*run)(arena *a, const request *r);
  const struct argp_option *options;
  const char *help;
  int needs_output;
} command;

static const command commands[] = {
    {"check", check, check_options,
     "Analyse MODEL and say what was found: structure, coisotropy, nondegeneracy, fibre flow."
     "\vExit code 1 where the theory does not cover the model.",
     0},
    {"generate", generate, generate_options,
     "Write the C of MODEL: NAME.c and NAME.h."
     "\vThe C needs nothing but <math.h> and the runtime's header sidewinder/model.h.",
     1},
    {"build", build, build_options,
     "Compile MODEL into a program with the commands run, verify, converge, lyapunov and info."
     "\vUses $CC, else cc.",
     1},
};

static outcome run_command(arena *a, const command *c, int argc, char **argv)
{
  request r = {.needs_output = c->needs_output};
  parse_state state = {&r, a};
  struct argp parser = {c->options, parse_option, "MODEL", c->help, NULL, NULL, NULL};
  char name[64];
  snprintf(name, sizeof name, "sidewinder %s", c->name);
  argv[1] = name;
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-?")) {
      argp_help(&parser, stdout, ARGP_HELP_STD_HELP, name);
      return OUTCOME_GOOD;
    }
  }
  /* argp's own exit code is a global, so it is told never to exit. */
  error_t error =
      argp_parse(&parser, argc - 1, argv + 1, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &state);
  return error ? OUTCOME_WRONG : c->run(a, &r);
}

static outcome dispatch(arena *a, int argc, char **argv)
{
  static const char *const forwarded[] = {"run", "verify", "converge", "lyapunov", "info"};
  if (argc < 2) {
    fputs(usage, stderr);
    return OUTCOME_WRONG;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
    fputs(usage, stdout);
    return OUTCOME_GOOD;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("sidewinder %s\n", SW_VERSION);
    return OUTCOME_GOOD;
  }
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!strcmp(argv[1], commands[i].name)) {
      return run_command(a, &commands[i], argc, argv);
    }
  }
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
    if (!strcmp(argv[1], forwarded[i])) {
      return forward(a, argc, argv);
    }
  }
  fprintf(stderr, "sidewinder: there is no command '%s'\n\n%s", argv[1], usage);
  return OUTCOME_WRONG;
}

/* What was printed has arrived, or the command has failed. */
static outcome finish_output(outcome result)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) {
    return result;
  }
  fprintf(stderr, "sidewinder: cannot write to standard output: %s\n",
          strerror(errno ? errno : EIO));
  return OUTCOME_FAILED;
}

int main(int argc, char **argv)
{
  arena *a = arena_create();
  outcome result = finish_output(dispatch(a, argc, argv));
  compile_close();
  arena_free(a);
  return (int)result;
}
