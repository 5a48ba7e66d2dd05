/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.h"

#include <math.h>
#include <string.h>

/* As in the runtime: an initial state further off M or M^H than this needs projection. */
#define ON_MANIFOLD 1e-10

static void print_family(const model_family *f, const char *relation, FILE *out)
{
  fprintf(out, "  %s%s %s\n", f->heading, relation, f->text);
}

static void print_slots(const model_family *f, FILE *out)
{
  if (f->count == 0) {
    fprintf(out, "      no instance\n");
    return;
  }
  fprintf(out, "      %ld instance%s, reads", f->count, f->count == 1 ? "" : "s");
  for (int i = 0; i < f->n_slots; i++) {
    fprintf(out, "%s %s", i ? "," : "", f->slots[i].text);
  }
  fputc('\n', out);
}

static void print_formulas(const model *m, FILE *out)
{
  fprintf(out, "Hamiltonian\n  %s = %s\n", m->hamiltonian_name, m->hamiltonian_text);
  if (m->n_constraints) {
    fprintf(out, "\nConstraints\n");
  }
  for (int i = 0; i < m->n_constraints; i++) {
    print_family(m->constraints[i], ":", out);
    print_slots(m->constraints[i], out);
  }
}

static void print_indented(const char *text, FILE *out)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    fprintf(out, "  %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void print_states(const compilation *c, FILE *out)
{
  const ir_program *p = c->program;
  if (!p || p->n_states == 0 || p->nc == 0) {
    return;
  }
  fprintf(out, "\nInitial states, with the default parameters%s%s\n",
          c->loops && *c->sibling ? ", at " : "", c->loops ? c->sibling : "");
  for (int i = 0; i < p->n_states; i++) {
    const analysis_state *s = &c->found->states[i];
    if (!s->finite) {
      fprintf(out, "  %-12s the state, or a function of the model there, is not finite\n",
              p->states[i].name);
      continue;
    }
    fprintf(out, "  %-12s max |g| = %.1e, max |rho| = %.1e", p->states[i].name, s->residual_g,
            s->residual_hidden);
    if (isinf(s->condition)) {
      fprintf(out, "; N is singular here");
    } else {
      fprintf(out, "; condition of N %.3g", s->condition);
    }
    int off_M = s->residual_g > ON_MANIFOLD;
    int off_MH = s->residual_hidden > ON_MANIFOLD;
    fprintf(out, "%s\n",
            off_M    ? "; off M: needs --project"
            : off_MH ? "; off M^H: needs --project for rattle"
                     : "");
  }
}

static void print_verdict(const compilation *c, FILE *out)
{
  const ir_program *p = c->program;
  if (*c->refusal) {
    fprintf(out, "Refused: %s", c->refusal);
    return;
  }
  if (c->model->n_constraints && (!p || (p->nc > 0 && c->found->on_MH == 0))) {
    fprintf(out, "SHAKE and RATTLE apply where N is invertible, which could not be examined.\n");
    return;
  }
  int singular = 0;
  for (int i = 0; p && i < p->n_states && p->nc > 0; i++) {
    singular |= c->found->states[i].finite && isinf(c->found->states[i].condition);
  }
  fprintf(out, "SHAKE and RATTLE apply%s.\n",
          singular ? ", but not from the states at which N is singular" : "");
  if (c->found && c->found->redundant) {
    fprintf(out,
            "They need --redundant drop, or min-norm, because of the redundant constraints.\n");
  }
}

void report_print(const compilation *c, FILE *out)
{
  const model *m = c->model;
  fprintf(out, "%s%s%s\n\n", m->name, *m->title ? ": " : "", m->title);
  print_formulas(m, out);
  fprintf(out,
          "\nSizes of the system%s\n  d = %ld degrees of freedom, m = %ld constraints, %ld "
          "parameters\n",
          c->loops && m->n_sizes ? ", by default" : "", m->nq, m->nc, m->nk);
  fprintf(out, "\nFound by analysis\n");
  print_indented(c->summary, out);
  print_states(c, out);
  fputc('\n', out);
  print_verdict(c, out);
}
