/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr.h -- the intermediate representation: a hash-consed DAG of real expressions.
 *
 * Every node is in normal form.  Equal formulas are therefore equal pointers, in whatever order
 * GiNaC delivers their parts:
 *   SUM      terms (coefficient, node), sorted by node, without duplicates or nested sums.  A sum
 *            of one term is a scaled node c * x, c != 1.  A sum of more terms is primitive: the
 *            coefficients are coprime integers and the first is positive.  The integers are divided
 *            by a power of four if they are too large for doubles.  The common factor is in an
 *            outer sum of one term.  A constant term has the node 1 and comes last.
 *   PRODUCT  factors (base, rational exponent), sorted by base, without duplicates; no coefficient.
 *            A product of one factor has an exponent other than 1.
 *   CALL     an elementary function; arguments of odd and even functions have a positive leading
 *            coefficient.
 * The order of nodes is total and depends on structure alone (ir_compare).
 */
#ifndef SIDEWINDER_EXPR_EXPR_H
#define SIDEWINDER_EXPR_EXPR_H

#include <stddef.h>

#include "common/arena.h"
#include "common/rational.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ir_kind { IR_INPUT, IR_PI, IR_CALL, IR_SUM, IR_PRODUCT, IR_NUMBER } ir_kind;

/* The array that an input belongs to; inputs sort in this order.  IR_NEXT is the second of two
 * states.  IR_VALUE holds values that a step has computed before (fused/values.h). */
typedef enum ir_space { IR_K, IR_LAMBDA, IR_Z, IR_NEXT, IR_VALUE, IR_SPACES } ir_space;

typedef enum ir_call {
  IR_SIN,
  IR_COS,
  IR_TAN,
  IR_ASIN,
  IR_ACOS,
  IR_ATAN,
  IR_ATAN2, /* (y, x) */
  IR_SINH,
  IR_COSH,
  IR_TANH,
  IR_EXP,
  IR_LOG,
  IR_ABS,
  IR_SIGN, /* -1, 0 or 1 */
  IR_MIN,  /* (x, y), the smaller argument */
  IR_MAX,
  IR_HOLD, /* (x) = x, computed once: other sums do not absorb this sum (see ir_held) */
  IR_POW,  /* (base, exponent); the exponent is not a rational number */
  /* (c, t): G_k(c, t) = sum over j >= 0 of c^j t^(2j+k)/(2j+k)!, the universal functions of
   * sidewinder/functions.h.  G_0 = cosh(sqrt(c) t), G_1 = sinh(sqrt(c) t)/sqrt(c); all are entire
   * in c. */
  IR_G0,
  IR_G1,
  IR_G2,
  IR_G3,
  /* 1 if the argument is >= 0, else NaN; keeps a domain condition that a simplification lost */
  IR_INSIDE,
  IR_CALLS
} ir_call;

typedef struct ir_expr ir_expr;

typedef struct ir_term {
  mpq_srcptr coefficient;
  const ir_expr *node;
} ir_term;

typedef struct ir_factor {
  const ir_expr *base;
  mpq_srcptr exponent;
} ir_factor;

struct ir_expr {
  ir_kind kind;
  unsigned id; /* index of the node in the context, for tables; never used to order nodes */
  size_t hash;
  ir_space space;              /* INPUT */
  int index;                   /* INPUT */
  ir_call call;                /* CALL */
  int n;                       /* number of terms, factors, or arguments */
  mpq_srcptr value;            /* NUMBER */
  const ir_term *terms;        /* SUM */
  const ir_factor *factors;    /* PRODUCT */
  const ir_expr *arguments[2]; /* CALL */
};

typedef struct ir_context ir_context;

/* The largest number of nodes of one model. */
#define IR_NODE_LIMIT 20000000u

ir_context *ir_context_create(arena *a);
unsigned ir_context_size(const ir_context *c); /* an upper bound of all ids */
arena *ir_context_arena(const ir_context *c);

/* Frees the tables of nodes and rules; the arena keeps the nodes. */
void ir_context_free(ir_context *c);

/* The reason why the expressions cannot become C.  Only the first reason is kept; NULL if there is
 * none. */
void ir_context_refuse(ir_context *c, const char *reason);
const char *ir_context_refusal(const ir_context *c);

/* Allocates n zeroed items of `size` bytes, which the caller frees.  Exits if memory is
 * exhausted. */
void *ir_zeros(size_t n, size_t size);

/* Resizes the array to n items of `size` bytes, like realloc.  Exits if memory is exhausted. */
void *ir_widen(void *items, size_t n, size_t size);

/* Constructors: each returns the node in normal form.  Numbers are copied. */
const ir_expr *ir_number(ir_context *c, mpq_srcptr value);
const ir_expr *ir_integer(ir_context *c, long value);
const ir_expr *ir_pi(ir_context *c);
const ir_expr *ir_input(ir_context *c, ir_space space, int index);
const ir_expr *ir_apply(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b);
const ir_expr *ir_add(ir_context *c, int n, const ir_expr *const nodes[]);
const ir_expr *ir_mul(ir_context *c, int n, const ir_expr *const nodes[]);
const ir_expr *ir_pow(ir_context *c, const ir_expr *base, mpq_srcptr exponent);
const ir_expr *ir_scale(ir_context *c, mpq_srcptr coefficient, const ir_expr *node);

