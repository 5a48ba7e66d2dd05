/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/code.h"

#include <math.h>
#include <stdlib.h>

/* A power of a node, which several formulas may share. */
typedef struct power_entry {
  long exponent; /* at least 2, or a code for a root */
  ir_op *op;
  struct power_entry *next; /* the next power of the same node */
} power_entry;

typedef struct op_list {
  ir_op **at;
  size_t n;
  size_t capacity;
} op_list;

typedef struct lowering {
  ir_context *context;
  arena *memory;
  int *parents;               /* by node id: number of references within this function */
  ir_op **done;               /* operations, by node id */
  power_entry **powers;       /* known powers, by node id */
  const unsigned char *fixed; /* as for ir_code_create */
  /* by node id: 1 if the node reads fixed inputs only, -1 if it reads others, 0 if unknown */
  signed char *is_fixed;
  op_list number_roots; /* square roots of literals */
  const char *beyond;   /* as in ir_code */
} lowering;

/* The operation for any expression, created once per node. */
static ir_op *lowering_of(lowering *b, const ir_expr *e);

/* ---- constructors of operations, and numbers as literals ---- */

static void lowering_push(lowering *b, op_list *list, ir_op *op)
{
  list->at = arena_grow(b->memory, list->at, list->n, &list->capacity, sizeof *list->at);
  list->at[list->n++] = op;
}

static ir_op *lowering_op(lowering *b, ir_op_kind kind, int n, ir_op *const args[])
{
  ir_op *op = ARENA_NEW(b->memory, ir_op);
  op->kind = kind;
  op->n = n;
  op->temporary = -1;
  op->wait = -1;
  op->arg = ARENA_ARRAY(b->memory, n ? n : 1, ir_op *);
  for (int i = 0; i < n; i++) {
    op->arg[i] = args[i];
  }
  return op;
}

static const char *operations_decimal(lowering *b, mpq_srcptr value)
{
  char text[64];
  mpf_t f;
  mpf_init2(f, 64);
  mpf_set_q(f, value);
  gmp_snprintf(text, sizeof text, "%.3Fe", f);
  mpf_clear(f);
  return arena_printf(b->memory, "%s", text);
}

/* The double nearest to a number. */
static ir_op *lowering_literal(lowering *b, mpq_srcptr value)
{
  ir_op *op = lowering_op(b, OP_LITERAL, 0, NULL);
  op->value = rational_double(value);
  if (!b->beyond && mpq_sgn(value) != 0 && !isnormal(op->value)) {
    b->beyond = operations_decimal(b, value);
  }
  return op;
}

static ir_op *lowering_integer(lowering *b, mpz_srcptr value)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_z(q, value);
  ir_op *op = lowering_literal(b, q);
  mpq_clear(q);
  return op;
}

/* An integer without its factors of 2. */
static void odd_part(mpz_ptr odd, mpz_srcptr value)
{
  mpz_set(odd, value);
  if (mpz_sgn(value) != 0) {
    mpz_fdiv_q_2exp(odd, value, mpz_scan1(value, 0));
  }
}

/* 1 if q is written as one literal, 0 if it is written as numerator / denominator.  Literals are
 * short decimals, whose denominators have only factors 2 and at most 60 factors 5, and quotients
 * whose parts are not doubles.  Powers of two are ignored, so that a change of units by a power of
 * two keeps the rounding. */
static int lowering_is_literal(mpq_srcptr q)
{
  mpz_t above;
  mpz_t below;
  mpz_t five;
  mpz_init(above);
  mpz_init(below);
  mpz_init_set_ui(five, 5);
  odd_part(above, mpq_numref(q));
  odd_part(below, mpq_denref(q));
  int long_parts = mpz_sizeinbase(above, 2) > 53 || mpz_sizeinbase(below, 2) > 53;
  size_t fives = mpz_remove(below, below, five);
  int short_decimal = mpz_cmp_ui(below, 1) == 0 && fives <= 60;
  mpz_clear(above);
  mpz_clear(below);
  mpz_clear(five);
  return short_decimal || long_parts;
}

