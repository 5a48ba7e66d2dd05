/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verdicts.c -- what the analysis proves, samples and refuses, on small models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "examined.h"
#include "expression_text.h"

/* ---- coisotropy ---- */

static void brackets_that_vanish_on_M_are_proved_by_a_certificate(void **state)
{
  (void)state;
  static const char *const seconds[] = {
      "exp(u)*(y - x) == 0",            /* {g1, exp(u) g2} */
      "exp(x*u)*(y - x) == 0",          /* the same with a factor of higher degree */
      "(x^2 + y^2 - 1)*u + x - y == 0", /* the first constraint is added to the second */
      "a*exp(u)*(x - y)/b == 0",        /* parameters */
  };
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    char text[512];
    snprintf(text, sizeof text,
             PLANE "param a = 2\nparam b = 3 in (0, inf)\n" KINETIC
                   "constraint c: x^2 + y^2 == 1\nconstraint e: %s\n",
             seconds[i]);
    examined r = examine(text);
    assert_int_equal(r.program->structure.n_pairs, 1);
    const record_bracket *b = &r.found->brackets[0];
    assert_int_equal(b->zero.evidence, EVIDENCE_CERTIFICATE);
    assert_non_null(b->certificate);
    assert_true(ir_is_zero(b->certificate->rest));
    assert_true(b->certificate->n > 0);
    assert_ptr_equal(b->certificate->value, r.program->structure.pairs[0].bracket);
    assert_true(defect(&r, b->certificate) < 1e-13);
    assert_true(fact_proved(&r.found->coisotropic));
    says(page_summary(&r.known), "is a combination of constraints, exactly");
    release(&r);
  }
}

static void what_is_not_proved_is_sampled_with_its_evidence(void **state)
{
  (void)state;
  /* A polynomial that is zero at the real points of M alone, and a logarithm that is zero where g
   * is. */
  static const char *const seconds[] = {"(1 + u^2)*(x - y)", "x - y + u*log(x^2 + y^2)"};
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    char text[256];
    snprintf(text, sizeof text,
             PLANE KINETIC "constraint c: x^2 + y^2 == 1\nconstraint e: %s == 0\n", seconds[i]);
    examined r = examine(text);
    assert_int_equal(r.program->structure.n_pairs, 1);
    const record_bracket *b = &r.found->brackets[0];
    assert_int_equal(b->zero.evidence, EVIDENCE_SAMPLED);
    assert_null(b->certificate);
    assert_int_equal(r.found->coisotropic.evidence, EVIDENCE_SAMPLED);
    assert_true(r.found->M.points >= 8);
    assert_true(r.found->M.tried >= r.found->M.points);
    assert_true(r.found->M.spread > 0.5);
    assert_int_equal(b->points, r.found->M.points);
    says(page_summary(&r.known), "not proved: each run checks it");
    release(&r);
  }
}

static void second_class_pairs_keep_bracket_and_witness(void **state)
{
  (void)state;
  examined r =
      examine(PLANE KINETIC "constraint c: x^2 + y^2 == 1\nconstraint e: x*u + y*v == 0\n");
  const record_bracket *b = &r.found->brackets[0];
  assert_int_equal(r.found->refused, REFUSED_SECOND_CLASS);
  assert_int_equal(b->zero.evidence, EVIDENCE_WITNESS);
  assert_true(fabs(b->value - 2) < 1e-12); /* {g1,g2} = 2 (x^2 + y^2) */
  assert_true(fabs(value(&r, r.program->structure.pairs[0].bracket, b->at) - b->value) < 1e-12);
  says(r.refusal, "{c, e} = 2*x^2 + 2*y^2\n      is 2 at a point of M: x = ");
  release(&r);
}

/* ---- nondegeneracy ---- */

