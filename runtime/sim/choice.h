/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.h -- resolves the options and checks whether they are compatible with each other and
 * with a model.
 */
#ifndef SIDEWINDER_SIM_CHOICE_H
#define SIDEWINDER_SIM_CHOICE_H

#include "linear/deficient.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"
#include "step/layer.h"

/* Reasons to reject options, X(name, words).  message.c prints the words. */
#define SW_OBJECTIONS(X)                                                                           \
  X(NONE, "")                                                                                      \
  X(METHOD, "there is no method of that name")                                                     \
  X(BASE, "there is no base method of that name")                                                  \
  X(COMPOSITION, "there is no composition of that name")                                           \
  X(REDUNDANT, "there is no such treatment of redundant constraints")                              \
  X(RANGE, "tolerances have to be between 0 and 1, and iterations from 1 to 200")                  \
  X(TWO_BASES, "a tableau and flows are two base methods: give one of them")                       \
  X(TABLEAU, "the tableau cannot be used")                                                         \
  X(UNDIVIDED, "H has no parts with exact flows")                                                  \
  X(FLOWS, "the flows cannot be used")                                                             \
  X(OWN_BASE, "it has a base method of its own and takes no other")                                \
  X(NO_BASE, "it has discrete gradients in the place of a base method, and takes none")            \
  X(DISCRETE, "the model has no discrete gradients: `sidewinder generate --with discrete` and "    \
              "`sidewinder build --with discrete` make them")                                      \
  X(HOLONOMIC, "it is for constraints on the positions alone, and a constraint of this model "     \
               "depends on momenta; rattle takes such constraints")                                \
  X(MASS, "it is for H(q,p) = T(p) + V(q) with a constant mass matrix, which this model does not " \
          "have; rattle takes any H")                                                              \
  X(LOBATTO, "it needs a base method whose first stage is the start of the step and whose last "   \
             "one is the end: lobatto-2, lobatto-4 or lobatto-6")                                  \
  X(LINEAR, "it is for constraints that are linear in the positions, such as those of algebraic "  \
            "variables, and a constraint of this model is not; lobatto takes all constraints on "  \
            "the positions")                                                                       \
  X(INVERTIBLE, "it needs a base method whose matrices of coefficients are invertible, such as "   \
                "midpoint, gauss-4 or gauss-6")                                                    \
  X(EXPLICIT, "it needs an explicit base method with the same coefficients for positions and "     \
              "momenta, such as euler, explicit-midpoint, kutta-3 or rk4")                         \
  X(BASE_MINUS, "there is no base method of the name that is given for the part of a curve "       \
                "before its state")                                                                \
  X(ADJOINT, "the adjoint is that of none of its methods, of minus, plus, or both")                \
  X(ONE_STEP, "a one-step method has a name, values and slopes, and an order of 1 or more")        \
  X(NO_ONE_STEP, "it has one base method, which is no method in positions and velocities; "        \
                 "variational has others")                                                         \
  X(ACCELERATION, "it needs H quadratic in the momenta and C of `sidewinder build --with "         \
                  "variational` (or `generate`)")                                                  \
  X(NO_VELOCITY, "its curves are those of a Lagrangian, and H is at most linear in the momentum "  \
                 "of some position that is not the time; rattle takes such H")                     \
  X(NOT_COMPOSED, "its steps of different sizes keep different two-forms, so that a composition "  \
                  "of them would keep none; take a base method of higher order")                   \
  X(REDUNDANT_ERROR, "it does not take redundant constraints")                                     \
  X(BIAS, "a bias A-,A+ has -1 <= A- <= 0 <= A+ <= 1 and A+ - A- = 1, such as -0.5,0.5 or 0,1")    \
  X(NO_BIAS, "it has no bias; variational has one")                                                \
  X(NO_INVERSE, "it has no inverse to check its steps by; rattle has one")                         \
  X(NO_ADJOINT, "a map of the flows is not symmetric, so that there is no step back")              \
  X(NOT_SYMMETRIC, "only symmetric methods over symmetric base methods gain from a composition, "  \
                   "such as rattle over verlet")                                                   \
  X(ORDER_IS_2,                                                                                    \
    "the composition is for methods of order 4, and this method has order 2: triple-jump-4 "       \
    "and suzuki-4 (sum of c_i^3 = 0) raise it to 4, kahan-li-6 to 6, kahan-li-8 to 8")             \
  X(ORDER_IS_4,                                                                                    \
    "the composition would leave the order of this method at 4: suzuki-6, whose sizes "            \
    "(a, a, 1 - 4a, a, a) with a = 1/(4 - 4^(1/5)) have sum of c_i^5 = 0, and "                    \
    "triple-jump-6 raise it to 6, kahan-li-8 to 8")                                                \
  X(ORDER_IS_6, "the composition would leave the order of this method at 6: kahan-li-8 raises it " \
                "to 8, and so would the sizes (a, a, 1 - 4a, a, a) with a = 1/(4 - 4^(1/7)), "     \
                "which have sum of c_i^7 = 0")                                                     \
  X(ORDER_IS_HIGH, "no composition here raises the order p of this method: the sizes "             \
                   "(a, a, 1 - 4a, a, a) with a = 1/(4 - 4^(1/(p+1))) would")                      \
  X(SOLVER, "the solvers are auto, fused and kinsol")                                              \
  X(STEPPER, "the stepper is that of another model")                                               \
  X(UNFUSED, "there is no straight-line code for these options: `sidewinder generate --method M "  \
             "--base B` makes some, where it can, and says why where it cannot")                   \
  X(NO_INCREMENT,                                                                                  \
    "compensated summation adds increments, of which its steps are not made; rattle's are")        \
  X(FLOW_NO_INCREMENT,                                                                             \
    "compensated summation needs the increments of a base method, which maps of a "                \
    "caller do not tell")                                                                          \
  X(FIBRE_NO_INCREMENT,                                                                            \
    "compensated summation needs the increments of the fibre flow, and this model has no closed "  \
    "form of it that tells them; `check` says how it is computed")                                 \
  X(FORCED_MOMENTA, "the model has forces, which change the momenta, and a constraint that "       \
                    "depends on momenta, which a kick would violate; forces need constraints on "  \
                    "the positions alone")                                                         \
  X(FORCED_EARLIER, "its states are not those of one time, so that kicks by the forces of the "    \
                    "model do not fit between them; rattle takes forces")                          \
  X(FORCED_SUMS, "compensated summation does not include the kicks by the forces of the model")    \
  X(FORCED_NORMALS, "its momenta keep the part of a kick normal to the constraints, which would "  \
                    "leave them with an error of order 1; rattle takes forces")                    \
  X(FORCED_OFF, "its momenta are not on M^H, where the forces of the model, which depend on "      \
                "momenta, have to be evaluated; rattle takes such forces")                         \
  X(NO_BATH,                                                                                       \
    "it is for models with a heat bath: add `bath kT = ..., friction = ...` to the model")         \
  X(BESIDE_HIDDEN, "its steps do not end where {g,H} = 0, and what lies along the fibres stays "   \
                   "of order 2 in a composition; rattle gains from one")

