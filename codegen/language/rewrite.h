/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h -- replacement of names in syntax trees by expressions.
 */
#ifndef SIDEWINDER_LANGUAGE_REWRITE_H
#define SIDEWINDER_LANGUAGE_REWRITE_H

#include "language/syntax.h"

/* The binders around a name, from the innermost outwards. */
typedef struct rewrite_scope {
  const syntax_binders *binders;
  const syntax_statement *let; /* or the let whose arguments are bound */
  const struct rewrite_scope *outer;
} rewrite_scope;

/* 1 if a variable with this name is bound around it. */
int rewrite_is_bound(const rewrite_scope *inner, const char *name);

/* Returns the replacement of a name, or the name itself if it is not replaced. */
typedef const syntax_expr *rewrite_name(void *context, arena *a, const syntax_expr *name,
                                        const rewrite_scope *inner);

/* Returns the statement with all names in its formulas, binders and values replaced; the statement
 * itself if no name is. */
const syntax_statement *rewrite_statement(arena *a, const syntax_statement *s, rewrite_name *name,
                                          void *context);

/* 1 if a statement of the tree declares the name, possibly as a label. */
int rewrite_is_declared(const syntax_tree *tree, const char *name);

/* Creates a node without operands at a source range. */
syntax_expr *rewrite_node(arena *a, syntax_kind kind, span where);

#endif