static const struct {
  const char *text;
  record_zeros zeros;
  fact_evidence kind;
  const char *determinant;
  const char *reduced;
} determinants[] = {
    {PLANE KINETIC "constraint c: x^2 + y^2 == 1\n", ZEROS_NEVER, EVIDENCE_CERTIFICATE,
     "-4*x^2 - 4*y^2", "-4"},
    {PLANE "param L = 2 in (0, inf)\nparam a = 3 in (0, inf)\n"
           "hamiltonian H = u^2/(2*a) + v^2/(2*a) + y\nconstraint c: x^2 + y^2 == L^2\n",
     ZEROS_NEVER, EVIDENCE_CERTIFICATE, NULL, "-4*L^2/a"},
    /* Without bounds L may be 0. */
    {PLANE "param L = 2\nhamiltonian H = u^2/2 + v^2/2 + y\nconstraint c: x^2 + y^2 == L^2\n",
     ZEROS_NEVER_HERE, EVIDENCE_CERTIFICATE, NULL, "-4*L^2"},
    /* Singular at the origin alone, where the gradient is zero, too. */
    {PLANE KINETIC "constraint c: x*y == 0\n", ZEROS_SOMEWHERE, EVIDENCE_SAMPLED, "-x^2 - y^2",
     NULL},

    {PLANE KINETIC "constraint c: x*y == 1\n", ZEROS_NEVER, EVIDENCE_STRUCTURE, NULL, NULL},
    {PLANE KINETIC "constraint c: x^2 + 2*y^2 == 1\n", ZEROS_NEVER, EVIDENCE_CERTIFICATE, NULL,
     "-8*y^2 - 4"},
    {PLANE "hamiltonian H = u^2/2 + v^2/2\nconstraint c: x^2 + y^2 + u^2 + v^2 == 1\n",
     ZEROS_SOMEWHERE, EVIDENCE_WITNESS, "4*u^2 + 4*v^2 - 4*x^2 - 4*y^2", NULL},
    /* Masses of both signs. */
    {PLANE "hamiltonian H = u^2/2 - v^2/2\nconstraint c: x^2 + 2*y^2 == 1\n", ZEROS_SOMEWHERE,
     EVIDENCE_WITNESS, NULL, NULL},
    /* -4 (3 + y^2) on M; then -4 (3 y^2 - 1), which is of two signs. */
    {PLANE "hamiltonian H = (u^2 + v^2)*(3 + y^2)/2\nconstraint c: x^2 + y^2 == 1\n", ZEROS_NEVER,
     EVIDENCE_CERTIFICATE, NULL, "-4*y^2 - 12"},
    /* There rho has the factor of N that vanishes, so that the three equations are dependent. */
    {PLANE "hamiltonian H = (u^2 + v^2)*(3*y^2 - 1)/2\nconstraint c: x^2 + y^2 == 1\n",
     ZEROS_SOMEWHERE, EVIDENCE_SAMPLED, NULL, NULL},
    /* -4 (2 + x) on M, where |x| <= 1: neither proved nor found. */
    {PLANE "hamiltonian H = (u^2 + v^2)*(2 + x)/2\nconstraint c: x^2 + y^2 == 1\n", ZEROS_UNKNOWN,
     EVIDENCE_NONE, NULL, NULL},
    /* Gauss-Newton ends far away, where det N is small beside its terms and N is not singular. */
    {SPACE "hamiltonian H = (u^2*(1 + x^2) + v^2*(1 + y^2) + s^2*(1 + w^2))/2\n"
           "  + (x + 2*y + 3*w + u - v + 5*s)^6/7\n"
           "constraint c: (x + y + 3*w)^4 + x^2 + 2*y^2 + 3*w^2 == 1\n"
           "constraint d: x*y + y^3 == 1/3\n",
     ZEROS_UNKNOWN, EVIDENCE_NONE, NULL, NULL},
    {PLANE "hamiltonian H = u^2/2\nconstraint c: y == 0\n", ZEROS_EVERYWHERE, EVIDENCE_IDENTITY,
     "0", NULL},
    {PLANE "hamiltonian H = (x^2 + u^2 - 1)*(x + 2*v + y^2)\nconstraint c: x^2 + u^2 == 1\n",
     ZEROS_EVERYWHERE, EVIDENCE_CERTIFICATE, NULL, "0"},
};

static fact_evidence evidence_of_zeros(const record_nondegeneracy *n)
{
  return n->singular.answer == FACT_YES ? n->singular.evidence : n->regular.evidence;
}

