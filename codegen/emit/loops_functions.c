/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_functions.c -- the table of a looped model's functions of a state.
 */
#include "emit/loops.h"

/* Which models have a function. */
typedef enum loops_when { ALWAYS, SEPARABLE, NOT_SEPARABLE, WITH_FLOW, WITH_DIRECTIONS } loops_when;

typedef struct loops_function {
  const char *name;
  const char *quantity; /* description, for the comment */
  loops_kind kind; /* the families to which it belongs; a model without them has no such function */
  loops_when when;
  loops_quantity values;
  loops_places places;   /* of a matrix */
  const char *zeroed;    /* number of values that are set to 0 first */
  const char *first;     /* a line before the loops */
  const char *last;      /* a line after the loops */
  const char *arguments; /* NULL: the usual arguments */
  int has_rows;          /* 1: threads may compute different rows of the arrays at the same time */
  int has_pieces;        /* 1: threads may compute different instances at the same time */
} loops_function;

static const loops_function functions[] = {
    {"hamiltonian",
     "H: 1 value",
     LOOPS_HAMILTONIAN,
     ALWAYS,
     {OUTPUTS_VALUE, FACTOR_NONE, loops_add_to_sum},
     .first = "double sum = 0.0;",
     .last = "out[0] = sum;"},
    {"hamiltonian_grad_q",
     "H_q: d values",
     LOOPS_HAMILTONIAN,
     SEPARABLE,
     {OUTPUTS_GRADIENT_Q, FACTOR_NONE, loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {"hamiltonian_grad_p",
     "H_p: d values",
     LOOPS_HAMILTONIAN,
     SEPARABLE,
     {OUTPUTS_GRADIENT_P, FACTOR_NONE, loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {"hamiltonian_grad", "grad H = (H_q, H_p): 2d values", LOOPS_HAMILTONIAN, SEPARABLE,
     .first = "hamiltonian_grad_q(sizes, z, k, out);",
     .last = "hamiltonian_grad_p(sizes, z, k, out + d);"},
    {"hamiltonian_grad",
     "grad H = (H_q, H_p): 2d values",
     LOOPS_HAMILTONIAN,
     NOT_SEPARABLE,
     {OUTPUTS_GRADIENT, FACTOR_NONE, loops_add_to_gradient},
     .zeroed = "2 * d"},
    {"constraint",
     "g: m values",
     LOOPS_CONSTRAINTS,
     ALWAYS,
     {OUTPUTS_VALUE, FACTOR_NONE, loops_set_row},
     .has_pieces = 1},
    {"constraint_scale",
     "Size of the terms of g: m values",
     LOOPS_CONSTRAINTS,
     ALWAYS,
     {OUTPUTS_MAGNITUDE, FACTOR_NONE, loops_set_row},
     .has_pieces = 1},
    {"observe", "Observables", LOOPS_OBSERVE, ALWAYS,
     .values = {OUTPUTS_VALUE, FACTOR_MULTIPLIERS, loops_set_row}},
    {"invariant", "Invariants", LOOPS_INVARIANTS, ALWAYS,
     .values = {OUTPUTS_VALUE, FACTOR_NONE, loops_set_row}},
    {"event", "Events", LOOPS_EVENTS, ALWAYS,
     .values = {OUTPUTS_VALUE, FACTOR_NONE, loops_set_row}},
    {"force", "F, forces", LOOPS_FORCES, ALWAYS,
     .values = {OUTPUTS_VALUE, FACTOR_NONE, loops_set_row}},
    {"force_jac",
     "DF",
     LOOPS_FORCES,
     ALWAYS,
     {OUTPUTS_GRADIENT, FACTOR_NONE, loops_set_values},
     .places = PLACES_ROW},
    /* places without values */
    {"force_target", "Momenta on which the forces act, by the positions that belong to them",
     LOOPS_FORCE_TARGETS, ALWAYS, .values = {OUTPUTS_GRADIENT, FACTOR_NONE, NULL},
     .places = PLACES_ROW},
    {"hamiltonian_hess",
     "Hess H, lower triangle",
     LOOPS_HAMILTONIAN,
     ALWAYS,
     {OUTPUTS_HESSIAN, FACTOR_NONE, loops_set_triangle},
     .places = PLACES_TRIANGLE},
    {"constraint_jac",
     "Dg",
     LOOPS_CONSTRAINTS,
     ALWAYS,
     {OUTPUTS_GRADIENT, FACTOR_NONE, loops_set_values},
     .places = PLACES_ROW,
     .has_pieces = 1},
    {"constraint_hess",
     "Hess(lambda . g), lower triangle",
     LOOPS_CONSTRAINTS,
     ALWAYS,
     {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_triangle},
     .places = PLACES_TRIANGLE},
    {"constraint_jac_along",
     "Row i: g_i,zz v, at the places of Dg",
     LOOPS_CONSTRAINTS,
     ALWAYS,
     {OUTPUTS_ALONG, FACTOR_V, loops_set_values},
     .has_pieces = 1},
    {"family_flow",
     "z <- Gamma_lambda(z), for the constraints that are neither in q alone nor in p alone",
     LOOPS_CONSTRAINTS,
     WITH_FLOW,
     {OUTPUTS_FLOW, FACTOR_ROW, loops_move},
     .arguments = EMIT_SIZES ", const double k[], const double lambda[], double z[]"},
    {"family_flow_z",
     "dGamma/dz - 1, likewise",
     LOOPS_CONSTRAINTS,
     WITH_FLOW,
     {OUTPUTS_FLOW_Z, FACTOR_ROW, loops_set_values},
     .places = PLACES_SQUARE},
    {"family_increment", "out += Gamma_lambda(z) - z, likewise, with errors relative to it",
     LOOPS_CONSTRAINTS, WITH_FLOW,
     .values = {OUTPUTS_INCREMENT, FACTOR_ROW, loops_add_to_gradient}},
    {"discrete_grad",
     "DH, discrete gradient of H between z and z1: 2d values",
     LOOPS_DISCRETE_H,
     ALWAYS,
     {OUTPUTS_GRADIENT, FACTOR_NONE, loops_add_to_gradient},
     .zeroed = "2 * d"},
    {"discrete_grad_next",
     "dDH/dz1",
     LOOPS_DISCRETE_H,
     ALWAYS,
     {OUTPUTS_HESSIAN, FACTOR_NONE, loops_set_values},
     .places = PLACES_SQUARE},
    {"discrete_jac",
     "Dg, discrete gradients of g between z and z1",
     LOOPS_DISCRETE_G,
     ALWAYS,
     {OUTPUTS_GRADIENT, FACTOR_NONE, loops_set_values},
     .places = PLACES_ROW},
    {"discrete_jac_next",
     "d(lambda . Dg)/dz1",
     LOOPS_DISCRETE_G,
     ALWAYS,
     {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_values},
     .places = PLACES_SQUARE},
    {"hamiltonian_third",
     "Hess(grad H . u) for lambda = u, lower triangle",
     LOOPS_HAMILTONIAN,
     WITH_DIRECTIONS,
     {OUTPUTS_THIRD, FACTOR_DIRECTIONS, loops_set_triangle},
     .places = PLACES_TRIANGLE},
    {"hamiltonian_fourth",
     "Hess(u . Hess H w) for lambda = (u, w), lower triangle",
     LOOPS_HAMILTONIAN,
     WITH_DIRECTIONS,
     {OUTPUTS_FOURTH, FACTOR_DIRECTIONS, loops_set_triangle},
     .places = PLACES_TRIANGLE},
    {"constraint_third",
     "Hess(tau . Dg u) for lambda = (tau, u), lower triangle",
     LOOPS_CONSTRAINTS,
     WITH_DIRECTIONS,
     {OUTPUTS_THIRD, FACTOR_DIRECTIONS, loops_set_triangle},
     .places = PLACES_TRIANGLE},
    {"constraint_fourth",
     "Hess(u . Hess(tau . g) w) for lambda = (tau, u, w), lower triangle",
     LOOPS_CONSTRAINTS,
     WITH_DIRECTIONS,
     {OUTPUTS_FOURTH, FACTOR_DIRECTIONS, loops_set_triangle},
     .places = PLACES_TRIANGLE},
};

/* 1 if all families have a closed flow and at least one of them is not a shift; the flow of all
 * families needs each of them. */
static int has_flow(const ir_loops *loops)
{
  int closed = 0;
  for (int i = 0; i < loops->n_constraints; i++) {
    if (loops->constraints[i].fibre == IR_FIBRE_NUMERICAL) {
      return 0;
    }
    closed = closed || loops->constraints[i].fibre == IR_FIBRE_CLOSED;
  }
  return closed;
}

static int loops_functions_is_wanted(const loops_emission *e, const loops_function *function)
{
  int separable = e->loops->structure.separable;
  return e->lists[function->kind].n > 0 &&
         (function->when == SEPARABLE         ? separable
          : function->when == NOT_SEPARABLE   ? !separable
          : function->when == WITH_FLOW       ? has_flow(e->loops)
          : function->when == WITH_DIRECTIONS ? e->loops->has_directions
                                              : 1);
}

/* Writes the function for the places of contributions to a matrix, in the order of the values. */
static void emit_places(loops_emission *e, const loops_function *function)
{
  loops_frame *f = loops_frame_create(e);
  const loops_quantity q = {function->values.outputs, FACTOR_NONE, NULL};
  const loops_plan plan = loops_plan_of(f, &q, function->kind, function->places);
  int is_tested = plan.parts > 0 && !plan.is_counting;
  if (is_tested) {
    loops_open(f, "if (rows) {");
  }
  if (plan.parts > 0) {
    loops_families(f, &plan);
  }
  loops_close(f, is_tested);
  loops_line(f, "return %s;", plan.parts > 0 && plan.is_counting ? "t" : plan.values);
  loops_frame_finish(
      f,
      arena_printf(e->memory, "%s: rows and columns, and how many they are.", function->quantity),
      "long", arena_printf(e->memory, "%s_places", function->name),
      EMIT_SIZES ", int rows[], int cols[]");
}

/* 1 if pieces pay: the number of instances grows with a size, and their numbers follow from the
 * loops' variables. */
static int is_divided(const loops_function *function, const loops_plan *plan)
{
  int grows = 0;
  for (int i = 0; i < plan->n; i++) {
    grows = grows || loops_nest_grows(&plan->families[i].of->nest);
  }
  return function->has_pieces && !plan->is_counting && plan->parts > 0 && grows;
}

static void emit_values(loops_emission *e, const loops_function *function)
{
  const loops_quantity *q = &function->values;
  loops_frame *f = loops_frame_create(e);
  f->writes_state = q->statements == loops_move;
  if (function->zeroed) {
    loops_set_zeros(f, "0", function->zeroed);
  }
  if (function->first) {
    loops_line(f, "%s", function->first);
  }
  const loops_plan plan = loops_plan_of(f, q, function->kind, PLACES_NONE);
  f->is_divided = is_divided(function, &plan);
  const int reads_impulses = q->factor == FACTOR_MULTIPLIERS && model_reads_impulses(e->model);
  if (reads_impulses ||
      (q->factor == FACTOR_DIRECTIONS && function->kind == LOOPS_CONSTRAINTS && plan.parts > 0)) {
    const char *sum = "0"; /* the number of constraints; other values follow their multipliers */
    for (int i = 0; i < e->lists[LOOPS_CONSTRAINTS].n; i++) {
      sum = loops_plus(e->memory, sum, loops_family_count(f, LOOPS_CONSTRAINTS, i));
    }
    loops_line(f, "const long count = %s;", sum);
  }
  if (plan.sets_rows || plan.parts > 0) {
    loops_families(f, &plan);
  }
  if (function->last) {
    loops_line(f, "%s", function->last);
  }
  const char *more = q->factor == FACTOR_NONE ? ""
                     : q->factor == FACTOR_V  ? "const double v[], "
                                              : "const double lambda[], ";
  const char *first = f->is_divided                      ? EMIT_PIECE
                      : function->kind >= LOOPS_OF_MODEL ? EMIT_STATES
                                                         : EMIT_STATE;
  const char *name = arena_printf(e->memory, "%s%s", function->name, f->is_divided ? "_piece" : "");
  loops_frame_finish(f,
                     arena_printf(e->memory, "%s%s.", function->quantity,
                                  f->is_divided ? ", of a piece of the instances" : ""),
                     "void", name,
                     function->arguments
                         ? function->arguments
                         : arena_printf(e->memory, "%s, %sdouble out[]", first, more));
  if (f->is_divided) { /* the function of all instances is a call with a single piece */
    loops_frame *whole = loops_frame_create(e);
    loops_line(whole, "%s(sizes, 0, 1, z, k, %sout);", name, q->factor == FACTOR_V ? "v, " : "");
    loops_frame_finish(whole, arena_printf(e->memory, "%s.", function->quantity), "void",
                       function->name,
                       arena_printf(e->memory, "%s, %sdouble out[]", EMIT_STATE, more));
    loops_member(e, name);
  }
}

void loops_emit_functions(loops_emission *e)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const loops_function *function = &functions[i];
    if (!loops_functions_is_wanted(e, function)) {
      continue;
    }
    if (function->has_rows &&
        loops_emit_rows(e, function->name, function->quantity, &function->values)) {
      continue;
    }
    if (function->places) {
      emit_places(e, function);
      if (!function->values.statements) {
        writer_printf(e->members, "    .%s = {.list = %s_places},\n", function->name,
                      function->name);
        continue;
      }
      writer_printf(e->members, "    .%s = {{.list = %s_places}, %s},\n", function->name,
                    function->name, function->name);
    } else {
      loops_member(e, function->name);
    }
    emit_values(e, function);
  }
}
