/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/start.h"
#include "program/verify.h"

/* Prints the requested findings and all failed ones. */
static void print_findings(const sw_finding findings[], int count, const char *only)
{
  static const char *const words[] = {"PASS", "FAIL", "-"};
  int total[3] = {0, 0, 0};
  printf("%-38s %10s %10s  %s\n", "check", "worst", "tolerance", "result");
  for (int i = 0; i < count; i++) {
    const sw_finding *finding = &findings[i];
    if (only != NULL && strncmp(finding->name, only, strlen(only)) != 0 &&
        finding->outcome != SW_CHECK_FAIL) {
      continue;
    }
    total[finding->outcome]++;
    printf("%-38s ", finding->name);
    if (finding->worst < 0.0) {
      printf("%10s %10s", "-", "-");
    } else {
      printf("%10.2e %10.2e", finding->worst, finding->tolerance);
    }
    printf("  %-4s%s%s\n", words[finding->outcome], finding->note[0] != '\0' ? "  " : "",
           finding->note);
  }
  printf("\n%d passed, %d failed, %d do not apply\n", total[SW_CHECK_PASS], total[SW_CHECK_FAIL],
         total[SW_CHECK_NOT_APPLICABLE]);
}

enum { LONGEST_LIST = 8 };

static const char doc[] =
    "Check the model's functions and the methods on it; exit 1 where a check fails.\v"
    "Every generated derivative is compared with extrapolated central differences at random points "
    "near the constraint manifold M, where every second point also has random parameters; every "
    "bracket with the contraction of generated gradients. Then come identities of the fibre flow "
    "Gamma, of invariants, and of the methods, from points of M^H, to which initial states and "
    "random "
    "points near them are projected, however far: there is no --project to ask for.\n"
    "\n"
    "The tolerance 1e-8 of the differences is relative to each entry; what rounding makes of a "
    "difference with that step, 64 eps S / h for terms of size S, is allowed for on top. A dash is "
    "no result: the last column says why the check does not apply. The same seed gives the same "
    "report.";

/* Prints the changed parameters and the chosen initial state as the first line of the report. */
static void print_changes(const sw_settings *verify)
{
  sw_system *system = verify->system;
  char name[SW_NAME_BYTES];
  int changed = 0;
  for (int i = 0; i < system->nk; i++) {
    if (verify->k[i] != system->k_default[i] && changed++ < LONGEST_LIST) {
      printf("%s %s = %.15g", changed == 1 ? "changed parameters:" : ",",
             sw_system_name(system, SW_K, i, name), verify->k[i]);
    }
  }
  if (changed > LONGEST_LIST) {
    printf(" and %d more", changed - LONGEST_LIST);
  }
  if (verify->init_named) {
    printf("%sinitial state: %s", changed > 0 ? "; " : "",
           sw_system_init_name(system, verify->init));
  }
  if (changed > 0 || verify->init_named) {
    putchar('\n');
  }
}

/* A copy of the system with the parameters and initial states of the options. */
static sw_system changed_system(const sw_settings *verify)
{
  sw_system system = *verify->system;
  system.k_default = verify->k;
  if (verify->init_named) {
    system.first_init = verify->init;
    system.n_init = 1;
  }
  return system;
}

/* Complains about an initial state that is not finite, or in which H is not finite. */
static int verify_command_check_state(const sw_invocation *call, sw_system *system, int init,
                                      double z[])
{
  const char *start = sw_system_init_name(system, init);
  double energy = NAN;
  sw_system_init(system, init, system->k_default, z);
  const int code = sw_start_check(call, system, init, z);
  if (code == SW_EXIT_GOOD && system->hamiltonian != NULL) {
    system->hamiltonian(system, z, system->k_default, &energy);
    if (!isfinite(energy)) {
      return sw_complain(call, SW_EXIT_USAGE,
                         "H is not finite in the initial state '%s' with these parameters", start);
    }
  }
  return code;
}

static int verify_command_check_states(const sw_invocation *call, sw_system *system)
{
  double *z = calloc(2 * (size_t)system->nq, sizeof *z);
  int code = SW_EXIT_GOOD;
  if (z == NULL) {
    return sw_out_of_memory(call);
  }
  for (int i = 0; i < system->n_init && code == SW_EXIT_GOOD; i++) {
    code = verify_command_check_state(call, system, i, z);
  }
  free(z);
  return code;
}

static int verify_with(const sw_invocation *call, sw_settings *verify)
{
  sw_system system = changed_system(verify);
  const sw_verify_options options = {.seed = (uint64_t)verify->seed,
                                     .points = verify->points,
                                     .witness = call->program->witness,
                                     .stepper = call->stepper,
                                     .only = verify->only};
  int code = sw_program_check_parameters(call, verify->k);
  code = code == SW_EXIT_GOOD ? verify_command_check_states(call, &system) : code;
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  int count = sw_verify_count();
  sw_finding *findings = calloc((size_t)count, sizeof *findings);
  int good = findings == NULL ? -1 : sw_verify_model(&system, &options, findings);
  if (good < 0) {
    code = sw_out_of_memory(call);
  } else {
    print_changes(verify);
    print_findings(findings, count, verify->only);
    code = good ? SW_EXIT_GOOD : SW_EXIT_NO;
  }
  free(findings);
  return code;
}

const sw_command sw_command_verify = {
    .command = SW_FOR_VERIFY, .name = "verify", .doc = doc, .run = verify_with};
