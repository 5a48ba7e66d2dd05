/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_statement.c -- the defaults of a run.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/user_text.h"
#include "model/formula_checks.h"
#include "sidewinder/methods.h"

#define NAME(identifier, name)                        name,
#define NAME_OF_BIAS(identifier, name, before, after) name,
static const char *const methods[] = {SW_METHODS(NAME)};
static const char *const bases[] = {SW_BASES(NAME) SW_SPLITTING};
static const char *const biases[] = {SW_BIASES(NAME_OF_BIAS)};
static const char *const compositions[] = {SW_COMPOSITIONS(NAME)};
static const char *const adjoints[] = {SW_ADJOINTS(NAME)};
static const char *const treatments[] = {SW_REDUNDANTS(NAME)};
static const char *const answers[] = {"no", "yes"};

/* The type of a setting: one word of a list, yes or no, an initial state, a real number, an
 * integer. */
typedef enum setting_kind { WORD, ANSWER, STATE, REAL, COUNT } setting_kind;

typedef struct known_setting {
  const char *name;
  setting_kind kind;
  size_t at; /* offset in model_run */
  size_t n;
  const char *const *words;
} known_setting;

enum { METHOD, STEP, T_END, STEPS };

#define AT(member)  offsetof(model_run, member)
#define WORDS(list) sizeof(list) / sizeof *(list), list
static const known_setting settings[] = {
    [METHOD] = {"method", WORD, AT(method), WORDS(methods)},
    [STEP] = {"step", REAL, AT(step), 0, NULL},
    [T_END] = {"t_end", REAL, AT(t_end), 0, NULL},
    [STEPS] = {"steps", COUNT, AT(steps), 0, NULL},
    {"every", COUNT, AT(every), 0, NULL},
    {"base", WORD, AT(base), WORDS(bases)},
    {"compose", WORD, AT(compose), WORDS(compositions)},
    {"bias", WORD, AT(bias), WORDS(biases)},
    {"compensated", ANSWER, AT(compensated), WORDS(answers)},
    {"base_minus", WORD, AT(base_minus), sizeof bases / sizeof *bases - 1, bases},
    {"adjoint", WORD, AT(adjoint), WORDS(adjoints)},
    {"redundant", WORD, AT(redundant), WORDS(treatments)},
    {"init", STATE, AT(init), 0, NULL},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* "a, b or c". */
static const char *listed(arena *a, int n, const char *const names[], const char *last)
{
  const char *list = "";
  for (int i = 0; i < n; i++) {
    list = arena_printf(a, "%s%s%s", list, i == 0 ? "" : i == n - 1 ? last : ", ", names[i]);
  }
  return list;
}

static const char *run_statement_word(checker *c, const syntax_setting *s,
                                      const known_setting *known)
{
  int place = sw_text_place(s->word, known->words, known->n);
  if (place < 0) {
    diagnostics_error(c->d, s->value_where, "%s is %s", known->name,
                      listed(c->memory, (int)known->n, known->words, " or "));
  }
  return place < 0 ? NULL : known->words[place];
}

/* The name of an existing initial state; NULL after an error. */
static const char *run_statement_state(checker *c, const syntax_setting *s)
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

/* The exact value of a number; NULL after an error. */
static mpq_srcptr run_statement_number(checker *c, const syntax_setting *s)
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
  mpq_srcptr exact = run_statement_number(c, s);
  double value = exact ? rational_double(exact) : NAN;
  if (!exact || isfinite(value)) {
    return value;
  }
  diagnostics_error(c->d, s->value_where, "%s is too large for double precision", s->name.text);
  return NAN;
}

static long run_statement_count(checker *c, const syntax_setting *s)
{
  mpq_srcptr exact = run_statement_number(c, s);
  if (!exact) {
    return -1;
  }
  if (rational_is_integer(exact) && mpq_sgn(exact) > 0 &&
      mpq_cmp_si(exact, MODEL_MAX_STEPS, 1) <= 0) {
    return mpz_get_si(mpq_numref(exact));
  }
  diagnostics_error(c->d, s->value_where, "%s is an integer from 1 to %ld", s->name.text,
                    MODEL_MAX_STEPS);
  return -1;
}

static void setting(checker *c, const syntax_setting *s, int which, model_run *run)
{
  const known_setting *known = &settings[which];
  void *to = (char *)run + known->at;
  switch (known->kind) {
  case WORD:
    *(const char **)to = run_statement_word(c, s, known);
    break;
  case ANSWER:
    *(int *)to = run_statement_word(c, s, known) == answers[1];
    break;
  case STATE:
    *(const char **)to = run_statement_state(c, s);
    break;
  case REAL:
    *(double *)to = real(c, s);
    break;
  case COUNT:
    *(long *)to = run_statement_count(c, s);
    break;
  }
  if (which == STEP && run->step == 0.0) {
    diagnostics_error(c->d, s->value_where, "the step is 0; give a time step such as 0.01");
  }
}

/* Checks the consistency of several settings. */
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
  const char *names[SETTINGS];
  for (int i = 0; i < SETTINGS; i++) {
    names[i] = settings[i].name;
  }
  for (int i = 0; i < s->n_settings; i++) {
    const syntax_setting *next = &s->settings[i];
    int which = sw_text_place(next->name.text, names, SETTINGS);
    if (which < 0) {
      const char *near = sw_text_nearest(next->name.text, names, SETTINGS);
      const char *all =
          arena_printf(c->memory, "; it has %s", listed(c->memory, SETTINGS, names, " and "));
      diagnostics_error(c->d, next->name.where, "'run' has no setting '%s'%s", next->name.text,
                        near ? names_did_you_mean(c, near) : all);
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
    c->forbidden = 0; /* number() rejects values that are not plain numbers */
    if (first) {
      diagnostics_error(c->d, s->where, "a model has one 'run' statement, and this is another one");
      diagnostics_note(c->d, first->where, "the first one is here");
      continue;
    }
    first = s;
    statement(c, s);
  }
  if (c->m->has_bath && !run->method) {
    run->method = "baoab";
  }
}