static void zeros_of_the_determinant(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof determinants / sizeof *determinants; i++) {
    examined r = examine(determinants[i].text);
    const record_nondegeneracy *n = &r.found->N;
    assert_int_equal(record_zeros_of_N(r.found), determinants[i].zeros);
    assert_int_equal(evidence_of_zeros(n), determinants[i].kind);
    if (determinants[i].determinant) {
      assert_string_equal(expression_text(r.memory, r.program, n->determinant),
                          determinants[i].determinant);
    }
    if (determinants[i].reduced) {
      assert_string_equal(expression_text(r.memory, r.program, n->reduced),
                          determinants[i].reduced);
      if (n->certificate) {
        assert_true(defect(&r, n->certificate) < 1e-12);
        assert_true(fabs(n->reduced_value - value(&r, n->reduced, NULL)) < 1e-15);
      }
    } else {
      assert_null(n->reduced);
    }
    if (n->witness) {
      assert_true(fabs(value(&r, n->determinant, n->witness)) < 1e-10);
      assert_true(fabs(value(&r, r.program->functions[IR_CONSTRAINT].entries[0].value,
                             n->witness)) < 1e-10);
    }
    release(&r);
  }
}

static void the_combination_that_makes_N_singular_is_named(void **state)
{
  (void)state;
  examined r = examine(SPACE "hamiltonian H = (u + 2*v)^2/2 + s^2/2 + x*y\nconstraint one: x == 0\n"
                             "constraint two: y == 0\nconstraint three: w == 1\n");
  const record_nondegeneracy *n = &r.found->N;
  assert_int_equal(r.found->refused, REFUSED_DEGENERATE);
  assert_int_equal(record_zeros_of_N(r.found), ZEROS_EVERYWHERE);
  assert_non_null(n->null.coefficients);
  assert_int_equal(n->null.constant, 1);
  assert_int_equal(n->rank, 2);
  /* N = -(1, 2; 2, 4) on the first two: 2 g1 - g2. */
  assert_true(fabs(n->null.coefficients[0] - 1) < 1e-12);
  assert_true(fabs(n->null.coefficients[1] + 0.5) < 1e-12);
  assert_true(n->null.coefficients[2] == 0);
  says(r.refusal, "takes to 0: one - 0.5*two\n");
  says(r.refusal, "leaves 1 of 3 multipliers, such as that of 'two', free");
  assert_int_equal(r.found->chain.end, CHAIN_FREE);
  assert_int_equal(r.found->chain.n_free, 1);
  assert_int_equal(r.found->chain.constant_on_fibres, 0);
  release(&r);
}

/* ---- the chain ---- */

static void the_chain_of_section_5_2_has_index_five(void **state)
{
  (void)state;
  static const char *const links[] = {"qbar", "q", "p", "pbar"};
  examined r = examine("model t\ncoord q momentum p\ncoord qbar momentum pbar\n"
                       "hamiltonian H = p^2/2 + pbar*q\nconstraint c: qbar == 0\n");
  const record_chain *chain = &r.found->chain;
  assert_int_equal(r.found->refused, REFUSED_DEGENERATE);
  assert_int_equal(chain->end, CHAIN_CLOSED);
  assert_int_equal(chain->evidence, EVIDENCE_CERTIFICATE);
  assert_int_equal(chain->levels, 4);
  assert_int_equal(chain->index, 5);
  assert_int_equal(chain->n_links, 4);
  assert_int_equal(chain->n_free, 0);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(chain->links[i].level, i);
    assert_string_equal(expression_text(r.memory, r.program, chain->links[i].value), links[i]);
  }
  says(r.refusal, "quaternary: 0 = pbar\n");
  says(r.refusal, "the index is 5");
  release(&r);
}

static void a_hamiltonian_that_is_constant_on_the_fibres_leaves_the_multiplier_free(void **state)
{
  (void)state;
  examined r = examine("model t\ncoord q momentum p\ncoord qbar momentum pbar\n"
                       "hamiltonian H = p^2/2\nconstraint c: qbar == 0\n");
  const record_chain *chain = &r.found->chain;
  assert_int_equal(chain->end, CHAIN_FREE);
  assert_int_equal(chain->evidence, EVIDENCE_CERTIFICATE);
  assert_int_equal(chain->n_free, 1);
  assert_int_equal(chain->free[0], 0);
  assert_int_equal(chain->index, 0);
  assert_int_equal(chain->energy, -1);
  assert_int_equal(chain->constant_on_fibres, 1);
  says(r.refusal, "infinitely many solutions");
  release(&r);
}

