/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c -- the page: its order and its words.
 */
#include "report/page.h"

#include <math.h>

#include "report/notes.h"

/* Maximal columns of H, which is also shown with sums over sets. */
#define ROOM_H 200

static const char *plural(long n)
{
  return n == 1 ? "" : "s";
}

/* Writes a family; `heading` is what the file has before its formula. */
static void page_write_family(const notes *n, const char *heading, const model_family *f)
{
  sheet_source(n->sheet, "%s: %s", heading, f->text);
  if (f->count == 0) {
    sheet_words(n->sheet, 4, "no instance");
    return;
  }
  writer *w = writer_create(n->memory);
  for (int i = 0; i < f->n_slots; i++) {
    writer_printf(w, "%s %s", i ? "," : "", f->slots[i].text);
  }
  sheet_words(n->sheet, 4, "%ld instance%s, reads%s", f->count, plural(f->count), writer_text(w));
}

/* The inputs with their bounds, the forces, the heat bath and the events. */
static void write_influences(const notes *n)
{
  const model *m = n->c->model;
  int n_inputs = 0;
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *k = m->parameters[i];
    if (k->is_input) {
      if (n_inputs++ == 0) {
        sheet_section(n->sheet, "Inputs, which may change from step to step");
      }
      sheet_source(n->sheet, "%s in %c%.6g, %.6g%c", k->name, k->lower_closed ? '[' : '(',
                   k->lower ? mpq_get_d(k->lower) : -INFINITY,
                   k->upper ? mpq_get_d(k->upper) : INFINITY, k->upper_closed ? ']' : ')');
    }
  }
  if (m->n_forces) {
    sheet_section(n->sheet, "Forces, added to the rates of change of momenta");
  }
  for (int i = 0; i < m->n_forces; i++) {
    const char *heading =
        arena_printf(n->memory, "%s on %s", m->forces[i]->heading, m->force_targets[i]->text);
    page_write_family(n, heading, m->forces[i]);
  }
  if (m->n_forces && !n->c->loops) {
    page_forces(n);
  }
  if (m->has_bath) {
    sheet_section(n->sheet, "Heat bath, included by the method baoab");
    page_bath(n);
  }
  if (m->n_events) {
    sheet_section(n->sheet, "Events, at which a function of the state is 0");
  }
  for (int i = 0; i < m->n_events; i++) {
    page_write_family(n, m->events[i]->heading, m->events[i]);
  }
}

static void write_formulas(const notes *n)
{
  const model *m = n->c->model;
  if (m->lagrangian_name) {
    page_lagrangian(n);
  } else {
    sheet_section(n->sheet, "Hamiltonian");
    sheet_source(n->sheet, "%s = %s", m->hamiltonian_name, m->hamiltonian_text);
    if (n->c->loops || !page_hamiltonian(n, ROOM_H)) {
      page_terms_of(n, m->hamiltonian_name);
    }
  }
  if (m->n_constraints) {
    sheet_section(n->sheet, "Constraints");
  }
  for (int i = 0; i < m->n_constraints; i++) {
    page_write_family(n, m->constraints[i]->heading, m->constraints[i]);
  }
  if (!n->c->loops) {
    page_constraints(n);
  }
  write_influences(n);
}

/* Writes the first default values: "gravity = 1, length = 1". */
static void write_defaults(const notes *n)
{
  enum { SHOWN = 12 };
  const ir_program *p = n->program;
  writer *w = writer_create(n->memory);
  int with_default = 0;
  for (int i = 0; i < p->nk && i < SHOWN; i++) {
    const char *name = spelled_entry(n->memory, p->k_names[i]);
    const int is_data = n->c->model->parameters[p->k_array[i]]->is_data && !n->c->data;
    writer_printf(w, "%s%s", i ? ", " : "", name);
    writer_printf(w, is_data ? " from data" : " = %.6g", p->k_default[i]);
    with_default |= !is_data;
  }
  if (p->nk > 0) {
    sheet_words(n->sheet, 0, "%s%s%s", with_default ? "by default " : "", writer_text(w),
                p->nk > SHOWN ? ", ..." : "");
  }
}

static void page_write_sizes(const notes *n)
{
  const model *m = n->c->model;
  sheet_section(n->sheet, "Sizes of the system%s",
                n->c->data            ? arena_printf(n->memory, ", with the data of %s", n->c->data)
                : model_first_data(m) ? ", with sample data"
                : n->c->loops && m->n_sizes ? ", by default"
                                            : "");
  sheet_words(n->sheet, 0, "d = %ld degree%s of freedom, m = %ld constraint%s, %ld parameter%s",
              m->nq, plural(m->nq), m->nc, plural(m->nc), m->nk, plural(m->nk));
  if (!n->c->loops) {
    write_defaults(n);
  }
}

static void write_state(const notes *n, const char *name, const record_state *state)
{
  if (!state->finite) {
    sheet_item(n->sheet, name, "the state, or a function of the model there, is not finite");
    return;
  }
  const char *condition = isinf(state->condition)
                              ? "N is singular here"
                              : arena_printf(n->memory, "condition of N %.3g", state->condition);
  sheet_item(n->sheet, name, "max $|g|$ = %.1e, max $|\\rho|$ = %.1e; %s", state->largest_g,
             state->largest_hidden, condition);
  if (!state->on_M) {
    sheet_item(n->sheet, "", "off M: needs --project");
  } else if (!state->on_MH) {
    sheet_item(n->sheet, "", "off $M^H$: needs --project for rattle");
  }
}

