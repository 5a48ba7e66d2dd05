/* SPDX-License-Identifier: BSD-3-Clause */
#include "sidewinder/program.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "program/command.h"
#include "program/size_options.h"

static const char *const names[] = {"run",    "ensemble", "merge", "verify", "converge",
                                    "advise", "lyapunov", "fibre", "info"};

static int (*const commands[])(const sw_invocation *call) = {
    sw_command_run,      sw_command_ensemble, sw_command_merge,
    sw_command_verify,   sw_command_converge, sw_command_advise,
    sw_command_lyapunov, sw_command_fibre,    sw_command_info};

/* Runs a command with the model at the sizes given on the command line. */
static int run_command(void *context, size_t number, int argc, char **argv)
{
  sw_invocation call = *(const sw_invocation *)context;
  call.name = argv[0];
  call.argc = argc;
  call.argv = argv;
  sw_data *data = NULL;
  int code = sw_sizes_open(&call, commands[number] == sw_command_run, &data);
  if (code == SW_EXIT_GOOD) {
    code = commands[number](&call);
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
  const sw_subcommands all = {.args_doc = "COMMAND [OPTION...]",
                              .doc = doc,
                              .count = sizeof names / sizeof names[0],
                              .names = names,
                              .run = run_command,
                              .context = &call};

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
