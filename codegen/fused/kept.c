/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/builders.h"
#include "expr/substitute.h"
#include "fused/step.h"

/* The functions that steps read. Rows or columns belong to constraints in some of them. */
static const struct {
  ir_function_id id;
  int by_rows;
  int by_cols;
} kept_functions[] = {
    {IR_HAMILTONIAN_GRAD, 0, 0}, {IR_HAMILTONIAN_HESS, 0, 0}, {IR_CONSTRAINT, 1, 0},
    {IR_CONSTRAINT_JAC, 1, 0},   {IR_HIDDEN, 1, 0},           {IR_HIDDEN_JAC, 1, 0},
    {IR_NONDEGENERACY, 1, 1},    {IR_FIBRE_FLOW, 0, 0},       {IR_DISCRETE_GRAD, 0, 0},
    {IR_DISCRETE_JAC, 1, 0},
};

const ir_program *fused_reduced_program(ir_context *c, const ir_program *p, const char follows[])
{
  arena *a = ir_context_arena(c);
  ir_program *made = ARENA_NEW(a, ir_program);
  int *place = ARENA_ARRAY(a, p->nc, int); /* new number of a constraint, or -1 */
  const char **names = ARENA_ARRAY(a, p->nc, const char *);
  const ir_expr **lambda = ARENA_ARRAY(a, p->nc, const ir_expr *);
  *made = *p;
  made->nc = made->n_weights = 0;
  made->c_names = names;
  for (int i = 0; i < p->nc; i++) {
    lambda[i] = follows[i] ? ir_integer(c, 0) : ir_input(c, IR_LAMBDA, made->nc);
    names[made->nc] = p->c_names[i];
    place[i] = follows[i] ? -1 : made->nc++;
  }
  for (int i = 0; i < IR_FUNCTIONS; i++) {
    made->functions[i] = (ir_function){0};
  }
  for (size_t i = 0; i < sizeof kept_functions / sizeof *kept_functions; i++) {
    const int by_rows = kept_functions[i].by_rows;
    const int by_cols = kept_functions[i].by_cols;
    const ir_function *of = &p->functions[kept_functions[i].id];
    ir_function *to = &made->functions[kept_functions[i].id];
    *to = (ir_function){of->rows && by_rows ? made->nc : of->rows,
                        of->cols && by_cols ? made->nc : of->cols, 0,
                        ARENA_ARRAY(a, of->n + 1, ir_entry)};
    for (int e = 0; e < of->n; e++) {
      const ir_entry *entry = &of->entries[e];
      const int row = by_rows ? place[entry->row] : entry->row;
      const int col = by_cols ? place[entry->col] : entry->col;
      if (row >= 0 && col >= 0) {
        to->entries[to->n++] =
            (ir_entry){row, col, ir_substitute(c, IR_LAMBDA, lambda, entry->value)};
      }
    }
  }
  return made;
}
