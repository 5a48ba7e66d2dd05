/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formula_checks.h -- formulas: from the syntax tree to checked expressions with all names resolved.
 */
#ifndef SIDEWINDER_FORMULA_CHECKS_H
#define SIDEWINDER_FORMULA_CHECKS_H

#include "model/checker.h"

/* ---- numbers.c: exact constants ---- */

/* The number of a literal; NULL after an error. */
mpq_srcptr numbers_literal(checker *c, const syntax_expr *e);

/* An integer literal from 0 to `most`; -1 after an error, which calls it `what`. */
long numbers_integer(checker *c, const syntax_expr *e, long most, const char *what);

mpq_srcptr numbers_from_long(arena *a, long value);

/* As decimal text for messages ("0.25"). */
const char *numbers_text(arena *a, mpq_srcptr number);

/* ---- expressions.c, expression_nodes.c, references.c, calls.c, function_names.c, constants.c ---- */

/* A formula with what is known of it. */
typedef struct checked {
  const model_expr *expr; /* NULL after an error */
  mpq_srcptr constant;    /* its value where that is an exact rational number */
  unsigned uses;
  int depth; /* lets followed */
} checked;

static const checked failed = {NULL, NULL, 0, 0};

checked expressions_check(checker *c, const syntax_expr *e, const bound *inner);

/* A chain a + b + c + ... leans to the left and may have thousands of links: loops, and no recursion, go along it.  Its n
 * links, the last operation first, and at [n] the operand that it begins with. */
const syntax_expr **expressions_chain(checker *c, const syntax_expr *e, int (*is_link)(syntax_kind),
                                      int *n);

/* A name or reference in a formula: a bound variable, or what is declared under that name. */
checked references_name(checker *c, const syntax_expr *e, const bound *inner);

/* A reference to an instance of a constraint or an invariant, as an expression of `kind`. */
checked references_family(checker *c, const syntax_expr *e, model_expr_kind kind, const declared *d,
                          const bound *inner);

/* The place of the name in a name, reference or call. */
span expressions_name_place(const syntax_expr *e);

/* A sum or product over binders; the value a where the condition holds and else b. */
checked expressions_sum(checker *c, model_expr_kind kind, const scope_binders *binders,
                        const checked *body, span where);
checked expressions_choice(checker *c, const syntax_expr *e, const model_condition *condition,
                           const checked *a, const checked *b);

/* A node; its depth is one more than that of the deeper operand. */
checked expressions_node(checker *c, model_expr *node, const checked *a, const checked *b);
model_expr *expressions_new(checker *c, model_expr_kind kind, span where);

/* An operation on a and b, a call of a function, or one on a alone where b is NULL, with its exact value where it has one:
 * fails where an operand has failed. */
checked expressions_operation(checker *c, model_expr_kind kind, span where, const checked *a,
                              const checked *b);
checked expressions_call(checker *c, model_function function, span where, const checked *a,
                         const checked *b);
/* The operation that e is. */
checked expressions_combine(checker *c, const syntax_expr *e, const checked *a, const checked *b);

/* A number; an index as a number, where NULL fails. */
checked expressions_number(checker *c, mpq_srcptr value, span where);
checked expressions_index(checker *c, const model_index *index);

/* 1 where the formula may use this here; else reports it. */
int expressions_allowed(checker *c, span where, unsigned uses, const char *name);

/* 1 where a let, H, a constraint or an invariant is declared above the present statement, so that none can be
 * defined by itself; else reports it. */
int expressions_declared_before(checker *c, span where, const declared *d);

/* f(x): an elementary function or a let. */
checked calls_check(checker *c, const syntax_expr *e, const bound *inner);

/* A let without arguments. */
checked calls_let(checker *c, const syntax_expr *e, declared *let, const bound *inner);

/* 1 where a let with arguments has this name, and so takes the place of a function. */
int calls_is_let(const checker *c, const char *name);

/* 1 where a function of the language is given as many arguments as it takes; else reports it. */
int calls_count_good(checker *c, const syntax_expr *e);

/* 1 if this is the name of an elementary function. */
int calls_function(const char *name, model_function *function);

/* Works out the node's exact value where its operands have one, and reports what is not a real
 * number.  0 after an error. */
int constants_fold(checker *c, checked *node, const checked *a, const checked *b);

/* ---- array_arithmetic.c: whole-array arithmetic ---- */

/* The set that an expression is a vector over; NULL where it is a number or not known. */
const model_set *vectors_set(const checker *c, const syntax_expr *e, const bound *inner);

/* 1 for a call of dot, cross or norm2. */
int vectors_is_function(const checker *c, const syntax_expr *e);

/* One component of a vector. */
checked vectors_component(checker *c, const syntax_expr *e, const bound *inner,
                          const vector_component *at);

/* `if C then u else v`, and a sum or product over binders: of components, or of numbers where `at` is NULL. */
checked vectors_choice(checker *c, const syntax_expr *e, const bound *inner,
                       const vector_component *at);
checked vectors_repeated(checker *c, const syntax_expr *e, const bound *inner,
                         const vector_component *at);

/* dot(u, v) and norm2(u); reports cross(u, v), which is no number. */
checked vectors_call(checker *c, const syntax_expr *e, const bound *inner);

/* e, which is a vector with an index behind it: that component.  `name` is what the vector is called. */
checked vectors_entry(checker *c, const syntax_expr *e, const syntax_expr *vector,
                      const model_set *set, const char *name, const bound *inner);

/* A call and an index behind it: f(i)[x], cross(u, v)[x]. */
checked vectors_of_call(checker *c, const syntax_expr *e, const bound *inner);

#endif
