/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/program.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "program/command.h"
#include "program/size_options.h"
#include "sidewinder/version.h"

enum { KEY_USAGE = 0x100, KEY_VERSION };

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
  (void)arg;
  if (key != 'h' && key != KEY_USAGE) {
    return ARGP_ERR_UNKNOWN;
  }
  argp_state_help(state, stdout, key == KEY_USAGE ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP);
  *(int *)state->input = 1;
  state->next = state->argc;
  return 0;
}

static const struct argp_option help_options[] = {
    {.name = "help", .key = 'h', .doc = "Give this help", .group = -1},
    {.name = "usage", .key = KEY_USAGE, .doc = "Give a short usage message", .group = -1},
    {0}};

const struct argp sw_help_argp = {.options = help_options, .parser = parse_help};

int sw_parse_arguments(const sw_invocation *call, const struct argp *argp, unsigned flags,
                       void *input, const int *helped)
{
  error_t error =
      argp_parse(argp, call->argc, call->argv, flags | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input);
  if (error == ENOMEM) {
    return sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  if (error == EIO) {
    return SW_EXIT_FAILED;
  }
  if (error != 0) {
    return SW_EXIT_USAGE;
  }
  return *helped ? SW_EXIT_GOOD : -1;
}

int sw_complain(const sw_invocation *call, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", call->name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  if (code == SW_EXIT_USAGE) {
    fprintf(stderr, "Try '%s --help' for more information.\n", call->name);
  }
  return code;
}

int sw_exit_code(sw_status status)
{
  switch (status) {
  case SW_OK:
    return SW_EXIT_GOOD;
  case SW_ERR_ARGUMENT:
  case SW_ERR_ABI:
  case SW_ERR_OPTION:
  case SW_ERR_PARAMETER:
  case SW_ERR_SIZE:
  case SW_ERR_OFF_M:
  case SW_ERR_OFF_MH:
  case SW_ERR_SECOND_CLASS:
    return SW_EXIT_USAGE;
  default:
    return SW_EXIT_FAILED;
  }
}

static const struct {
  const char *name;
  int (*main)(const sw_invocation *call);
} commands[] = {{"run", sw_command_run},
                {"verify", sw_command_verify},
                {"converge", sw_command_converge},
                {"lyapunov", sw_command_lyapunov},
                {"info", sw_command_info}};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

typedef struct top_level {
  int helped;
  int first; /* index of the command in argv, 0 where there is none */
} top_level;

