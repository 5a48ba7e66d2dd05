/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/program.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "io/data_list.h"
#include "model/given_sizes.h"
#include "program/settings.h"

/* ---- sizes and data ---- */

/* The sizes decide the number of parameters and of entries of a state.  So --size and --data are
 * parsed before all other options, regardless of their position. */

/* The values of --size and --data. */
typedef struct words {
  sw_size *sizes;
  char **texts; /* copies that hold the names of the sizes */
  int count;
  const char *data;
} words;

/* Splits "NAME=VALUE" in place. */
static int read_size(const sw_invocation *call, char *text, sw_size *size)
{
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    return sw_complain(call, SW_EXIT_USAGE, "--size: '%.100s' is not of the form NAME=VALUE", text);
  }
  *equals = '\0';
  size->name = text;
  if (sw_text_is_too_large(equals + 1)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "size %.64s = %.100s is too large; give one from 0 to %ld", text, equals + 1,
                       SW_LARGEST_SIZE);
  }
  if (!sw_text_integer(equals + 1, 0, &size->value)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--size: '%.100s' in '%.100s=%.100s' is no integer of at least 0",
                       equals + 1, text, equals + 1);
  }
  return SW_EXIT_GOOD;
}

static int take_size(const sw_invocation *call, const char *text, words *to)
{
  char *copy = strdup(text);
  if (copy == NULL) {
    return sw_out_of_memory(call);
  }
  to->texts[to->count] = copy;
  return read_size(call, copy, &to->sizes[to->count++]);
}

static int take_data(const sw_invocation *call, const char *text, words *to)
{
  if (to->data != NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--data is there twice; put all into one file");
  }
  to->data = text;
  return SW_EXIT_GOOD;
}

typedef int taker(const sw_invocation *call, const char *text, words *to);

static const struct {
  const char *name;
  const char *wants;
  taker *take;
} options[] = {{"--size", "NAME=VALUE", take_size}, {"--data", "FILE", take_data}};

enum { OPTIONS = sizeof options / sizeof options[0] };

/* The index of the option in this word; OPTIONS if it is another word. */
static int find_option(const char *word)
{
  for (int i = 0; i < OPTIONS; i++) {
    const size_t length = strlen(options[i].name);
    if (strncmp(word, options[i].name, length) == 0 &&
        (word[length] == '=' || word[length] == '\0')) {
      return i;
    }
  }
  return OPTIONS;
}

/* Removes both options from the arguments up to "--", and closes the gaps. */
static int take_words(sw_invocation *call, words *to)
{
  int kept = 1;
  int i = 1;
  while (i < call->argc && strcmp(call->argv[i], "--") != 0) {
    char *word = call->argv[i++];
    const int which = find_option(word);
    if (which == OPTIONS) {
      call->argv[kept++] = word;
      continue;
    }
    const char *equals = strchr(word, '=');
    if (equals == NULL && i == call->argc) {
      return sw_complain(call, SW_EXIT_USAGE, "%s needs %s behind it", options[which].name,
                         options[which].wants);
    }
    const int code = options[which].take(call, equals != NULL ? equals + 1 : call->argv[i++], to);
    if (code != SW_EXIT_GOOD) {
      return code;
    }
  }
  while (i < call->argc) {
    call->argv[kept++] = call->argv[i++];
  }
  call->argc = kept;
  call->argv[kept] = NULL;
  return SW_EXIT_GOOD;
}

/* Reads the file of --data, if given, with the sizes of --size. */
static int read_data(sw_invocation *call, const words *given, sw_data **data)
{
  char message[SW_DATA_MESSAGE];
  if (given->data == NULL) {
    return SW_EXIT_GOOD;
  }
  const sw_status status =
      sw_data_read(call->model, given->data, given->count, given->sizes, data, message);
  call->data = *data;
  return sw_file_exit_code(call, "data", message, status);
}

static int open_system(sw_invocation *call, int may_be_lean, int count, const sw_size sizes[])
{
  char message[SW_SYSTEM_MESSAGE];
  const sw_status status =
      may_be_lean ? sw_system_create_lean(call->model, count, sizes, &call->system, message)
                  : sw_system_create(call->model, count, sizes, &call->system, message);
  if (status == SW_OK) {
    return SW_EXIT_GOOD;
  }
  return sw_complain(call, sw_exit_code(status), "%s%s",
                     message[0] != '\0' ? message : sw_status_text(status),
                     sw_data_is_wanted(call->model) && call->data == NULL
                         ? "; 'info --schema' lists what the model's data are"
                         : "");
}

/* 1 if the call only prints the help, or the schema of a model with data. */
static int needs_no_system(const sw_invocation *call)
{
  static const char *const alone[] = {"--help", "-h", "-?", "--usage", "--schema"};
  if (!sw_data_is_wanted(call->model)) {
    return 0;
  }
  for (int i = 1; i < call->argc && strcmp(call->argv[i], "--") != 0; i++) {
    if (sw_text_place(call->argv[i], alone, sizeof alone / sizeof alone[0]) >= 0) {
      return 1;
    }
  }
  return 0;
}

static int open_nothing(sw_invocation *call)
{
  call->system = calloc(1, sizeof *call->system);
  if (call->system == NULL) {
    return sw_out_of_memory(call);
  }
  call->system->model = call->model;
  return SW_EXIT_GOOD;
}

