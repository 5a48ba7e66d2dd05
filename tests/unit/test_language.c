/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_language.c -- the lexer, the parser and the messages: text in, tree or errors out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/arena.h"
#include "common/diagnostics.h"
#include "language/syntax.h"

/* ---- the tree as text: every operator in parentheses of its own ---- */

static void dump_expr(FILE *out, const syntax_expr *e);

static void dump_condition(FILE *out, const syntax_condition *c)
{
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "and", "or"};
  if (c->kind == SYNTAX_NOT) {
    fputs("(not ", out);
    dump_condition(out, c->a);
  } else if (c->kind == SYNTAX_AND || c->kind == SYNTAX_OR) {
    fputc('(', out);
    dump_condition(out, c->a);
    fprintf(out, " %s ", signs[c->kind]);
    dump_condition(out, c->b);
  } else {
    fputc('(', out);
    dump_expr(out, c->left);
    fprintf(out, " %s ", signs[c->kind]);
    dump_expr(out, c->right);
  }
  fputc(')', out);
}

static void dump_list(FILE *out, int n, const syntax_expr *const list[])
{
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ", " : "", out);
    dump_expr(out, list[i]);
  }
}

static void dump_set(FILE *out, const syntax_set *s)
{
  if (s->lower) {
    dump_expr(out, s->lower);
    fputs(" .. ", out);
    dump_expr(out, s->upper);
  } else if (s->items) {
    fputc('{', out);
    dump_list(out, s->n_items, s->items);
    fputc('}', out);
  } else {
    fputs(s->name.text, out);
  }
}

static void dump_binders(FILE *out, const syntax_binders *b)
{
  for (int i = 0; i < b->n; i++) {
    fputs(i > 0 ? ", " : "", out);
    if (b->at[i].index) {
      assert_null(b->at[i].name.text);
      dump_expr(out, b->at[i].index);
    } else {
      const char *name = b->at[i].name.text;
      fprintf(out, "%s", name ? name : "");
      for (int j = 0; j < b->at[i].n_parts; j++) {
        fprintf(out, "%s%s%s", j ? ", " : "(", b->at[i].parts[j].text,
                j == b->at[i].n_parts - 1 ? ")" : "");
      }
      fputs(name ? " in " : "", out);
      dump_set(out, &b->at[i].set);
    }
  }
  if (b->condition) {
    fputs(" where ", out);
    dump_condition(out, b->condition);
  }
}

static void dump_args(FILE *out, const syntax_expr *e, char open, char close)
{
  fprintf(out, "%s%c", e->text, open);
  dump_list(out, e->n_args, e->args);
  fputc(close, out);
}

static void dump_expr(FILE *out, const syntax_expr *e)
{
  static const char signs[] = {[SYNTAX_ADD] = '+',
                               [SYNTAX_SUB] = '-',
                               [SYNTAX_MUL] = '*',
                               [SYNTAX_DIV] = '/',
                               [SYNTAX_POW] = '^'};
  switch (e->kind) {
  case SYNTAX_NUMBER:
  case SYNTAX_PI:
  case SYNTAX_NAME:
    fputs(e->text, out);
    break;
  case SYNTAX_REFERENCE:
    dump_args(out, e, '[', ']');
    break;
  case SYNTAX_CALL:
    dump_args(out, e, '(', ')');
    break;
  case SYNTAX_NEG:
  case SYNTAX_MULTIPLIER:
  case SYNTAX_IMPULSE:
    fputs(e->kind == SYNTAX_NEG       ? "(-"
          : e->kind == SYNTAX_IMPULSE ? "impulse("
                                      : "multiplier(",
          out);
    dump_expr(out, e->a);
    fputc(')', out);
    break;
  case SYNTAX_SUM:
  case SYNTAX_PRODUCT:
    fputs(e->kind == SYNTAX_SUM ? "sum(" : "product(", out);
    dump_binders(out, &e->binders);
    fputs(": ", out);
    dump_expr(out, e->a);
    fputc(')', out);
    break;
  case SYNTAX_IF:
    fputs("(if ", out);
    dump_condition(out, e->binders.condition);
    fputs(" then ", out);
    dump_expr(out, e->a);
    fputs(" else ", out);
    dump_expr(out, e->b);
    fputc(')', out);
    break;
  case SYNTAX_COMPONENT:
    dump_expr(out, e->a);
    fputc('[', out);
    dump_list(out, e->n_args, e->args);
    fputc(']', out);
    break;
  default:
    fputs(e->kind == SYNTAX_BRACKET ? "bracket(" : "(", out);
    dump_expr(out, e->a);
    if (e->kind == SYNTAX_BRACKET) {
      fputs(", ", out);
    } else {
      fprintf(out, " %c ", signs[e->kind]);
    }
    dump_expr(out, e->b);
    fputc(')', out);
  }
}

