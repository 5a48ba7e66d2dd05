/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/choice.h"

#include <math.h>
#include <string.h>

#include "common/processor.h"
#include "common/user_text.h"
#include "model/mass.h"
#include "model/system.h"
#include "step/acceleration_rates.h"
#include "step/flows.h"
#include "step/splitting.h"
#include "step/tableau.h"

/* The index of a name in a list that ends with NULL, or -1. */
#define PLACE(name, names) sw_text_place(name, names, sizeof(names) / sizeof *(names)-1)

/* Bits of the index of an adjoint: bit 0 for the method before a state, bit 1 for the method
 * after it. */
#define NAME(identifier, name) name,
static const char *const adjoint_names[] = {SW_ADJOINTS(NAME) NULL};
static const char *const redundant_names[] = {SW_REDUNDANTS(NAME) NULL};
#undef NAME

const char *const *sw_redundant_names(void)
{
  return redundant_names;
}

const char *const *sw_adjoint_names(void)
{
  return adjoint_names;
}

void sw_options_init(sw_options *options)
{
  *options = (sw_options){.method = "rattle",
                          .compose = "none",
                          .bias = {-0.5, 0.5},
                          .adjoint = adjoint_names[0],
                          .tolerance = 1e-12,
                          .max_iterations = 30,
                          .threads = 1,
                          .reversible_tolerance = 2e-8,
                          .redundant = redundant_names[SW_REDUNDANT_ERROR],
                          .solver = "auto"};
}

static int inside(double value, double lower, double upper)
{
  return value > lower && value < upper;
}

static sw_objection choose_names(const sw_options *options, sw_choice *choice)
{
  const int redundant = PLACE(options->redundant, redundant_names);

  choice->method = sw_method_find(options->method);
  choice->composition = sw_composition_find(options->compose);
  choice->redundant = redundant < 0 ? SW_REDUNDANT_ERROR : (sw_redundant)redundant;
  return !choice->method        ? SW_OBJECTION_METHOD
         : !choice->composition ? SW_OBJECTION_COMPOSITION
         : redundant < 0        ? SW_OBJECTION_REDUNDANT
                                : SW_OBJECTION_NONE;
}

/* Looks up the base method by name.  For "splitting", chooses flows of H's parts, or the tableau
 * with the same steps. */
static sw_objection choose_named(const sw_model *model, const char *name, sw_choice *choice,
                                 const sw_base **named)
{
  const int divides = strcmp(name, SW_SPLITTING) == 0;
  const sw_division division = divides ? sw_division_of(model) : SW_DIVISION_NONE;

  *named = sw_base_find(division == SW_DIVISION_VERLET ? "verlet" : name);
  choice->is_divided = division == SW_DIVISION_WHOLE || division == SW_DIVISION_PARTS;
  choice->symmetric = choice->is_divided;
  return *named || choice->is_divided ? SW_OBJECTION_NONE
         : divides                    ? SW_OBJECTION_UNDIVIDED
                                      : SW_OBJECTION_BASE;
}

/* For a method without a base method.  It equals the midpoint rule for a quadratic H, so
 * "midpoint" is allowed as a name. */
static sw_objection choose_no_base(const sw_options *options, sw_choice *choice, int *order)
{
  const char *named = options->base ? options->base : "none";

  choice->symmetric = choice->method->has_inverse;
  *order = choice->method->order;
  return options->tableau || options->flows ||
                 (strcmp(named, "none") != 0 && strcmp(named, "midpoint") != 0)
             ? SW_OBJECTION_NO_BASE
             : SW_OBJECTION_NONE;
}