static int open_with(sw_invocation *call, int may_be_lean, words *given, sw_data **data)
{
  int code = take_words(call, given);
  if (code == SW_EXIT_GOOD && needs_no_system(call)) {
    return open_nothing(call);
  }
  code = code == SW_EXIT_GOOD ? read_data(call, given, data) : code;
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  code = *data == NULL
             ? open_system(call, may_be_lean, given->count, given->sizes)
             : open_system(call, may_be_lean, sw_data_n_sizes(*data), sw_data_sizes(*data));
  if (code == SW_EXIT_GOOD && *data != NULL) {
    sw_system_set_defaults(call->system, sw_data_parameters(*data));
  }
  return code;
}

/* Removes every "--size NAME=VALUE", "--size=NAME=VALUE" and "--data FILE" from the call's
 * arguments, and creates call->system with these sizes and data.  may_be_lean: 1 allows a system
 * without the parts that steps seldom need (sw_system_create_lean).
 *
 * Returns SW_EXIT_GOOD; or complains, sets call->system to NULL and returns another exit code.
 * The caller passes *data to sw_data_free in every case; it is NULL without --data.  If the words
 * ask for help or for the schema of data, only call->system->model is set. */
static int open_sizes(sw_invocation *call, int may_be_lean, sw_data **data)
{
  words given = {.sizes = calloc((size_t)call->argc + 1, sizeof *given.sizes),
                 .texts = calloc((size_t)call->argc + 1, sizeof *given.texts)};
  int code = SW_EXIT_FAILED;
  *data = NULL;
  if (given.sizes == NULL || given.texts == NULL) {
    sw_complain(call, code, "out of memory");
  } else {
    code = open_with(call, may_be_lean, &given, data);
  }
  for (int i = 0; i < given.count; i++) {
    free(given.texts[i]);
  }
  free(given.texts);
  free(given.sizes);
  return code;
}

/* ---- commands ---- */

static const sw_command *const commands[] = {
    &sw_command_run,      &sw_command_ensemble, &sw_command_merge,
    &sw_command_verify,   &sw_command_converge, &sw_command_advise,
    &sw_command_lyapunov, &sw_command_fibre,    &sw_command_info};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Runs a command with the model at the sizes given on the command line. */
static int run_command(void *context, size_t number, int argc, char **argv)
{
  sw_invocation call = *(const sw_invocation *)context;
  call.name = argv[0];
  call.argc = argc;
  call.argv = argv;
  sw_data *data = NULL;
  int code = open_sizes(&call, commands[number]->command == SW_FOR_RUN, &data);
  if (code == SW_EXIT_GOOD) {
    code = sw_settings_run(&call, commands[number]);
  }
  sw_system_free(&call.system);
  sw_data_free(&data);
  return code;
}

static const char doc[] =
    "Integrates one constrained Hamiltonian system with SHAKE and RATTLE, for constraints "
    "g(q,p) = 0 that are coisotropic.\v"
    "Commands:\n"
    "  run       integrate, write a trajectory, print a summary\n"
    "  ensemble  integrate many trajectories, write their statistics\n"
    "  merge     put parts of an ensemble together\n"
    "  verify    check every generated function, identities and orders\n"
    "  converge  halve the step and print errors and observed orders\n"
    "  advise    propose method and step for an error\n"
    "  lyapunov  estimate the largest Lyapunov exponents\n"
    "  fibre     list the points where the fibre of a state meets M^H\n"
    "  info      print variables, parameters, initial states, analysis\n"
    "\n"
    "'COMMAND --help', or 'help COMMAND', explains a command.  Where the model's sizes are "
    "run-time values, each "
    "command takes\n"
    "  --size NAME=VALUE  set a size, such as the number of nodes; repeatable\n"
    "and where sets or arrays of the model are data\n"
    "  --data FILE        read them from a .json or .h5 file, or from a folder\n"
    "                     of .csv files\n"
    "\n"
    "Exit codes: 0 good, 1 the answer is no, 2 wrong usage or an initial state off the constraint "
    "manifold, 3 failed numerically, or a file could not be read or written.";

int sw_program_main(const sw_model *model, int argc, char **argv)
{
  const sw_program program = {.model = model};
  return sw_program_main_of(&program, argc, argv);
}

int sw_program_main_of(const sw_program *program, int argc, char **argv)
{
  const sw_stepper *const *steppers = program->steppers;
  char fallback[] = "program";
  char *replacement[] = {fallback, NULL};
  if (argc < 1 || argv[0] == NULL) {
    argc = 1;
    argv = replacement;
  }
  const char *slash = strrchr(argv[0], '/');
  sw_invocation call = {.program = program,
                        .model = program->model,
                        .stepper = steppers ? steppers[0] : NULL,
                        .lanes = steppers && steppers[0] ? steppers + 1 : NULL,
                        .name = slash == NULL ? argv[0] : slash + 1,
                        .argc = argc,
                        .argv = argv};
  const char *names[COMMANDS];
  const sw_subcommands all = {.args_doc = "COMMAND [OPTION...]",
                              .doc = doc,
                              .count = COMMANDS,
                              .names = names,
                              .run = run_command,
                              .context = &call};

  for (size_t i = 0; i < COMMANDS; i++) {
    names[i] = commands[i]->name;
  }
  if (program->model->abi != SW_MODEL_ABI) {
    return sw_complain(&call, SW_EXIT_USAGE, "%s", sw_status_text(SW_ERR_ABI));
  }

  /* Numbers are read and written with a decimal point in any locale of the caller.
   * newlocale("C") fails only if memory is short. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) {
    return sw_out_of_memory(&call);
  }
  locale_t before = uselocale(plain);
  int code = sw_subcommands_run(&all, call.name, argc, argv);
  if (code == SW_EXIT_GOOD) {
    code = sw_output_flush(&call);
  }
  uselocale(before);
  freelocale(plain);
  return code;
}