static void a_constraint_on_the_energy_is_recognised(void **state)
{
  (void)state;
  static const char *const constraints[] = {"p^2/2 + q^2/2 == 1", "p^2 + q^2 == 2",
                                            "(p^2 + q^2)^2 == 4", "exp(p^2 + q^2) == 3"};
  for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "model t\ncoord q momentum p\nhamiltonian H = p^2/2 + q^2/2\nconstraint c: %s\n",
             constraints[i]);
    examined r = examine(text);
    assert_int_equal(r.found->refused, REFUSED_DEGENERATE);
    assert_int_equal(r.found->chain.energy, 0);
    assert_int_equal(r.found->chain.end, CHAIN_FREE);
    says(r.refusal, "Ge and Marsden");
    release(&r);
  }
}

static void chains_of_other_kinds(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    record_refusal refused;
    chain_end end;
    int levels;
    int repeated; /* of the last link */
    const char *says;
  } cases[] = {
      /* rho = 1. */
      {PLANE "hamiltonian H = u + v^2/2\nconstraint c: x == 0\n", REFUSED_NO_MOTION,
       CHAIN_CONTRADICTORY, 2, 0, "Proved: these cannot all hold"},
      /* x = 0, then {x,H} = y, then {y,H} = v^2 + 1, which is never zero on the reals. */
      {PLANE "hamiltonian H = u*y + v^3/3 + v\nconstraint c: x == 0\n", REFUSED_DEGENERATE,
       CHAIN_CONTRADICTORY, 3, 0, "Proved: these cannot all hold"},
      /* The same with v^2 - v + 1, whose form does not show it. */
      {PLANE "hamiltonian H = u*y + v^3/3 - v^2/2 + v\nconstraint c: x == 0\n", REFUSED_DEGENERATE,
       CHAIN_CONTRADICTORY, 3, 0, "No point was found that satisfies all of these"},
      /* rho = -x^2. */
      {PLANE "hamiltonian H = x^3/3 + v^2/2 + y^2/2\nconstraint c: u == 0\n", REFUSED_DEGENERATE,
       CHAIN_CLOSED, 2, 1, "of which a power must vanish"},
      /* Two constraints, one of index 3 and one of index 5. */
      {SPACE "hamiltonian H = u^2/2 + v*x + s^2/2\nconstraint c: y == 0\nconstraint e: w == 0\n",
       REFUSED_DEGENERATE, CHAIN_CLOSED, 4, 0, "the index is 5"},
      /* N has rank one, and what eliminates a multiplier is 1 + y^2 = 2.  With F = u + (1 + y^2) s:
       * F = 0 and y = 1, then v = 0, then s = 0, which determines the other one. */
      {SPACE "hamiltonian H = (u + (1 + y^2)*s)^2/2 + s*(y - 1) + v^2/2\n"
             "constraint c: x == 0\nconstraint e: w == 0\n",
       REFUSED_DEGENERATE, CHAIN_CLOSED, 4, 0, "quaternary: 0 = s\n"},
      /* With F = a u + b s, for a = 1 + y^2 and b = 2 + y^2, the secondary constraints are a F + y
       * - 1 = 0 and b F = 0: again F = 0 and y = 1, then v = 0, then u = 0. */
      {SPACE "hamiltonian H = ((1 + y^2)*u + (2 + y^2)*s)^2/2 + u*(y - 1) + v^2/2\n"
             "constraint c: x == 0\nconstraint e: w == 0\n",
       REFUSED_DEGENERATE, CHAIN_CLOSED, 4, 0, "the index is 5"},
      /* N has rank one and all secondary constraints are F = 0. */
      {SPACE "hamiltonian H = (u + (1 + y^2)*s)^2/2 + v^2/2\n"
             "constraint c: x == 0\nconstraint e: w == 0\n",
       REFUSED_DEGENERATE, CHAIN_FREE, 2, 0, "leaves 1 of 2 multipliers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i].text);
    const record_chain *chain = &r.found->chain;
    assert_int_equal(r.found->refused, cases[i].refused);
    assert_int_equal(chain->end, cases[i].end);
    assert_int_equal(chain->levels, cases[i].levels);
    assert_int_equal(chain->links[chain->n_links - 1].repeated, cases[i].repeated);
    says(r.refusal, cases[i].says);
    release(&r);
  }
}

