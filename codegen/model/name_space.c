/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_space.c -- the common name space of sizes, sets, parameters, coordinates, momenta and
 * formulas.
 */
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "model/checker.h"
#include "model/formula_checks.h"

static const char *const kind_names[] = {
    [NAME_SIZE] = "a size",
    [NAME_SET] = "a set",
    [NAME_PARAMETER] = "a parameter",
    [NAME_INDICES] = "an array of indices",
    [NAME_POSITION] = "a coordinate",
    [NAME_MOMENTUM] = "a momentum",
    [NAME_VELOCITY] = "a velocity",
    [NAME_LET] = "a let",
    [NAME_HAMILTONIAN] = "the Hamiltonian",
    [NAME_LAGRANGIAN] = "the Lagrangian",
    [NAME_CONSTRAINT] = "a constraint",
    [NAME_OBSERVE] = "an observable",
    [NAME_FORCE] = "a force",
    [NAME_EVENT] = "an event",
    [NAME_INVARIANT] = "an invariant",
};

const char *names_kind(name_kind kind)
{
  return kind_names[kind];
}

int names_check_length(const checker *c, const syntax_name *name)
{
  size_t n = strlen(name->text);
  if (n <= MODEL_MAX_NAME) {
    return 1;
  }
  diagnostics_error(c->d, name->where, "a name has at most %d characters, and this one has %zu",
                    MODEL_MAX_NAME, n);
  return 0;
}

static int compare_name(const void *key, const void *item)
{
  return strcmp(key, ((const declared *)item)->name);
}

declared *names_find(const checker *c, const char *name)
{
  return bsearch(name, c->names, (size_t)c->n_names, sizeof *c->names, compare_name);
}

declared *names_own(const checker *c, const syntax_name *name, int order)
{
  declared *d = names_find(c, name->text);
  return d && d->order == order && d->where.begin == name->where.begin ? d : NULL;
}

const char *names_suggest(const checker *c, const char *name, unsigned kinds, const bound *outer)
{
  int n = 0;
  if (diagnostics_count(c->d) >= PRINTED_ERRORS) {
    return NULL;
  }
  for (const bound *b = outer; b; b = b->outer) {
    n++;
  }
  const char **near = ARENA_ARRAY(c->memory, n + c->n_names + 1, const char *);
  n = 0;
  for (const bound *b = outer; b; b = b->outer) {
    near[n++] = b->binder->name;
  }
  for (int i = 0; i < c->n_names; i++) {
    if (kinds & 1u << c->names[i].kind) {
      near[n++] = c->names[i].name;
    }
  }
  return sw_text_nearest(name, near, (size_t)n);
}

const char *names_did_you_mean(const checker *c, const char *near)
{
  return near ? arena_printf(c->memory, "; did you mean '%s'?", near) : "";
}

void names_unknown(const checker *c, span where, const char *name, unsigned kinds,
                   const bound *outer)
{
  const char *near = names_suggest(c, name, kinds, outer);
  diagnostics_error(c->d, where, "'%s' is not declared%s", name, names_did_you_mean(c, near));
}

/* ---- names of the elementary functions; a let with arguments may override them ---- */

int calls_function(const char *name, model_function *function)
{
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    if (strcmp(name, model_function_name((model_function)i)) == 0) {
      *function = (model_function)i;
      return 1;
    }
  }
  return 0;
}

int calls_is_let(const checker *c, const char *name)
{
  const declared *d = names_find(c, name);
  return d && d->kind == NAME_LET && c->tree->statements[d->order]->n_labels > 0;
}

int calls_count_good(checker *c, const syntax_expr *e)
{
  int is_extreme = !strcmp(e->text, "min") || !strcmp(e->text, "max");
  int takes_two = is_extreme || !strcmp(e->text, "mod") || !strcmp(e->text, "atan2") ||
                  !strcmp(e->text, "dot") || !strcmp(e->text, "cross");
  int n = takes_two ? 2 : 1;
  if (e->n_args == n || (is_extreme && e->n_args > n)) {
    return 1;
  }
  diagnostics_error(c->d, e->where, "%s takes %d argument%s%s, and %d %s given", e->text, n,
                    n == 1 ? "" : "s", is_extreme ? " or more" : "", e->n_args,
                    e->n_args == 1 ? "is" : "are");
  return 0;
}
