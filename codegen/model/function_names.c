/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_names.c -- names of the elementary functions; a let with arguments may override them.
 */
#include <string.h>

#include "model/formula_checks.h"

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