static ir_op *lowering_whole(lowering *b, unsigned long value)
{
  mpz_t z;
  mpz_init_set_ui(z, value);
  ir_op *op = lowering_integer(b, z);
  mpz_clear(z);
  return op;
}

static ir_op *lowering_negated(lowering *b, ir_op *op)
{
  return op->kind == OP_NEG ? op->arg[0] : lowering_op(b, OP_NEG, 1, &op);
}

static ir_op *lowering_number(lowering *b, mpq_srcptr value)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, value);
  ir_op *op = NULL;
  if (lowering_is_literal(size)) {
    op = lowering_literal(b, size);
  } else {
    ir_op *parts[2] = {lowering_integer(b, mpq_numref(size)),
                       lowering_integer(b, mpq_denref(size))};
    op = lowering_op(b, OP_DIV, 2, parts);
  }
  mpq_clear(size);
  return mpq_sgn(value) < 0 ? lowering_negated(b, op) : op;
}

/* Special exponents in the tables of powers: node^(1/2) and (2 node)^(1/2). */
enum { SQUARE_ROOT = 0, ROOT_OF_TWICE = -1 };

/* 1 for base^(n/2), n odd. */
static int has_root(const ir_factor *f)
{
  return mpz_cmp_ui(mpq_denref(f->exponent), 2) == 0;
}

/* 1 for n^(1/2), n a positive integer. */
static int is_number_root(const ir_factor *f)
{
  return f->base->kind == IR_NUMBER && mpq_cmp_ui(f->exponent, 1, 2) == 0 &&
         mpq_sgn(f->base->value) > 0 && rational_is_integer(f->base->value);
}

static ir_op **find_power(lowering *b, const ir_expr *base, long exponent)
{
  power_entry **at = &b->powers[base->id];
  while (*at && (*at)->exponent != exponent) {
    at = &(*at)->next;
  }
  if (!*at) {
    *at = ARENA_NEW(b->memory, power_entry);
    (*at)->exponent = exponent;
  }
  return &(*at)->op;
}

/* The square root of base, or of 2 base. */
static ir_op *lowering_square_root(lowering *b, const ir_expr *base, int of_twice)
{
  long exponent = of_twice ? ROOT_OF_TWICE : SQUARE_ROOT;
  ir_op *op = *find_power(b, base, exponent);
  if (!op) {
    ir_op *argument = lowering_of(b, base);
    if (of_twice) {
      ir_op *twice[2] = {lowering_whole(b, 2), argument};
      argument = lowering_op(b, OP_MUL, 2, twice);
    }
    op = lowering_op(b, OP_SQRT, 1, &argument);
    *find_power(b, base, exponent) = op;
  }
  return op;
}

static ir_op *number_root(lowering *b, mpz_srcptr value)
{
  ir_op *argument = lowering_integer(b, value);
  for (size_t i = 0; i < b->number_roots.n; i++) {
    if (b->number_roots.at[i]->arg[0]->value == argument->value) {
      return b->number_roots.at[i];
    }
  }
  lowering_push(b, &b->number_roots, lowering_op(b, OP_SQRT, 1, &argument));
  return b->number_roots.at[b->number_roots.n - 1];
}

/* base^n for n >= 1 by repeated squaring; all intermediate powers are shared. */
static ir_op *lowering_integer_power(lowering *b, const ir_expr *base, long n)
{
  if (n == 1) {
    return lowering_of(b, base);
  }
  ir_op *op = *find_power(b, base, n);
  if (!op) {
    long half = n / 2;
    ir_op *parts[3] = {lowering_integer_power(b, base, half), lowering_integer_power(b, base, half),
                       NULL};
    int count = 2;
    if (n % 2) {
      parts[count++] = lowering_of(b, base);
    }
    op = lowering_op(b, OP_MUL, count, parts);
    *find_power(b, base, n) = op;
  }
  return op;
}

/* Appends base^|exponent|: n copies of base for n <= 3, and one shared power for larger n.  With
 * of_twice, the square root is (2 base)^(1/2). */