static void dump_value(FILE *out, const syntax_value *v)
{
  if (v->expr) {
    dump_expr(out, v->expr);
    return;
  }
  fputc('{', out);
  for (int i = 0; i < v->n_entries; i++) {
    fputs(i > 0 ? ", " : "", out);
    if (v->entries[i].key) {
      dump_expr(out, v->entries[i].key);
      fputs(": ", out);
    }
    dump_value(out, v->entries[i].value);
  }
  fputc('}', out);
}

static void dump_bounds(FILE *out, const syntax_bounds *b)
{
  fputs(b->lower_closed ? " in [" : " in (", out);
  if (b->lower) {
    dump_expr(out, b->lower);
  } else {
    fputs("-inf", out);
  }
  fputs(", ", out);
  if (b->upper) {
    dump_expr(out, b->upper);
  } else {
    fputs("inf", out);
  }
  fputc(b->upper_closed ? ']' : ')', out);
}

static void dump_statement(FILE *out, const syntax_statement *s)
{
  static const char *const words[] = {
      "model",     "size",      "set",   "set",         "set data",   "param in",   "param",
      "coord",     "algebraic", "let",   "hamiltonian", "lagrangian", "constraint", "observe",
      "invariant", "force",     "event", "bath",        "init",       "run"};
  fputs(words[s->kind], out);
  if (s->kind == STATEMENT_INIT && s->second.text) {
    fprintf(out, " %s:", s->second.text);
  }
  fprintf(out, "%s%s", s->name.text ? " " : "", s->name.text ? s->name.text : "");
  if (s->title) {
    fprintf(out, " \"%s\"", s->title);
  }
  if (s->binders.n > 0) {
    fputc('[', out);
    dump_binders(out, &s->binders);
    fputc(']', out);
  }
  for (int i = 0; i < s->n_labels; i++) {
    fprintf(out, " %s", s->labels[i].text);
  }
  if (s->velocity.text) {
    fprintf(out, " velocity %s", s->velocity.text);
  }
  if ((s->kind == STATEMENT_COORD || s->kind == STATEMENT_ALGEBRAIC) && s->second.text) {
    fprintf(out, " momentum %s", s->second.text);
  }
  if (s->kind == STATEMENT_INDICES) {
    fprintf(out, " in %s", s->second.text);
  }
  if (s->kind == STATEMENT_LAGRANGIAN && s->second.text) {
    fprintf(out, " hamiltonian %s", s->second.text);
  }
  if (s->a) {
    fputs(" = ", out);
    dump_expr(out, s->a);
  }
  if (s->b) {
    fputs(s->kind == STATEMENT_RANGE ? " .. " : " == ", out);
    dump_expr(out, s->b);
  }
  if (s->value) {
    fputs(" = ", out);
    dump_value(out, s->value);
  }
  if (s->bounds.present) {
    dump_bounds(out, &s->bounds);
  }
  for (int i = 0; i < s->n_settings; i++) {
    fprintf(out, "%s%s = ", i > 0 ? ", " : " ", s->settings[i].name.text);
    if (s->settings[i].word) {
      fprintf(out, "'%s'", s->settings[i].word);
    } else {
      dump_expr(out, s->settings[i].value);
    }
  }
  fputc('\n', out);
}

/* ---- trees ---- */

/* The dump of a text's statements, or, where it has errors, what is printed. */
static const char *outcome(arena *a, const char *text)
{
  diagnostics *d = diagnostics_create(a, "m.sw", text, strlen(text));
  const syntax_tree *tree = syntax_parse(a, d, text, strlen(text));
  char *buffer = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&buffer, &length);
  assert_non_null(out);
  if (diagnostics_count(d) > 0) {
    diagnostics_print(d, out);
  } else {
    for (int i = 0; i < tree->n; i++) {
      dump_statement(out, tree->statements[i]);
    }
  }
  assert_int_equal(fclose(out), 0);
  const char *copy = arena_strdup(a, buffer);
  free(buffer);
  return copy;
}

typedef struct example {
  const char *text;
  const char *expected;
} example;

static void check(const example examples[], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    arena *a = arena_create();
    assert_string_equal(outcome(a, examples[i].text), examples[i].expected);
    arena_free(a);
  }
}

#define CHECK(examples) check(examples, sizeof(examples) / sizeof(examples)[0])

