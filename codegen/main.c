/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c -- the command `sidewinder`.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/request.h"
#include "command/toolchain.h"
#include "common/files.h"
#include "common/subcommands.h"
#include "common/user_text.h"
#include "emit/model_source.h"
#include "language/syntax.h"
#include "pipeline.h"
#include "report/page.h"

static const char doc[] =
    "Turns a model file (a Hamiltonian and its constraints) into a verified integrator in C.\v"
    "  sidewinder check    MODEL              print an analysis; exit 1 unless\n"
    "                                         SHAKE and RATTLE are shown to apply\n"
    "  sidewinder generate MODEL -o DIR       write NAME.c and NAME.h\n"
    "  sidewinder build    MODEL -o PROGRAM   compile a program of the model\n"
    "  sidewinder run      MODEL [options]    build (cached) and run; so do\n"
    "                                         ensemble, merge, verify, converge,\n"
    "                                         advise, lyapunov, fibre, info\n"
    "  sidewinder plot     FILE [COLUMNS]     draw columns of a trajectory as SVG;\n"
    "                      or MODEL [options] run the model first\n"
    "  sidewinder report   MODEL [options]    run, and write a page with verdicts,\n"
    "                                         figures and an animation\n"
    "  sidewinder help     [COMMAND]          explain all commands, or one\n"
    "\n"
    "Examples:\n"
    "  sidewinder check models/hopf.sw\n"
    "  sidewinder run models/hopf.sw --base midpoint --step 0.1 --out t.csv\n"
    "  sidewinder verify models/hopf.sw\n"
    "  sidewinder run models/hopf.sw --help\n"
    "  sidewinder plot t.csv energy\n"
    "  sidewinder report models/hopf.sw\n"
    "\n"
    "Every command except plot takes --size N=VALUE, which replaces a size of the model, and "
    "--lowering unrolled|looped|auto: unrolled has fixed sizes and a formula for each instance, "
    "looped has loops with sizes set at run time. `check` and the commands that start a model's "
    "program take --data FILE, with the sets and indices that the model leaves open. `build` and "
    "the commands that start a model's program take --compile-limit SECONDS, after which the C "
    "compiler is interrupted. `sidewinder COMMAND --help` explains a command.\n"
    "\n"
    "Exit codes: 0 success, 1 the answer is no, 2 wrong usage or model, 3 failure, 128 + N after "
    "signal N.";

typedef struct parse_state {
  request *request;
  arena *arena;
  int helped;
} parse_state;

static error_t parse_option(int key, char *value, struct argp_state *state)
{
  parse_state *parse = state->input;
  request *r = parse->request;
  const char *wrong = NULL;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &parse->helped;
    return 0;
  case 'o':
    r->output = value;
    return 0;
  case 's':
    wrong = request_size(r, parse->arena, value);
    break;
  case 'l':
    wrong = request_lowering(r, parse->arena, value);
    break;
  case KEY_WITH:
    wrong = request_with(r, parse->arena, value);
    break;
  case KEY_NO_LANES:
    r->no_lanes = 1;
    return 0;
  case KEY_SHARED:
    r->shared = value;
    return 0;
  case KEY_ALWAYS_STEP:
    r->always_step = 1;
    return 0;
  case KEY_COMPILE_LIMIT:
    wrong = request_compile_limit(r, parse->arena, value);
    break;
  case KEY_METHOD:
    wrong = request_method(r, parse->arena, value);
    break;
  case KEY_BASE:
    wrong = request_base(r, parse->arena, value);
    break;
  case KEY_COMPENSATED:
    wrong = request_compensated(r, parse->arena, value);
    break;
  case KEY_DATA:
    wrong = r->data ? "--data is given twice; put all data into one file" : NULL;
    r->data = value;
    break;
  case KEY_WITNESS:
    r->witness = 1;
    return 0;
  case KEY_ASCII:
  case KEY_JSON:
  case KEY_LATEX:
  case KEY_DOCUMENT:
    wrong = request_format(r, key);
    break;
  case ARGP_KEY_ARG:
    if (r->model) {
      argp_error(state, "more than one MODEL: '%s' and '%s'", r->model, value);
      return EINVAL;
    }
    r->model = value;
    return 0;
  case ARGP_KEY_END:
    wrong = parse->helped                                 ? NULL
            : !r->model                                   ? "MODEL is missing"
            : r->needs_output && !r->output && !r->shared ? "-o is missing"
                                                          : NULL;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  if (wrong) {
    argp_error(state, "%s", wrong);
    return EINVAL;
  }
  return 0;
}

