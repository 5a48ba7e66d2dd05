/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/writer.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/user_text.h"
#include "formula/formula.h"

/* Position at which to break a line of at most `room` bytes; the first later one if there is none;
 * 0 if there is none at all. */
static size_t break_point(const char *text, size_t room)
{
  size_t best = 0;
  int quoted = 0;
  for (size_t i = 0; text[i] && (i <= room || best == 0); i++) {
    if (quoted && text[i] == '\\' && text[i + 1]) {
      i++;
      continue;
    }
    if (text[i] == '"') {
      quoted = !quoted;
    }
    if (quoted || text[i] != ' ' || i == 0) {
      continue;
    }
    char before = text[i - 1];
    char after = text[i + 1];
    if (before == ',' || (after && strchr("+-*/", after) && text[i + 2] == ' ')) {
      best = i;
    }
  }
  return best;
}

/* `first` begins the first line and `next` each later one. */
static void write_broken(writer *w, const char *first, const char *next, const char *text)
{
  const char *lead = first;
  while (strlen(lead) + strlen(text) > WRITER_COLUMNS) {
    size_t at = break_point(text, WRITER_COLUMNS - strlen(lead));
    if (at == 0) {
      break;
    }
    writer_append(w, lead, strlen(lead));
    writer_append(w, text, at);
    writer_append(w, "\n", 1);
    text += at + 1;
    lead = next;
  }
  writer_append(w, lead, strlen(lead));
  writer_append(w, text, strlen(text));
  writer_append(w, "\n", 1);
}

static void write_statement(writer *w, int indent, const char *text)
{
  write_broken(w, arena_printf(writer_memory(w), "%*s", indent, ""),
               arena_printf(writer_memory(w), "%*s", indent + 4, ""), text);
}

void writer_statement(writer *w, int indent, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  write_statement(w, indent, arena_vprintf(writer_memory(w), format, args));
  va_end(args);
}

void writer_comment_formula(writer *w, const char *prefix, const char *text)
{
  writer *inert = writer_create(writer_memory(w));
  writer_comment_lines(inert, "", text);
  char *line = arena_strdup(writer_memory(w), writer_text(inert));
  line[strcspn(line, "\n")] = '\0';
  write_broken(w, prefix, arena_printf(writer_memory(w), "%s    ", prefix), line);
}

void writer_comment_lines(writer *w, const char *prefix, const char *text)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    size_t shown = length;
    while (shown > 0 && (text[shown - 1] == ' ' || text[shown - 1] == '\r')) {
      shown--;
    }
    size_t lead = strlen(prefix);
    while (shown == 0 && lead > 0 && prefix[lead - 1] == ' ') {
      lead--;
    }
    writer_append(w, prefix, lead);
    for (size_t i = 0; i < shown; i++) {
      writer_append(w, text + i, 1);
      char a = text[i];
      char b = text[i + 1]; /* the next character, or the terminator */
      if ((a == '*' && b == '/') || (a == '/' && b == '*') || (a == '?' && b == '?')) {
        writer_append(w, " ", 1);
      }
    }
    writer_append(w, "\n", 1);
    text += length + (text[length] == '\n');
  }
}

static size_t word_length(const char *text)
{
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') {
    n++;
  }
  return n;
}

/* The last character of the comment or string that begins here; NULL if none does. */
static const char *end_of_aside(const char *text)
{
  if (text[0] == '/' && text[1] == '*') {
    return strstr(text, "*/");
  }
  if (*text != '"') {
    return NULL;
  }
  for (text++; *text && *text != '"'; text++) {
    text += *text == '\\' && text[1];
  }
  return text;
}

int writer_mentions(const char *text, const char *word)
{
  size_t length = strlen(word);
  while (*text) {
    size_t n = word_length(text);
    if (n == length && !strncmp(text, word, n)) {
      return 1;
    }
    const char *aside = end_of_aside(text);
    text = aside ? aside : text;
    text += n ? n : *text != '\0';
  }
  return 0;
}

const char *writer_literal(arena *a, const char *text)
{
  char *out = ARENA_ARRAY(a, 4 * strlen(text) + 3, char);
  char *at = out;
  *at++ = '"';
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c == '?') {
      *at++ = '\\';
      *at++ = *text;
    } else if (c == '\n') {
      *at++ = '\\';
      *at++ = 'n';
    } else if (c >= 32 && c < 127) {
      *at++ = *text;
    } else {
      at += sprintf(at, "\\%03o", c);
    }
  }
  *at++ = '"';
  *at = '\0';
  return out;
}

const char *writer_double(arena *a, double value)
{
  if (isnan(value)) {
    return "NAN";
  }
  if (isinf(value)) {
    return value > 0 ? "INFINITY" : "-INFINITY";
  }
  char text[SW_TEXT_NUMBER];
  sw_text_shortest(value, text);
  if (fabs(value) < 1e15 && value == floor(value)) { /* 10.0, not 1e+01 */
    return arena_printf(a, "%.1f", value);
  }
  return arena_printf(a, strpbrk(text, ".e") ? "%s" : "%s.0", text);
}