static void expressions(void **state)
{
  (void)state;
  static const example examples[] = {
      {"let a = 1+2-3*4/5", "let a = ((1 + 2) - ((3 * 4) / 5))\n"},
      {"let a = -x^2", "let a = (-(x ^ 2))\n"},
      {"let a = 2^-1*3", "let a = ((2 ^ (-1)) * 3)\n"},
      {"let a = 2^3^x", "let a = (2 ^ (3 ^ x))\n"},
      {"let a = -x*y - -z", "let a = (((-x) * y) - (-z))\n"},
      {"let a = (1 - (2 - 3))", "let a = (1 - (2 - 3))\n"},
      {"let a = 1.5e-3 + 1E5 + 12 + pi", "let a = (((1.5e-3 + 1E5) + 12) + pi)\n"},
      {"let d(i, j) = q[i+1, k] - f(x)", "let d i j = (q[(i + 1), k] - f(x))\n"},
      {"let a = atan2(x, sum(i in n: i) + 1)", "let a = atan2(x, (sum(i in n: i) + 1))\n"},
      {"let a = product(i in n, j in m where i < j and not (j == 2 or i >= 1): i)",
       "let a = product(i in n, j in m where ((i < j) and (not ((j == 2) or (i >= 1)))): i)\n"},
      {"let a = sum(i in n where (i + 1)*2 <= j and (i) != 3 or i > 4: -i)",
       "let a = sum(i in n where (((((i + 1) * 2) <= j) and (i != 3)) or (i > 4)): (-i))\n"},
      {"let a = sum(i in n where not i == 1 and i < 2: i)",
       "let a = sum(i in n where ((not (i == 1)) and (i < 2)): i)\n"},
      {"let a = bracket(H, q[1])", "let a = bracket(H, q[1])\n"},
      {"observe t[i in l] = multiplier(c[i])", "observe t[i in l] = multiplier(c[i])\n"},
      /* a word of the language only before a parenthesis */
      {"observe impulse[i in l] = impulse (c[i]) + impulse",
       "observe impulse[i in l] = (impulse(c[i]) + impulse)\n"},
      {"let a = if i == 1 or (i) > 2 then x else y + 1",
       "let a = (if ((i == 1) or (i > 2)) then x else (y + 1))\n"},
      {"let a = 1 + if i < 1 then 2 else if i < 2 then 3 else 4",
       "let a = (1 + (if (i < 1) then 2 else (if (i < 2) then 3 else 4)))\n"},
      {"let a = 2*(if (i < 1) then -x else y)^2",
       "let a = (2 * ((if (i < 1) then (-x) else y) ^ 2))\n"},
      {"let a = sum(i in 1 .. N-1, j in {1, i+1, N}, k in {x, y} where i < j: q[i])",
       "let a = sum(i in 1 .. (N - 1), j in {1, (i + 1), N}, k in {x, y} where (i < j): q[i])\n"},
      {"let a = cross(u, v)[x]*f(1)[i, j]", "let a = (cross(u, v)[x] * f(1)[i, j])\n"},
  };
  CHECK(examples);
}

static void statements(void **state)
{
  (void)state;
  static const example examples[] = {
      {"", ""},
      {"# nothing\r\n", ""},
      {"model a \"T # \xC3\xA9\" # comment\nmodel b", "model a \"T # \xC3\xA9\"\nmodel b\n"},
      {"size N = 64 set s = 1..N-1 set t = {x, y}",
       "size N = 64\nset s = 1 .. (N - 1)\nset t x y\n"},
      {"param a = 1 in (0, inf)", "param a = 1 in (0, inf)\n"},
      {"param a = 1 in (-inf, -2]", "param a = 1 in (-inf, (-2)]\n"},
      {"param a = 1 in [0, 1e3]", "param a = 1 in [0, 1e3]\n"},
      {"param g[k in s, t] = {1: {0, -1}, x: {y: 2, 3}}",
       "param g[k in s, t] = {1: {0, (-1)}, x: {y: 2, 3}}\n"},
      {"coord q[s, t] momentum p coord th momentum p_th",
       "coord q[s, t] momentum p\ncoord th momentum p_th\n"},
      {"algebraic b[s, t] momentum a algebraic c", "algebraic b[s, t] momentum a\nalgebraic c\n"},
      {"constraint c[i in s, j in s where i < j]: q[i] == q[j]",
       "constraint c[i in s, j in s where (i < j)] = q[i] == q[j]\n"},
      {"hamiltonian H = 1\ninvariant e = H", "hamiltonian H = 1\ninvariant e = H\n"},
      {"init q[1, i+1, k in t] = 0", "init q[1, (i + 1), k in t] = 0\n"},
      {"coord q[s] velocity v coord r velocity w momentum p",
       "coord q[s] velocity v\ncoord r velocity w momentum p\n"},
      {"lagrangian L = 1 lagrangian K hamiltonian E = v^2",
       "lagrangian L = 1\nlagrangian K hamiltonian E = (v ^ 2)\n"},
      {"set a = data set b = data in a*c param i[b] in a param x[a] param y in (0, inf)",
       "set data a\nset data b = (a * c)\nparam in i[b] in a\nparam x[a]\nparam y in (0, inf)\n"},
      {"let a = sum((i, j) in b, k in c: i + j)",
       "let a = sum((i,j)(i, j) in b, k in c: (i + j))\n"},
      {"coord q[1..3, {x, y}] momentum p", "coord q[1 .. 3, {x, y}] momentum p\n"},
      {"constraint c[i in 2 .. N]: q[i] == 0", "constraint c[i in 2 .. N] = q[i] == 0\n"},
      {"init za: q[t] = {x: 1}", "init za: q[t] = {x: 1}\n"},
      {"run method = rattle, base = euler-a, step = -1e-3, init = za, t_end = 2*pi",
       "run method = 'rattle', base = 'euler-a', step = (-1e-3), init = 'za', t_end = (2 * pi)\n"},
  };
  CHECK(examples);
}