/* ---- empty sets ---- */

static void nothing_is_concluded_about_an_empty_set(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    record_refusal refused;
    const char *answer;
    const char *says;
  } cases[] = {
      /* M fixes x = y = 2 or -2; then 0 = {y py} and rho = 4 + exp(u). */
      {PLANE "hamiltonian H = exp(u) + y^2*u + v^2/2 + y^2/2\n"
             "constraint a: x - y == 0\nconstraint b: x^2 + y^2 == 8\n",
       REFUSED_NO_MOTION, "no", "M^H is empty"},
      /* rho = exp(u), and N = -exp(u) has one sign. */
      {PLANE "hamiltonian H = exp(u) + v^2/2\nconstraint c: x == 0\n", REFUSED_NO_MOTION, "no",
       "M^H is empty"},
      /* The index is 3 and M^H is one point. */
      {"model t\ncoord x momentum u\nhamiltonian H = u^2/2 + x*u\nconstraint c: x == 3\n",
       REFUSED_NOT, "yes", NULL},
      /* rho = u + 2 + v^2 has zeros. */
      {PLANE "hamiltonian H = u^2/2 + u*(2 + v^2)\nconstraint c: x == 0\n", REFUSED_NOT, "yes",
       NULL},
      /* rho = u^4 - u + 1 > 0: no point is found, and the form does not show why. */
      {PLANE "hamiltonian H = u^5/5 - u^2/2 + u + v^2/2\nconstraint c: x == 0\n", REFUSED_NOT,
       "unexamined", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i].text);
    assert_int_equal(r.found->refused, cases[i].refused);
    assert_string_equal(page_answer_name(&r.known), cases[i].answer);
    assert_int_equal(page_is_unexamined(&r.known), strcmp(cases[i].answer, "unexamined") == 0);
    if (strcmp(cases[i].answer, "yes") != 0) {
      assert_null(strstr(page_write(&r.known, SPELL_ASCII, 0), "RATTLE apply"));
    }
    if (cases[i].says) {
      says(r.refusal, cases[i].says);
    }
    release(&r);
  }
}

/* ---- scales ---- */

static void points_are_found_in_any_unit_without_initial_states(void **state)
{
  (void)state;
  static const char *const units[] = {"1", "1e-2", "1e-10", "1e20"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    char text[512];
    snprintf(text, sizeof text,
             PLANE "hamiltonian H = (u^2 + v^2)/2 + y/%s\n"
                   "constraint c: (x/%s)^2 + (y/%s)^2 + u^2 == 1\n",
             units[i], units[i], units[i]);
    examined r = examine(text);
    assert_int_equal(r.found->M.shown, 32);
    assert_int_equal(r.found->MH.shown, 32);
    assert_string_equal(page_answer_name(&r.known), "not_everywhere");
    release(&r);
    snprintf(text, sizeof text,
             PLANE KINETIC "constraint c: (x/%s)^2 + (y/%s)^2 == 1\n"
                           "constraint e: 1e7*((x/%s)^3 + x/%s*(y/%s)^2 - x/%s) == 0\n",
             units[i], units[i], units[i], units[i], units[i], units[i]);
    r = examine(text);
    assert_int_equal(r.found->M.shown, 32);
    assert_int_equal(r.found->refused, REFUSED_NOT);
    assert_int_equal(r.found->independence.redundant, 1);
    release(&r);
  }
}

/* ---- independence ---- */

