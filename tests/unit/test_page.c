/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_page.c -- formulas as `check` prints them: read back as models they are the same, and in the
 * three alphabets they look as they should; lines are broken where they are too long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formula/mathml.h"
#include "report/notes.h"
#include "report/page_words.h"
#include "report/sheet.h"
#define TREE_CALLS (IR_POW + 1) /* which the language has */
#include "random_trees.h"
#include "symbolic/symbolic.h"

/* A model in three coordinates, so that its inputs are those of a tree. */
static const char declarations[] = "model page\nset ax = 1 .. 3\nparam a[i in ax] = 1 in (0, inf)\n"
                                   "coord q[ax] momentum p\n";

typedef struct lowered {
  const model *model;
  const ir_program *program;
} lowered;

static lowered lower_formula(arena *a, ir_context *c, const char *H)
{
  const char *text = arena_printf(a, "%shamiltonian H = %s\n", declarations, H);
  diagnostics *d = diagnostics_create(a, "page.sw", text, strlen(text));
  lowered r = {model_check(a, d, "page.sw", text, strlen(text), 0, NULL), NULL};
  if (r.model) {
    r.program = symbolic_lower(a, d, r.model, c);
  }
  if (!r.program) {
    diagnostics_print(d, stdout);
    fail_msg("no model: %s", text);
  }
  return r;
}

static const ir_expr *hamiltonian_of(const lowered *r)
{
  return r->program->functions[IR_HAMILTONIAN].entries[0].value;
}

static const char *printed(arena *a, const lowered *r, spelling style)
{
  page_printer *f = page_printer_create(a, style);
  ir_names names = ir_program_names(a, style, r->program);
  page_sum sum = page_terms(f, &names, hamiltonian_of(r), NULL, 100000);
  assert_int_equal(sum.n, sum.n_terms);
  const char *text = "";
  for (int i = 0; i < sum.n; i++) {
    text = arena_printf(a, "%s%s", text, sum.text[i]);
  }
  return text;
}

typedef struct look {
  const char *formula;
  const char *text[3];
} look;

static void test_looks(void **state)
{
  (void)state;
  static const look looks[] = {
      {"p[1]^2/2 - 3*q[2]/4",
       {"p[1]^2/2 - 3*q[2]/4", "p₁²/2 − 3 q₂/4", "\\frac{p_{1}^{2}}{2} - \\frac{3 \\, q_{2}}{4}"}},
      {"p[1]^2/(2*a[1])", {"p[1]^2/(2*a[1])", "p₁²/(2 a₁)", "\\frac{p_{1}^{2}}{2 \\, a_{1}}"}},
      {"-a[1] + q[1]", {"q[1] - a[1]", "q₁ − a₁", "q_{1} - a_{1}"}},
      {"a[1]*(q[1] - q[2])^2",
       {"a[1]*(q[1] - q[2])^2", "a₁·(q₁ − q₂)²", "a_{1} \\, \\left(q_{1} - q_{2}\\right)^{2}"}},
      {"1/sqrt(q[1])", {"1/sqrt(q[1])", "1/√(q₁)", "\\frac{1}{\\sqrt{q_{1}}}"}},
      {"q[1]^(3/2)", {"q[1]^(3/2)", "q₁^(3/2)", "q_{1}^{3/2}"}},
      {"138.935458*q[1]", {"138.935458*q[1]", "138.935458 q₁", "138.935458 \\, q_{1}"}},
      {"0.005*q[1]", {"0.005*q[1]", "0.005 q₁", "0.005 \\, q_{1}"}},
      {"abs(q[1])", {"abs(q[1])", "|q₁|", "\\left|q_{1}\\right|"}},
      {"pi*sin(2*q[1])",
       {"pi*sin(2*q[1])", "π sin(2 q₁)", "\\pi \\, \\sin\\left(2 \\, q_{1}\\right)"}},
      {"q[1]/(1 + q[2])", {"q[1]/(q[2] + 1)", "q₁/(q₂ + 1)", "\\frac{q_{1}}{q_{2} + 1}"}},
      {"(q[1] + q[2])/a[1]",
       {"(q[1] + q[2])/a[1]", "(q₁ + q₂)/a₁", "\\frac{q_{1} + q_{2}}{a_{1}}"}},
  };
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    lowered r = lower_formula(a, c, looks[i].formula);
    for (int style = 0; style < 3; style++) {
      assert_string_equal(printed(a, &r, (spelling)style), looks[i].text[style]);
    }
    ir_context_free(c);
    arena_free(a);
  }
}

