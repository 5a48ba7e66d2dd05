/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/method_options.h"

#include <stdio.h>
#include <string.h>

#include "common/user_text.h"
#include "methods/bases.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "program/bias.h"
#include "step/splitting.h"

/* ---- help ---- */

static void list_bases(FILE *file)
{
  for (const char *const *name = sw_base_names(); *name != NULL; name++) {
    const sw_base *base = sw_base_find(*name);
    sw_tableau_report report;
    if (sw_tableau_examine(&base->tableau, &report, NULL) == SW_OK) {
      fprintf(file, "  %-18s %-28s order %d%s%s\n", *name, base->what, base->order,
              report.symmetric ? ", symmetric" : "", report.symplectic ? "" : ", not symplectic");
    }
  }
  fprintf(file, "  %-18s %-28s order 2, symmetric\n", SW_SPLITTING, "exact flows of parts of H");
}

char *sw_method_options_help(void)
{
  char *list = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&list, &size);
  if (file == NULL) {
    return NULL;
  }
  fputs(
      "Methods (paper: McLachlan, Modin, Verdier, Wilkins, Geometric Generalisations of SHAKE and "
      "RATTLE):\n",
      file);
  for (const char *const *name = sw_method_names(); *name != NULL; name++) {
    fprintf(file, "  %-10s %s\n", *name, sw_method_find(*name)->what);
  }
  fputs("Base methods; with constraints rattle and shake are of the second order at most:\n", file);
  list_bases(file);
  fputs("Compositions of rattle, lobatto and index1 over symmetric base methods:\n", file);
  for (const char *const *name = sw_composition_names(); *name != NULL; name++) {
    fprintf(file, "  %-18s %s\n", *name, sw_composition_find(*name)->what);
  }
  return sw_text_written(file, &list);
}

/* ---- compatible options ---- */

static const char *method_with_inverse(void)
{
  const char *const *name = sw_method_names();
  while (!sw_method_find(*name)->has_inverse) {
    name++;
  }
  return *name;
}

/* Checks that H has parts with exact flows, if the base method is a splitting. */
static int check_splitting(const sw_invocation *call, const sw_options *options)
{
  const sw_model *model = call->system->model;
  if (options->tableau != NULL || strcmp(options->base, SW_SPLITTING) != 0) {
    return SW_EXIT_GOOD;
  }
  if (sw_division_of(model) == SW_DIVISION_NONE) {
    return sw_complain(call, SW_EXIT_USAGE, "--base %s: %s", SW_SPLITTING,
                       model->undivided != NULL ? model->undivided : "H has no parts");
  }
  return sw_splitting_is_too_large(call->system)
             ? sw_complain(
                   call, SW_EXIT_USAGE,
                   "--base %s: H is of degree 2 and connects more than %d entries of z, which "
                   "is too much for the exponential of its field; take midpoint or verlet",
                   SW_SPLITTING, SW_BLOCK_MOST)
             : SW_EXIT_GOOD;
}

static int check_composition(const sw_invocation *call, const sw_options *options)
{
  const sw_tableau *base =
      options->tableau != NULL ? options->tableau : sw_base_tableau(options->base);
  sw_tableau_report report = {0};
  if (!sw_method_find(options->method)->has_inverse) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--compose: %s is not symmetric, so that no composition raises its order; "
                       "take %s",
                       options->method, method_with_inverse());
  }
  /* sw_options_objection checks below whether a bias is symmetric. */
  if (!sw_method_takes_base(sw_method_find(options->method)) ||
      sw_method_find(options->method)->has_bias) {
    return SW_EXIT_GOOD;
  }
  if (base != NULL) {
    (void)sw_tableau_examine(base, &report, NULL);
  }
  return report.symmetric || strcmp(options->base, SW_SPLITTING) == 0
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE,
                           "--compose: the base method %s is not symmetric, so that no composition "
                           "raises the order; take one that is, such as verlet",
                           options->base);
}

int sw_method_options_check(const sw_invocation *call, const sw_options *options)
{
  /* The run line of a hand-written model may hold unknown names. */
  if (sw_method_find(options->method) == NULL || sw_composition_find(options->compose) == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "the model's run line: %s",
                       sw_options_objection(call->system->model, options));
  }
  if (options->check_reversible && !sw_method_find(options->method)->has_inverse) {
    return sw_complain(call, SW_EXIT_USAGE, "--check-reversible: %s has no inverse; %s has one",
                       options->method, method_with_inverse());
  }
  int code = check_splitting(call, options);
  if (code == SW_EXIT_GOOD && sw_composition_find(options->compose)->n > 1) {
    code = check_composition(call, options);
  }
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  const char *objection = sw_options_objection(call->system->model, options);
  return objection[0] == '\0'
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE, "--method %s: %s", options->method, objection);
}

void sw_method_options_begin(sw_options *options, const sw_run_defaults *run)
{
  sw_options_init(options);
  if (run->method != NULL) {
    options->method = run->method;
  }
  if (run->base != NULL) {
    options->base = run->base;
  }
  if (run->compose != NULL) {
    options->compose = run->compose;
  }
  if (run->bias != NULL) {
    (void)sw_bias_read(run->bias, options->bias);
  }
  options->compensated = run->compensated;
  if (run->adjoint != NULL) {
    options->adjoint = run->adjoint;
  }
  options->base_minus = run->base_minus;
}

void sw_options_of_run(const sw_model *model, const char *method, sw_options *options)
{
  sw_method_options_begin(options, &model->run);
  if (method != NULL) {
    options->method = method;
  }
  sw_method_options_finish(options, &model->run, 0, 0);
}

/* Resets the options of variational integrators: the run line sets them for its own method, not
 * for this one. */
static void forget_curves(sw_options *options, const sw_run_defaults *defaults, int bias_named)
{
  sw_options own;
  sw_options_init(&own);
  if (!bias_named) {
    memcpy(options->bias, own.bias, sizeof own.bias);
  }
  options->base_minus = options->base_minus == defaults->base_minus ? NULL : options->base_minus;
  options->adjoint = options->adjoint == defaults->adjoint ? own.adjoint : options->adjoint;
}

void sw_method_options_finish(sw_options *options, const sw_run_defaults *defaults, int base_named,
                              int bias_named)
{
  const sw_method *method = sw_method_find(options->method);
  const sw_method *run = sw_method_find(defaults->method != NULL ? defaults->method : "rattle");
  if (method == NULL) {
    return; /* sw_method_options_check reports the error */
  }
  if (!base_named) {
    options->base = sw_method_base(method, run, defaults->base);
  }
  if (!method->has_bias) {
    forget_curves(options, defaults, bias_named);
  }
  if (options->base == NULL) {
    options->base = method->base != NULL ? method->base : "none";
  }
}