/* Chooses the base method and sets its order and its symmetry. */
static sw_objection choose_base(const sw_model *model, const sw_options *options, sw_choice *choice,
                                int *order)
{
  const sw_method *method = choice->method;
  const sw_base *named = NULL;
  const int asks_none = !options->base || strcmp(options->base, "none") == 0;
  sw_tableau_report report;

  if (!!options->tableau + !!options->flows + !!options->one_step > 1) {
    return SW_OBJECTION_TWO_BASES;
  }
  if (options->one_step) {
    *order = options->one_step->order;
    return SW_OBJECTION_NONE;
  }
  if (!sw_method_takes_base(method)) {
    return choose_no_base(options, choice, order);
  }
  if (method->tableau) {
    choice->tableau = method->tableau;
    *order = method->order;
    return options->tableau || options->flows || !asks_none ? SW_OBJECTION_OWN_BASE
                                                            : SW_OBJECTION_NONE;
  }
  if (options->flows) {
    choice->flows = options->flows;
    if (sw_flows_examine(options->flows) != SW_OK) {
      return SW_OBJECTION_FLOWS;
    }
    choice->symmetric = sw_flows_are_symmetric(options->flows);
    *order = options->flows->order;
    return SW_OBJECTION_NONE;
  }
  if (!options->tableau) {
    const sw_objection found =
        choose_named(model, options->base ? options->base : method->base, choice, &named);
    if (found != SW_OBJECTION_NONE || choice->is_divided) {
      *order = 2;
      return found;
    }
  }
  choice->tableau = named ? &named->tableau : options->tableau;
  if (sw_tableau_examine(choice->tableau, &report, &choice->fault) != SW_OK) {
    return SW_OBJECTION_TABLEAU;
  }
  choice->symmetric = report.symmetric;
  *order = named ? named->order : report.order;
  return SW_OBJECTION_NONE;
}

/* Chooses the method before a state, if it differs from the method after it. */
static sw_objection choose_minus(const sw_options *options, sw_choice *choice, int *order)
{
  const sw_base *named = options->base_minus ? sw_base_find(options->base_minus) : NULL;
  sw_tableau_report report;

  if (!!options->base_minus + !!options->tableau_minus + !!options->one_step_minus > 1) {
    return SW_OBJECTION_TWO_BASES;
  }
  if (options->base_minus && !named) {
    return SW_OBJECTION_BASE_MINUS;
  }
  if (options->one_step_minus) {
    choice->layer[0] = (sw_layer_method){.map = options->one_step_minus};
    *order = options->one_step_minus->order;
    return SW_OBJECTION_NONE;
  }
  if (!named && !options->tableau_minus) {
    return SW_OBJECTION_NONE;
  }
  choice->layer[0] = (sw_layer_method){.tableau = named ? &named->tableau : options->tableau_minus};
  if (sw_tableau_examine(choice->layer[0].tableau, &report, &choice->fault) != SW_OK) {
    return SW_OBJECTION_TABLEAU;
  }
  *order = named ? named->order : report.order;
  return SW_OBJECTION_NONE;
}

static int is_good_layer(const sw_layer_method *layer)
{
  const sw_one_step *map = layer->map;

  return map ? map->name && map->values && map->slope && map->order >= 1
             : layer->tableau && sw_tableau_is_explicit(layer->tableau);
}

/* The index of the adjoint among its names; 0 if it is NULL. */
static int place_of_adjoint(const sw_options *options)
{
  return options->adjoint ? PLACE(options->adjoint, adjoint_names) : 0;
}

/* Chooses both methods of a variational integrator.  *order: on entry that of the base method, on
 * exit the smaller order of the two. */
static sw_objection choose_layers(const sw_options *options, sw_choice *choice, int *order)
{
  const int adjoint = place_of_adjoint(options);
  int of_minus = *order;

  choice->layer[0] = choice->layer[1] =
      (sw_layer_method){.tableau = choice->tableau, .map = options->one_step};
  const sw_objection found = choose_minus(options, choice, &of_minus);
  if (found != SW_OBJECTION_NONE || adjoint < 0) {
    return found != SW_OBJECTION_NONE ? found : SW_OBJECTION_ADJOINT;
  }
  *order = of_minus < *order ? of_minus : *order;
  for (int i = 0; i < 2; i++) {
    sw_layer_method *layer = &choice->layer[i];
    if (!is_good_layer(layer)) {
      return layer->map ? SW_OBJECTION_ONE_STEP : SW_OBJECTION_EXPLICIT;
    }
    layer->adjoint = (adjoint >> i & 1) && !(layer->map && layer->map->symmetric);
  }
  return SW_OBJECTION_NONE;
}

