/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/expression.h"

#include "emit/writer.h"
#include "formula/formula.h"

static const formula *op_formula(arena *a, const emit_names *names, const ir_op *op, int define)
{
  if (op->temporary >= 0 && !define) {
    return formula_atom(a, FORMULA_ATOM, arena_printf(a, "t%d", op->temporary));
  }
  const formula **part = ARENA_ARRAY(a, op->n + 1, const formula *);
  for (int i = 0; i < op->n; i++) {
    part[i] = op_formula(a, names, op->arg[i], 0);
  }
  switch (op->kind) {
  case OP_LITERAL:
    return formula_atom(a, FORMULA_ATOM, writer_double(a, op->value));
  case OP_PI:
    return formula_atom(a, FORMULA_ATOM, "3.141592653589793");
  case OP_INPUT:
    return formula_atom(a, FORMULA_ATOM, names->of[op->space][op->index]);
  case OP_SQRT:
    return formula_of(a, FORMULA_ROOT, part[0], NULL);
  case OP_CALL:
    return formula_call(a, ir_call_name(op->call), part[0], part[1]);
  case OP_ADD:
    return formula_list(a, FORMULA_SUM, op->n, part);
  case OP_NEG:
    return formula_of(a, FORMULA_NEGATION, part[0], NULL);
  case OP_MUL:
    return formula_list(a, FORMULA_PRODUCT, op->n, part);
  case OP_DIV:
    break;
  }
  return formula_of(a, FORMULA_QUOTIENT, part[0], part[1]);
}

const char *emit_expression(arena *a, const emit_names *names, const ir_op *op, int define)
{
  return formula_text(a, SPELL_C, op_formula(a, names, op, define));
}