static void redundant_constraints_are_named(void **state)
{
  (void)state;
#define THREE "hamiltonian H = u^2/2 + v^2/2 + s^2/2 + y\n"
#define START "init x = 1\ninit y = 0\ninit w = -1\ninit u = 0\ninit v = 0\ninit s = 0\n"
  static const struct {
    const char *text;
    int redundant;
    fact_evidence kind;
    const char *warning;
    const char *identity; /* of the certificate */
  } cases[] = {
      {PLANE KINETIC "constraint one: x^2 + y^2 == 1\nconstraint same: 2*x^2 + 2*y^2 == 2\n", 1,
       EVIDENCE_CERTIFICATE, "'same' follows from 'one'", "same = 2*one\n"},
      {SPACE THREE START "constraint one: x^2 + y^2 == 1\nconstraint two: x + w == 0\n"
                         "constraint three: x^2 + y^2 + y*(x + w) == 1\n",
       2, EVIDENCE_CERTIFICATE, "'three' follows from 'one'", "three = one + y*two\n"},
      {SPACE THREE START "constraint one: exp(x^2 + y^2) == exp(1)\nconstraint two: w == -1\n"
                         "constraint three: x^2 + y^2 == 1\n",
       2, EVIDENCE_SAMPLED, "'three' follows from 'one'", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i].text);
    assert_int_equal(r.found->refused, REFUSED_NOT);
    assert_int_equal(r.found->independence.redundant, 1);
    says(page_warning(&r.known), cases[i].warning);
    assert_int_equal(r.found->independence.n_redundant, 1);
    const record_redundancy *f = &r.found->independence.redundancies[0];
    assert_int_equal(f->constraint, cases[i].redundant);
    assert_int_equal(f->evidence, cases[i].kind);
    if (f->certificate) {
      says(page_write(&r.known, SPELL_ASCII, 0), cases[i].identity);
      assert_true(defect(&r, f->certificate) < 1e-13);
    } else {
      assert_null(cases[i].identity);
      assert_true(f->combination.coefficients[1] == 0);
      assert_true(f->combination.coefficients[2] != 0);
    }
    release(&r);
  }
}

static void constraints_without_a_common_point_are_named(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int n;
    int proved;
    int refused;
    const char *says;
  } cases[] = {
      {SPACE THREE "constraint one: x^2 + y^2 == 1\nconstraint free: w == 0\n"
                   "constraint two: x^2 + y^2 == 2\n",
       2, 1, REFUSED_NO_POINT,
       "1 = one - two\n      for every (q, p), which proves that 'one' and 'two' cannot all "
       "hold\n"},
      {SPACE THREE
       "constraint one: x^2 + y^2 == 1\nconstraint free: w == 0\nconstraint two: x == 3\n",
       2, 0, REFUSED_NO_POINT, "No point was found for 'one' and 'two' together"},
      {SPACE THREE "constraint one: x^2 + y^2 == -1\nconstraint free: w == 0\n", 1, 0,
       REFUSED_NO_POINT, "'one' cannot hold: by its form, it is never 0"},
      {SPACE THREE "constraint free: w == 0\nconstraint one: x^2 + x*y + y^2 == -1\n", 1, 0,
       REFUSED_NOT, "No point was found for 'one' alone"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i].text);
    assert_int_equal(r.found->refused, cases[i].refused);
    assert_int_equal(page_is_unexamined(&r.known), !cases[i].refused);
    assert_int_equal(r.found->independence.n_conflicting, cases[i].n);
    assert_int_equal(r.found->independence.contradiction != NULL, cases[i].proved);
    says(cases[i].refused ? r.refusal : page_write(&r.known, SPELL_ASCII, 0), cases[i].says);
    release(&r);
  }
}

/* ---- symmetries ---- */

#define PAIR                                                                                       \
  "model t\nset i = {a, b}\nset xy = {x, y}\nparam m[j in i] = 3 in (0, inf)\n"                    \
  "coord q[i, xy] momentum p\n"                                                                    \
  "let r = sqrt(sum(k in xy: (q[a,k] - q[b,k])^2))\n"                                              \
  "hamiltonian H = sum(j in i, k in xy: p[j,k]^2/(2*m[j])) "