static void push_power(lowering *b, op_list *list, const ir_factor *f, int of_twice)
{
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, f->exponent);
  long n = mpz_get_si(mpq_numref(size));
  if (has_root(f)) {
    if (n > 1) {
      lowering_push(b, list, lowering_integer_power(b, f->base, n / 2));
    }
    lowering_push(b, list, lowering_square_root(b, f->base, of_twice));
  } else if (!rational_is_integer(size)) {
    ir_op *args[2] = {lowering_of(b, f->base), lowering_number(b, size)};
    ir_op *op = lowering_op(b, OP_CALL, 2, args);
    op->call = IR_POW;
    lowering_push(b, list, op);
  } else if (n > 3) {
    lowering_push(b, list, lowering_integer_power(b, f->base, n));
  } else {
    for (long i = 0; i < n; i++) {
      lowering_push(b, list, lowering_of(b, f->base));
    }
  }
  mpq_clear(size);
}

/* Combines the roots n^(1/2) of numbers in a product into one root of an odd number.  Let N = 4^k
 * N' be the product of all n.  If N' is even, the factor 2 moves under the first other root:
 * S^(1/2) becomes (2S)^(1/2), and S^(-1/2) becomes 2 (2S)^(-1/2).  The reason: sqrt(4 Q^2 + 2) has
 * the normal form 2^(1/2) (2 Q^2 + 1)^(1/2).  In a unit of q that is a power of two, this formula
 * is sqrt(q^2 + 2), and both must be rounded alike.  Multiplies the coefficient by the rational
 * part, sets `odd`, and returns the index of S, or -1. */
static int gather_roots(const ir_expr *e, mpq_ptr coefficient, mpz_ptr odd)
{
  mpz_set_ui(odd, 1);
  int taker = -1;
  for (int i = 0; i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    if (is_number_root(f)) {
      mpz_mul(odd, odd, mpq_numref(f->base->value));
    } else if (taker < 0 && has_root(f) && f->base->kind != IR_PI) {
      taker = i;
    }
  }
  mp_bitcnt_t twos = mpz_scan1(odd, 0);
  mp_bitcnt_t outside = twos / 2;
  int is_even = twos % 2 != 0;
  mpz_fdiv_q_2exp(odd, odd, twos);
  if (is_even && taker < 0) {
    mpz_mul_ui(odd, odd, 2);
  }
  if (is_even && taker >= 0 && mpq_sgn(e->factors[taker].exponent) < 0) {
    outside++;
  }
  mpq_mul_2exp(coefficient, coefficient, outside);
  return is_even ? taker : -1;
}

static ir_op *product_of(lowering *b, const op_list *list)
{
  return list->n == 1 ? list->at[0] : lowering_op(b, OP_MUL, (int)list->n, list->at);
}

/* 1 if e has the same value in all iterations of the surrounding loop. */
static int lowering_is_fixed(lowering *b, const ir_expr *e)
{
  signed char *known = &b->is_fixed[e->id];
  int so = e->kind != IR_INPUT || (e->space == IR_K && b->fixed[e->index]);
  for (int i = 0; i < e->n && so && !*known; i++) {
    so = lowering_is_fixed(b, ir_operand(e, i));
  }
  if (*known == 0) {
    *known = (signed char)(so ? 1 : -1);
  }
  return *known > 0;
}

/* 1 if a product in a loop has a divisor that is fixed in the loop, and a numerator that is not.  A
 * compiler moves the fixed quotient out of the loop, and saves a division, if it is an operation of
 * its own. */
static int has_fixed_quotient(lowering *b, const ir_expr *e)
{
  int below = 0;
  int above = 0;
  for (int i = 0; i < e->n && b->fixed; i++) {
    const ir_expr *base = e->factors[i].base;
    const int is_below = mpq_sgn(e->factors[i].exponent) < 0;
    below |= is_below && base->kind != IR_PI && lowering_is_fixed(b, base);
    above |= !is_below && !lowering_is_fixed(b, base);
  }
  return below && above;
}

