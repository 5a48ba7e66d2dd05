/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "program/command.h"
#include "program/text.h"
#include "program/verify.h"

static void print_findings(const sw_finding findings[], int count)
{
  static const char *const words[] = {"PASS", "FAIL", "-"};
  int total[3] = {0, 0, 0};
  printf("%-38s %10s %10s  %s\n", "check", "worst", "tolerance", "result");
  for (int i = 0; i < count; i++) {
    const sw_finding *finding = &findings[i];
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

enum { KEY_SEED = 0x300, KEY_POINTS, MOST_POINTS = 10000 };

typedef struct verify_arguments {
  sw_verify_options options;
  int helped;
} verify_arguments;

static const struct argp_option argp_options[] = {
    {.name = "seed", .key = KEY_SEED, .arg = "S", .doc = "Seed of the random points (1)"},
    {.name = "points", .key = KEY_POINTS, .arg = "N", .doc = "Number of random points (6)"},
    {0}};

static const char doc[] =
    "Check the model's functions and the methods on it; exit 1 where a check fails.\v"
    "Every generated derivative is compared with extrapolated central differences at random points "
    "near the constraint manifold M, where every second point also has random parameters; every "
    "bracket with the contraction of generated gradients. Then come identities of the fibre flow "
    "Gamma, of invariants, and of the methods, from points of M^H.\n"
    "\n"
    "The tolerance 1e-8 of the differences is relative to each entry; what rounding makes of a "
    "difference with that step, 64 eps S / h for terms of size S, is allowed for on top. A dash is "
    "no result: the last column says why the check does not apply. The same seed gives the same "
    "report.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
  verify_arguments *verify = state->input;
  long value;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &verify->helped;
    return 0;
  case KEY_SEED:
    if (sw_text_integer(arg, 0, &value)) {
      verify->options.seed = (uint64_t)value;
      return 0;
    }
    argp_error(state, "--seed: '%.100s' is not an integer of at least 0", arg);
    return EINVAL;
  case KEY_POINTS:
    if (sw_text_integer(arg, 1, &value) && value <= MOST_POINTS) {
      verify->options.points = (int)value;
      return 0;
    }
    argp_error(state, "--points: '%.100s' is not an integer from 1 to %d", arg, MOST_POINTS);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int sw_command_verify(const sw_invocation *call)
{
  const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp argp = {
      .options = argp_options, .parser = parse, .doc = doc, .children = children};
  verify_arguments verify = {.options = {.seed = 1, .points = 6}};
  int code = sw_parse_arguments(call, &argp, 0, &verify, &verify.helped);
  if (code >= 0) {
    return code;
  }
  int count = sw_verify_count();
  sw_finding *findings = calloc((size_t)count, sizeof *findings);
  int good = findings == NULL ? -1 : sw_verify_model(call->model, &verify.options, findings);
  if (good < 0) {
    code = sw_complain(call, SW_EXIT_FAILED, "out of memory");
  } else {
    print_findings(findings, count);
    code = good ? SW_EXIT_GOOD : SW_EXIT_NO;
  }
  free(findings);
  return code;
}