/* Checks the bias, and chooses the methods that depend on it. */
static sw_objection choose_bias(const sw_options *options, sw_choice *choice, int *order)
{
  const double *bias = options->bias;

  if (!choice->method->has_bias) {
    const int names_layers = options->base_minus || options->tableau_minus || options->one_step ||
                             options->one_step_minus || place_of_adjoint(options) != 0;
    return bias[0] != -0.5 || bias[1] != 0.5 ? SW_OBJECTION_NO_BIAS
           : names_layers                    ? SW_OBJECTION_NO_ONE_STEP
                                             : SW_OBJECTION_NONE;
  }
  if (!(bias[0] >= -1.0 && bias[0] <= 0.0 && bias[1] >= 0.0 && bias[1] <= 1.0 &&
        fabs(bias[1] - bias[0] - 1.0) <= 1e-15)) {
    return SW_OBJECTION_BIAS;
  }
  if (choice->redundant != SW_REDUNDANT_ERROR) {
    return SW_OBJECTION_REDUNDANT_ERROR;
  }
  if (choice->composition->n > 1) {
    return SW_OBJECTION_NOT_COMPOSED;
  }
  choice->bias[0] = bias[0];
  choice->bias[1] = bias[1];
  return choose_layers(options, choice, order);
}

/* Checks the requirements of the method for the model and the base method. */
static sw_objection check_needs(const sw_model *model, const sw_choice *choice)
{
  const unsigned needs = choice->method->needs;
  const sw_structure *has = &model->structure;

  if ((needs & SW_NEEDS_BATH) && !model->bath) {
    return SW_OBJECTION_NO_BATH;
  }
  if ((needs & SW_NEEDS_HOLONOMIC) && !has->holonomic) {
    return SW_OBJECTION_HOLONOMIC;
  }
  if ((needs & SW_NEEDS_LINEAR) && model->n_constraints > 0 && has->degree_g != 1) {
    return SW_OBJECTION_LINEAR;
  }
  if ((needs & SW_NEEDS_INVERTIBLE) &&
      !(choice->tableau && sw_tableau_is_invertible(choice->tableau))) {
    return SW_OBJECTION_INVERTIBLE;
  }
  if ((needs & SW_NEEDS_CONSTANT_MASS) && !(has->separable && has->mass != SW_MASS_GENERAL)) {
    return SW_OBJECTION_MASS;
  }
  if ((needs & SW_NEEDS_DISCRETE) && !model->discrete_grad) {
    return SW_OBJECTION_DISCRETE;
  }
  if ((needs & SW_NEEDS_ACCELERATION) && !sw_mass_has_velocities(model)) {
    return SW_OBJECTION_NO_VELOCITY;
  }
  if ((needs & SW_NEEDS_ACCELERATION) && !sw_rates_are_there(model)) {
    return SW_OBJECTION_ACCELERATION;
  }
  return (needs & SW_NEEDS_LOBATTO) && !(choice->tableau && sw_tableau_is_lobatto(choice->tableau))
             ? SW_OBJECTION_LOBATTO
             : SW_OBJECTION_NONE;
}

/* 1 if a step consists of slides and the base method alone. */
static int is_made_of_increments(const sw_method *method)
{
  const sw_operation *o = method->operation;

  while (o->kind == SW_FIBRE || o->kind == SW_BASE || o->kind == SW_FORCED ||
         o->kind == SW_REQUIRE_G || o->kind == SW_REQUIRE_RHO) {
    o++;
  }
  return o->kind == SW_END;
}

/* Checks that kicks by the forces fit between the steps of the method (step/kick.h). */
static sw_objection check_forces(const sw_model *model, const sw_options *options,
                                 const sw_choice *choice)
{
  const sw_method *method = choice->method;
  const sw_force_kind kind = model->structure.force;

  if (model->n_forces == 0) {
    return SW_OBJECTION_NONE;
  }
  if (!model->structure.holonomic && model->n_constraints > 0) {
    return SW_OBJECTION_FORCED_MOMENTA;
  }
  if (method->earlier || method->staggered) {
    return SW_OBJECTION_FORCED_EARLIER;
  }
  if (options->compensated) {
    return SW_OBJECTION_FORCED_SUMS;
  }
  if (model->n_constraints == 0 || method->on_hidden) {
    return SW_OBJECTION_NONE;
  }
  return !is_made_of_increments(method)                      ? SW_OBJECTION_FORCED_NORMALS
         : kind == SW_FORCE_OF_Q || kind == SW_FORCE_DAMPING ? SW_OBJECTION_NONE
                                                             : SW_OBJECTION_FORCED_OFF;
}