int ir_is_zero(const ir_expr *e);

/* Linear equations M v = y with W = M^-1.  M and W are symmetric n x n matrices; a NULL entry is
 * 0. */
typedef struct ir_equations {
  int n;
  const ir_expr **M;
  const ir_expr **W;
  const ir_expr **v;
  const ir_expr **y;
} ir_equations;

/* Knowledge about a node that its formula does not show, such as the equations that it solves. */
typedef struct ir_rule {
  int n;
  /* derivatives with respect to the first n inputs of IR_Z, all others being 0; a NULL entry is 0;
   * NULL if the derivatives are unknown */
  const ir_expr *const *slopes;
  /* the equations with this node, or NULL.  The node is the unknown v of this row, v' = W (y' - M'
   * v), or, for column >= 0, the entry of W in this row and column, W' = -W M' W */
  const ir_equations *equations;
  int row;
  int column; /* column of W, or -1 for v */
} ir_rule;

/* A node with the value of e that no other sum or product absorbs; e itself if e is a number or an
 * input.  Every call for the same e returns the same node, with its rule. */
const ir_expr *ir_held(ir_context *c, const ir_expr *e);
void ir_give_rule(ir_context *c, const ir_expr *held, const ir_rule *rule);
const ir_rule *ir_rule_of(const ir_context *c, const ir_expr *e); /* NULL if none */

/* The equations with the unknown e, and its row; NULL if there are none. */
const ir_equations *ir_solved_by(const ir_context *c, const ir_expr *e, int *row);

/* Solves the equations for other right-hand sides; the new unknowns are the sums W y. */
const ir_equations *ir_solve(ir_context *c, const ir_equations *of, const ir_expr *const y[]);

/* Part i < e->n of a node: the node of a term, the base of a factor, or an argument. */
static inline const ir_expr *ir_operand(const ir_expr *e, int i)
{
  return e->kind == IR_SUM       ? e->terms[i].node
         : e->kind == IR_PRODUCT ? e->factors[i].base
                                 : e->arguments[i];
}

/* 1 if e is input `index` of the space. */
static inline int ir_is_input(const ir_expr *e, ir_space space, int index)
{
  return e->kind == IR_INPUT && e->space == space && e->index == index;
}

/* A total order by structure: inputs by space and index, then calls, sums, numbers; products by
 * their factors.  Returns 0 only if a == b. */
int ir_compare(const ir_expr *a, const ir_expr *b);

const char *ir_call_name(ir_call call); /* name in C */
/* name in formulas for readers: "abs" for fabs, "G1" for sw_g1 */
const char *ir_call_word(ir_call call);
int ir_call_arguments(ir_call call);

/* k for G_k; -1 for other functions. */
static inline int ir_universal_order(ir_call call)
{
  return call >= IR_G0 && call <= IR_G3 ? (int)call - IR_G0 : -1;
}

/* ---- attempts ---- */

/* An attempt is work with expressions that a model can do without, limited in bytes and in
 * look-ups of nodes.  It has an arena of its own.  When that arena exceeds the limit, or the
 * constructors have looked up more than one node for every IR_ATTEMPT_SHARE bytes of the limit,
 * the attempt is spent: each sum, product or call that would be a new node is the number 1 from
 * then on.  Code that builds expressions therefore ends soon, and the results of a spent attempt
 * must be dropped.  Look-ups limit the time of an attempt that finds most of its nodes.  The
 * limits count no seconds, so that the C of a model is the same on all machines. */
typedef struct ir_attempt {
  ir_context *context;
  arena *outer;        /* the context's arena outside the attempt */
  unsigned count;      /* number of nodes at the beginning */
  const char *refusal; /* refusal at the beginning */
} ir_attempt;

#define IR_ATTEMPT_SHARE 4

/* Limits in MiB: of what only makes a model faster (a generated step of STEP_MOST_OPERATIONS takes
 * about 12), and of functions that a method needs. */
enum { IR_ATTEMPT_MIB = 16, IR_ATTEMPT_MIB_METHOD = 64 };

/* Until the end of the attempt, ir_context_arena(c) is the arena of the attempt.  Attempts are not
 * nested. */
ir_attempt ir_attempt_begin(ir_context *c, size_t bytes);

/* 1 if the present attempt has exceeded a limit; 0 also where there is none. */
int ir_is_spent(const ir_context *c);

/* Which limit the present attempt has exceeded, a phrase about formulas in memory of `a`; NULL if
 * it is not spent. */
const char *ir_attempt_excess(arena *a, const ir_context *c);

/* Ends the attempt and keeps its expressions: its memory becomes that of the outer arena. */
void ir_attempt_keep(ir_attempt *attempt);

/* Ends the attempt and frees its memory: nodes created in it must not be used again. */
void ir_attempt_drop(ir_attempt *attempt);

/* Keeps the attempt if `good` is 1 and it is not spent, else drops it.  Returns 1 if kept. */
int ir_attempt_settle(ir_attempt *attempt, int good);

/* ---- for the constructors (arithmetic.c, apply.c) ---- */

/* Returns the node with these parts, and creates it if it is new.  The candidate must be in normal
 * form. */
const ir_expr *ir_intern(ir_context *c, const ir_expr *candidate);

/* The same for a call; b is NULL for one argument. */
const ir_expr *ir_plain_call(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b);

#ifdef __cplusplus
}
#endif

#endif
