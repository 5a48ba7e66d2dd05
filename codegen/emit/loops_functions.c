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
  void (*places)(loops_frame *f, loops_kernel *k); /* of a matrix: writes the places */
  const char *zeroed;                              /* number of values that are set to 0 first */
  const char *first;                               /* a line before the loops */
  const char *last;                                /* a line after the loops */
  const char *arguments;                           /* NULL: the usual arguments */
  int is_of_two;                                   /* 1: a function of two states, z and z1 */
  int has_rows;   /* 1: threads may compute different rows of the arrays at the same time */
  int has_pieces; /* 1: threads may compute different instances at the same time */
} loops_function;

#define GRADIENT .name = "hamiltonian_grad", .quantity = "grad H = (H_q, H_p): 2d values"
#define ROWS     .statements = loops_set_row, .begin = loops_begin_row, .counts_rows = 1
#define MATRIX   .counts_values = 1
#define TRIANGLE_ALONG(outputs, ...)                                                               \
  .values = {outputs, FACTOR_DIRECTIONS, loops_set_triangle, MATRIX, __VA_ARGS__},                 \
  .places = loops_triangle_places, .when = WITH_DIRECTIONS

static const loops_function functions[] = {
    {.name = "hamiltonian",
     .quantity = "H: 1 value",
     .values = {OUTPUTS_VALUE, .statements = loops_add_to_sum},
     .first = "double sum = 0.0;",
     .last = "out[0] = sum;"},
    {.name = "hamiltonian_grad_q",
     .quantity = "H_q: d values",
     .when = SEPARABLE,
     .values = {OUTPUTS_GRADIENT_Q, .statements = loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {.name = "hamiltonian_grad_p",
     .quantity = "H_p: d values",
     .when = SEPARABLE,
     .values = {OUTPUTS_GRADIENT_P, .statements = loops_add_to_half},
     .zeroed = "d",
     .has_rows = 1},
    {GRADIENT, .when = SEPARABLE, .first = "hamiltonian_grad_q(sizes, z, k, out);",
     .last = "hamiltonian_grad_p(sizes, z, k, out + d);"},
    {GRADIENT, .when = NOT_SEPARABLE,
     .values = {OUTPUTS_GRADIENT, .statements = loops_add_to_gradient}, .zeroed = "2 * d"},
    {.name = "constraint",
     .quantity = "g: m values",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_VALUE, ROWS},
     .has_pieces = 1},
    {.name = "constraint_scale",
     .quantity = "Size of the terms of g: m values",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_MAGNITUDE, ROWS},
     .has_pieces = 1},
    {.name = "observe",
     .quantity = "Observables",
     .kind = LOOPS_OBSERVE,
     .values = {OUTPUTS_VALUE, FACTOR_MULTIPLIERS, ROWS}},
    {.name = "invariant",
     .quantity = "Invariants",
     .kind = LOOPS_INVARIANTS,
     .values = {OUTPUTS_VALUE, ROWS}},
    {.name = "hamiltonian_hess",
     .quantity = "Hess H, lower triangle",
     .values = {OUTPUTS_HESSIAN, .statements = loops_set_triangle, MATRIX},
     .places = loops_triangle_places},
    {.name = "constraint_jac",
     .quantity = "Dg",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_GRADIENT, .statements = loops_set_values, MATRIX},
     .places = loops_row_places,
     .has_pieces = 1},
    {.name = "constraint_hess",
     .quantity = "Hess(lambda . g), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_triangle, .counts_rows = 1, MATRIX},
     .places = loops_triangle_places},
    {.name = "constraint_jac_along",
     .quantity = "Row i: g_i,zz v, at the places of Dg",
     .kind = LOOPS_CONSTRAINTS,
     .values = {OUTPUTS_ALONG, FACTOR_V, loops_set_values, MATRIX},
     .has_pieces = 1},
    {.name = "family_flow",
     .quantity =
         "z <- Gamma_lambda(z), for the constraints that are neither in q alone nor in p alone",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_FLOW, FACTOR_ROW, loops_move, .counts_rows = 1},
     .arguments = EMIT_SIZES ", const double k[], const double lambda[], double z[]"},
    {.name = "family_flow_z",
     .quantity = "dGamma/dz - 1, likewise",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_FLOW_Z, FACTOR_ROW, loops_set_values, .counts_rows = 1, MATRIX},
     .places = loops_square_places},
    {.name = "family_increment",
     .quantity = "out += Gamma_lambda(z) - z, likewise, with errors relative to it",
     .kind = LOOPS_CONSTRAINTS,
     .when = WITH_FLOW,
     .values = {OUTPUTS_INCREMENT, FACTOR_ROW, loops_add_to_gradient, .counts_rows = 1}},
    {.name = "discrete_grad",
     .quantity = "DH, discrete gradient of H between z and z1: 2d values",
     .kind = LOOPS_DISCRETE_H,
     .values = {OUTPUTS_GRADIENT, .statements = loops_add_to_gradient},
     .zeroed = "2 * d",
     .is_of_two = 1},
    {.name = "discrete_grad_next",
     .quantity = "dDH/dz1",
     .kind = LOOPS_DISCRETE_H,
     .values = {OUTPUTS_HESSIAN, .statements = loops_set_values, MATRIX},
     .places = loops_square_places,
     .is_of_two = 1},
    {.name = "discrete_jac",
     .quantity = "Dg, discrete gradients of g between z and z1",
     .kind = LOOPS_DISCRETE_G,
     .values = {OUTPUTS_GRADIENT, .statements = loops_set_values, MATRIX},
     .places = loops_row_places,
     .is_of_two = 1},
    {.name = "discrete_jac_next",
     .quantity = "d(lambda . Dg)/dz1",
     .kind = LOOPS_DISCRETE_G,
     .values = {OUTPUTS_HESSIAN_TIMES, FACTOR_ROW, loops_set_values, .counts_rows = 1, MATRIX},
     .places = loops_square_places,
     .is_of_two = 1},
    {.name = "hamiltonian_third",
     .quantity = "Hess(grad H . u) for lambda = u, lower triangle",
     TRIANGLE_ALONG(OUTPUTS_THIRD, .counts_rows = 0)},
    {.name = "hamiltonian_fourth",
     .quantity = "Hess(u . Hess H w) for lambda = (u, w), lower triangle",
     TRIANGLE_ALONG(OUTPUTS_FOURTH, .counts_rows = 0)},
    {.name = "constraint_third",
     .quantity = "Hess(tau . Dg u) for lambda = (tau, u), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     TRIANGLE_ALONG(OUTPUTS_THIRD, .counts_rows = 1)},
    {.name = "constraint_fourth",
     .quantity = "Hess(u . Hess(tau . g) w) for lambda = (tau, u, w), lower triangle",
     .kind = LOOPS_CONSTRAINTS,
     TRIANGLE_ALONG(OUTPUTS_FOURTH, .counts_rows = 1)},
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

/* Writes the number of constraints; other values follow their multipliers in lambda. */
static void count_constraints(loops_frame *f)
{
  const char *sum = "0";
  for (int i = 0; i < f->emission->lists[LOOPS_CONSTRAINTS].n; i++) {
    sum = loops_plus(f->memory, sum, loops_family_count(f, LOOPS_CONSTRAINTS, i));
  }
  loops_line(f, "const long count = %s;", sum);
}

/* Writes the function for the places of contributions to a matrix, in the order of the values. */
static void emit_places(loops_emission *e, const loops_function *function)
{
  loops_frame *f = loops_frame_create(e);
  loops_quantity q = {.outputs = function->values.outputs,
                      .statements = function->places,
                      .counts_rows = function->places == loops_row_places,
                      .counts_values = 1,
                      .is_pattern = 1};
  const loops_plan plan = loops_plan_of(f, &q, function->kind);
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

/* Writes the function of all instances as a call with a single piece. */
static void emit_whole(loops_emission *e, const loops_function *function, const char *piece,
                       const char *more)
{
  loops_frame *f = loops_frame_create(e);
  const char *vector = function->values.factor == FACTOR_V ? "v, " : "";
  loops_line(f, "%s(sizes, 0, 1, z, k, %sout);", piece, vector);
  loops_frame_finish(f, arena_printf(e->memory, "%s.", function->quantity), "void", function->name,
                     arena_printf(e->memory, "%s, %sdouble out[]", EMIT_STATE, more));
  loops_member(e, piece);
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
  const loops_plan plan = loops_plan_of(f, q, function->kind);
  f->is_divided = is_divided(function, &plan);
  if (q->factor == FACTOR_DIRECTIONS && function->kind == LOOPS_CONSTRAINTS && plan.parts > 0) {
    count_constraints(f);
  }
  if (q->begin || plan.parts > 0) {
    loops_families(f, &plan);
  }
  if (function->last) {
    loops_line(f, "%s", function->last);
  }
  const char *more = q->factor == FACTOR_NONE ? ""
                     : q->factor == FACTOR_V  ? "const double v[], "
                                              : "const double lambda[], ";
  const char *first = f->is_divided ? EMIT_PIECE : function->is_of_two ? EMIT_STATES : EMIT_STATE;
  const char *name = arena_printf(e->memory, "%s%s", function->name, f->is_divided ? "_piece" : "");
  loops_frame_finish(f,
                     arena_printf(e->memory, "%s%s.", function->quantity,
                                  f->is_divided ? ", of a piece of the instances" : ""),
                     "void", name,
                     function->arguments
                         ? function->arguments
                         : arena_printf(e->memory, "%s, %sdouble out[]", first, more));
  if (f->is_divided) {
    emit_whole(e, function, name, more);
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
      writer_printf(e->members, "    .%s = {{.list = %s_places}, %s},\n", function->name,
                    function->name, function->name);
    } else {
      loops_member(e, function->name);
    }
    emit_values(e, function);
  }
}
