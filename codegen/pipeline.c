/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "emit/source.h"
#include "files.h"
#include "language/syntax.h"
#include "symbolic/symbolic.h"

/* The text alone does not say what was generated: a size may have been set. */
static const char *digest_of(arena *a, const model *m)
{
  const char *sizes = "";
  for (int i = 0; i < m->n_sizes; i++) {
    sizes = arena_printf(a, "%s %s=%ld", sizes, m->sizes[i]->name, m->sizes[i]->value);
  }
  const char *parts[] = {m->text, sizes};
  return text_digest(a, parts, 2);
}

outcome compile_model(arena *a, const char *path, int n_sizes, const model_size_setting sizes[],
                      compilation *c)
{
  memset(c, 0, sizeof *c);
  c->file = path;

  /* path -> text */
  size_t length = 0;
  const char *text = file_read(a, path, SYNTAX_MAX_TEXT, &length);
  if (!text) {
    fprintf(stderr, "sidewinder: cannot read '%s': %s\n", path,
            errno == EINVAL ? "it is not a regular file" : strerror(errno));
    return OUTCOME_WRONG;
  }

  /* text -> checked model */
  diagnostics *d = diagnostics_create(a, path, text, length);
  c->model = model_check(a, d, path, text, length, n_sizes, sizes);
  if (!c->model) {
    diagnostics_print(d, stderr);
    return OUTCOME_WRONG;
  }
  c->digest = digest_of(a, c->model);

  /* checked model -> expressions in our own normal form */
  c->context = ir_context_create(a);
  c->program = symbolic_lower(a, d, c->model, c->context);
  if (!c->program) {
    diagnostics_print(d, stderr);
    return OUTCOME_WRONG;
  }

  /* expressions -> verdicts */
  c->found = analyse(a, c->context, c->program);
  c->summary = analysis_text(a, c->program, c->found);
  if (c->found->refused) {
    return OUTCOME_NO;
  }

  /* expressions and verdicts -> C */
  emit_input input = {c->model, c->program, c->found, c->summary, c->digest};
  c->source = emit_source(a, c->context, &input);
  c->header = emit_header(a, &input);
  c->main_source = emit_main(a, &input);
  return OUTCOME_GOOD;
}

void compilation_free(compilation *c)
{
  ir_context_free(c->context);
  c->context = NULL;
}
