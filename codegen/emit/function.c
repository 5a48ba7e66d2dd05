/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/function.h"

#include <string.h>

/* ---- the function ---- */

/* Writes (void)a, (void)b; for the arguments, given as in "const long sizes[], double out[]", that
 * neither text mentions. */
static const char *function_unused(arena *a, const char *arguments, const char *head,
                                   const char *body)
{
  const char *text = "";
  for (const char *end = strchr(arguments, '['); end; end = strchr(end + 1, '[')) {
    const char *begin = end;
    while (begin[-1] != ' ') {
      begin--;
    }
    const char *name = arena_strndup(a, begin, (size_t)(end - begin));
    if (!writer_mentions(head, name) && !writer_mentions(body, name)) {
      text = arena_printf(a, "%s%s(void)%s", text, *text ? ", " : "  ", name);
    }
  }
  return *text ? arena_printf(a, "%s;\n", text) : text;
}

void emit_function(writer *w, const char *comment, const char *result, const char *name,
                   const char *arguments, const char *head, const char *body)
{
  arena *a = writer_memory(w);
  const char *rest = function_unused(a, arguments, head, body);
  writer_statement(w, 0, arena_printf(a, "/* %s */", comment));
  writer_statement(w, 0, arena_printf(a, "static %s %s(%s)", result, name, arguments));
  writer_printf(w, "{\n%s%s%s%s}\n\n", head, rest, (*head || *rest) && *body ? "\n" : "", body);
}

/* ---- the code ---- */

const ir_code *emit_code(ir_context *c, int n, const ir_expr *const outputs[],
                         const int size[IR_SPACES], const unsigned char fixed[],
                         const char *quantity)
{
  const ir_code *code = ir_code_create(c, n, outputs, size, fixed);
  if (code->beyond) {
    ir_context_refuse(c, arena_printf(ir_context_arena(c), "the formulas of %s have the number %s",
                                      quantity, code->beyond));
  }
  return code;
}

const char *emit_cost(arena *a, const ir_code *code)
{
  const struct {
    int n;
    const char *name;
  } parts[] = {{code->additions, "addition"},
               {code->products, "product"},
               {code->quotients, "division"},
               {code->calls, "function"}};
  const char *text = "";
  for (int i = 0; i < 4; i++) {
    if (parts[i].n) {
      text = arena_printf(a, "%s%s%d %s%s", text, *text ? ", " : "", parts[i].n, parts[i].name,
                          parts[i].n == 1 ? "" : "s");
    }
  }
  return text;
}

/* ---- the body ---- */

static void write_line(emit_declaration *d, const char *end)
{
  writer_statement(d->w, d->indent + (d->is_continued ? 4 : 0),
                   arena_printf(writer_memory(d->w), "%s%s", d->line, end));
}

void emit_declare(emit_declaration *d, const char *name, const char *value)
{
  arena *a = writer_memory(d->w);
  const char *item = arena_printf(a, "%s = %s", name, value);
  size_t indent = (size_t)d->indent + (d->is_continued ? 4 : 0);
  if (!d->line) {
    d->line = arena_printf(a, "const %s %s", d->type, item);
  } else if (indent + strlen(d->line) + strlen(item) + 3 > WRITER_COLUMNS) {
    write_line(d, ",");
    d->line = item;
    d->is_continued = 1;
  } else {
    d->line = arena_printf(a, "%s, %s", d->line, item);
  }
}

void emit_declared(emit_declaration *d)
{
  if (d->line) {
    write_line(d, ";");
  }
  d->line = NULL;
  d->is_continued = 0;
}

void emit_temporaries(writer *w, arena *a, const ir_code *code, const emit_names *names, int indent)
{
  for (int i = 0; i < code->n_temporaries; i++) {
    const char *value = emit_expression(a, names, code->temporaries[i], 1);
    writer_statement(w, indent, arena_printf(a, "const double t%d = %s;", i, value));
  }
  if (code->n_temporaries) {
    writer_printf(w, "\n");
  }
}

void emit_noted(writer *w, int indent, const char *statement, const char *note)
{
  const char *comment = *note ? arena_printf(writer_memory(w), " /* %s */", note) : "";
  if (strlen(statement) + strlen(comment) + (size_t)indent <= WRITER_COLUMNS) {
    writer_printf(w, "%*s%s%s\n", indent, "", statement, comment);
    return;
  }
  if (*note) {
    writer_printf(w, "%*s/* %s */\n", indent, "", note);
  }
  writer_statement(w, indent, statement);
}