/* 1 if the methods before and after a state are the same. */
static int same_layers(const sw_choice *choice)
{
  const sw_layer_method *a = &choice->layer[0];
  const sw_layer_method *b = &choice->layer[1];

  return a->tableau == b->tableau && a->map == b->map && a->adjoint == b->adjoint;
}

/* Finds the orders of a step.  With constraints a method may have a lower order than its base
 * method; compositions raise it (methods/compositions.h). */
static void find_orders(sw_choice *choice, int of_base)
{
  if (choice->method->has_bias) {
    choice->symmetric = -choice->bias[0] == choice->bias[1] && same_layers(choice);
    of_base += choice->symmetric ? of_base % 2 : 0; /* the order of a symmetric method is even */
  }
  const int most = choice->method->order_most;
  const sw_composition *composition = choice->composition;

  for (int constrained = 0; constrained < 2; constrained++) {
    const int order = constrained && most > 0 && of_base > most ? most : of_base;
    const int raises = order >= composition->of_order && composition->order > order;
    choice->order[constrained] = raises ? composition->order : order;
    choice->order_of_parts[constrained] = order;
  }
}

/* Checks that all changes of a state by a step are available as increments, for compensated
 * summation. */
static sw_objection check_increments(const sw_model *model, const sw_options *options,
                                     const sw_choice *choice)
{
  if (!options->compensated) {
    return SW_OBJECTION_NONE;
  }
  if (!is_made_of_increments(choice->method)) {
    return SW_OBJECTION_NO_INCREMENT;
  }
  if (choice->flows) {
    return SW_OBJECTION_FLOW_NO_INCREMENT;
  }
  return sw_has_increment(model) && (model->structure.holonomic || !options->numerical_fibre)
             ? SW_OBJECTION_NONE
             : SW_OBJECTION_FIBRE_NO_INCREMENT;
}

/* Checks that a composition raises the order of its method. */
static sw_objection check_order(const sw_model *model, const sw_choice *choice)
{
  const int constrained = model->n_constraints > 0;
  const int of_parts = choice->order_of_parts[constrained];

  if (choice->composition->n == 1 || choice->order[constrained] > of_parts) {
    return SW_OBJECTION_NONE;
  }
  return of_parts < 4   ? SW_OBJECTION_ORDER_IS_2
         : of_parts < 6 ? SW_OBJECTION_ORDER_IS_4
         : of_parts < 8 ? SW_OBJECTION_ORDER_IS_6
                        : SW_OBJECTION_ORDER_IS_HIGH;
}

static sw_objection check_together(const sw_model *model, const sw_options *options,
                                   const sw_choice *choice)
{
  if (options->check_reversible && !choice->method->has_inverse) {
    return SW_OBJECTION_NO_INVERSE;
  }
  if (options->check_reversible && choice->flows && !sw_flows_have_adjoint(choice->flows)) {
    return SW_OBJECTION_NO_ADJOINT;
  }
  if (choice->composition->n > 1 && !choice->symmetric) {
    return SW_OBJECTION_NOT_SYMMETRIC;
  }
  return choice->composition->n > 1 && model->n_constraints > 0 && !choice->method->on_hidden
             ? SW_OBJECTION_BESIDE_HIDDEN
             : check_order(model, choice);
}

/* Names in the order of the enum below. */
static const char *const solver_names[] = {"auto", "fused", "kinsol", NULL};
enum { SOLVER_AUTO, SOLVER_FUSED, SOLVER_KINSOL };

const char *const *sw_solver_names(void)
{
  return solver_names;
}