#define SIZE_OPTION                                                                                \
  {                                                                                                \
    "size", 's', "NAME=VALUE", 0, "Set a size of the model", 0                                     \
  }
#define LOWERING_OPTION                                                                            \
  {                                                                                                \
    "lowering", 'l', "HOW", 0,                                                                     \
        "unrolled: a formula for each instance, with fixed sizes; looped: a loop for each "        \
        "family, with sizes set when the program runs; auto (default): unrolled if the model is "  \
        "small",                                                                                   \
        0                                                                                          \
  }
#define WITH_OPTION                                                                                \
  {                                                                                                \
    "with", KEY_WITH, "WHAT", 0,                                                                   \
        "discrete: also generate the discrete gradients for --method energy-momentum; "            \
        "variational: also generate the derivatives for --method variational. They are always "    \
        "generated if the model's run line names that method. parameters: also generate "          \
        "NAME_lifted.c, for derivatives of steps with respect to parameters",                      \
        0                                                                                          \
  }

/* The options for the method whose straight-line step is generated. */
#define STEP_OPTIONS                                                                               \
  {"method",                                                                                       \
   KEY_METHOD,                                                                                     \
   "NAME",                                                                                         \
   0,                                                                                              \
   "Generate the straight-line step of this method (that of the run line)",                        \
   0},                                                                                             \
      {"base",                                                                                     \
       KEY_BASE,                                                                                   \
       "NAME",                                                                                     \
       0,                                                                                          \
       "Generate the straight-line step over this base method (that of the run line); see "        \
       "docs/performance.md",                                                                      \
       0},                                                                                         \
  {                                                                                                \
    "compensated", KEY_COMPENSATED, "no|yes", OPTION_ARG_OPTIONAL,                                 \
        "Generate the straight-line step with or without compensated summation (as in the run "    \
        "line)",                                                                                   \
        0                                                                                          \
  }

static const struct argp_option check_options[] = {
    SIZE_OPTION,
    LOWERING_OPTION,
    {"data", KEY_DATA, "FILE", 0,
     "Examine the graph, the sizes and the parameters of FILE instead of a sample", 0},
    {"ascii", KEY_ASCII, NULL, 0, "Print only ASCII characters, in any locale", 0},
    {"json", KEY_JSON, NULL, 0, "Print a JSON object; docs/check.md describes it", 0},
    {"latex", KEY_LATEX, NULL, 0,
     "Print a LaTeX fragment for a document that uses amsmath and textcomp", 0},
    {"document", KEY_DOCUMENT, NULL, 0, "Print a LaTeX document", 0},
    {0}};
static const struct argp_option generate_options[] = {
    SIZE_OPTION,
    LOWERING_OPTION,
    WITH_OPTION,
    STEP_OPTIONS,
    {"output", 'o', "DIR", 0, "Folder for NAME.c and NAME.h; created if it is missing", 0},
    {"always-step", KEY_ALWAYS_STEP, NULL, 0,
     "Write NAME_step.c even if the model has no such step; the file then gives the reason. For "
     "build systems that must know all files",
     0},
    {"witness", KEY_WITNESS, NULL, 0,
     "Also write NAME.witness.c: values of every function to 30 digits, which `verify` compares",
     0},
    {0}};
static const struct argp_option build_options[] = {
    SIZE_OPTION,
    LOWERING_OPTION,
    WITH_OPTION,
    STEP_OPTIONS,
    {"output", 'o', "PROGRAM", 0, "Output file: the program, or the shared object of --shared", 0},
    {"no-lanes", KEY_NO_LANES, NULL, 0,
     "Omit the steps of 4 and of 8 trajectories at once, which take longest to compile", 0},
    {"compile-limit", KEY_COMPILE_LIMIT, "SECONDS", 0,
     "Interrupt the C compiler after SECONDS (no limit)", 0},
    {"shared", KEY_SHARED, "FILE.c", 0,
     "Build a shared object of the model and FILE.c instead of a program; see docs/c.md. Without "
     "-o it is kept in the cache, and its path is printed",
     0},
    {0}};

/* ---- the commands ---- */

/* Warns if the user chose a method or base by name, but there is no straight-line step for it. */
static void tell_unfused(const request *r, const compilation *c)
{
  if ((r->method || r->base) && c->unfused) {
    fprintf(stderr, "sidewinder: warning: '%s' gets no straight-line step: %s\n", r->model,
            c->unfused);
  }
}

