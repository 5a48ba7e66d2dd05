/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h -- syntax trees in which other expressions stand for some names.
 */
#ifndef SIDEWINDER_LANGUAGE_REWRITE_H
#define SIDEWINDER_LANGUAGE_REWRITE_H

#include "language/syntax.h"

/* The binders around a name, the innermost first. */
typedef struct rewrite_scope {
  const syntax_binders *binders;
  const syntax_statement *let; /* or its arguments */
  const struct rewrite_scope *outer;
} rewrite_scope;

/* Whether a variable around a name is called so. */
int rewrite_is_bound(const rewrite_scope *inner, const char *name);

/* What stands for a name; the same where it stays. */
typedef const syntax_expr *rewrite_name(void *context, arena *a, const syntax_expr *name,
                                        const rewrite_scope *inner);

/* The statement's formulas, binders and values with all names replaced; the very same where none is. */
const syntax_statement *rewrite_statement(arena *a, const syntax_statement *s, rewrite_name *name,
                                          void *context);

/* Whether a statement of the tree declares the name, as a label, too. */
int rewrite_is_declared(const syntax_tree *tree, const char *name);

/* A node without operands, at the place of what it belongs to. */
syntax_expr *rewrite_node(arena *a, syntax_kind kind, span where);

#endif
