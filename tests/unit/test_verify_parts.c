/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_verify_parts.c -- `verify` passes the parts of H that the generator makes, and its checks
 * fail on broken ones.
 */
#include "charged_sphere.h"
#include "mirror.h"
#include "near.h"
#include "outcome.h"

enum { dim = 6, most_parts = 3 };

/* What the wrappers do: entry `spoiled` of a part is wrong, or not written. */
static const sw_part *original;
static int spoiled;
static int skipping;

static void spoil(double out[], double before)
{
  if (skipping)
    out[spoiled] = before;
  else
    out[spoiled] += 1e-6 * (out[spoiled] != 0.0 ? out[spoiled] : 1.0);
}

static void bad_grad(const long n[], const double z[], const double k[], double out[])
{
  const double before = out[spoiled];

  original->grad(n, z, k, out);
  spoil(out, before);
}

static void bad_hess(const long n[], const double z[], const double k[], double out[])
{
  const double before = out[spoiled];

  original->hess.values(n, z, k, out);
  spoil(out, before);
}

static void expect_failure(const sw_model *model, const char *name, int part)
{
  if (outcome(model, name) != SW_CHECK_FAIL)
    fail_msg("%s: check '%s' did not fail (part %d, entry %d, %s)", model->name, name, part,
             spoiled, skipping ? "skipped" : "wrong");
}

static void every_entry_is_looked_at(void **state)
{
  static const sw_model *const models[] = {&sw_model_charged_sphere, &sw_model_mirror};
  static const char add_up[] = "parts of H add up to it";

  (void)state;
  for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
    assert_int_equal(outcome(models[m], add_up), SW_CHECK_PASS);
    for (int i = 0; i < models[m]->n_parts; i++) {
      sw_part parts[most_parts];
      sw_model broken = *models[m];
      memcpy(parts, broken.parts, (size_t)broken.n_parts * sizeof *parts);
      broken.parts = parts;
      original = &models[m]->parts[i];
      for (skipping = 0; skipping <= 1; skipping++) {
        parts[i].grad = bad_grad;
        for (spoiled = 0; spoiled < dim; spoiled++)
          expect_failure(&broken, add_up, i);
        parts[i].grad = original->grad;
        parts[i].hess.values = bad_hess;
        for (spoiled = 0; spoiled < original->hess.places.n; spoiled++)
          expect_failure(&broken, add_up, i);
        parts[i].hess.values = original->hess.values;
      }
    }
  }
}

/* A linear field that is taken for one whose gradient is constant along its flow, and a part that
 * is neither. */
static void flows_have_to_be_exact(void **state)
{
  static const char exact[] = "flows of the parts are exact";
  sw_part parts[most_parts];
  sw_model broken = sw_model_charged_sphere;

  (void)state;
  assert_int_equal(outcome(&broken, exact), SW_CHECK_PASS);
  memcpy(parts, broken.parts, (size_t)broken.n_parts * sizeof *parts);
  broken.parts = parts;
  parts[1].kind = SW_PART_COMMUTING;
  assert_int_equal(outcome(&broken, exact), SW_CHECK_FAIL);
  assert_int_equal(outcome(&broken, "order of RATTLE over splitting"), SW_CHECK_FAIL);
  assert_int_equal(outcome(&broken, "splitting(-h) o splitting(h) = id"), SW_CHECK_FAIL);
  /* All of H as one part, of either kind. */
  broken.n_parts = 1;
  for (int kind = 0; kind < 2; kind++) {
    parts[0] = (sw_part){"H", kind ? SW_PART_QUADRATIC : SW_PART_COMMUTING, broken.hamiltonian_grad,
                         broken.hamiltonian_hess};
    assert_int_equal(outcome(&broken, "parts of H add up to it"), SW_CHECK_PASS);
    assert_int_equal(outcome(&broken, exact), SW_CHECK_FAIL);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_entry_is_looked_at),
      cmocka_unit_test(flows_have_to_be_exact),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
