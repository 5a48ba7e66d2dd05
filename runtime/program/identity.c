/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/identity.h"

#include <inttypes.h>

#include "sidewinder/version.h"

void sw_identity_line(FILE *file, const char *key, const char *value)
{
  fprintf(file, "%s: ", key);
  for (; value != NULL && *value != '\0'; value++) {
    fputc((unsigned char)*value < ' ' ? ' ' : *value, file);
  }
  fputc('\n', file);
}

/* Writes the name of the base method and the coefficients of a user-defined tableau. */
static void put_base(FILE *file, const sw_options *options)
{
  const sw_tableau *t = options->tableau;
  sw_identity_line(file, "base", options->base);
  for (int half = 0; half < 2 && t != NULL; half++) {
    for (int i = 0; i < t->stages * (t->stages + 1); i++) {
      const int of_b = i / t->stages == t->stages;
      fprintf(file, "coefficient: %.17g\n",
              of_b ? sw_tableau_b(t, half)[i % t->stages] : sw_tableau_A(t, half)[i]);
    }
  }
}

void sw_identity_put(FILE *file, const sw_settings *settings)
{
  const sw_options *options = &settings->options;
  const sw_model *model = settings->system->model;
  sw_identity_line(file, "sidewinder", SW_VERSION);
  sw_identity_line(file, "model", model->name);
  sw_identity_line(file, "digest", model->digest);
  for (int i = 0; i < model->n_sizes; i++) {
    fprintf(file, "size %s: %ld\n", model->size_names[i], sw_system_sizes(settings->system)[i]);
  }
  if (model->n_indices > 0) {
    fprintf(file, "indices: %016" PRIx64 "\n", sw_system_indices_digest(settings->system));
  }
  sw_identity_line(file, "method", options->method);
  put_base(file, options);
  fprintf(file, "bias: %.17g, %.17g\n", options->bias[0], options->bias[1]);
  sw_identity_line(file, "base-minus", options->base_minus);
  sw_identity_line(file, "adjoint", options->adjoint);
  sw_identity_line(file, "compose", options->compose);
  sw_identity_line(file, "compensated", options->compensated ? "yes" : "no");
  fprintf(file, "step: %.17g\ntolerance: %.17g\n", settings->step, options->tolerance);
  sw_identity_line(file, "redundant", options->redundant);
  sw_identity_line(file, "solver", options->solver);
  fprintf(file, "check-reversible: %.17g\n",
          options->check_reversible ? options->reversible_tolerance : 0.0);
  sw_identity_line(file, "init", sw_settings_start(settings));
  fprintf(file, "project: %s\n", settings->project ? "yes" : "no");
}
