/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_statement.c -- the defaults of a run.
 */
#include <math.h>
#include <string.h>

#include "common/user_text.h"
#include "model/formula_checks.h"
#include "sidewinder/methods.h"

/* A setting that is one of a few words. */
typedef struct word_setting {
  const char *name;
  int n;
  const char *const *words;
} word_setting;

#define NAME(identifier, name) name,
static const char *const methods[] = {SW_METHODS(NAME)};
static const char *const bases[] = {SW_BASES(NAME) SW_SPLITTING};
#define NAME_OF_BIAS(identifier, name, before, after) name,
static const char *const biases[] = {SW_BIASES(NAME_OF_BIAS)};
static const char *const compositions[] = {SW_COMPOSITIONS(NAME)};

static const word_setting method_setting = {"method", sizeof methods / sizeof *methods, methods};
static const word_setting base_setting = {"base", sizeof bases / sizeof *bases, bases};

static const word_setting bias_setting = {"bias", sizeof biases / sizeof *biases, biases};

static const char *const adjoints[] = {SW_ADJOINTS(NAME)};
static const char *const iterations[] = {SW_ITERATIONS(NAME)};
static const word_setting minus_setting = {"base_minus", sizeof bases / sizeof *bases - 1, bases};
static const word_setting adjoint_setting = {"adjoint", sizeof adjoints / sizeof *adjoints,
                                             adjoints};
static const word_setting iteration_setting = {"iteration", sizeof iterations / sizeof *iterations,
                                               iterations};

static const word_setting compose_setting = {"compose", sizeof compositions / sizeof *compositions,
                                             compositions};

static const char *const answers[] = {"no", "yes"};
static const word_setting compensated_setting = {"compensated", sizeof answers / sizeof *answers,
                                                 answers};

/* "a, b or c". */
static const char *listed(arena *a, int n, const char *const names[], const char *last)
{
  const char *list = "";
  for (int i = 0; i < n; i++) {
    list = arena_printf(a, "%s%s%s", list, i == 0 ? "" : i == n - 1 ? last : ", ", names[i]);
  }
  return list;
}

static const char *word(checker *c, const syntax_setting *s, const word_setting *known)
{
  int place = sw_text_place(s->word, known->words, (size_t)known->n);
  if (place < 0) {
    diagnostics_error(c->d, s->value_where, "%s is %s", known->name,
                      listed(c->memory, known->n, known->words, " or "));
  }
  return place < 0 ? NULL : known->words[place];
}

/* The name of an initial state that exists. */
static const char *state(checker *c, const syntax_setting *s)
{
  const model *m = c->m;
  if (!s->word) {
    diagnostics_error(c->d, s->value_where, "init is the name of an initial state");
    return NULL;
  }
  const char **names = ARENA_ARRAY(c->memory, m->n_inits + 1, const char *);
  for (int i = 0; i < m->n_inits; i++) {
    names[i] = m->inits[i]->name;
    if (strcmp(names[i], s->word) == 0) {
      return names[i];
    }
  }
  const char *near = sw_text_nearest(s->word, names, (size_t)m->n_inits);
  diagnostics_error(c->d, s->value_where, "there is no initial state '%s'%s", s->word,
                    names_did_you_mean(c, near));
  return NULL;
}

/* A number that is known exactly; NULL after an error. */
static mpq_srcptr number(checker *c, const syntax_setting *s)
{
  checked value = {0};
  if (s->value) {
    value = expressions_check(c, s->value, NULL);
    if (!value.expr || value.constant) {
      return value.constant;
    }
  }
  diagnostics_error(c->d, s->value_where, "%s is a number", s->name.text);
  return NULL;
}

static double real(checker *c, const syntax_setting *s)
{
  mpq_srcptr exact = number(c, s);
  double value = exact ? rational_double(exact) : NAN;
  if (!exact || isfinite(value)) {
    return value;
  }
  diagnostics_error(c->d, s->value_where, "%s is too large for double precision", s->name.text);
  return NAN;
}

static long count(checker *c, const syntax_setting *s)
{
  mpq_srcptr exact = number(c, s);
  if (!exact) {
    return -1;
  }
  if (mpz_cmp_ui(mpq_denref(exact), 1) == 0 && mpq_sgn(exact) > 0 &&
      mpq_cmp_si(exact, MODEL_MAX_STEPS, 1) <= 0) {
    return mpz_get_si(mpq_numref(exact));
  }
  diagnostics_error(c->d, s->value_where, "%s is an integer from 1 to %ld", s->name.text,
                    MODEL_MAX_STEPS);
  return -1;
}