/* Reports a failed write to standard output.  cause: errno, or 0 if unknown. */
static void complain_of_output(int cause)
{
  fprintf(stderr, "sidewinder: cannot write to standard output%s%s\n", cause ? ": " : "",
          cause ? strerror(cause) : "");
}

/* Only LC_CTYPE comes from the locale, so that numbers keep their decimal point. */
static int terminal_has_utf8(void)
{
  return setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* Prints the formulas (as written, and expanded), the verdicts with their evidence, the initial
 * states, and the reasons if the model is refused.  c->summary must exist: the model must have been
 * lowered. */
static void report_print(const compilation *c, report_format format, FILE *out)
{
  const char *text = "";
  switch (format) {
  case REPORT_TEXT:
    text = page_write(c, terminal_has_utf8() ? SPELL_UTF8 : SPELL_ASCII, 0);
    break;
  case REPORT_ASCII:
    text = page_write(c, SPELL_ASCII, 0);
    break;
  case REPORT_JSON:
    text = page_json(c);
    break;
  case REPORT_LATEX:
  case REPORT_DOCUMENT:
    text = page_write(c, SPELL_LATEX, format == REPORT_DOCUMENT);
    break;
  }
  fputs(text, out);
}

/* Prints the report; returns 0 after a message.  A single write makes sure that errno belongs to
 * the first failure. */
static int print_report(const compilation *c, report_format format)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream) {
    report_print(c, format, stream);
    text = sw_text_written(stream, &text);
  }
  errno = text ? 0 : ENOMEM;
  const int good = text && fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0;
  if (!good) {
    complain_of_output(errno);
    clearerr(stdout);
  }
  free(text);
  return good;
}

static outcome main_check(arena *a, const request *r)
{
  compilation c;
  const compile_settings settings = request_settings(r);
  outcome result = compile_model(a, r->model, &settings, &c);
  if (result == OUTCOME_GOOD && r->data) {
    result = examine_data(a, r, &c);
  }
  if (c.summary && !print_report(&c, r->has_format ? r->format : REPORT_TEXT)) {
    result = OUTCOME_FAILED;
  }
  if (result == OUTCOME_GOOD && page_is_unexamined(&c)) {
    result = OUTCOME_NO;
  }
  compilation_free(&c);
  return result;
}

static outcome generate(arena *a, const request *r)
{
  compilation c;
  outcome result = request_compile(a, r, &c);
  if (result == OUTCOME_GOOD) {
    tell_unfused(r, &c);
  }
  if (result == OUTCOME_GOOD && r->witness) {
    compile_witness(a, &c);
  }
  if (result == OUTCOME_GOOD && r->always_step && !c.step_source) {
    c.step_source = emit_no_step(a, c.model->name, c.unfused);
  }
  if (result == OUTCOME_GOOD) {
    const char *stem = arena_printf(a, "%s/%s", r->output, c.model->name);
    const char *source = arena_printf(a, "%s.c", stem);
    const char *header = arena_printf(a, "%s.h", stem);
    const char *step = c.step_source ? arena_printf(a, "%s_step.c", stem) : NULL;
    const char *lifted = c.lifted_source ? arena_printf(a, "%s_lifted.c", stem) : NULL;
    const char *witness = r->witness ? arena_printf(a, "%s.witness.c", stem) : NULL;
    if (request_is_model(r, source) || request_is_model(r, header) ||
        (step && request_is_model(r, step)) || (lifted && request_is_model(r, lifted)) ||
        (witness && request_is_model(r, witness))) {
      compilation_free(&c);
      return OUTCOME_WRONG;
    }
    if (directory_make(a, r->output) || file_write(a, source, c.source) ||
        file_write(a, header, c.header) || (step && file_write(a, step, c.step_source)) ||
        (lifted && file_write(a, lifted, c.lifted_source)) ||
        (witness && file_write(a, witness, c.witness_source))) {
      file_failed("write below", r->output);
      result = OUTCOME_FAILED;
    } else {
      printf("%s\n%s\n%s%s%s%s%s%s", source, header, step ? step : "", step ? "\n" : "",
             lifted ? lifted : "", lifted ? "\n" : "", witness ? witness : "", witness ? "\n" : "");
    }
  }
  compilation_free(&c);
  return result;
}

/* The source of a shared object's file, which replaces the main of a program; NULL, after a
 * message, if it cannot be read. */
