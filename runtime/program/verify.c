/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verify.h"

#include <stddef.h>
#include <string.h>

#include "program/difference.h"
#include "program/verifier.h"

/* What a check cannot do without. */
enum { CONSTRAINTS = 1, POINTS_ON_M = 2, INVARIANTS = 4 };

typedef struct check {
  const char *name;
  sw_check_function *run;
  const char *base;
  double tolerance;
  unsigned needs;
} check;

/* Two ways to compute the same number from the same data agree to some thousand units in the last
 * place of the terms. */
#define ROUNDING 1e-12

/* A figure that counts, or is a ratio that must not exceed one, up to a few roundings. */
#define NONE        0.0
#define AT_MOST_ONE (1.0 + 1e-12)

/* A function of the model against the table of witnesses. */
#define WITNESS(function, needs)                                                                   \
  {                                                                                                \
    "witness " #function, sw_check_witness, #function, ROUNDING, needs                             \
  }

/* In the order of the report. */
static const check checks[] = {
    {"every output is written", sw_check_outputs, NULL, NONE, 0},
    {"witness names, run line", sw_check_witness_names, NULL, NONE, 0},
    {"witness sizes that fit", sw_check_witness_sizes, NULL, NONE, 0},
    {"witness k_default", sw_check_witness_defaults, NULL, ROUNDING, 0},
    {"witness bounds", sw_check_witness_bounds, NULL, NONE, 0},
    {"witness init", sw_check_witness_init, NULL, ROUNDING, 0},
    WITNESS(hamiltonian, 0),
    WITNESS(hamiltonian_grad, 0),
    WITNESS(hamiltonian_hess, 0),
    WITNESS(constraint, CONSTRAINTS),
    {"witness constraint_scale", sw_check_witness_constraint_scale, NULL, AT_MOST_ONE, CONSTRAINTS},
    WITNESS(constraint_jac, CONSTRAINTS),
    WITNESS(constraint_jac_along, CONSTRAINTS),
    WITNESS(constraint_hess, CONSTRAINTS),
    WITNESS(hidden, CONSTRAINTS),
    {"witness hidden_scale", sw_check_witness_hidden_scale, NULL, AT_MOST_ONE, CONSTRAINTS},
    WITNESS(hidden_jac, CONSTRAINTS),
    WITNESS(coisotropy, CONSTRAINTS),
    WITNESS(nondegeneracy, CONSTRAINTS),
    WITNESS(fibre_flow, CONSTRAINTS),
    WITNESS(fibre_flow_lambda, CONSTRAINTS),
    WITNESS(fibre_flow_z, CONSTRAINTS),
    WITNESS(observe, 0),
    WITNESS(invariant, 0),
    {"separable, constant mass matrix", sw_check_energy_structure, NULL, ROUNDING, 0},
    {"holonomic, commuting", sw_check_constraint_structure, NULL, ROUNDING, CONSTRAINTS},
    {"grad H / differences of H", sw_check_energy_grad, NULL, SW_DIFFERENCE_TOLERANCE, 0},
    {"Hess H / differences of grad H", sw_check_energy_hess, NULL, SW_DIFFERENCE_TOLERANCE, 0},
    {"Dg / differences of g", sw_check_constraint_jac, NULL, SW_DIFFERENCE_TOLERANCE, CONSTRAINTS},
    {"Hess(lambda.g) / differences of Dg", sw_check_constraint_hess, NULL, SW_DIFFERENCE_TOLERANCE,
     CONSTRAINTS},
    {"Drho / differences of rho", sw_check_hidden_jac, NULL, SW_DIFFERENCE_TOLERANCE, CONSTRAINTS},
    {"|g| and |rho| within their scales", sw_check_scales, NULL, AT_MOST_ONE, CONSTRAINTS},
    {"rho = {g,H}", sw_check_hidden, NULL, ROUNDING, CONSTRAINTS},
    {"C = Dg J Dg^T", sw_check_coisotropy, NULL, ROUNDING, CONSTRAINTS},
    {"N = Drho J Dg^T", sw_check_nondegeneracy, NULL, ROUNDING, CONSTRAINTS},
    {"C is antisymmetric", sw_check_antisymmetry, NULL, ROUNDING, CONSTRAINTS},
    {"C = 0 on M", sw_check_coisotropic, NULL, SW_COISOTROPIC, CONSTRAINTS | POINTS_ON_M},
    {"dGamma/dlambda / differences", sw_check_flow_lambda, NULL, SW_DIFFERENCE_TOLERANCE,
     CONSTRAINTS},
    {"dGamma/dz / differences", sw_check_flow_z, NULL, SW_DIFFERENCE_TOLERANCE, CONSTRAINTS},
    {"Gamma_0 = id", sw_check_flow_zero, NULL, 1e-14, CONSTRAINTS},
    {"Gamma maps M to M", sw_check_flow_tangent, NULL, ROUNDING, CONSTRAINTS | POINTS_ON_M},
    {"Gamma_b o Gamma_a = Gamma_{a+b}", sw_check_flow_group, NULL, ROUNDING, CONSTRAINTS},
    {"dGamma/dlambda = X_g(Gamma)", sw_check_flow_generator, NULL, 1e-11, CONSTRAINTS},
    {"Gamma is symplectic", sw_check_flow_symplectic, NULL, ROUNDING, CONSTRAINTS},
    {"invariants: {I,H} + lambda.{I,g} = 0", sw_check_invariants, NULL, SW_DIFFERENCE_TOLERANCE,
     INVARIANTS | POINTS_ON_M},
    {"euler-b(-h) o euler-a(h) = id", sw_check_round_trip, "euler-a", 1e-10, POINTS_ON_M},
    {"verlet(-h) o verlet(h) = id", sw_check_round_trip, "verlet", 1e-10, POINTS_ON_M},
    {"midpoint(-h) o midpoint(h) = id", sw_check_round_trip, "midpoint", 1e-10, POINTS_ON_M},
    {"SHAKE and RATTLE on the same fibres", sw_check_same_fibres, "verlet", 1e-9,
     CONSTRAINTS | POINTS_ON_M},
    {"SHAKE keeps omega on M", sw_check_presymplectic, NULL, 1e-13, CONSTRAINTS | POINTS_ON_M},
    {"RATTLE keeps omega on M^H", sw_check_symplectic, NULL, 1e-13, POINTS_ON_M},
    {"order of RATTLE over euler-a", sw_check_order, "euler-a", 0.1, POINTS_ON_M},
    {"order of RATTLE over euler-b", sw_check_order, "euler-b", 0.1, POINTS_ON_M},
    {"order of RATTLE over verlet", sw_check_order, "verlet", 0.1, POINTS_ON_M},
    {"order of RATTLE over midpoint", sw_check_order, "midpoint", 0.1, POINTS_ON_M},
};

