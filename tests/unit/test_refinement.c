/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_refinement.c -- the derivative of a step keeps the symplectic form where its linear systems
 * are badly conditioned: they are solved once more for what the first round leaves (tangent.c).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "checks/symplectic.h"
#include "near.h"
#include "pairs.h"
#include "sidewinder/sim.h"

#include "slanted.h"

enum { N = 5, DIM = 8 };

static double defect(const char *method, const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;
  double V[N * DIM];
  double DV[N * DIM];
  double found = NAN;

  for (int i = 0; i < N * DIM; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  /* Round-off of the stages of methods with many unknowns leaves some 1e-12. */
  if (strncmp(base, "gauss-", 6) == 0 || strcmp(base, "lobatto-6") == 0) {
    options.tolerance = 1e-11;
  }
  assert_int_equal(sw_sim_create(&sw_model_slanted, &options, &sim), SW_OK);
  const int has_tangent = sw_sim_has_tangent(sim);
  if (has_tangent) {
    assert_int_equal(sw_symplectic_defect(sim, 1e-3, N, V, DV, &found), SW_OK);
  }
  sw_sim_free(&sim);
  return has_tangent ? found : 0.0;
}

/* With one round SHAKE leaves 1.6e-7 to 5.5e-6 over the Euler methods and verlet, and RATTLE 3e-10
 * to 1.4e-8; with two 1.3e-12 to 1.5e-9, and 7e-13 to 2e-12. */
static void another_round_gives_the_digits_back(void **state)
{
  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++) {
    for (const char *const *base = sw_base_names(); *base; base++) {
      if (!takes(&sw_model_slanted, *method, *base)) {
        continue;
      }
      sw_tableau_report report;
      assert_int_equal(sw_tableau_examine(sw_base_tableau(*base), &report, NULL), SW_OK);
      /* Euler's method is so far from symplectic that it shows at this step. */
      if (report.symplectic || report.order > 1) {
        assert_below(defect(*method, *base), strcmp(*method, "shake") == 0 ? 2e-8 : 1e-10);
      }
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(another_round_gives_the_digits_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