/* The greatest |{F,H}| and |{F,g}| at some points, by differences. */
static double change_along_the_flow(const examined *r, const ir_expr *F)
{
  static const double z[8] = {0.7, -0.4, 0.35, 0.9, -0.55, 0.2, 0.45, -0.8};
  const ir_program *p = r->program;
  const double h = 1e-5;
  double flow[8];
  double greatest = 0;
  for (int i = 0; i < 2 * p->nq; i++) {
    const int other = i < p->nq ? i + p->nq : i - p->nq;
    double up[8];
    double down[8];
    memcpy(up, z, sizeof up);
    memcpy(down, z, sizeof down);
    up[other] += h;
    down[other] -= h;
    flow[i] = (i < p->nq ? 1 : -1) * (value(r, F, up) - value(r, F, down)) / (2 * h);
  }
  for (int i = 0; i <= p->nc; i++) {
    const ir_function *f = &p->functions[i ? IR_CONSTRAINT : IR_HAMILTONIAN];
    double up[8];
    double down[8];
    for (int j = 0; j < 2 * p->nq; j++) {
      up[j] = z[j] + h * flow[j];
      down[j] = z[j] - h * flow[j];
    }
    const ir_expr *e = f->entries[i ? i - 1 : 0].value;
    greatest = fmax(greatest, fabs(value(r, e, up) - value(r, e, down)) / (2 * h));
  }
  return greatest;
}

static void symmetries_are_found_and_proved(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int n;
    const char *last; /* the last momentum */
    fact_range range;
  } cases[] = {
      {PLANE KINETIC "constraint c: x^2 + y^2 == 1\n", 0, NULL, RANGE_ALL},
      {PLANE "hamiltonian H = u^2/2 + v^2/2\nconstraint c: x^2 + y^2 == 1\n", 1, "x*v - y*u",
       RANGE_ALL},
      /* both momenta and the angular momentum; products of the momenta say nothing new */
      {PLANE "hamiltonian H = u^2/2 + v^2/2\n", 3, "x*v - y*u", RANGE_ALL},
      /* an ellipse, whose symmetry is no rotation of the plane */
      {PLANE "hamiltonian H = u^2/2 + 2*v^2 + (x^2 + y^2/4)^2\n", 1, "x*v - y*u/4", RANGE_ALL},
      /* with other parameters there is no symmetry */
      {PLANE "param a = 4\nhamiltonian H = u^2/2 + a*v^2/2 + (x^2 + y^2/4)^2\n", 1, "x*v - y*u/4",
       RANGE_DEFAULTS},
      /* the momentum of an oscillator in resonance that is no lift of a map of positions */
      {PLANE "hamiltonian H = (u^2 + x^2)/2 + (v^2 + y^2)/2 + (u^2 + x^2)^2\n", 2, NULL, RANGE_ALL},
      {PAIR "+ 1/r\n", 4, NULL, RANGE_ALL},
      {PAIR "+ 1/r\nconstraint c: r == 2\n", 4, NULL, RANGE_ALL},
      /* the momentum across the force, and the laws of free fall of the centre of mass */
      {PAIR "+ q[a,x]\nconstraint c: r == 2\n", 3, NULL, RANGE_ALL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i].text);
    const record_list *list = &r.found->symmetries;
    assert_false(list->unexamined);
    for (int j = 0; j < list->n; j++) {
      assert_true(change_along_the_flow(&r, list->items[j].value) < 1e-8);
    }
    assert_int_equal(list->n, cases[i].n);
    if (cases[i].last) {
      const record_finding *last = &list->items[list->n - 1];
      const char *text = expression_text(r.memory, r.program, last->value);
      assert_string_equal(text, cases[i].last);
      assert_int_equal(last->range, cases[i].range);
      says(page_summary(&r.known), arena_printf(r.memory, "%s is conserved, proved", text));
      says(page_json(&r.known), text);
    }
    release(&r);
  }
}

/* The bracket of p with sign(x) is 0 wherever it exists, but p is not conserved at the jump. */
static void nothing_is_said_of_symmetries_of_functions_that_jump(void **state)
{
  (void)state;
  static const char *const cases[] = {
      "model m\ncoord x momentum u\nhamiltonian H = u^2/2 + sign(x)/10\n",
      "model m\ncoord x momentum u\nhamiltonian H = u^2/2 + atan(x) + atan(1/x)\n",
      "model m\ncoord x momentum u\nhamiltonian H = u^2/2 + abs(x)/x\n",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    examined r = examine(cases[i]);
    assert_int_equal(r.found->symmetries.n, 0);
    assert_true(r.found->symmetries.unexamined);
    release(&r);
  }
}

/* ---- constraints that look like rolling without slipping ---- */