enum { CHECKS = sizeof checks / sizeof checks[0] };

int sw_verify_count(void)
{
  return CHECKS;
}

int sw_verify_asked(const char *only)
{
  int n = 0;
  for (int i = 0; i < CHECKS; i++) {
    n += strncmp(checks[i].name, only, strlen(only)) == 0;
  }
  return n;
}

static void carry_out(const check *of, sw_verifier *v, sw_finding *finding)
{
  *finding = (sw_finding){.name = of->name, .worst = -1.0, .tolerance = of->tolerance};
  if (v->options.only != NULL && strncmp(of->name, v->options.only, strlen(v->options.only)) != 0) {
    sw_finding_exclude(finding, "not asked for");
    return;
  }
  if ((of->needs & CONSTRAINTS) && v->system->nc == 0) {
    sw_finding_exclude(finding, "the model has no constraints");
    return;
  }
  if ((of->needs & INVARIANTS) && v->system->n_invariant == 0) {
    sw_finding_exclude(finding, "the model states no invariants");
    return;
  }
  if ((of->needs & POINTS_ON_M) && v->reached == 0) {
    sw_finding_fail(finding, "no point of M^H was reached from any initial state");
    return;
  }
  of->run(v, of->base, finding);
  if (finding->outcome != SW_CHECK_PASS) {
    return;
  }
  if (finding->worst < 0.0) {
    sw_finding_fail(finding, "nothing was compared");
  } else if (!(finding->worst <= finding->tolerance)) {
    finding->outcome = SW_CHECK_FAIL;
  }
}

int sw_verify_model(sw_system *system, const sw_verify_options *options, sw_finding findings[])
{
  sw_verifier verifier;
  int good = 1;
  int ready = sw_verifier_init(&verifier, system, options);
  for (int i = 0; ready && i < CHECKS; i++) {
    carry_out(&checks[i], &verifier, &findings[i]);
    good = good && findings[i].outcome != SW_CHECK_FAIL;
  }
  sw_verifier_clear(&verifier);
  return ready ? good : -1;
}