static void write_states(const notes *n)
{
  const ir_program *p = n->program;
  if (!p || p->n_states == 0 || p->nc == 0) {
    return;
  }
  sheet_section(n->sheet, "Initial states, with the %s%s", n->parameters, n->behind);
  for (int i = 0; i < p->n_states; i++) {
    write_state(n, p->states[i].name, &n->found->states[i]);
  }
}

static record_answer find_answer(const compilation *c)
{
  const ir_program *p = c->program;
  if (*c->refusal) {
    return ANSWER_NO;
  }
  /* Nothing is known of families without an instance in the examined model. */
  if (!c->found || (c->loops && !c->data && *notes_lacking(ir_context_arena(c->context), c))) {
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

int page_is_unexamined(const compilation *c)
{
  const int of_sizes = c->n_aside && !model_first_data(c->model);
  return (c->found || of_sizes) && find_answer(c) == ANSWER_UNEXAMINED;
}

/* The conclusion if the theory does not apply everywhere, with the exceptions. */
static const char *exception(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  const char *parameters = c->found->coisotropic.except;
  if (!parameters) {
    return c->found->independence.redundant
               ? "SHAKE and RATTLE apply with --redundant drop, or min-norm, but not where N is "
                 "singular."
               : "SHAKE and RATTLE apply, but not where N is singular.";
  }
  int everywhere = c->found->N.regular.answer != FACT_NO;
  return arena_printf(a, "SHAKE and RATTLE apply with the %s, but not with %s%s.",
                      c->data                        ? "given parameters"
                      : model_has_defaults(c->model) ? "default parameters"
                                                     : "sample parameters",
                      parameters, everywhere ? "" : ", nor where N is singular");
}

/* Why there is no conclusion. */
static const char *unexamined(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  if (!c->found && model_first_data(c->model)) {
    return "Nothing is concluded, since the data of a run decide: each run checks its own, and "
           "`check --data FILE` "
           "examines them.";
  }
  if (!c->found) {
    return "Nothing is concluded, since the sizes of a run decide; each run checks its own.";
  }
  const char *lacking = notes_lacking(a, c);
  if (*lacking) {
    return arena_printf(a,
                        "Nothing is concluded: %s has no instance at the examined sizes, %s.  Give "
                        "other sizes by --size.",
                        lacking, c->sibling);
  }
  if (c->found->MH.shown == 0) {
    return "Nothing is concluded, since no point of M^H was shown to exist.  If there is one, give "
           "a state near it "
           "by 'init'.";
  }
  return "Nothing is concluded, since it was not decided whether the constraints are coisotropic "
         "and N is invertible; "
         "each run checks it.";
}

/* The conclusion if the theory applies. */
static const char *unrestricted(const compilation *c)
{
  return c->found && c->found->independence.redundant
             ? c->found->independence.follow
                   ? "SHAKE and RATTLE apply with --redundant drop, or min-norm: some constraints "
                     "follow from others."
                   : "SHAKE and RATTLE apply with --redundant drop, or min-norm: some constraints "
                     "depend on others."
             : "SHAKE and RATTLE apply.";
}

const char *page_conclusion(const compilation *c)
{
  const record_answer answer = find_answer(c);
  if (c->model->n_constraints == 0 && answer == ANSWER_YES) {
    return "There are no constraints: all base methods apply.";
  }
  if (answer == ANSWER_UNEXAMINED) {
    return unexamined(c);
  }
  if (answer == ANSWER_NO) {
    return "The model is refused.";
  }
  const char *applies = answer == ANSWER_YES ? unrestricted(c) : exception(c);
  /* A program with loops serves all sizes, or data; these are some of them. */
  return c->loops && *c->sibling
             ? arena_printf(ir_context_arena(c->context), "At %s: %s Each run checks its own %s.",
                            c->sibling, applies, model_first_data(c->model) ? "data" : "sizes")
             : applies;
}

const char *page_summary(const compilation *c)
{
  const notes n = notes_plain(c);
  page_verdicts(&n);
  return sheet_text(n.sheet);
}

/* Which optional parts of the generated code exist, or why they do not. */
static void write_optional(const notes *n)
{
  const compilation *c = n->c;
  if (c->undiscrete) {
    sheet_item(n->sheet, "discrete", "discrete gradients: none, because %s", c->undiscrete);
  }
  if (c->unaccelerated) {
    sheet_item(n->sheet, "accelerations", "none, because %s", c->unaccelerated);
  }
  if (c->unfused) {
    sheet_item(n->sheet, "step", "generated step: none, because %s", c->unfused);
  }
}

const char *page_write(const compilation *c, spelling style, int is_document)
{
  sheet *s = sheet_create(ir_context_arena(c->context), style, is_document);
  const notes n = notes_take(s, c);
  sheet_title(s, c->model->name, c->model->title);
  write_formulas(&n);
  page_write_sizes(&n);
  if (c->loops) {
    page_families(&n);
  }
  page_program(&n);
  sheet_section(s, "Found by analysis");
  page_verdicts(&n);
  write_optional(&n);
  page_evidence(&n);
  write_states(&n);
  if (*c->refusal) {
    sheet_section(s, "Refused");
    page_refused(&n);
  } else {
    sheet_section(s, "Conclusion");
    sheet_words(s, 0, "%s", page_conclusion(c));
  }
  return sheet_text(s);
}
