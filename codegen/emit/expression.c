/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/expression.h"

#include "emit/writer.h"

/* How tightly the outermost operator binds. */
enum { BIND_SUM = 1, BIND_NEGATION = 2, BIND_PRODUCT = 3, BIND_ATOM = 4 };

static const char *write_op(arena *a, const emit_names *names, const ir_op *op, int define,
                            int least);

static const char *operand(arena *a, const emit_names *names, const ir_op *op, int least)
{
  return write_op(a, names, op, 0, least);
}

static const char *write_sum(arena *a, const emit_names *names, const ir_op *op)
{
  writer *w = writer_create(a);
  for (int i = 0; i < op->n; i++) {
    const ir_op *part = op->arg[i];
    int minus = i > 0 && part->kind == OP_NEG && part->temporary < 0;
    const char *text = minus ? operand(a, names, part->arg[0], BIND_PRODUCT)
                             : operand(a, names, part, i ? BIND_PRODUCT : BIND_SUM);
    writer_printf(w, "%s%s", i == 0 ? "" : minus ? " - " : " + ", text);
  }
  return writer_text(w);
}

static const char *write_product(arena *a, const emit_names *names, const ir_op *op)
{
  writer *w = writer_create(a);
  for (int i = 0; i < op->n; i++) {
    /* A quotient inside a product keeps its parentheses, so that the order of operations shows. */
    int least = op->arg[i]->kind == OP_DIV && i > 0 ? BIND_ATOM : BIND_PRODUCT;
    writer_printf(w, "%s%s", i ? " * " : "", operand(a, names, op->arg[i], least));
  }
  return writer_text(w);
}

static const char *write_call(arena *a, const emit_names *names, const ir_op *op)
{
  const char *name = op->kind == OP_SQRT ? "sqrt" : ir_call_name(op->call);
  const char *first = operand(a, names, op->arg[0], 0);
  return op->n == 1 ? arena_printf(a, "%s(%s)", name, first)
                    : arena_printf(a, "%s(%s, %s)", name, first, operand(a, names, op->arg[1], 0));
}

static const char *write_op(arena *a, const emit_names *names, const ir_op *op, int define,
                            int least)
{
  if (op->temporary >= 0 && !define) {
    return arena_printf(a, "t%d", op->temporary);
  }
  const char *text = "";
  int binds = BIND_ATOM;
  switch (op->kind) {
  case OP_LITERAL:
    return writer_double(a, op->value);
  case OP_PI:
    return "3.141592653589793";
  case OP_INPUT:
    return names->of[op->space][op->index];
  case OP_SQRT:
  case OP_CALL:
    return write_call(a, names, op);
  case OP_ADD:
    binds = BIND_SUM;
    text = write_sum(a, names, op);
    break;
  case OP_NEG:
    binds = BIND_NEGATION;
    text = arena_printf(a, "-%s", operand(a, names, op->arg[0], BIND_PRODUCT));
    break;
  case OP_MUL:
    binds = BIND_PRODUCT;
    text = write_product(a, names, op);
    break;
  case OP_DIV:
    binds = BIND_PRODUCT;
    text = arena_printf(a, "%s / %s", operand(a, names, op->arg[0], BIND_PRODUCT),
                        operand(a, names, op->arg[1], BIND_ATOM));
    break;
  }
  return binds < least ? arena_printf(a, "(%s)", text) : text;
}

const char *emit_expression(arena *a, const emit_names *names, const ir_op *op, int define)
{
  return write_op(a, names, op, define, 0);
}
