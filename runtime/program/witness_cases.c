/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/witness_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sw_status sw_witness_open_at(const sw_verifier *v, const long sizes[], sw_system **system,
                             char message[])
{
  const sw_model *model = v->system->model;
  const sw_witness *witness = v->options.witness;
  *system = NULL;
  if (model->n_sizes != witness->n_sizes) {
    snprintf(message, SW_SYSTEM_MESSAGE, "the model has another number of sizes");
    return SW_ERR_SIZE;
  }
  sw_size *with = sw_sizes_given(model, sizes);
  if (with == NULL) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < witness->n_sizes; i++) {
    with[i].name = witness->size_names[i];
  }
  sw_status status =
      sw_system_create(model, model->n_sizes + model->n_indices, with, system, message);
  free(with);
  return status;
}

/* Opens the model at the sizes of a case.  Returns 0 if that fails; then the check fails. */
static int open_case(const sw_verifier *v, int number, sw_witness_opened *c, sw_finding *finding)
{
  char message[SW_SYSTEM_MESSAGE] = "";
  c->at = &v->options.witness->cases[number];
  sw_status status = sw_witness_open_at(v, c->at->sizes, &c->system, message);
  if (status != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "case %d: %s", number,
                   message[0] != '\0' ? message : sw_status_text(status));
    return 0;
  }
  const int found[] = {c->system->nq,        c->system->nc,          c->system->nk,
                       c->system->n_observe, c->system->n_invariant, c->system->n_init};
  const int wanted[] = {c->at->nq,        c->at->nc,          c->at->nk,
                        c->at->n_observe, c->at->n_invariant, c->at->n_init};
  if (memcmp(found, wanted, sizeof found) != 0) {
    sw_finding_say(finding, SW_CHECK_FAIL,
                   "case %d: the model has other numbers of variables or functions", number);
    sw_system_free(&c->system);
    return 0;
  }
  return 1;
}

int sw_witness_is_there(const sw_verifier *v, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  if (witness == NULL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the program was made without witnesses");
    return 0;
  }
  if (witness->n_cases == 0) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                   "no small sizes were found to compute witnesses at");
    return 0;
  }
  if (strcmp(witness->digest, v->system->model->digest) != 0) {
    sw_finding_say(finding, SW_CHECK_FAIL, "the witnesses are those of another model");
    return 0;
  }
  return 1;
}

const sw_witness_values *sw_witness_find(const sw_witness_point *p, int what, int number)
{
  for (int i = 0; i < p->n; i++) {
    if ((int)p->values[i].what == what && p->values[i].number == number) {
      return &p->values[i];
    }
  }
  return NULL;
}

/* Sets a finding that says why nothing was compared. */
static void explain_nothing(const sw_verifier *v, sw_finding *finding)
{
  const sw_witness *witness = v->options.witness;
  int n_points = 0;
  for (int c = 0; c < witness->n_cases; c++) {
    n_points += witness->cases[c].n_points;
    for (int i = 0; i < witness->cases[c].n_points; i++) {
      const sw_witness_values *values = sw_witness_find(&witness->cases[c].points[i], v->what, 0);
      if (values != NULL && values->missing != NULL) {
        sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "no witness: %s", values->missing);
        return;
      }
    }
  }
  sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE,
                 n_points > 0 ? "the model has no such function, or it is known at no point"
                              : "no witness: at no point are H and g known");
}

void sw_witness_each_case(const sw_verifier *v, sw_witness_check *check, sw_finding *finding)
{
  sw_witness_opened c;
  if (!sw_witness_is_there(v, finding)) {
    return;
  }
  for (int i = 0; i < v->options.witness->n_cases && finding->outcome == SW_CHECK_PASS; i++) {
    if (open_case(v, i, &c, finding)) {
      check(v, &c, finding);
      sw_system_free(&c.system);
    }
  }
  if (finding->outcome == SW_CHECK_PASS && finding->worst < 0.0) {
    explain_nothing(v, finding);
  }
}