/* The variant of the stepper with the most lanes that this processor supports. */
static const sw_stepper *widest(const sw_stepper *stepper, const sw_stepper *const lanes[])
{
  const sw_stepper *found = stepper;

  for (int i = 0; stepper && lanes && lanes[i]; i++) {
    const sw_stepper *s = lanes[i];
    if (s->lanes > found->lanes && s->lanes <= SW_LANES_MOST && sw_processor_has(s->processor) &&
        strcmp(s->digest, stepper->digest) == 0 && strcmp(s->method, stepper->method) == 0 &&
        strcmp(s->base, stepper->base) == 0 && s->compensated == stepper->compensated) {
      found = s;
    }
  }
  return found;
}

/* 1 if this base method of a stepper is the chosen one. */
static int is_base(const sw_choice *choice, const char *base)
{
  const int divides = strcmp(base, SW_SPLITTING) == 0;

  return choice->tableau == sw_method_tableau(choice->method, base) && !choice->flows &&
         divides == choice->is_divided;
}

/* 1 if the curves use only that base method. */
static int is_plain_curve(const sw_choice *choice)
{
  const sw_layer_method *layer = choice->layer;

  return !choice->method->has_bias || (same_layers(choice) && !layer[0].map && !layer[0].adjoint);
}

/* 1 if the generated step has the constraints of the system: all of them, or those that do not
 * follow from others by proof. */
static int has_constraints(const sw_model *model, const sw_choice *choice)
{
  return choice->redundant == (model->follows ? SW_REDUNDANT_DROP : SW_REDUNDANT_ERROR);
}

/* Chooses the model's generated step, if it is valid for the other choices. */
static sw_objection choose_solver(const sw_model *model, const sw_options *options,
                                  sw_choice *choice)
{
  const int solver = PLACE(options->solver, solver_names);
  const sw_stepper *has = options->stepper;

  if (solver < 0) {
    return SW_OBJECTION_SOLVER;
  }
  if (has && strcmp(has->digest, model->digest) != 0) {
    return SW_OBJECTION_STEPPER;
  }
  if (has && solver != SOLVER_KINSOL && strcmp(has->method, choice->method->name) == 0 &&
      is_base(choice, has->base) && is_plain_curve(choice) && has_constraints(model, choice) &&
      !options->numerical_fibre && !options->check_reversible &&
      !options->compensated == !has->compensated) {
    const sw_stepper *most = widest(has, options->lanes);
    choice->stepper = has->clusters ? most : has;
    choice->widest = has->clusters ? NULL : most; /* its lanes are trajectories */
  }
  choice->solver = solver_names[choice->stepper ? solver : SOLVER_KINSOL];
  return solver == SOLVER_FUSED && !choice->stepper ? SW_OBJECTION_UNFUSED : SW_OBJECTION_NONE;
}

sw_objection sw_choose(const sw_model *model, const sw_options *options, sw_choice *choice)
{
  int order = 0;

  *choice = (sw_choice){0};
  if (!(inside(options->tolerance, 0.0, 1.0) && inside(options->reversible_tolerance, 0.0, 1.0) &&
        options->max_iterations >= 1 && options->max_iterations <= 200 && options->threads >= 1 &&
        options->threads <= SW_THREADS_MOST)) {
    return SW_OBJECTION_RANGE;
  }
  sw_objection found = choose_names(options, choice);
  found = found == SW_OBJECTION_NONE ? choose_base(model, options, choice, &order) : found;
  found = found == SW_OBJECTION_NONE ? choose_bias(options, choice, &order) : found;
  found = found == SW_OBJECTION_NONE ? check_needs(model, choice) : found;
  found = found == SW_OBJECTION_NONE ? check_forces(model, options, choice) : found;
  found = found == SW_OBJECTION_NONE ? check_increments(model, options, choice) : found;
  if (found != SW_OBJECTION_NONE) {
    return found;
  }
  choice->symmetric = choice->symmetric && choice->method->has_inverse;
  find_orders(choice, order);
  found = check_together(model, options, choice);
  return found == SW_OBJECTION_NONE ? choose_solver(model, options, choice) : found;
}