/* The factors of the numerator and of the denominator. */
typedef struct factors {
  op_list above;
  op_list below;
} factors;

static ir_op *quotient_of(lowering *b, factors *f)
{
  if (f->above.n == 0) {
    lowering_push(b, &f->above, lowering_whole(b, 1));
  }
  if (f->below.n == 0) {
    return product_of(b, &f->above);
  }
  ir_op *parts[2] = {product_of(b, &f->above), product_of(b, &f->below)};
  return lowering_op(b, OP_DIV, 2, parts);
}

/* The product of two quotients. */
static ir_op *both_quotients(lowering *b, factors *first, const factors *second)
{
  factors all = {.below = second->below};
  lowering_push(b, &all.above, quotient_of(b, first));
  for (size_t i = 0; i < second->above.n; i++) {
    lowering_push(b, &all.above, second->above.at[i]);
  }
  return quotient_of(b, &all);
}

/* size (positive) times the product e, as a quotient. */
static ir_op *lower_product(lowering *b, mpq_srcptr size, const ir_expr *e)
{
  const int apart = has_fixed_quotient(b, e);
  factors fixed = {0};
  factors others = {0};
  factors *numbers = apart ? &fixed : &others;
  mpq_t coefficient;
  mpz_t odd;
  mpq_init(coefficient);
  mpq_set(coefficient, size);
  mpz_init(odd);
  int of_twice = gather_roots(e, coefficient, odd);
  int literally = lowering_is_literal(coefficient);
  if (literally && !rational_is_one(coefficient)) {
    lowering_push(b, &numbers->above, lowering_literal(b, coefficient));
  } else if (!literally && mpz_cmp_ui(mpq_numref(coefficient), 1) != 0) {
    lowering_push(b, &numbers->above, lowering_integer(b, mpq_numref(coefficient)));
  }
  for (int i = 0; i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    factors *to = apart && lowering_is_fixed(b, f->base) ? &fixed : &others;
    if (!is_number_root(f)) {
      push_power(b, mpq_sgn(f->exponent) > 0 ? &to->above : &to->below, f, i == of_twice);
    }
  }
  if (mpz_cmp_ui(odd, 1) != 0) {
    lowering_push(b, &numbers->above, number_root(b, odd));
  }
  if (!literally) {
    lowering_push(b, &numbers->below, lowering_integer(b, mpq_denref(coefficient)));
  }
  mpq_clear(coefficient);
  mpz_clear(odd);
  return apart ? both_quotients(b, &fixed, &others) : quotient_of(b, &others);
}

/* ---- sums ---- */

/* coefficient * node, with its sign. */
static ir_op *lower_term(lowering *b, mpq_srcptr coefficient, const ir_expr *node)
{
  mpq_srcptr one = ir_integer(b->context, 1)->value;
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, coefficient);
  ir_factor alone = {node, one};
  const ir_expr product = {.kind = IR_PRODUCT, .n = 1, .factors = &alone};
  int is_own = node->kind == IR_PRODUCT && b->parents[node->id] == 1;
  ir_op *op = node->kind == IR_NUMBER
                  ? lowering_number(b, size) /* a constant term: its node is 1 */
              : mpq_equal(size, one) ? lowering_of(b, node)
                                     : lower_product(b, size, is_own ? node : &product);
  mpq_clear(size);
  return mpq_sgn(coefficient) < 0 ? lowering_negated(b, op) : op;
}

/* common * (sum of terms), with common multiplied into the terms; a positive term, if any, comes
 * first. */
static ir_op *lower_terms(lowering *b, mpq_srcptr common, const ir_expr *sum)
{
  op_list list = {0};
  mpq_t q;
  mpq_init(q);
  for (int i = 0; i < sum->n; i++) {
    mpq_mul(q, common, sum->terms[i].coefficient);
    lowering_push(b, &list, lower_term(b, q, sum->terms[i].node));
  }
  mpq_clear(q);
  size_t first = 0;
  while (first < list.n && list.at[first]->kind == OP_NEG) {
    first++;
  }
  if (first < list.n) {
    ir_op *lead = list.at[first];
    for (size_t i = first; i > 0; i--) {
      list.at[i] = list.at[i - 1];
    }
    list.at[0] = lead;
  }
  return lowering_op(b, OP_ADD, (int)list.n, list.at);
}

