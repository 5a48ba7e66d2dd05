/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verify.h"

#include <stddef.h>
#include <string.h>

#include "program/difference.h"
#include "program/verifier.h"
#include "step/splitting.h"

/* Requirements of a check, and the points at which it is called. */
enum {
  CONSTRAINTS = 1,
  PARAMETERS = 2,
  INITIAL_STATES = 4,
  INVARIANTS = 8,
  BRACKETS = 16, /* C has an entry */
  ON_M = 32,     /* a point of M^H was reached */
  EACH_NEAR = 64,
  EACH_ON_M = 128 | ON_M,
  PARTS = 256, /* H has a table of parts */
  FLOWS = 512, /* H has parts with exact flows, for the base method "splitting" */
  DISCRETE = 1024,
  INCREMENTS = 2048, /* increments of the fibre flow */
  RATES = 4096,      /* accelerations */
  /* third derivatives of H, which models with loops have instead of accelerations */
  ALONG = 8192,
  THIRD = 16384,    /* third derivatives of g, from either kind of model */
  STRAIGHT = 32768, /* a generated step */
  FORCES = 65536,
  EVENTS = 131072,
  LIFTED = 262144 /* a lifted model */
};

/* A check.  It is called once, for each required point, or, if `compare` is set, for each case of
 * the table of witnesses. */
typedef struct check {
  const char *name;
  double tolerance;
  unsigned needs;
  sw_check_function *run;
  sw_witness_check *compare;
  int what;           /* the function that the check is about, see sw_output_of */
  const char *method; /* the method that the check is about */
  const char *base;   /* its base method */
} check;

/* Two computations of the same number from the same data agree up to several thousand units in
 * the last place of the terms. */
#define ROUNDING 1e-12

/* Tolerances of a figure that counts errors, and of a ratio that must not exceed one, up to
 * rounding. */
#define NONE        0.0
#define AT_MOST_ONE (1.0 + 1e-12)

