/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/text.h"

#include <stdio.h>
#include <string.h>

typedef struct printer {
  arena *memory;
  const ir_program *program;
  char *out;
  size_t length;
  size_t most;
  int full; /* the text does not fit */
} printer;

/* What surrounds a part: it is put in parentheses where it binds less. */
typedef enum binding { BIND_SUM, BIND_PRODUCT, BIND_POWER } binding;

static void put(printer *p, const char *text)
{
  size_t n = strlen(text);
  if (p->full || p->length + n > p->most) {
    p->full = 1;
    return;
  }
  memcpy(p->out + p->length, text, n + 1);
  p->length += n;
}

const char *ir_name_text(arena *a, const char *dotted)
{
  char *name = arena_strdup(a, dotted);
  char *dot = strchr(name, '.');
  if (!dot) {
    return name;
  }
  *dot = '[';
  for (char *at = dot; *at; at++) {
    if (*at == '.') {
      *at = ',';
    }
  }
  return arena_printf(a, "%s]", name);
}

static void put_number(printer *p, mpq_srcptr q)
{
  size_t room = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
  if (p->full || p->length + room > p->most + 3) {
    p->full = 1;
    return;
  }
  put(p, mpq_get_str(ARENA_ARRAY(p->memory, room, char), 10, q));
}

static void put_input(printer *p, const ir_expr *e)
{
  const ir_program *program = p->program;
  int d = program->nq;
  if (e->space == IR_LAMBDA) {
    put(p, arena_printf(p->memory, "lambda[%d]", e->index + 1));
    return;
  }
  put(p, ir_name_text(p->memory, e->space == IR_K ? program->k_names[e->index]
                                 : e->index < d   ? program->q_names[e->index]
                                                  : program->p_names[e->index - d]));
}

static void put_expr(printer *p, const ir_expr *e, binding outside);

static void put_factor(printer *p, const ir_factor *f, mpq_srcptr exponent)
{
  if (mpq_cmp_ui(exponent, 1, 2) == 0) {
    put(p, "sqrt(");
    put_expr(p, f->base, BIND_SUM);
    put(p, ")");
    return;
  }
  put_expr(p, f->base, mpq_cmp_ui(exponent, 1, 1) == 0 ? BIND_PRODUCT : BIND_POWER);
  if (mpq_cmp_ui(exponent, 1, 1) != 0) {
    int simple = mpz_cmp_ui(mpq_denref(exponent), 1) == 0 && mpq_sgn(exponent) > 0;
    put(p, simple ? "^" : "^(");
    put_number(p, exponent);
    put(p, simple ? "" : ")");
  }
}

/* number * factors with a positive exponent / those with a negative one; number is positive. */
static void put_term(printer *p, mpq_srcptr number, const ir_expr *node)
{
  const ir_factor single = {node, NULL};
  const ir_factor *factors = node->kind == IR_PRODUCT ? node->factors : &single;
  int n = node->kind == IR_PRODUCT ? node->n : node->kind == IR_NUMBER ? 0 : 1;
  mpq_t exponent;
  mpq_init(exponent);
  int started = 0;
  if (mpz_cmp_ui(mpq_numref(number), 1) != 0) {
    mpq_set_z(exponent, mpq_numref(number));
    put_number(p, exponent);
    started = 1;
  }
  for (int below = 0; below < 2; below++) {
    if (below && mpz_cmp_ui(mpq_denref(number), 1) != 0) {
      put(p, started ? "/" : "1/");
      mpq_set_z(exponent, mpq_denref(number));
      put_number(p, exponent);
      started = 1;
    }
    for (int i = 0; i < n && !p->full; i++) {
      mpq_set_ui(exponent, 1, 1);
      if (factors[i].exponent) {
        mpq_set(exponent, factors[i].exponent);
      }
      if ((mpq_sgn(exponent) < 0) != below) {
        continue;
      }
      mpq_abs(exponent, exponent);
      put(p, below ? (started ? "/" : "1/") : started ? "*" : "");
      put_factor(p, &factors[i], exponent);
      started = 1;
    }
  }
  put(p, started ? "" : "1");
  mpq_clear(exponent);
}

static void put_sum(printer *p, const ir_expr *e)
{
  mpq_t size;
  mpq_init(size);
  for (int i = 0; i < e->n && !p->full; i++) {
    int negative = mpq_sgn(e->terms[i].coefficient) < 0;
    mpq_abs(size, e->terms[i].coefficient);
    put(p, i == 0 ? (negative ? "-" : "") : negative ? " - " : " + ");
    put_term(p, size, e->terms[i].node);
  }
  mpq_clear(size);
}

static void put_call(printer *p, const ir_expr *e)
{
  if (e->call == IR_HOLD) {
    put(p, "(");
    put_expr(p, e->arguments[0], BIND_SUM);
    put(p, ")");
    return;
  }
  put(p, ir_call_word(e->call));
  put(p, "(");
  for (int i = 0; i < e->n; i++) {
    put(p, i ? ", " : "");
    put_expr(p, e->arguments[i], BIND_SUM);
  }
  put(p, ")");
}

static void put_expr(printer *p, const ir_expr *e, binding outside)
{
  mpq_t one;
  if (p->full) {
    return;
  }
  int whole =
      e->kind == IR_NUMBER && mpq_sgn(e->value) >= 0 && mpz_cmp_ui(mpq_denref(e->value), 1) == 0;
  int plain = e->kind == IR_INPUT || e->kind == IR_PI || e->kind == IR_CALL || whole ||
              (e->kind == IR_PRODUCT && e->n == 1 && mpq_cmp_ui(e->factors[0].exponent, 1, 2) == 0);
  binding inside = plain ? BIND_POWER : e->kind == IR_PRODUCT ? BIND_PRODUCT : BIND_SUM;
  int brackets = !plain && (inside < outside || outside == BIND_POWER);
  put(p, brackets ? "(" : "");
  switch (e->kind) {
  case IR_INPUT:
    put_input(p, e);
    break;
  case IR_PI:
    put(p, "pi");
    break;
  case IR_CALL:
    put_call(p, e);
    break;
  case IR_SUM:
    put_sum(p, e);
    break;
  case IR_PRODUCT:
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    put_term(p, one, e);
    mpq_clear(one);
    break;
  case IR_NUMBER:
    put_number(p, e->value);
    break;
  }
  put(p, brackets ? ")" : "");
}

const char *ir_text(arena *a, const ir_program *p, const ir_expr *e, size_t most)
{
  printer to = {.memory = a, .program = p, .out = ARENA_ARRAY(a, most + 1, char), .most = most};
  put_expr(&to, e, BIND_SUM);
  return to.full ? NULL : to.out;
}