static const char *read_shared(arena *a, const request *r, const compilation *c)
{
  size_t length = 0;
  const char *text = file_read(a, r->shared, SYNTAX_MAX_TEXT, &length);
  if (!text) {
    file_failed("read", r->shared);
    return NULL;
  }
  return emit_shared(a, c->model, c->step_source != NULL, r->shared, text);
}

static outcome build_shared(arena *a, const request *r, compilation *c)
{
  const toolchain_product what = {.lanes = !r->no_lanes, .shared = 1, .limit = r->compile_limit};
  const char *path = NULL;
  c->main_source = read_shared(a, r, c);
  if (!c->main_source) {
    return OUTCOME_FAILED;
  }
  if (r->output) {
    return toolchain_build(a, c, &what, r->output);
  }
  outcome result = toolchain_cached(a, c, &what, &path);
  if (result == OUTCOME_GOOD) {
    puts(path);
  }
  return result;
}

static outcome build(arena *a, const request *r)
{
  const toolchain_product what = {.lanes = !r->no_lanes, .limit = r->compile_limit};
  compilation c;
  if (r->output && request_is_model(r, r->output)) {
    return OUTCOME_WRONG;
  }
  outcome result = request_compile(a, r, &c);
  if (result == OUTCOME_GOOD) {
    tell_unfused(r, &c);
  }
  if (result == OUTCOME_GOOD && r->shared) {
    result = build_shared(a, r, &c);
  } else if (result == OUTCOME_GOOD) {
    compile_witness(a, &c);
    result = toolchain_build(a, &c, &what, r->output);
  }
  compilation_free(&c);
  return result;
}

typedef struct command {
  outcome (*run)(arena *a, const request *r);
  const struct argp_option *options;
  const char *help;
  int needs_output;
} command;

/* The commands that read a model. */
static const command commands[] = {
    {main_check, check_options,
     "Analyse MODEL and print the findings: structure, coisotropy, nondegeneracy, fibre flow.\v"
     "Exit code 1 unless the theory is shown to cover the model.",
     0},
    {generate, generate_options,
     "Write the C code of MODEL: NAME.c and NAME.h, and for a small model NAME_step.c, its "
     "straight-line step for one method and base method: those of its run line, or of --method and "
     "--base.\v"
     "The C code needs only <math.h> and the runtime's header sidewinder/model.h.",
     1},
    {build, build_options,
     "Compile MODEL into a program with the commands run, ensemble, merge, verify, converge, "
     "advise, lyapunov, fibre and info.\v"
     "The C compiler is $CC, or cc if that is unset.  The program of a small model has "
     "straight-line code for the method and base method of its run line, or of --method and "
     "--base.  It also runs all other methods, but more slowly.",
     1},
};

/* All commands: those of `commands` in the same order, then plot and report, then those of the
 * model's program. */
static const char *const names[] = {"check",  "generate", "build", "plot",   "report",
                                    "run",    "ensemble", "merge", "verify", "converge",
                                    "advise", "lyapunov", "fibre", "info"};

static int run_command(void *memory, size_t number, int argc, char **argv)
{
  const size_t n_commands = sizeof commands / sizeof *commands;
  arena *a = memory;
  if (number >= n_commands) {
    return (int)(number == n_commands       ? plot_command(a, argc, argv)
                 : number == n_commands + 1 ? web_report(a, argc, argv)
                                            : forward(a, names[number], argc, argv));
  }
  const command *c = &commands[number];
  request r = {.needs_output = c->needs_output};
  parse_state state = {&r, a, 0};
  const struct argp_child children[] = {{&sw_help_argp, 0, NULL, 0}, {0}};
  const struct argp parser = {c->options, parse_option,   "MODEL", c->help,
                              children,   toolchain_help, NULL};
  int code = sw_words_parse(&parser, argc, argv, &state, &state.helped);
  return code < 0 ? (int)c->run(a, &r) : code;
}

/* Returns the result, or OUTCOME_FAILED if the output could not be written completely. */
static int finish_output(int result)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) {
    return result;
  }
  complain_of_output(errno);
  return OUTCOME_FAILED;
}

int main(int argc, char **argv)
{
  arena *a = arena_create();
  const sw_subcommands all = {.args_doc = "COMMAND MODEL [OPTION...]",
                              .doc = doc,
                              .count = sizeof names / sizeof *names,
                              .names = names,
                              .run = run_command,
                              .context = a,
                              .help_filter = toolchain_help};
  int result = finish_output(sw_subcommands_run(&all, "sidewinder", argc, argv));
  compile_close();
  arena_free(a);
  return result;
}
