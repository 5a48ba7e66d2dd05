/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula_checks.h -- formulas: from the syntax tree to checked expressions with all names
 * resolved.
 */
#ifndef SIDEWINDER_FORMULA_CHECKS_H
#define SIDEWINDER_FORMULA_CHECKS_H

#include "model/checker.h"

/* ---- numbers.c: exact constants ---- */

/* The value of a literal; NULL after an error. */
mpq_srcptr numbers_literal(checker *c, const syntax_expr *e);

/* The value of an integer literal from 0 to `most`; -1 after an error.  The message calls the
 * number `what`. */
long numbers_integer(checker *c, const syntax_expr *e, long most, const char *what);

mpq_srcptr numbers_from_long(arena *a, long value);

/* The number as decimal text for messages, such as "0.25". */
const char *numbers_text(arena *a, mpq_srcptr number);

/* ---- expressions.c, expression_nodes.c, references.c, calls.c, name_space.c ---- */

/* A checked formula with its properties. */
typedef struct checked {
  const model_expr *expr; /* NULL after an error */
  mpq_srcptr constant;    /* its value if this is a known rational number, else NULL */
  unsigned uses;
  int depth; /* depth of the expression, with lets expanded */
} checked;

static const checked failed = {NULL, NULL, 0, 0};

checked expressions_check(checker *c, const syntax_expr *e, const bound *inner);

/* A chain a + b + c + ... is a left-deep tree with up to thousands of links, so it is processed
 * in a loop, not recursively.  Returns the n links, the last operation first, followed by the
 * leftmost operand at [n]. */
const syntax_expr **expressions_chain(checker *c, const syntax_expr *e, int (*is_link)(syntax_kind),
                                      int *n);

/* A name or reference in a formula: a bound variable or a declared name. */
checked references_name(checker *c, const syntax_expr *e, const bound *inner);

/* A reference to an instance of a constraint or an invariant, as an expression of `kind`. */
checked references_family(checker *c, const syntax_expr *e, model_expr_kind kind, const declared *d,
                          const bound *inner);

/* The location of the name in a name, reference or call. */
span expressions_name_place(const syntax_expr *e);

/* expressions_sum: a sum or product over binders.  expressions_choice: a if the condition holds,
 * else b. */
checked expressions_sum(checker *c, model_expr_kind kind, const scope_binders *binders,
                        const checked *body, span where);
checked expressions_choice(checker *c, const syntax_expr *e, const model_condition *condition,
                           const checked *a, const checked *b);

/* Completes a node with the properties of its operands; its depth is one more than that of the
 * deeper operand. */
checked expressions_node(checker *c, model_expr *node, const checked *a, const checked *b);
model_expr *expressions_new(checker *c, model_expr_kind kind, span where);

/* An operation on a and b (on a alone if b is NULL), or a call of a function, with its exact
 * value if known.  Fails if an operand has failed. */
checked expressions_operation(checker *c, model_expr_kind kind, span where, const checked *a,
                              const checked *b);
checked expressions_call(checker *c, model_function function, span where, const checked *a,
                         const checked *b);
/* The operation of the syntax node e. */
checked expressions_combine(checker *c, const syntax_expr *e, const checked *a, const checked *b);

/* A number, and an index used as a number.  expressions_index fails if the index is NULL. */
checked expressions_number(checker *c, mpq_srcptr value, span where);
checked expressions_index(checker *c, const model_index *index);

/* 1 if the current formula may use this; otherwise reports it. */
int expressions_allowed(checker *c, span where, unsigned uses, const char *name);

/* 1 if d (a let, H, a constraint or an invariant) is declared before the current statement, so
 * that no definition is circular; otherwise reports it. */
int expressions_declared_before(checker *c, span where, const declared *d);

/* f(x): a call of an elementary function or a let. */
checked calls_check(checker *c, const syntax_expr *e, const bound *inner);

/* A use of a let without arguments. */
checked calls_let(checker *c, const syntax_expr *e, declared *let, const bound *inner);

/* 1 if a let with arguments has this name, and thus overrides a function. */
int calls_is_let(const checker *c, const char *name);

/* 1 if the number of arguments fits the function; otherwise reports it. */
int calls_count_good(checker *c, const syntax_expr *e);

/* 1 if this is the name of an elementary function. */
int calls_function(const char *name, model_function *function);

/* ---- array_arithmetic.c: whole-array arithmetic ---- */

/* The set of a vector's components; NULL if the expression is a number or has an error. */
const model_set *vectors_set(const checker *c, const syntax_expr *e, const bound *inner);

/* 1 for a call of dot, cross or norm2. */
int vectors_is_function(const checker *c, const syntax_expr *e);

/* One component of a vector. */
checked vectors_component(checker *c, const syntax_expr *e, const bound *inner,
                          const vector_component *at);

/* `if C then u else v`, and a sum or product over binders.  The operands are components at `at`,
 * or numbers if `at` is NULL. */
checked vectors_choice(checker *c, const syntax_expr *e, const bound *inner,
                       const vector_component *at);
checked vectors_repeated(checker *c, const syntax_expr *e, const bound *inner,
                         const vector_component *at);

/* dot(u, v) and norm2(u).  Reports cross(u, v), which is not a number. */
checked vectors_call(checker *c, const syntax_expr *e, const bound *inner);

/* e is `vector` followed by one more index: the component at that index.  Messages call the
 * vector `name`. */
checked vectors_entry(checker *c, const syntax_expr *e, const syntax_expr *vector,
                      const model_set *set, const char *name, const bound *inner);

/* A call followed by an index: f(i)[x], cross(u, v)[x]. */
checked vectors_of_call(checker *c, const syntax_expr *e, const bound *inner);

#endif