#define TURNING PLANE "coord th momentum w\nparam J = 2\nhamiltonian H = u^2/2 + v^2/4 + w^2/6\n"

static void only_constraints_that_are_not_integrable_are_vakonomic(void **state)
{
  (void)state;
  static const struct {
    const char *constraints;
    int n;
  } cases[] = {
      {"constraint c: x^2 + y^2 + th^2 == 1\n", 0},
      {"constraint c: u*sin(th) - v*cos(th)/2 == 0\n", 1},
      {"constraint c: (1 + x^2)*(u*sin(th) - v*cos(th)) == 0\n", 1},
      /* not linear in p without a constant term */
      {"constraint c: u*sin(th) - v*cos(th) == 1\n", 0},
      {"constraint c: u^2*sin(th) - v*cos(th) == 0\n", 0},
      /* the coefficients are constant */
      {"constraint c: u - J*w == 0\n", 0},
      /* derivatives of x^2/2 + y^2 + 3 th^2/2 and of x y + th */
      {"constraint c: x*u + y*v + th*w == 0\n", 0},
      {"constraint c: y*u + x*v/2 + w/3 == 0\n", 0},
      {"constraint c: y*u + x*v + w == 0\n", 1},
      {"constraint a: u == w*cos(y)\nconstraint b: v == w*sin(x)\n", 2},
      /* where conditions on positions hold: th dx + 2 dy is integrable on th = 0, and every form on
       * two dimensions, but th is not restricted by a condition on r */
      {"constraint a: th == 0\nconstraint c: v + th*u == 0\n", 0},
      {"constraint a: th == x\nconstraint c: y*u + x*v + w == 0\n", 0},
      {"coord r momentum s\nconstraint a: r == x\nconstraint c: y*u + x*v + w == 0\n", 1},
      {"coord r momentum s\nconstraint a: r == x\nconstraint b: r == y^3\n"
       "constraint c: y*u + x*v + w == 0\n",
       0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    examined r = examine(arena_printf(a, TURNING "%s", cases[i].constraints));
    assert_false(r.found->vakonomic.unexamined);
    assert_int_equal(r.found->vakonomic.n, cases[i].n);
    if (cases[i].n) {
      says(page_summary(&r.known), "its multiplier moves");
    }
    release(&r);
    arena_free(a);
  }
}

static void constraints_without_values_are_not_called_integrable(void **state)
{
  (void)state;
  examined r = examine(TURNING "constraint c: v*log(-1 - x^2) - w*y == 0\n");
  assert_true(r.found->vakonomic.unexamined);
  release(&r);
  /* There are values for x > 100 only. */
  r = examine(TURNING
              "constraint c: v*log(x - 100) - w*y == 0\n"
              "init x = 200\ninit y = 1\ninit th = 0\ninit u = 0\ninit v = 0\ninit w = 0\n");
  assert_int_equal(r.found->vakonomic.n, 1);
  release(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brackets_that_vanish_on_M_are_proved_by_a_certificate),
      cmocka_unit_test(what_is_not_proved_is_sampled_with_its_evidence),
      cmocka_unit_test(second_class_pairs_keep_bracket_and_witness),
      cmocka_unit_test(zeros_of_the_determinant),
      cmocka_unit_test(the_combination_that_makes_N_singular_is_named),
      cmocka_unit_test(the_chain_of_section_5_2_has_index_five),
      cmocka_unit_test(a_hamiltonian_that_is_constant_on_the_fibres_leaves_the_multiplier_free),
      cmocka_unit_test(a_constraint_on_the_energy_is_recognised),
      cmocka_unit_test(chains_of_other_kinds),
      cmocka_unit_test(nothing_is_concluded_about_an_empty_set),
      cmocka_unit_test(points_are_found_in_any_unit_without_initial_states),
      cmocka_unit_test(redundant_constraints_are_named),
      cmocka_unit_test(constraints_without_a_common_point_are_named),
      cmocka_unit_test(symmetries_are_found_and_proved),
      cmocka_unit_test(nothing_is_said_of_symmetries_of_functions_that_jump),
      cmocka_unit_test(only_constraints_that_are_not_integrable_are_vakonomic),
      cmocka_unit_test(constraints_without_values_are_not_called_integrable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