static void step(checker *c, const syntax_setting *s, model_run *run)
{
  run->step = real(c, s);
  if (run->step == 0.0) {
    diagnostics_error(c->d, s->value_where, "the step is 0; give a time step such as 0.01");
  }
}

static const char *const names[] = {"method",  "step",      "t_end", "steps",       "every",
                                    "base",    "compose",   "bias",  "compensated", "base_minus",
                                    "adjoint", "iteration", "init"};
enum {
  METHOD,
  STEP,
  T_END,
  STEPS,
  EVERY,
  BASE,
  COMPOSE,
  BIAS,
  COMPENSATED,
  BASE_MINUS,
  ADJOINT,
  ITERATION,
  INIT,
  SETTINGS
};

static void setting(checker *c, const syntax_setting *s, int which, model_run *run)
{
  switch (which) {
  case METHOD:
    run->method = word(c, s, &method_setting);
    break;
  case BASE:
    run->base = word(c, s, &base_setting);
    break;
  case COMPOSE:
    run->compose = word(c, s, &compose_setting);
    break;
  case BIAS:
    run->bias = word(c, s, &bias_setting);
    break;
  case COMPENSATED:
    run->compensated = word(c, s, &compensated_setting) == answers[1];
    break;
  case BASE_MINUS:
    run->base_minus = word(c, s, &minus_setting);
    break;
  case ADJOINT:
    run->adjoint = word(c, s, &adjoint_setting);
    break;
  case ITERATION:
    run->iteration = word(c, s, &iteration_setting);
    break;
  case INIT:
    run->init = state(c, s);
    break;
  case STEP:
    step(c, s, run);
    break;
  case T_END:
    run->t_end = real(c, s);
    break;
  case STEPS:
    run->steps = count(c, s);
    break;
  default:
    run->every = count(c, s);
    break;
  }
}

static void unknown(checker *c, const syntax_setting *s)
{
  const char *near = sw_text_nearest(s->name.text, names, SETTINGS);
  const char *all =
      arena_printf(c->memory, "; it has %s", listed(c->memory, SETTINGS, names, " and "));
  diagnostics_error(c->d, s->name.where, "'run' has no setting '%s'%s", s->name.text,
                    near ? names_did_you_mean(c, near) : all);
}

/* What only several settings together can get wrong. */
static void combination(checker *c, const syntax_setting *const given[], const model_run *run)
{
  if (given[T_END] && given[STEPS]) {
    diagnostics_error(c->d, given[STEPS]->name.where,
                      "t_end and steps both say how long to run; give one of them");
    diagnostics_note(c->d, given[T_END]->name.where, "t_end is given here");
  } else if (given[T_END] && given[STEP] && run->t_end * run->step < 0.0) {
    diagnostics_error(c->d, given[T_END]->value_where,
                      "t_end and step have opposite signs: the run would never end");
  }
}

static void statement(checker *c, const syntax_statement *s)
{
  const syntax_setting *given[SETTINGS] = {NULL};
  for (int i = 0; i < s->n_settings; i++) {
    const syntax_setting *next = &s->settings[i];
    int which = sw_text_place(next->name.text, names, SETTINGS);
    if (which < 0) {
      unknown(c, next);
    } else if (given[which]) {
      diagnostics_error(c->d, next->name.where, "'%s' is set twice", next->name.text);
      diagnostics_note(c->d, given[which]->name.where, "it is set first here");
    } else {
      given[which] = next;
      setting(c, next, which, &c->m->run);
    }
  }
  combination(c, given, &c->m->run);
}

void run_check(checker *c)
{
  const syntax_statement *first = NULL;
  model_run *run = &c->m->run;
  run->step = NAN;
  run->t_end = NAN;
  run->steps = -1;
  run->every = -1;
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    if (s->kind != STATEMENT_RUN) {
      continue;
    }
    c->order = i;
    c->forbidden = 0; /* what is not a plain number is refused below */
    if (first) {
      diagnostics_error(c->d, s->where, "a model has one 'run' statement, and this is another one");
      diagnostics_note(c->d, first->where, "the first one is here");
      continue;
    }
    first = s;
    statement(c, s);
  }
}
