/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/code.h"

#include <stdlib.h>

#include "expr/lowering.h"

static void count_parents(lowering *b, const ir_expr *e)
{
  if (b->parents[e->id]++ > 0) {
    return;
  }
  for (int i = 0; i < e->n; i++) {
    count_parents(b, ir_operand(e, i));
  }
}

static void count_uses(ir_op *op)
{
  if (op->uses++ > 0) {
    return;
  }
  for (int i = 0; i < op->n; i++) {
    count_uses(op->arg[i]);
  }
}

static int is_trivial(const ir_op *op)
{
  return op->kind == OP_LITERAL || op->kind == OP_PI || op->kind == OP_INPUT ||
         (op->kind == OP_NEG && is_trivial(op->arg[0]));
}

static void count_operations(ir_code *code, const ir_op *op)
{
  switch (op->kind) {
  case OP_ADD:
    code->additions += op->n - 1;
    break;
  case OP_MUL:
    code->products += op->n - 1;
    break;
  case OP_DIV:
    code->quotients++;
    break;
  case OP_SQRT:
  case OP_CALL:
    code->calls++;
    break;
  case OP_LITERAL:
  case OP_PI:
  case OP_INPUT:
  case OP_NEG:
    break;
  }
}

/* Visits operations in post-order, so a temporary comes after the temporaries that it uses. */
static void code_collect(lowering *b, ir_code *code, ir_op *op, op_list *temporaries)
{
  if (op->visited) {
    return;
  }
  op->visited = 1;
  for (int i = 0; i < op->n; i++) {
    code_collect(b, code, op->arg[i], temporaries);
  }
  count_operations(code, op);
  if (op->kind == OP_INPUT && code->used[op->space]) {
    code->used[op->space][op->index] = 1;
  }
  if (op->uses > 1 && !is_trivial(op)) {
    op->temporary = (int)temporaries->n;
    lowering_push(b, temporaries, op);
  }
}

ir_code *ir_code_create(ir_context *c, int n, const ir_expr *const outputs[],
                        const int size[IR_SPACES], const unsigned char fixed[])
{
  return ir_code_create_in(ir_context_arena(c), c, n, outputs, size, fixed);
}

ir_code *ir_code_create_in(arena *memory, ir_context *c, int n, const ir_expr *const outputs[],
                           const int size[IR_SPACES], const unsigned char fixed[])
{
  lowering b = {.context = c, .memory = memory, .fixed = fixed};
  unsigned nodes = ir_context_size(c);
  /* These tables are not in the arena: the arena frees nothing before the end, and a step with
   * thousands of formulas would fill it. */
  b.parents = ir_zeros(nodes, sizeof *b.parents);
  b.done = ir_zeros(nodes, sizeof *b.done);
  b.powers = ir_zeros(nodes, sizeof *b.powers);
  b.is_fixed = ir_zeros(nodes, sizeof *b.is_fixed);
  ir_code *code = ARENA_NEW(b.memory, ir_code);
  code->n_outputs = n;
  code->outputs = ARENA_ARRAY(b.memory, n ? n : 1, ir_op *);
  for (int s = 0; s < IR_SPACES && size; s++) {
    code->used[s] = ARENA_ARRAY(b.memory, size[s] + 1, unsigned char);
  }
  for (int i = 0; i < n; i++) {
    count_parents(&b, outputs[i]);
  }
  for (int i = 0; i < n; i++) {
    code->outputs[i] = lowering_of(&b, outputs[i]);
  }
  for (int i = 0; i < n; i++) {
    count_uses(code->outputs[i]);
  }
  op_list temporaries = {0};
  for (int i = 0; i < n; i++) {
    code_collect(&b, code, code->outputs[i], &temporaries);
  }
  code->n_temporaries = (int)temporaries.n;
  code->temporaries = temporaries.at;
  code->beyond = b.beyond;
  free(b.parents);
  free(b.done);
  free(b.powers);
  free(b.is_fixed);
  return code;
}