/* The number of multiplications by numbers in common * (sum of terms), with common multiplied into
 * the terms. */
static int products_in(mpq_srcptr common, const ir_expr *sum)
{
  int n = 0;
  mpq_t q;
  mpq_init(q);
  for (int i = 0; i < sum->n; i++) {
    mpq_mul(q, common, sum->terms[i].coefficient);
    mpq_abs(q, q);
    n += sum->terms[i].node->kind != IR_NUMBER && !rational_is_one(q);
  }
  mpq_clear(q);
  return n;
}

/* 1 if |q| is a power of two. */
static int is_power_of_two(mpq_srcptr q)
{
  const size_t bits = mpz_sizeinbase(mpq_numref(q), 2);
  return mpz_popcount(mpq_denref(q)) == 1 && mpz_scan1(mpq_numref(q), 0) + 1 == bits;
}

/* 1 if a common factor is cheaper in front of the sum than in its terms.  Only powers of two
 * qualify, because they do not change the rounding. */
static int stays_in_front(const lowering *b, mpq_srcptr common, const ir_expr *sum)
{
  mpq_srcptr one = ir_integer(b->context, 1)->value;
  return is_power_of_two(common) && 1 + products_in(one, sum) < products_in(common, sum);
}

/* |common| in front of the sum.  The sign goes into the terms, which keep their order, unless all
 * terms would be negative. */
static ir_op *lower_in_front(lowering *b, mpq_srcptr common, const ir_expr *sum)
{
  int positive = 0;
  for (int i = 0; i < sum->n; i++) {
    positive |= mpq_sgn(sum->terms[i].coefficient) == mpq_sgn(common);
  }
  const int sign = positive ? mpq_sgn(common) : -mpq_sgn(common);
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, common);
  ir_op *parts[2] = {lowering_number(b, size),
                     lower_terms(b, ir_integer(b->context, sign)->value, sum)};
  mpq_clear(size);
  ir_op *op = lowering_op(b, OP_MUL, 2, parts);
  return positive ? op : lowering_negated(b, op);
}

static ir_op *lower_sum(lowering *b, const ir_expr *e)
{
  if (e->n > 1) {
    return lower_terms(b, ir_integer(b->context, 1)->value, e);
  }
  const ir_expr *node = e->terms[0].node;
  mpq_srcptr common = e->terms[0].coefficient;
  if (node->kind != IR_SUM || b->parents[node->id] > 1) {
    return lower_term(b, common, node);
  }
  return (stays_in_front(b, common, node) ? lower_in_front : lower_terms)(b, common, node);
}

static ir_op *lowering_compute(lowering *b, const ir_expr *e)
{
  ir_op *op = NULL;
  ir_op *args[2] = {NULL, NULL};
  switch (e->kind) {
  case IR_NUMBER:
    return lowering_number(b, e->value);
  case IR_PI:
    return lowering_op(b, OP_PI, 0, NULL);
  case IR_INPUT:
    op = lowering_op(b, OP_INPUT, 0, NULL);
    op->space = e->space;
    op->index = e->index;
    return op;
  case IR_SUM:
    return lower_sum(b, e);
  case IR_PRODUCT:
    return lower_product(b, ir_integer(b->context, 1)->value, e);
  case IR_CALL:
    for (int i = 0; i < e->n; i++) {
      args[i] = lowering_of(b, e->arguments[i]);
    }
    if (e->call == IR_HOLD) {
      return args[0];
    }
    op = lowering_op(b, OP_CALL, e->n, args);
    op->call = e->call;
    return op;
  }
  return op;
}

static ir_op *lowering_of(lowering *b, const ir_expr *e)
{
  if (!b->done[e->id]) {
    b->done[e->id] = lowering_compute(b, e);
  }
  return b->done[e->id];
}

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
