/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c -- the order of the page, and its words.
 */
#include "page/page.h"

#include <math.h>
#include <string.h>

#include "text_writer.h"

static const char *plural(long n)
{
  return n == 1 ? "" : "s";
}

static void write_family(sheet *s, arena *a, const model_family *f)
{
  sheet_source(s, arena_printf(a, "%s: %s", f->heading, f->text));
  if (f->count == 0) {
    sheet_words(s, 6, "no instance");
    return;
  }
  writer *w = writer_create(a);
  writer_printf(w, "%ld instance%s, reads", f->count, plural(f->count));
  for (int i = 0; i < f->n_slots; i++) {
    writer_printf(w, "%s %s", i ? "," : "", f->slots[i].text);
  }
  sheet_words(s, 6, writer_text(w));
}

static void write_formulas(sheet *s, arena *a, const compilation *c)
{
  const model *m = c->model;
  sheet_section(s, "Hamiltonian");
  sheet_source(s, arena_printf(a, "%s = %s", m->hamiltonian_name, m->hamiltonian_text));
  if (c->loops || !page_hamiltonian(s, c)) {
    page_terms_of_H(s, c);
  }
  if (m->n_constraints) {
    sheet_section(s, "Constraints");
  }
  for (int i = 0; i < m->n_constraints; i++) {
    write_family(s, a, m->constraints[i]);
  }
  if (!c->loops) {
    page_constraints(s, c);
  }
}

/* "gravity = 1, length = 1", the first ones. */
static void write_defaults(sheet *s, arena *a, const ir_program *p)
{
  enum { SHOWN = 12 };
  writer *w = writer_create(a);
  writer_printf(w, "by default ");
  for (int i = 0; i < p->nk && i < SHOWN; i++) {
    writer_printf(w, "%s%s = %.6g", i ? ", " : "", entry_name(a, p->k_names[i]), p->k_default[i]);
  }
  if (p->nk > 0) {
    sheet_words(s, 2, arena_printf(a, "%s%s", writer_text(w), p->nk > SHOWN ? ", ..." : ""));
  }
}

static void write_sizes(sheet *s, arena *a, const compilation *c)
{
  const model *m = c->model;
  sheet_section(
      s, arena_printf(a, "Sizes of the system%s", c->loops && m->n_sizes ? ", by default" : ""));
  sheet_words(s, 2,
              arena_printf(a, "d = %ld degree%s of freedom, m = %ld constraint%s, %ld parameter%s",
                           m->nq, plural(m->nq), m->nc, plural(m->nc), m->nk, plural(m->nk)));
  if (!c->loops) {
    write_defaults(s, a, c->program);
  }
}

/* The lines of the summary: a label of 14 columns, or blanks where a line goes on, and words. */
static void write_summary(sheet *s, arena *a, const char *summary)
{
  static const size_t label = 14;
  sheet_section(s, "Found by analysis");
  while (*summary) {
    size_t length = strcspn(summary, "\n");
    const char *line = arena_strndup(a, summary, length);
    size_t cut = length < label ? length : label;
    size_t shown = cut;
    while (shown > 0 && line[shown - 1] == ' ') {
      shown--;
    }
    sheet_item(s, arena_strndup(a, line, shown), line + cut);
    summary += length + (summary[length] == '\n');
  }
}

static void write_state(sheet *s, arena *a, const char *name, const record_state *state)
{
  if (!state->finite) {
    sheet_item(s, name, "the state, or a function of the model there, is not finite");
    return;
  }
  const char *condition = isinf(state->condition)
                              ? "N is singular here"
                              : arena_printf(a, "condition of N %.3g", state->condition);
  sheet_item(s, name,
             arena_printf(a, "max |g| = %.1e, max |rho| = %.1e; %s", state->largest_g,
                          state->largest_hidden, condition));
  if (!state->on_M) {
    sheet_item(s, "", "off M: needs --project");
  } else if (!state->on_MH) {
    sheet_item(s, "", "off M^H: needs --project for rattle");
  }
}

static void write_states(sheet *s, arena *a, const compilation *c)
{
  const ir_program *p = c->program;
  if (!p || p->n_states == 0 || p->nc == 0) {
    return;
  }
  sheet_section(s,
                arena_printf(a, "Initial states, with the default parameters%s%s",
                             c->loops && *c->sibling ? ", at " : "", c->loops ? c->sibling : ""));
  for (int i = 0; i < p->n_states; i++) {
    write_state(s, a, p->states[i].name, &c->found->states[i]);
  }
}

static record_answer find_answer(const compilation *c)
{
  const ir_program *p = c->program;
  if (*c->refusal) {
    return ANSWER_NO;
  }
  if (!p || !c->found) {
    return c->model->n_constraints ? ANSWER_UNEXAMINED : ANSWER_YES;
  }
  return record_conclusion(c->found, p->nc, p->n_states);
}

const char *page_answer_name(const compilation *c)
{
  static const char *const names[] = {[ANSWER_YES] = "yes",
                                      [ANSWER_NOT_EVERYWHERE] = "not_everywhere",
                                      [ANSWER_UNEXAMINED] = "unexamined",
                                      [ANSWER_NO] = "no"};
  return names[find_answer(c)];
}

/* What is excepted where the theory does not apply everywhere. */
static const char *exception(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  const char *parameters = c->found->coisotropic.except;
  if (!parameters) {
    return "SHAKE and RATTLE apply, but not where N is singular.";
  }
  int everywhere = c->found->N.regular.answer != FACT_NO;
  return arena_printf(a, "SHAKE and RATTLE apply with the default parameters, but not with %s%s.",
                      parameters, everywhere ? "" : ", nor where N is singular");
}

const char *page_conclusion(const compilation *c)
{
  switch (find_answer(c)) {
  case ANSWER_YES:
    break;
  case ANSWER_NOT_EVERYWHERE:
    return exception(c);
  case ANSWER_UNEXAMINED:
    return "SHAKE and RATTLE apply where the constraints are coisotropic and N is invertible, "
           "which "
           "was not decided; each run checks it.";
  case ANSWER_NO:
    return "The model is refused.";
  }
  return c->found && c->found->independence.redundant
             ? "SHAKE and RATTLE apply with --redundant drop, or min-norm: some constraints follow "
               "from others."
             : "SHAKE and RATTLE apply.";
}

const char *page_write(const compilation *c, spelling style, int is_document)
{
  arena *a = ir_context_arena(c->context);
  sheet *s = sheet_create(a, style, is_document);
  sheet_title(s, c->model->name, c->model->title);
  write_formulas(s, a, c);
  write_sizes(s, a, c);
  if (c->loops) {
    page_families(s, c);
  }
  page_program(s, c);
  write_summary(s, a, c->summary);
  page_evidence(s, c);
  write_states(s, a, c);
  sheet_section(s, *c->refusal ? "Refused" : "Conclusion");
  sheet_words(s, 2, *c->refusal ? c->refusal : page_conclusion(c));
  return sheet_text(s);
}
