/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_text.c -- from the text of a model to its syntax tree.
 */
#include "language/syntax.h"

#include "common/utf8.h"
#include "grammar.h"
#include "language/parse.h"

/* Length of the run of bytes at the start of a text that are not valid UTF-8. */
static size_t invalid_run(const char *text, size_t length)
{
  unsigned code;
  size_t n = 0;
  while (n < length && utf8_decode(text + n, length - n, &code) == 0) {
    n++;
  }
  return n;
}

/* 1 if the text consists of valid characters; reports all others. */
static bool is_text(diagnostics *d, const char *text, size_t length)
{
  bool good = true;
  for (size_t i = 0, n = 0; i < length; i += n) {
    unsigned code = 0;
    n = utf8_decode(text + i, length - i, &code);
    bool blank =
        code == '\t' || code == '\n' || (code == '\r' && i + 1 < length && text[i + 1] == '\n');
    if (n == 0) {
      n = invalid_run(text + i, length - i);
      diagnostics_error(d, (span){(int)i, (int)(i + n)}, "not UTF-8 (byte \\x%02X)",
                        (unsigned)(unsigned char)text[i]);
      good = false;
    } else if (utf8_is_control(code) && !blank) {
      span where = {(int)i, (int)(i + n)};
      if (i == 0 && code == 0xFEFF) {
        diagnostics_error(d, where, "remove the byte order mark: a model is UTF-8 without one");
      } else {
        diagnostics_error(d, where, "control character U+%04X", code);
      }
      good = false;
    }
  }
  return good;
}

const syntax_tree *syntax_parse(arena *a, diagnostics *d, const char *text, size_t length)
{
  syntax_tree *tree = ARENA_NEW(a, syntax_tree);
  if (length > SYNTAX_MAX_TEXT) {
    diagnostics_error(d, (span){0, 0}, "a model file of %zu bytes; at most %d are allowed", length,
                      SYNTAX_MAX_TEXT);
    return tree;
  }
  if (!is_text(d, text, length)) {
    return tree; /* an empty tree */
  }
  parse p = {.memory = a, .errors = d, .text = text, .length = (int)length};
  if (scan_open(&p)) {
    language_parse(&p);
    scan_close(&p);
  }
  tree->n = (int)p.n_statements;
  tree->statements = p.statements;
  return tree;
}