/* Stops at the first word that is no option: it is the command, and the rest is the command's. */
static error_t parse_top_level(int key, char *arg, struct argp_state *state)
{
  top_level *top = state->input;
  (void)arg;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &top->helped;
    return 0;
  case KEY_VERSION:
    puts("sidewinder " SW_VERSION);
    top->helped = 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_ARG:
    top->first = state->next - 1;
    state->next = state->argc;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option top_level_options[] = {
    {.name = "version", .key = KEY_VERSION, .doc = "Print sidewinder's version", .group = -1}, {0}};

static const char top_level_doc[] =
    "Integrates one constrained Hamiltonian system with SHAKE and RATTLE, for constraints "
    "g(q,p) = 0 that are coisotropic.\v"
    "Commands:\n"
    "  run       integrate, write a trajectory, print a summary\n"
    "  verify    check every generated function, identities and orders\n"
    "  converge  halve the step and print errors and observed orders\n"
    "  lyapunov  estimate the largest Lyapunov exponents\n"
    "  info      print variables, parameters, initial states, analysis\n"
    "\n"
    "'COMMAND --help', or 'help COMMAND', explains a command.  Where the model's sizes are "
    "run-time values, each "
    "command takes\n"
    "  --size NAME=VALUE  set a size, such as the number of nodes; repeatable\n"
    "\n"
    "Exit codes: 0 good, 1 the answer is no, 2 wrong usage or an initial state off the constraint "
    "manifold, 3 failed numerically, or a file could not be read or written.";

/* Runs commands[index] with "PROGRAM COMMAND" in the place of argv[0]; the words behind argv[first] are its own. */
static int run_command(const sw_invocation *top, size_t index, int first)
{
  size_t size = strlen(top->name) + strlen(commands[index].name) + 2;
  size_t count = (size_t)(top->argc - first);
  char *name = malloc(size);
  char **argv = calloc(count + 1, sizeof *argv);
  int code = SW_EXIT_FAILED;
  if (name != NULL && argv != NULL) {
    snprintf(name, size, "%s %s", top->name, commands[index].name);
    memcpy(argv, top->argv + first, count * sizeof *argv);
    argv[0] = name;
    sw_invocation call = {.model = top->model,
                          .witness = top->witness,
                          .name = name,
                          .argc = (int)count,
                          .argv = argv};
    code = sw_sizes_open(&call);
    if (code == SW_EXIT_GOOD) {
      code = commands[index].main(&call);
    }
    sw_system_free(&call.system);
  } else {
    sw_complain(top, code, "out of memory");
  }
  free(argv);
  free(name);
  return code;
}

static int dispatch(const sw_invocation *call);

static int start_command(const sw_invocation *call, int first)
{
  const char *names[COMMANDS];
  char message[SW_TEXT_MESSAGE];
  for (size_t i = 0; i < COMMANDS; i++) {
    names[i] = commands[i].name;
    if (strcmp(call->argv[first], names[i]) == 0) {
      return run_command(call, i, first);
    }
  }
  sw_text_unknown("command", call->argv[first], names, COMMANDS, message);
  return sw_complain(call, SW_EXIT_USAGE, "%s", message);
}

/* `help` and `help COMMAND` are `--help` and `COMMAND --help`. */
static int help(const sw_invocation *call, const char *command)
{
  char asked[] = "--help";
  char name[32];
  char *argv[] = {call->argv[0], asked, NULL, NULL};
  sw_invocation other = {.model = call->model, .name = call->name, .argc = 2, .argv = argv};
  if (command == NULL) {
    return dispatch(&other);
  }
  snprintf(name, sizeof name, "%s", command);
  argv[1] = name;
  argv[2] = asked;
  other.argc = 3;
  return start_command(&other, 1);
}

static int dispatch(const sw_invocation *call)
{
  const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp argp = {.options = top_level_options,
                            .parser = parse_top_level,
                            .args_doc = "COMMAND [OPTION...]",
                            .doc = top_level_doc,
                            .children = children};
  top_level top = {0, 0};
  int code = sw_parse_arguments(call, &argp, ARGP_IN_ORDER, &top, &top.helped);
  if (code >= 0) {
    return code;
  }
  if (top.first == 0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "no command; the commands are run, verify, converge, lyapunov and info");
  }
  if (strcmp(call->argv[top.first], "help") == 0) {
    return help(call, call->argv[top.first + 1]);
  }
  return start_command(call, top.first);
}

int sw_program_main(const sw_model *model, int argc, char **argv)
{
  return sw_program_main_witnessed(model, NULL, argc, argv);
}

int sw_program_main_witnessed(const sw_model *model, const sw_witness *witness, int argc,
                              char **argv)
{
  char fallback[] = "program";
  char *replacement[] = {fallback, NULL};
  if (argc < 1 || argv[0] == NULL) {
    argc = 1;
    argv = replacement;
  }
  const char *slash = strrchr(argv[0], '/');
  sw_invocation call = {.model = model,
                        .witness = witness,
                        .name = slash == NULL ? argv[0] : slash + 1,
                        .argc = argc,
                        .argv = argv};

  if (model->abi != SW_MODEL_ABI) {
    return sw_complain(&call, SW_EXIT_USAGE, "%s", sw_status_text(SW_ERR_ABI));
  }

  /* Numbers are read and written with a decimal point whatever locale the caller has set.  Where even
   * there is no C locale, the process is out of memory. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    return sw_complain(&call, SW_EXIT_FAILED, "out of memory");
  }
  locale_t before = uselocale(plain);
  int code = dispatch(&call);
  if (fflush(stdout) != 0 && code == SW_EXIT_GOOD) {
    code = sw_complain(&call, SW_EXIT_FAILED, "standard output could not be written");
  }
  uselocale(before);
  freelocale(plain);
  return code;
}