/* clang-format off */
#define ONCE(name, tolerance, needs, run) {name, tolerance, needs, run, NULL, 0, NULL, NULL}
#define NEAR(name, tolerance, needs, run) {name, tolerance, (needs) | EACH_NEAR, run, NULL, 0, NULL, NULL}
#define ON(name, tolerance, needs, run) {name, tolerance, (needs) | EACH_ON_M, run, NULL, 0, NULL, NULL}
#define DERIVATIVE(name, needs, what) \
  {name, SW_DIFFERENCE_TOLERANCE, (needs) | EACH_NEAR, sw_check_derivative, NULL, SW_WITNESS_##what, NULL, NULL}
#define DISCRETE_OF(name, tolerance, needs, what, run) \
  {name, tolerance, (needs) | DISCRETE | EACH_NEAR, run, NULL, what, NULL, NULL}
#define STEPS(name, tolerance, needs, run, method, base) \
  {name, tolerance, (needs) | ON_M, run, NULL, 0, method, base}
#define CASES(name, tolerance, needs, compare, what) \
  {"witness " name, tolerance, needs, NULL, compare, SW_WITNESS_##what, NULL, NULL}
#define FUNCTION(name, needs, what) CASES(name, ROUNDING, needs, sw_witness_function, what)

/* The checks, in the order of the report. */
static const check checks[] = {
    NEAR("every output is written", NONE, 0, sw_check_outputs),
    CASES("names, run line", NONE, 0, sw_witness_names, K_DEFAULT),
    ONCE("witness sizes that fit", NONE, 0, sw_check_witness_sizes),
    CASES("k_default", ROUNDING, PARAMETERS, sw_witness_defaults, K_DEFAULT),
    CASES("bounds", NONE, PARAMETERS, sw_witness_bounds, K_DEFAULT),
    CASES("init", ROUNDING, INITIAL_STATES, sw_witness_inits, INIT),
    FUNCTION("hamiltonian", 0, HAMILTONIAN),
    FUNCTION("hamiltonian_grad", 0, HAMILTONIAN_GRAD),
    FUNCTION("hamiltonian_hess", 0, HAMILTONIAN_HESS),
    FUNCTION("constraint", CONSTRAINTS, CONSTRAINT),
    CASES("constraint_scale", AT_MOST_ONE, CONSTRAINTS, sw_witness_scale, CONSTRAINT),
    FUNCTION("constraint_jac", CONSTRAINTS, CONSTRAINT_JAC),
    FUNCTION("constraint_jac_along", CONSTRAINTS, CONSTRAINT_JAC_ALONG),
    FUNCTION("constraint_hess", CONSTRAINTS, CONSTRAINT_HESS),
    FUNCTION("hidden", CONSTRAINTS, HIDDEN),
    CASES("hidden_scale", AT_MOST_ONE, CONSTRAINTS, sw_witness_scale, HIDDEN),
    FUNCTION("hidden_jac", CONSTRAINTS, HIDDEN_JAC),
    FUNCTION("coisotropy", CONSTRAINTS, COISOTROPY),
    FUNCTION("nondegeneracy", CONSTRAINTS, NONDEGENERACY),
    CASES("fibre_flow", ROUNDING, CONSTRAINTS, sw_witness_flow, FIBRE_FLOW),
    CASES("fibre_flow_lambda", ROUNDING, CONSTRAINTS, sw_witness_flow, FIBRE_FLOW_LAMBDA),
    CASES("fibre_flow_z", ROUNDING, CONSTRAINTS, sw_witness_flow, FIBRE_FLOW_Z),
    FUNCTION("observe", 0, OBSERVE),
    FUNCTION("invariant", 0, INVARIANT),
    FUNCTION("acceleration", RATES, ACCELERATION),
    FUNCTION("acceleration_jac", RATES, ACCELERATION_JAC),
    FUNCTION("acceleration_hess", RATES, ACCELERATION_HESS),
    FUNCTION("constraint_third", THIRD | CONSTRAINTS, CONSTRAINT_THIRD),
    FUNCTION("hamiltonian_third", ALONG, HAMILTONIAN_THIRD),
    FUNCTION("hamiltonian_fourth", ALONG, HAMILTONIAN_FOURTH),
    FUNCTION("constraint_fourth", ALONG | CONSTRAINTS, CONSTRAINT_FOURTH),
    FUNCTION("force", FORCES, FORCE),
    FUNCTION("force_jac", FORCES, FORCE_JAC),
    FUNCTION("event", EVENTS, EVENT),
    NEAR("separable, constant mass matrix", ROUNDING, 0, sw_check_energy_structure),
    NEAR("holonomic, commuting", ROUNDING, CONSTRAINTS, sw_check_constraint_structure),
    DERIVATIVE("grad H / differences of H", 0, HAMILTONIAN_GRAD),
    DERIVATIVE("Hess H / differences of grad H", 0, HAMILTONIAN_HESS),
    DERIVATIVE("Dg / differences of g", CONSTRAINTS, CONSTRAINT_JAC),
    DERIVATIVE("Hess(lambda.g) / differences of Dg", CONSTRAINTS, CONSTRAINT_HESS),
    DERIVATIVE("Drho / differences of rho", CONSTRAINTS, HIDDEN_JAC),
    NEAR("|g| and |rho| within their scales", AT_MOST_ONE, CONSTRAINTS, sw_check_scales),
    NEAR("rho = {g,H}", ROUNDING, CONSTRAINTS, sw_check_hidden),
    NEAR("C = Dg J Dg^T", ROUNDING, CONSTRAINTS, sw_check_coisotropy),
    NEAR("N = Drho J Dg^T", ROUNDING, CONSTRAINTS, sw_check_nondegeneracy),
    NEAR("C is antisymmetric", ROUNDING, CONSTRAINTS | BRACKETS, sw_check_antisymmetry),
    ON("C = 0 on M", SW_COISOTROPIC, CONSTRAINTS | BRACKETS, sw_check_coisotropic),
    DERIVATIVE("dGamma/dlambda / differences", CONSTRAINTS, FIBRE_FLOW_LAMBDA),
    DERIVATIVE("dGamma/dz / differences", CONSTRAINTS, FIBRE_FLOW_Z),
    NEAR("Gamma_0 = id", 1e-14, CONSTRAINTS, sw_check_flow_zero),
    ON("Gamma maps M to M", ROUNDING, CONSTRAINTS, sw_check_flow_tangent),
    NEAR("Gamma_b o Gamma_a = Gamma_{a+b}", ROUNDING, CONSTRAINTS, sw_check_flow_group),
    NEAR("dGamma/dlambda = X_g(Gamma)", 1e-11, CONSTRAINTS, sw_check_flow_generator),
    NEAR("Gamma is symplectic", ROUNDING, CONSTRAINTS, sw_check_flow_symplectic),
    NEAR("Gamma - z, relative to itself", ROUNDING, CONSTRAINTS | INCREMENTS, sw_check_flow_increment),
    NEAR("parts of H add up to it", ROUNDING, PARTS, sw_check_parts_add_up),
    NEAR("flows of the parts are exact", ROUNDING, FLOWS, sw_check_parts_exact),
    DISCRETE_OF("DH.(z1 - z) = H(z1) - H(z)", ROUNDING, 0, 0, sw_check_discrete_difference),
    DISCRETE_OF("DH = grad H where z1 is near z", ROUNDING, 0, 0, sw_check_discrete_nearby),
    DISCRETE_OF("DH(z,z1) = DH(z1,z)", ROUNDING, 0, 0, sw_check_discrete_symmetry),
    DISCRETE_OF("dDH/dz1 / differences", SW_DIFFERENCE_TOLERANCE, 0, 0, sw_check_discrete_next),
    DISCRETE_OF("Dg.(z1 - z) = g(z1) - g(z)", ROUNDING, CONSTRAINTS, 1, sw_check_discrete_difference),
    DISCRETE_OF("Dg = grad g where z1 is near z", ROUNDING, CONSTRAINTS, 1, sw_check_discrete_nearby),
    DISCRETE_OF("Dg(z,z1) = Dg(z1,z)", ROUNDING, CONSTRAINTS, 1, sw_check_discrete_symmetry),
    DISCRETE_OF("d(lambda.Dg)/dz1 / differences", SW_DIFFERENCE_TOLERANCE, CONSTRAINTS, 1, sw_check_discrete_next),
    ONCE("invariants: {I,H} + lambda.{I,g} = 0", SW_DIFFERENCE_TOLERANCE, INVARIANTS | ON_M, sw_check_invariants),
    STEPS("euler-b(-h) o euler-a(h) = id", 1e-10, 0, sw_check_round_trip, "rattle", "euler-a"),
    STEPS("verlet(-h) o verlet(h) = id", 1e-10, 0, sw_check_round_trip, "rattle", "verlet"),
    STEPS("midpoint(-h) o midpoint(h) = id", 1e-10, 0, sw_check_round_trip, "rattle", "midpoint"),
    STEPS("splitting(-h) o splitting(h) = id", 1e-10, FLOWS, sw_check_round_trip, "rattle", SW_SPLITTING),
    STEPS("LOBATTO(-h) o LOBATTO(h) = id", 1e-10, CONSTRAINTS, sw_check_round_trip, "lobatto", "lobatto-4"),
    STEPS("INDEX1(-h) o INDEX1(h) = id", 1e-10, CONSTRAINTS, sw_check_round_trip, "index1", "gauss-4"),
    STEPS("ENERGY-MOMENTUM(-h) o (h) = id", 1e-10, DISCRETE, sw_check_round_trip, "energy-momentum", NULL),
    STEPS("ENERGY-MOMENTUM keeps H", 1e-12, DISCRETE, sw_check_energy_kept, "energy-momentum", NULL),
    STEPS("VARIATIONAL(-h) o VARIATIONAL(h) = id", 1e-10, 0, sw_check_round_trip, "variational", "rk4"),
    STEPS("straight-line steps / general ones", 1e-10, STRAIGHT, sw_check_straight_line, NULL, NULL),
    STEPS("SHAKE and RATTLE on the same fibres", 1e-9, CONSTRAINTS, sw_check_same_fibres, "shake", "verlet"),
    STEPS("LEAPFROG and RATTLE at the same q", 1e-9, CONSTRAINTS, sw_check_same_positions, "leapfrog", NULL),
    STEPS("VS and RATTLE at the same q", 1e-9, CONSTRAINTS, sw_check_same_positions, "vs", NULL),
    STEPS("SHAKE keeps omega on M", 1e-13, CONSTRAINTS, sw_check_symplectic, "shake", NULL),
    STEPS("RATTLE keeps omega on M^H", 1e-13, 0, sw_check_symplectic, "rattle", NULL),
    STEPS("LOBATTO keeps omega on M^H", 1e-13, CONSTRAINTS, sw_check_symplectic, "lobatto", NULL),
    STEPS("INDEX1 keeps omega on M^H", 1e-13, CONSTRAINTS, sw_check_symplectic, "index1", NULL),
    STEPS("VARIATIONAL keeps its form on M^H", 1e-13, 0, sw_check_symplectic, "variational", NULL),
    STEPS("derivatives along parameters", SW_DIFFERENCE_TOLERANCE, LIFTED, sw_check_along_parameters, "rattle", NULL),
    STEPS("order of RATTLE over euler-a", 0.1, 0, sw_check_order, "rattle", "euler-a"),
    STEPS("order of RATTLE over euler-b", 0.1, 0, sw_check_order, "rattle", "euler-b"),
    STEPS("order of RATTLE over verlet", 0.1, 0, sw_check_order, "rattle", "verlet"),
    STEPS("order of RATTLE over midpoint", 0.1, 0, sw_check_order, "rattle", "midpoint"),
    STEPS("order of RATTLE over splitting", 0.1, FLOWS, sw_check_order, "rattle", SW_SPLITTING),
    STEPS("order of LOBATTO over lobatto-4", 0.1, CONSTRAINTS, sw_check_order, "lobatto", "lobatto-4"),
    STEPS("order of INDEX1 over gauss-4", 0.1, CONSTRAINTS, sw_check_order, "index1", "gauss-4"),
    STEPS("order of ENERGY-MOMENTUM", 0.1, DISCRETE, sw_check_order, "energy-momentum", NULL),
    STEPS("order of VS", 0.1, CONSTRAINTS, sw_check_order, "vs", NULL),
    STEPS("order of VARIATIONAL over kutta-3", 0.1, 0, sw_check_order, "variational", "kutta-3"),
};
/* clang-format on */

enum { CHECKS = sizeof checks / sizeof checks[0] };

int sw_verify_count(void)
{
  return CHECKS;
}

static int is_asked(const char *name, const char *only)
{
  return only == NULL || strncmp(name, only, strlen(only)) == 0;
}

int sw_verify_asked(const char *only)
{
  int n = 0;
  for (int i = 0; i < CHECKS; i++) {
    n += is_asked(checks[i].name, only);
  }
  return n;
}

/* Why the flows of H's parts are not available or not used; NULL if they are. */
static const char *why_no_flows(const sw_system *system)
{
  const sw_division division = sw_division_of(system->model);
  return division == SW_DIVISION_NONE ? "H is not divided into parts with exact flows"
         : division == SW_DIVISION_VERLET
             ? "T(p) + V(q): the steps of splitting are those of verlet"
         : sw_splitting_is_too_large(system)
             ? "H connects too many entries of z for an exponential of its field"
             : NULL;
}

/* Why a check does not apply; NULL if it does. */
static const char *why_not(const check *of, const sw_verifier *v)
{
  const sw_system *system = v->system;
  return !is_asked(of->name, v->options.only)                   ? "not asked for"
         : (of->needs & CONSTRAINTS) && system->nc == 0         ? "the model has no constraints"
         : (of->needs & PARAMETERS) && system->nk == 0          ? "the model has no parameters"
         : (of->needs & INITIAL_STATES) && system->n_init == 0  ? "the model has no initial state"
         : (of->needs & FORCES) && system->n_force == 0         ? "the model has no forces"
         : (of->needs & EVENTS) && system->n_event == 0         ? "the model has no events"
         : (of->needs & INVARIANTS) && system->n_invariant == 0 ? "the model states no invariants"
         : (of->needs & BRACKETS) && system->coisotropy_pattern.entries == 0
             ? "C has no entry: it is identically zero"
         : (of->needs & PARTS) && system->model->n_parts == 0
             ? "H is not divided into a table of parts"
         : (of->needs & INCREMENTS) && system->fibre_increment == NULL
             ? "the fibre flow has no closed form that tells them"
         : (of->needs & DISCRETE) && system->discrete_grad == NULL
             ? "it has no discrete gradients: see `sidewinder generate --with`"
         : (of->needs & RATES) && system->acceleration == NULL
             ? "it has no accelerations: see `sidewinder generate --with`"
         : (of->needs & ALONG) && system->hamiltonian_third == NULL
             ? "it has no third derivatives of H, of which models with loops make accelerations"
         : (of->needs & THIRD) && system->constraint_third == NULL
             ? "it has no third derivatives: see `sidewinder generate --with`"
         : (of->needs & LIFTED) && system->model->lifted == NULL
             ? "it has no lifted model: see `sidewinder generate --with`"
         : (of->needs & STRAIGHT) && v->options.stepper == NULL
             ? "it has no step as straight-line code"
         : (of->needs & FLOWS) ? why_no_flows(system)
                               : NULL;
}

static void verify_carry_out(const check *of, sw_verifier *v, sw_finding *finding)
{
  const char *not_applicable = why_not(of, v);
  const sw_point *points = of->needs & EACH_NEAR ? v->near : v->on;
  const int n = of->needs & EACH_NEAR                  ? v->options.points
                : (of->needs & EACH_ON_M) == EACH_ON_M ? v->reached
                                                       : 1;
  *finding = (sw_finding){.name = of->name, .worst = -1.0, .tolerance = of->tolerance};
  v->what = of->what;
  v->method = of->method;
  v->base = of->base;
  if (not_applicable != NULL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "%s", not_applicable);
  } else if ((of->needs & ON_M) && v->reached == 0) {
    sw_finding_say(finding, SW_CHECK_FAIL,
                   "no initial state, nor any point near one, could be projected to M^H");
  } else if (of->compare != NULL) {
    sw_witness_each_case(v, of->compare, finding);
  }
  for (int i = 0; i < n && of->run != NULL && finding->outcome == SW_CHECK_PASS; i++) {
    of->run(v, &points[i], finding);
  }
  if (finding->outcome != SW_CHECK_PASS) {
    return;
  }
  if (finding->worst < 0.0) {
    sw_finding_say(finding, SW_CHECK_FAIL, "nothing was compared");
  } else if (!(finding->worst <= finding->tolerance)) {
    finding->outcome = SW_CHECK_FAIL;
  }
}

int sw_verify_model(sw_system *system, const sw_verify_options *options, sw_finding findings[])
{
  sw_verifier verifier;
  int good = 1;
  int ready = sw_verifier_init(&verifier, system, options) && sw_verifier_choose_points(&verifier);
  for (int i = 0; ready && i < CHECKS; i++) {
    verify_carry_out(&checks[i], &verifier, &findings[i]);
    good = good && findings[i].outcome != SW_CHECK_FAIL;
  }
  sw_verifier_clear(&verifier);
  return ready ? good : -1;
}