#define SIGN(s) "<mo form=\"infix\" lspace=\"0.22em\" rspace=\"0.22em\">" s "</mo>"
#define GAP     "<mspace width=\"0.17em\"/>"
#define SUB(of) "<msub><mi>" of "</mi><mrow><mn>1</mn></mrow></msub>"

static void test_mathml(void **state)
{
  (void)state;
  static const char *const looks[][2] = {
      {"p[1]^2/2 - 3*q[1]",
       "<mfrac><mrow><msup><mrow>" SUB("p") "</mrow><mn>2</mn></msup></mrow><mrow>"
                                            "<mn>2</mn></mrow></mfrac>" SIGN(
                                                "−") "<mn>3</mn>" GAP SUB("q")},
      {"sqrt(q[1])", "<msqrt>" SUB("q") "</msqrt>"},
      {"q[1]^(3/2)",
       "<msup><mrow>" SUB("q") "</mrow><mrow><mn>3</mn><mo>/</mo><mn>2</mn></mrow></msup>"},
      {"sin(q[1])*pi",
       "<mi>π</mi>" GAP "<mi>sin</mi><mo>&#x2061;</mo><mrow><mo stretchy=\"false\">(</mo>" SUB(
           "q") "<mo stretchy=\"false\">)</mo></mrow>"},
      {"abs(q[1])", "<mrow><mo>|</mo>" SUB("q") "<mo>|</mo></mrow>"},
  };
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    lowered r = lower_formula(a, c, looks[i][0]);
    assert_string_equal(printed(a, &r, SPELL_MATHML), looks[i][1]);
    ir_context_free(c);
    arena_free(a);
  }
}

/* Names, and pieces of text between elements. */
static void test_mathml_of_text(void **state)
{
  (void)state;
  arena *a = arena_create();
  assert_string_equal(mathml_name(a, "theta"), "<mi>θ</mi>");
  assert_string_equal(mathml_name(a, "m_max"), "<mi>m_max</mi>");
  assert_string_equal(mathml_name(a, "q[i-1,x]"),
                      "<msub><mi>q</mi><mrow><mi>i</mi><mo>−</mo><mn>1</mn>"
                      "<mo>,</mo><mi>x</mi></mrow></msub>");
  assert_string_equal(mathml_name(a, "1 .. N"), "<mn>1</mn><mo>…</mo><mi>N</mi>");
  assert_string_equal(mathml_mixed(a, "M^H"), "<msup><mi>M</mi><mrow><mi>H</mi></mrow></msup>");
  assert_string_equal(mathml_mixed(a, "\\rho_i"), "<msub><mi>ρ</mi><mrow><mi>i</mi></mrow></msub>");
  assert_string_equal(mathml_mixed(a, "\\{<mi>a</mi>, b\\} < 1e-05"),
                      "<mo stretchy=\"false\">{</mo><mi>a</mi><mo>,</mo><mi>b</mi>"
                      "<mo stretchy=\"false\">}</mo><mo>&#60;</mo><mn>1e-05</mn>");
  /* What is not closed ends with the text. */
  assert_string_equal(mathml_name(a, "q["), "<msub><mi>q</mi><mrow></mrow></msub>");
  assert_string_equal(mathml_mixed(a, "a_{b\\"),
                      "<msub><mi>a</mi><mrow><mi>b</mi><mo>\\</mo></mrow></msub>");
  assert_string_equal(mathml_mixed(a, ""), "");
  assert_string_equal(markup_escaped(a, "<a b='c'>&\"\001\n"),
                      "&#60;a b=&#39;c&#39;&#62;&#38;&#34;\n");
  assert_int_equal(markup_columns("<mi>θ</mi>ab"), 3);
  arena_free(a);
}