typedef enum sw_objection {
#define SW_OBJECTION_NAME(name, words) SW_OBJECTION_##name,
  SW_OBJECTIONS(SW_OBJECTION_NAME)
#undef SW_OBJECTION_NAME
} sw_objection;

typedef struct sw_choice {
  const sw_method *method;
  const sw_composition *composition;
  sw_redundant redundant;
  const sw_tableau *tableau; /* the base method, if it is a tableau */
  /* the base method, if it is a set of flows; both pointers are NULL if the method takes none */
  const sw_flows *flows;
  /* 1 if the base method consists of flows of H's parts (step/splitting.h) */
  int is_divided;
  int order[2];              /* order of a step, for models without and with constraints */
  int order_of_parts[2];     /* the same for the substeps of a composition */
  double bias[2];            /* alpha-, alpha+, if the method has a bias */
  sw_layer_method layer[2];  /* methods before and after a state, if the method has a bias */
  const sw_stepper *stepper; /* the model's generated step for this choice, or NULL */
  const sw_stepper *widest;  /* the variant of `stepper` with the most lanes; NULL for clusters */
  const char *solver;        /* name in static storage; "kinsol" without a stepper */
  int symmetric;             /* 1 if the step of -h inverts the step of h */
  const char *fault;         /* for SW_OBJECTION_TABLEAU: the reason, in static storage */
} sw_choice;

/* Fills *choice.  Returns SW_OBJECTION_NONE, or the reason to reject the options. */
sw_objection sw_choose(const sw_model *model, const sw_options *options, sw_choice *choice);

#endif
