/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr.h -- the intermediate representation: a hash-consed DAG of real expressions.
 *
 * Every node is in normal form, so that equal formulas are equal pointers whatever order GiNaC
 * delivered their parts in:
 *   SUM      terms (coefficient, node), sorted, no two with the same node, none of them a sum.  With
 *            one term it is a scaled node, c * x, c != 1.  With more it is primitive: the
 *            coefficients are coprime integers, over a power of four where they would be no doubles
 *            (sum.c), and the first is positive; the common factor stands in a SUM of one term around it.  A constant term has the node 1 and comes last.
 *   PRODUCT  factors (base, rational exponent), sorted, no two with the same base; no coefficient.
 *            One factor only with an exponent other than 1.
 *   CALL     an elementary function; odd and even ones never see a negative leading coefficient.
 * The order of nodes is total and depends on structure alone (ir_compare).
 */
#ifndef SIDEWINDER_EXPR_EXPR_H
#define SIDEWINDER_EXPR_EXPR_H

#include <gmp.h>
#include <stddef.h>

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ir_kind { IR_INPUT, IR_PI, IR_CALL, IR_SUM, IR_PRODUCT, IR_NUMBER } ir_kind;

/* What an input is an entry of, in the order in which inputs sort; IR_NEXT: of the second of two states; IR_VALUE: of what a step has
 * computed before (fused/values.h). */
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
  IR_MIN,  /* (x, y), the smaller one */
  IR_MAX,
  IR_HOLD, /* (x) = x, computed once: a sum that others continue is no part of theirs; see ir_held, too */
  IR_POW, /* (base, exponent), the exponent no rational number */
  IR_G0, /* (c, t): G_k(c, t) = sum over j >= 0 of c^j t^(2j+k)/(2j+k)!, the universal functions of */
  IR_G1, /* sidewinder/functions.h: G_0 = cosh(sqrt(c) t), G_1 = sinh(sqrt(c) t)/sqrt(c), entire in c */
  IR_G2,
  IR_G3,
  IR_INSIDE, /* 1 where the argument is >= 0, NaN elsewhere: a condition that a simplification has lost */
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
  unsigned id; /* position in the context, for tables; never decides an order */
  size_t hash;
  ir_space space;              /* INPUT */
  int index;                   /* INPUT */
  ir_call call;                /* CALL */
  int n;                       /* terms, factors, or arguments */
  mpq_srcptr value;            /* NUMBER */
  const ir_term *terms;        /* SUM */
  const ir_factor *factors;    /* PRODUCT */
  const ir_expr *arguments[2]; /* CALL */
};

typedef struct ir_context ir_context;

/* Most nodes that one model may have. */
#define IR_NODE_LIMIT 20000000u

ir_context *ir_context_create(arena *a);
unsigned ir_context_size(const ir_context *c); /* all ids are below it */
arena *ir_context_arena(const ir_context *c);

/* Releases the hash table and the numbers; the arena's memory stays the arena's. */
void ir_context_free(ir_context *c);

/* Why no C can be made of the expressions; the first reason is kept.  NULL: nothing was found. */
void ir_context_refuse(ir_context *c, const char *reason);
const char *ir_context_refusal(const ir_context *c);

/* n items of that size, all 0, to be freed; ends the program where there is no memory. */
void *ir_zeros(size_t n, size_t size);

/* The array with room for n items of that size: realloc, which ends the program where there is no memory. */
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

/* M v = y with W = M^-1, both symmetric and n x n; NULL: 0. */
typedef struct ir_equations {
  int n;
  const ir_expr **M;
  const ir_expr **W;
  const ir_expr **v;
  const ir_expr **y;
} ir_equations;

/* What is known of a node beside its formula, such as the elimination that solves equations. */
typedef struct ir_rule {
  int n;
  const ir_expr *const
      *slopes; /* by the first n inputs IR_Z; NULL: 0, as by all others; or NULL altogether */
  const ir_equations *
      equations; /* it is v in this row, v' = W (y' - M' v), or W in this row and column, W' = -W M' W; or NULL */
  int row;
  int column; /* -1: v */
} ir_rule;

/* A node that stands for e and is no part of other sums and products; e itself where it is a number or an input.  A rule that was
 * given to it before is the same one. */
const ir_expr *ir_held(ir_context *c, const ir_expr *e);
void ir_give_rule(ir_context *c, const ir_expr *held, const ir_rule *rule);
const ir_rule *ir_rule_of(const ir_context *c, const ir_expr *e); /* or NULL */

/* The equations that e is an unknown v of, with its row; NULL: it is none. */
const ir_equations *ir_solved_by(const ir_context *c, const ir_expr *e, int *row);

/* The same equations for other right-hand sides; formulas of their unknowns are sums W y. */
const ir_equations *ir_solve(ir_context *c, const ir_equations *of, const ir_expr *const y[]);

/* Part i < e->n of a node: the node of a term, the base of a factor, or an argument. */
static inline const ir_expr *ir_operand(const ir_expr *e, int i)
{
  return e->kind == IR_SUM       ? e->terms[i].node
         : e->kind == IR_PRODUCT ? e->factors[i].base
                                 : e->arguments[i];
}

/* Whether it is that very input. */
static inline int ir_is_input(const ir_expr *e, ir_space space, int index)
{
  return e->kind == IR_INPUT && e->space == space && e->index == index;
}

/* Total order by structure: inputs by space and index, then calls, sums, numbers; products by their
 * factors.  0 exactly where a == b. */
int ir_compare(const ir_expr *a, const ir_expr *b);

const char *ir_call_name(ir_call call); /* in C */
/* in formulas that are read: "abs" for fabs, "G1" for sw_g1 */
const char *ir_call_word(ir_call call);
int ir_call_arguments(ir_call call);

/* k of G_k, or -1 for another function. */
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
  arena *outer;        /* the context's arena outside */
  unsigned count;      /* nodes, */
  const char *refusal; /* and the refusal, when it began */
} ir_attempt;

#define IR_ATTEMPT_SHARE 4

/* Limits in MiB: of what only makes a model faster (a generated step of STEP_MOST_OPERATIONS takes
 * about 12), and of functions that a method needs. */
enum { IR_ATTEMPT_MIB = 16, IR_ATTEMPT_MIB_METHOD = 64 };

/* Until the end of the attempt, ir_context_arena(c) is the arena of the attempt.  Attempts are not nested. */
ir_attempt ir_attempt_begin(ir_context *c, size_t bytes);

/* 1 if the present attempt has exceeded a limit; 0 also where there is none. */
int ir_is_spent(const ir_context *c);

/* Which limit the present attempt has exceeded, a phrase about formulas in memory of `a`; NULL if
 * it is not spent. */
const char *ir_attempt_excess(arena *a, const ir_context *c);

/* Ends the attempt and keeps its expressions: its memory becomes that of the outer arena. */
void ir_attempt_keep(ir_attempt *attempt);

/* Ends the attempt and frees its memory: no node that it made may be used again. */
void ir_attempt_drop(ir_attempt *attempt);

/* Keeps the attempt if `good` is 1 and it is not spent, else drops it.  Returns 1 if kept. */
int ir_attempt_settle(ir_attempt *attempt, int good);

/* ---- for the constructors (sum.c, product.c, apply.c) ---- */

/* The node with these parts, made if it is new.  Callers guarantee normal form. */
const ir_expr *ir_intern(ir_context *c, const ir_expr *candidate);

/* The same for a call; b may be NULL. */
const ir_expr *ir_plain_call(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b);

#ifdef __cplusplus
}
#endif

#endif