/* The tree as text for a model, in parentheses throughout; lambda has no name there. */
static const char *tree_text(arena *a, const tree *t)
{
  static const char *const names[IR_SPACES] = {"a", "p", "q"};
  const char *x = t->n > 0 ? tree_text(a, t->part[0]) : "";
  switch (t->kind) {
  case TREE_NUMBER:
    return arena_printf(a, "(%ld/%lu)", t->numerator, t->denominator);
  case TREE_INPUT:
    return arena_printf(a, "%s[%d]", names[t->space], t->index + 1);
  case TREE_POWER:
    return arena_printf(a, "(%s)^(%ld/%lu)", x, t->numerator, t->denominator);
  case TREE_CALL:
    if (t->call == IR_POW) {
      return arena_printf(a, "(%s)^(%s)", x, tree_text(a, t->part[1]));
    }
    return t->n == 2
               ? arena_printf(a, "%s(%s, %s)", ir_call_word(t->call), x, tree_text(a, t->part[1]))
               : arena_printf(a, "%s(%s)", ir_call_word(t->call), x);
  case TREE_SUM:
  case TREE_PRODUCT:
    break;
  }
  for (int i = 1; i < t->n; i++) {
    x = arena_printf(a, "%s %c %s", x, t->kind == TREE_SUM ? '+' : '*', tree_text(a, t->part[i]));
  }
  return arena_printf(a, "(%s)", x);
}

/* What is printed in ASCII, read as a model, is the very same node. */
static void test_read_back(void **state)
{
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    uint64_t random = seed * 7919;
    const tree *t = tree_random(a, &random, 2 + (int)(seed % 2));
    lowered r = lower_formula(a, c, tree_text(a, t));
    page_printer *f = page_printer_create(a, SPELL_ASCII);
    if (page_operations(f, hamiltonian_of(&r)) < 300) {
      const char *text = printed(a, &r, SPELL_ASCII);
      lowered again = lower_formula(a, c, text);
      if (hamiltonian_of(&again) != hamiltonian_of(&r)) {
        printf("seed %d: %s\n became %s\n", (int)seed, text, printed(a, &again, SPELL_ASCII));
      }
      assert_ptr_equal(hamiltonian_of(&again), hamiltonian_of(&r));
      compared++;
    }
    ir_context_free(c);
    arena_free(a);
  }
  assert_true(compared > 200);
}

/* Formulas of the model itself, too: its own formula in ASCII is a model of the same H. */
static void test_algebra_reads_back(void **state)
{
  (void)state;
  static const char *const formulas[] = {
      "sum(i in ax: p[i]^2/(2*a[i])) - product(i in ax: q[i] + i)",
      "(q[1] - (q[2] - q[3]))/(a[1]/(a[2]/2)) - -q[1]",
      "(2*sum(i in ax, j in ax where i < j and not i == 2: q[i]*q[j]))^2",
      "2^(q[1] + 1) + (q[1]^2)^q[2] + atan2(q[1], -q[2])*pi + abs(1/3 - q[1])"};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    lowered r = lower_formula(a, c, formulas[i]);
    algebra *w = algebra_create(a, SPELL_ASCII, r.model);
    const char *text = "0";
    for (int j = 0; j < r.model->n_terms; j++) {
      const formula *term = algebra_total(w, r.model->terms[j]);
      text = arena_printf(a, "%s + (%s)", text, formula_text(a, SPELL_ASCII, term));
    }
    lowered again = lower_formula(a, c, text);
    assert_ptr_equal(hamiltonian_of(&again), hamiltonian_of(&r));
    ir_context_free(c);
    arena_free(a);
  }
}

/* How the model's own formulas look: sums over sets take what follows them, up to a sign. */
static void test_algebra_looks(void **state)
{
  (void)state;
  static const look looks[] = {
      {"sum(i in ax: p[i]^2/2) - 2*sum(i in ax where i > 1: q[i])",
       {"sum(i in ax: p[i]^2/2) - 2*sum(i in ax where i > 1: q[i])",
        "Σ{i ∈ ax} p[i]²/2 − 2·(Σ{i ∈ ax, i > 1} q[i])",
        "\\sum_{i \\in \\mathit{ax}} \\frac{p_{i}^{2}}{2}"
        " - 2 \\, \\left(\\sum_{i \\in \\mathit{ax},\\, i > 1} q_{i}\\right)"}},
      {"sqrt(q[1])^2*(1/2) + a[1]^q[2]",
       {"sqrt(q[1])^2*(1/2) + a[1]^q[2]", "√(q₁)²·(1/2) + a₁^q₂",
        "\\left(\\sqrt{q_{1}}\\right)^{2} \\, \\frac{1}{2} + a_{1}^{q_{2}}"}},
      {"-(q[1] - (q[2] - 1.5))^(-1)*asin(q[3]/7)",
       {"(-(q[1] - (q[2] - 3/2))^(-1))*asin(q[3]/7)", "(−(q₁ − (q₂ − 3/2))^(−1)) asin(q₃/7)",
        "\\left(-\\left(q_{1} - \\left(q_{2} - \\frac{3}{2}\\right)\\right)^{-1}\\right)"
        " \\, \\arcsin\\left(\\frac{q_{3}}{7}\\right)"}},
  };
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    lowered r = lower_formula(a, c, looks[i].formula);
    for (int style = 0; style < 3; style++) {
      algebra *w = algebra_create(a, (spelling)style, r.model);
      const formula **term = ARENA_ARRAY(a, r.model->n_terms, const formula *);
      for (int j = 0; j < r.model->n_terms; j++) {
        term[j] = algebra_total(w, r.model->terms[j]);
      }
      const formula *sum = formula_list(a, FORMULA_SUM, r.model->n_terms, term);
      assert_string_equal(formula_text(a, (spelling)style, sum), looks[i].text[style]);
    }
    ir_context_free(c);
    arena_free(a);
  }
}

