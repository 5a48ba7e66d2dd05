/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c -- which words may be names.
 *
 * Names reach the generated C as they are, so that none may be a keyword there, in C++ (whose
 * programs include the generated header), or a word that the generated code uses itself.
 */
#include <stdlib.h>
#include <string.h>

#include "model/checker.h"

/* Sorted, for bsearch. */
static const char *const keywords[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

/* What <math.h>, <stddef.h> and the generated functions use. */
static const char *const taken[] = {"I", "INFINITY", "M_PI", "NAN", "NULL", "fabs", "main", "pow"};

/* Arguments of the generated functions, next to which arrays are bound to their own names. */
static const char *const arguments[] = {"k", "lambda", "out", "z"};

/* The headers of C. */
static const char *const headers[] = {
    "assert", "complex", "ctype",     "errno",  "fenv",   "float",    "inttypes", "iso646",
    "limits", "locale",  "math",      "setjmp", "signal", "stdalign", "stdarg",   "stdatomic",
    "stdbit", "stdbool", "stdckdint", "stddef", "stdint", "stdio",    "stdlib",   "stdnoreturn",
    "string", "tgmath",  "threads",   "time",   "uchar",  "wchar",    "wctype"};

static int compare(const void *key, const void *item)
{
  return strcmp(key, *(const char *const *)item);
}

#define CONTAINS(list, name)                                                                       \
  (bsearch((name), (list), sizeof(list) / sizeof *(list), sizeof *(list), compare) != NULL)

/* t0, t1, ...: the temporaries. */
static int is_temporary(const char *name)
{
  return name[0] == 't' && name[1] != '\0' && strspn(name + 1, "0123456789") == strlen(name + 1);
}

int words_check_shape(const checker *c, const syntax_name *name)
{
  size_t n = strlen(name->text);
  if (n > MODEL_MAX_NAME) {
    diagnostics_error(c->d, name->where, "a name has at most %d characters, and this one has %zu",
                      MODEL_MAX_NAME, n);
    return 0;
  }
  if (name->text[n - 1] == '_') {
    diagnostics_error(c->d, name->where, "the name '%s' ends with '_'; use another name",
                      name->text);
    return 0;
  }
  if (strstr(name->text, "__")) {
    diagnostics_error(c->d, name->where, "the name '%s' contains '__'; use single underscores",
                      name->text);
    return 0;
  }
  return 1;
}

static int is_not_of_runtime(const checker *c, const syntax_name *name)
{
  if (strncmp(name->text, "sw_", 3) != 0) {
    return 1;
  }
  diagnostics_error(c->d, name->where,
                    "the name '%s' starts with 'sw_', which belongs to the runtime; use another "
                    "name",
                    name->text);
  return 0;
}

int words_check_model(const checker *c, const syntax_name *name)
{
  if (!words_check_shape(c, name) || !is_not_of_runtime(c, name)) {
    return 0;
  }
  if (strcmp(name->text, "main") == 0) {
    diagnostics_error(c->d, name->where,
                      "a model cannot have the name 'main', which belongs to the file of a "
                      "program's start; use another name");
    return 0;
  }
  if (CONTAINS(headers, name->text)) {
    diagnostics_error(c->d, name->where,
                      "a model cannot have the name '%s': its %s.h would hide C's own <%s.h>; use "
                      "another name",
                      name->text, name->text, name->text);
    return 0;
  }
  return 1;
}

int words_check(const checker *c, const syntax_name *name, int is_array)
{
  model_function function;
  const char *why = NULL;
  if (!words_check_shape(c, name) || !is_not_of_runtime(c, name)) {
    return 0;
  }
  if (CONTAINS(keywords, name->text)) {
    why = "a keyword of C or C++";
  } else if (calls_function(name->text, &function)) {
    why = "an elementary function";
  } else if (is_temporary(name->text) || CONTAINS(taken, name->text)) {
    why = "a word that the generated C uses";
  } else if (is_array && CONTAINS(arguments, name->text)) {
    why = "an argument of the generated functions";
  }
  if (!why) {
    return 1;
  }
  diagnostics_error(c->d, name->where, "'%s' cannot be a name here: it is %s; use another name",
                    name->text, why);
  return 0;
}