/* Places are half-open ranges of bytes, brackets included where they belong to the text. */
static void places(void **state)
{
  (void)state;
  static const char text[] = "constraint c[i in s]: (a + b) == sin(i)\nlet f(x) = (x)";
  arena *a = arena_create();
  diagnostics *d = diagnostics_create(a, "m.sw", text, strlen(text));
  const syntax_tree *tree = syntax_parse(a, d, text, strlen(text));
  assert_int_equal(tree->n, 2);
  const syntax_statement *s = tree->statements[0];
  assert_int_equal(s->where.begin, 0);
  assert_int_equal(s->where.end, 10);
  assert_int_equal(s->name.where.begin, 11);
  assert_int_equal(s->binders.where.begin, 12);
  assert_int_equal(s->binders.where.end, 20);
  assert_int_equal(s->text_where.begin, 22);
  assert_int_equal(s->text_where.end, 39);
  assert_int_equal(s->a->where.begin, 23);
  assert_int_equal(s->a->where.end, 28);
  assert_int_equal(s->b->name_where.begin, 33);
  assert_int_equal(s->b->name_where.end, 36);
  assert_int_equal(tree->statements[1]->text_where.begin, 51);
  assert_int_equal(tree->statements[1]->text_where.end, 54);
  assert_int_equal(diagnostics_line(d, tree->statements[1]->where), 2);
  arena_free(a);
}

/* ---- errors ---- */

static void recovery(void **state)
{
  (void)state;
  static const example examples[] = {
      {"size = 3\nset a = {x y}\nparam m = 1",
       "m.sw:1:6: error: unexpected '='; expected a name\n"
       "    1 | size = 3\n"
       "      |      ^\n"
       "m.sw:2:12: error: unexpected 'y'; expected '}' or ','\n"
       "    2 | set a = {x y}\n"
       "      |            ^\n"
       "2 errors\n"},
      /* Words within a line and the setting `init` do not pass for statements. */
      {"let a = ) let b = )", "m.sw:1:9: error: unexpected ')'; expected an expression\n"
                              "    1 | let a = ) let b = )\n"
                              "      |         ^\n"
                              "1 error\n"},
      {"run a = , size = 1,\n  init = za\nlet b = )",
       "m.sw:1:9: error: unexpected ','; expected an expression\n"
       "    1 | run a = , size = 1,\n"
       "      |         ^\n"
       "m.sw:3:9: error: unexpected ')'; expected an expression\n"
       "    3 | let b = )\n"
       "      |         ^\n"
       "2 errors\n"},
      /* Slips that are understood do not end the statement; nothing is said about what follows an
       * error that does. */
      {"let a = 2x ** .5 + 1.;\nlet b = $ 2x ** ;",
       "m.sw:1:9: error: '2x' is neither a number nor a name; write '2*x'\n"
       "    1 | let a = 2x ** .5 + 1.;\n"
       "      |         ^~\n"
       "m.sw:1:12: error: write '^' for powers\n"
       "    1 | let a = 2x ** .5 + 1.;\n"
       "      |            ^~\n"
       "m.sw:1:15: error: a number begins with a digit; write '0.5'\n"
       "    1 | let a = 2x ** .5 + 1.;\n"
       "      |               ^~\n"
       "m.sw:1:20: error: a decimal point stands between digits; write '1.0'\n"
       "    1 | let a = 2x ** .5 + 1.;\n"
       "      |                    ^~\n"
       "m.sw:1:22: error: statements need no ';'\n"
       "    1 | let a = 2x ** .5 + 1.;\n"
       "      |                      ^\n"
       "m.sw:2:9: error: unexpected character '$'\n"
       "    2 | let b = $ 2x ** ;\n"
       "      |         ^\n"
       "6 errors\n"},
      {"let a = (1 +\n\n", "m.sw:1:13: error: unexpected end of file; expected an expression\n"
                           "    1 | let a = (1 +\n"
                           "      |             ^\n"
                           "1 error\n"},
      {"lagrangian = 1\nlet a = 1", "m.sw:1:12: error: unexpected '='; expected a name\n"
                                    "    1 | lagrangian = 1\n"
                                    "      |            ^\n"
                                    "1 error\n"},
  };
  CHECK(examples);
}