/* Names of helpers are reserved words (emit/c_names.c). NaN arguments give NaN. */
static const struct {
  const char *name;
  int arguments; /* number of double arguments; 0: other types */
  const char *definition;
} helpers[] = {
    {"larger", 0, "static long larger(long x, long y)\n{\n  return x > y ? x : y;\n}\n\n"},
    {"smaller", 0, "static long smaller(long x, long y)\n{\n  return x < y ? x : y;\n}\n\n"},
    {"cut", 0,
     "/* The first of n iterations that belongs to a piece of several, which are about equally "
     "long. */\n"
     "static long cut(long n, long piece, long pieces)\n{\n"
     "  return n / pieces * piece + n % pieces * piece / pieces;\n}\n\n"},
    {"modulo", 0,
     "/* The remainder of x by n, from 0 to n - 1; 0 where n < 1. */\n"
     "static long modulo(long x, long n)\n{\n"
     "  const long r = n > 0 ? x % n : 0;\n  return r < 0 ? r + n : r;\n}\n\n"},
    {"modulo_of", 2,
     "/* The remainder of x by n, from 0 to n - 1; no number where n < 1. */\n"
     "static double modulo_of(double x, double n)\n{\n"
     "  const double r = n >= 1.0 ? fmod(x, n) : NAN;\n"
     "  return r < 0.0 ? r + n : r;\n}\n\n"},
    {"sign_of", 1,
     "static double sign_of(double x)\n{\n"
     "  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n\n"},
    {"min_of", 2,
     "static double min_of(double x, double y)\n{\n"
     "  return x < y || isnan(x) ? x : y;\n}\n\n"},
    {"max_of", 2,
     "static double max_of(double x, double y)\n{\n"
     "  return x > y || isnan(x) ? x : y;\n}\n\n"},
};

void emit_helpers(writer *w, const char *text)
{
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    if (writer_mentions(text, helpers[i].name)) {
      writer_printf(w, "%s", helpers[i].definition);
    }
  }
}

void emit_helpers_in_lanes(writer *w, const char *text)
{
  const char *before = "#if SW_LANES > 1\n";
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    const char *name = helpers[i].name;
    const int n = helpers[i].arguments;
    if (n && writer_mentions(text, name)) {
      writer_printf(w,
                    n == 1 ? "%sSW_LANE_BY_LANE(%s)\n#define %s(x) %s_in_lanes(SW_SPREAD(x))\n"
                           : "%sSW_LANE_BY_LANE_2(%s)\n"
                             "#define %s(x, y) %s_in_lanes(SW_SPREAD(x), SW_SPREAD(y))\n",
                    before, name, name, name);
      before = "";
    }
  }
  writer_printf(w, "%s", *before ? "" : "#endif\n\n");
}

static const formula *op_formula(arena *a, const emit_names *names, const ir_op *op, int define)
{
  if (op->temporary >= 0 && !define) {
    return formula_atom(a, FORMULA_ATOM, arena_printf(a, "t%d", op->temporary));
  }
  const formula **part = ARENA_ARRAY(a, op->n + 1, const formula *);
  for (int i = 0; i < op->n; i++) {
    part[i] = op_formula(a, names, op->arg[i], 0);
  }
  switch (op->kind) {
  case OP_LITERAL:
    return formula_atom(a, FORMULA_ATOM, writer_double(a, op->value));
  case OP_PI:
    return formula_atom(a, FORMULA_ATOM, "3.141592653589793");
  case OP_INPUT:
    return formula_atom(a, FORMULA_ATOM, names->of[op->space][op->index]);
  case OP_SQRT:
    return formula_of(a, FORMULA_ROOT, part[0], NULL);
  case OP_CALL:
    return formula_call(a, ir_call_name(op->call), part[0], part[1]);
  case OP_ADD:
    return formula_list(a, FORMULA_SUM, op->n, part);
  case OP_NEG:
    return formula_of(a, FORMULA_NEGATION, part[0], NULL);
  case OP_MUL:
    return formula_list(a, FORMULA_PRODUCT, op->n, part);
  case OP_DIV:
    break;
  }
  return formula_of(a, FORMULA_QUOTIENT, part[0], part[1]);
}

const char *emit_expression(arena *a, const emit_names *names, const ir_op *op, int define)
{
  return formula_text(a, SPELL_C, op_formula(a, names, op, define));
}

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
  writer_statement(w, 0, "/* %s */", comment);
  writer_statement(w, 0, "static %s %s(%s)", result, name, arguments);
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
  writer_statement(d->w, d->indent + (d->is_continued ? 4 : 0), "%s%s", d->line, end);
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
    writer_statement(w, indent, "const double t%d = %s;", i, value);
  }
  if (code->n_temporaries) {
    writer_printf(w, "\n");
  }
}

void emit_noted(writer *w, int indent, const char *note, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *statement = arena_vprintf(writer_memory(w), format, args);
  const char *comment = *note ? arena_printf(writer_memory(w), " /* %s */", note) : "";
  va_end(args);
  if (strlen(statement) + strlen(comment) + (size_t)indent <= WRITER_COLUMNS) {
    writer_printf(w, "%*s%s%s\n", indent, "", statement, comment);
    return;
  }
  if (*note) {
    writer_printf(w, "%*s/* %s */\n", indent, "", note);
  }
  write_statement(w, indent, statement);
}