static void test_shortened(void **state)
{
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  lowered r = lower_formula(a, c, "q[1] + q[2] + q[3] + p[1] + p[2] + p[3]");
  page_printer *f = page_printer_create(a, SPELL_ASCII);
  ir_names names = ir_program_names(a, SPELL_ASCII, r.program);
  page_sum sum = page_terms(f, &names, hamiltonian_of(&r), NULL, 20);
  assert_int_equal(sum.n_terms, 6);
  assert_true(sum.n > 0 && sum.n < 6);
  const ir_expr *lead = ir_input(c, IR_Z, 4);
  sum = page_terms(f, &names, hamiltonian_of(&r), lead, 1000);
  assert_string_equal(sum.text[0], "p[2]");
  assert_null(page_expression(f, &names, hamiltonian_of(&r), 3));
  ir_context_free(c);
  arena_free(a);
}

static void test_names(void **state)
{
  (void)state;
  arena *a = arena_create();
  assert_string_equal(spelled_entry(a, "q.1.x"), "q[1,x]");
  assert_string_equal(spelled_name(a, SPELL_UTF8, "q[12]"), "q₁₂");
  assert_string_equal(spelled_name(a, SPELL_UTF8, "x1[2]"), "x1[2]");
  assert_string_equal(spelled_name(a, SPELL_UTF8, "q[i+1,x]"), "q[i+1,x]");
  assert_string_equal(spelled_name(a, SPELL_LATEX, "a_b[i,mol]"),
                      "\\mathit{a\\_b}_{i,\\mathrm{mol}}");
  assert_string_equal(spelled_name(a, SPELL_LATEX, "kappa"), "\\kappa");
  assert_string_equal(page_words(a, SPELL_LATEX, "50% {x}_1 ^ \\ \xe2\x98\x83"),
                      "50\\% \\{x\\}\\_1 \\textasciicircum{} \\textbackslash{} "
                      "\\textless{}U+2603\\textgreater{}");
  assert_string_equal(page_words(a, SPELL_ASCII, "\xcf\x81 \x1b[2J"), "<U+03C1> <U+001B>[2J");
  assert_string_equal(page_words(a, SPELL_UTF8, "\xcf\x81 \xff"), "\xcf\x81 ?");
  assert_string_equal(page_utf8(a, "\xcf\x81 \xff\x80"), "\xcf\x81 ??");
  assert_string_equal(page_prose(a, SPELL_LATEX, "a_1 of $\\{g, H\\}_1$"),
                      "a\\_1 of $\\{g, H\\}_1$");
  assert_string_equal(page_prose(a, SPELL_UTF8, "a_1 of $\\{g, H\\}_1$"), "a_1 of {g, H}_1");
  arena_free(a);
}

static void test_break(void **state)
{
  (void)state;
  arena *a = arena_create();
  writer *w = writer_create(a);
  page_break(w, "aaaa + (bbbb + cccc) + dddd", 0, 2, 22);
  page_break(w, "  one two three\nfour", 0, 0, 9);
  page_break(w, "0123456789", 0, 0, 8);
  assert_string_equal(writer_text(w), "aaaa + (bbbb + cccc)\n  + dddd\n"
                                      "  one two\n  three\nfour\n"
                                      "01234567\n89\n");
  arena_free(a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_looks),
      cmocka_unit_test(test_mathml),
      cmocka_unit_test(test_mathml_of_text),
      cmocka_unit_test(test_read_back),
      cmocka_unit_test(test_algebra_reads_back),
      cmocka_unit_test(test_algebra_looks),
      cmocka_unit_test(test_shortened),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_break),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