/* Texts with one error each, and a part of its message. */
static void messages(void **state)
{
  (void)state;
  static const example examples[] = {
      {"foo", "1:1: error: unexpected 'foo'; expected a statement"},
      {"param sum = 1", "1:7: error: unexpected reserved word 'sum'; expected a name"},
      {"let a = 1e", "the exponent of '1e' has no digits"},
      {"let a = 1_000", "'1_000' is no number; digits are not grouped by '_'"},
      {"let a = 1e401", "the exponent of a number lies between -400 and 400"},
      {"let a = 1e-99999999999999999999", "the exponent of a number lies between -400 and 400"},
      {"let a = 0.1234567890123456789012345678901234567890123456789012345678901",
       "a number of 62 digits; at most 60 are allowed"},
      {"let a = 1 // b", "comments begin with '#'"},
      {"let a = 1 /* b */", "comments begin with '#'"},
      {"let a = \xCE\xB8", "unexpected character '\xCE\xB8' (U+03B8)"},
      {"let a = inf", "unexpected reserved word 'inf'; expected an expression"},
      {"let a = +1", "unexpected '+'; expected an expression"},
      {"model a \"b", "the title has no closing '\"' on its line"},
      {"model a \"b\\n\"", "a title has no backslash"},
      {"model a \"b*/\"", "a title does not contain '*/'"},
      {"model a \"\t\"", "a title has no tab"},
      {"constraint c: a = b", "1:17: error: a constraint reads 'left == right'"},
      {"constraint c: a <= b", "1:17: error: a constraint reads 'left == right'"},
      {"let a = sum(i in n where i = 1: i)", "1:28: error: write '==' to compare"},
      {"let a = sum(i in n where i < 1 && i > 2: i)", "write 'and'"},
      {"let a = sum(i in n where i < 1 || i > 2: i)", "write 'or'"},
      {"let a = sum(i in n where !(i < 1): i)", "write 'not'"},
      {"let a = sum(i: i)", "1:14: error: unexpected ':'; a sum reads 'sum(k in set: expression)'"},
      {"param a = 1 in [-inf, 1)", "1:16: error: infinity is no value; write '('"},
      {"param a = 1 in (1, inf]", "1:23: error: infinity is no value; write ')'"},
      {"param a = 1 in (inf, 1)", "the lower bound is a number or '-inf'"},
      {"param a = 1 in (1, -inf)", "1:20: error: the upper bound is a number or 'inf'"},
      {"algebraic = 1", "1:11: error: unexpected '='; expected a name"},
      {"algebraic b momentum 1", "1:22: error: unexpected '1'; expected a name"},
      {"coord q velocity 1", "1:18: error: unexpected '1'; expected a name"},
      {"coord q speed v", "1:9: error: unexpected 'speed'; expected 'momentum', 'velocity' or '['"},
      {"lagrangian L momentum H = 1", "1:14: error: unexpected 'momentum'; expected "},
      {"# \x01", "1:3: error: control character U+0001"},
      {"# \xE2\x80\xAE", "1:3: error: control character U+202E"},
      {"model\ra", "1:6: error: control character U+000D"},
      {"# \xC0\x80", "1:3: error: not UTF-8 (byte \\xC0)"},
  };
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    arena *a = arena_create();
    const char *found = outcome(a, examples[i].text);
    if (!strstr(found, examples[i].expected) || !strstr(found, "\n1 error\n")) {
      fail_msg("%s gives\n%s", examples[i].text, found);
    }
    arena_free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expressions), cmocka_unit_test(statements), cmocka_unit_test(places),
      cmocka_unit_test(recovery),    cmocka_unit_test(messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
