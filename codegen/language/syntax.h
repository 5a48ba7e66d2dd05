/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syntax.h -- the syntax tree: what the model file says, before any name is looked up.
 *
 * The lexer and the parser live behind syntax_parse.  Nodes are in the arena; text is copied.
 */
#ifndef SIDEWINDER_SYNTAX_H
#define SIDEWINDER_SYNTAX_H

#include <stddef.h>

#include "common/arena.h"
#include "common/diagnostics.h"

typedef struct syntax_name {
  const char *text;
  span where;
} syntax_name;

typedef enum syntax_kind {
  SYNTAX_NUMBER,    /* text: the literal as written */
  SYNTAX_PI,        /* pi */
  SYNTAX_NAME,      /* text */
  SYNTAX_REFERENCE, /* text[args] */
  SYNTAX_CALL,      /* text(args): a function or a let */
  SYNTAX_NEG,       /* -a */
  SYNTAX_ADD,       /* a + b */
  SYNTAX_SUB,
  SYNTAX_MUL,
  SYNTAX_DIV,
  SYNTAX_POW,
  SYNTAX_SUM,       /* sum(binders where condition: a) */
  SYNTAX_PRODUCT,   /* product(...) */
  SYNTAX_IF,        /* if condition then a else b; the condition is in binders */
  SYNTAX_COMPONENT, /* a[args], where a is a call */
  SYNTAX_BRACKET,   /* bracket(a, b) */
  SYNTAX_MULTIPLIER /* multiplier(a) */
} syntax_kind;

typedef struct syntax_expr syntax_expr;

/* What stands behind `in`: exactly one of name.text, lower and items is set. */
typedef struct syntax_set {
  syntax_name name;
  const syntax_expr *lower; /* lower .. upper */
  const syntax_expr *upper;
  int n_items;
  const syntax_expr *const *items; /* {labels} or {integers} */
  span where;
} syntax_set;

/* `name in set`; or, within the brackets of a declaration, without a name: a set, unless `index` is an
 * expression (the name of a set, a label or an index).  `(i, j) in set` has the parts i and j, and a name that nothing
 * else has: "(i,j)". */
typedef struct syntax_binder {
  syntax_name name;
  int n_parts;
  const syntax_name *parts;
  syntax_set set;
  const syntax_expr *index;
  span where;
} syntax_binder;

typedef enum syntax_condition_kind {
  SYNTAX_EQ,
  SYNTAX_NE,
  SYNTAX_LT,
  SYNTAX_LE,
  SYNTAX_GT,
  SYNTAX_GE,
  SYNTAX_AND,
  SYNTAX_OR,
  SYNTAX_NOT
} syntax_condition_kind;

typedef struct syntax_condition {
  syntax_condition_kind kind;
  const syntax_expr *left; /* comparisons */
  const syntax_expr *right;
  const struct syntax_condition *a; /* and, or, not */
  const struct syntax_condition *b;
  span where;
} syntax_condition;

/* `[i in node, x where ...]`; n = 0 and no condition where there are no brackets. */
typedef struct syntax_binders {
  int n;
  const syntax_binder *at;
  const syntax_condition *condition;
  span where;
} syntax_binders;

struct syntax_expr {
  syntax_kind kind;
  span where;
  const char *text; /* literal, or name */
  span name_where;  /* of the name alone, in references and calls */
  int n_args;
  const syntax_expr *const *args;
  syntax_binders binders;
  const syntax_expr *a;
  const syntax_expr *b;
};

/* The value of a parameter or of an initial state: an expression, or a table of values.  A table's
 * entries may have keys: labels or integers. */
typedef struct syntax_value syntax_value;

typedef struct syntax_table_entry {
  const syntax_expr *key; /* NULL: positional */
  const syntax_value *value;
} syntax_table_entry;

struct syntax_value {
  const syntax_expr *expr; /* NULL: a table */
  int n_entries;
  const syntax_table_entry *entries;
  span where;
};

/* `in (0, inf]`; text NULL stands for infinity. */
typedef struct syntax_bounds {
  int present;
  int lower_closed;
  int upper_closed;
  const syntax_expr *lower; /* NULL: -inf */
  const syntax_expr *upper; /* NULL: inf */
  span where;
} syntax_bounds;

/* One `name = value` of a run line; a value is a number (an expression) or a word, which may look like one: N-1. */
typedef struct syntax_setting {
  syntax_name name;
  const char *word;         /* "rattle", "euler-a", "gauss-4"; NULL: only a number */
  const syntax_expr *value; /* NULL: only a word */
  span value_where;
} syntax_setting;

typedef enum syntax_statement_kind {
  STATEMENT_MODEL,  /* name, title (or NULL) */
  STATEMENT_SIZE,   /* name = a */
  STATEMENT_RANGE,  /* set name = a .. b */
  STATEMENT_LABELS, /* set name = {labels} */
  STATEMENT_DATA, /* set name = data, or with `a` set: in a, the names of sets with '*' between them */
  STATEMENT_INDICES, /* param name binders in second, a set */
  STATEMENT_PARAM,   /* name binders = value bounds; value NULL: data gives it */
  STATEMENT_COORD, /* name binders momentum second; with velocity.text set, second.text NULL: not given */
  STATEMENT_ALGEBRAIC,   /* name binders momentum second; second.text NULL: not given */
  STATEMENT_LET,         /* name(labels) = a; labels are the argument names */
  STATEMENT_HAMILTONIAN, /* name = a */
  STATEMENT_LAGRANGIAN,  /* name hamiltonian second = a; second.text NULL: not given */
  STATEMENT_CONSTRAINT,  /* name binders : a == b */
  STATEMENT_OBSERVE,     /* name binders = a */
  STATEMENT_INVARIANT,   /* name binders = a */
  STATEMENT_INIT,        /* second: name binders = value; second.text NULL: the default state */
  STATEMENT_RUN          /* settings */
} syntax_statement_kind;

/* What the Hamiltonian of a Lagrangian is called where that is not given. */
#define SYNTAX_ENERGY_NAME "H"

typedef struct syntax_statement {
  syntax_statement_kind kind;
  span where; /* of the leading keyword */
  syntax_name name;
  syntax_name second;
  int has_time; /* 1: it is the coordinate t, or H or L with its momentum (time.h) */
  int is_data; /* 1: it is the size that a set brings along which is data, or an array of its parts (data_sets.h) */
  syntax_name velocity; /* of a coordinate of a Lagrangian; text NULL: it has a momentum alone */
  const char *title;
  span title_where;
  syntax_binders binders;
  int n_labels;
  const syntax_name *labels;
  const syntax_expr *a;
  const syntax_expr *b;
  span text_where; /* from the first to the last character of the right side: for a constraint
                    * `a == b`, else the expression */
  const syntax_value *value;
  syntax_bounds bounds;
  int n_settings;
  const syntax_setting *settings;
} syntax_statement;

typedef struct syntax_tree {
  int n;
  const syntax_statement *const *statements; /* in the order of the file */
} syntax_tree;

/* Limits that bound the work on any text. */
#define SYNTAX_MAX_TEXT       (4 * 1024 * 1024)
#define SYNTAX_MAX_NODES      200000
#define SYNTAX_MAX_DEPTH      200
#define SYNTAX_MAX_NAME       63
#define SYNTAX_MAX_DIGITS     60
#define SYNTAX_MAX_EXPONENT   400
#define SYNTAX_MAX_STATEMENTS 10000
#define SYNTAX_MAX_TITLE      200

/* Parses text of `length` bytes.  Errors go to *d; after a syntax error parsing resumes at the next
 * statement, so that several are reported.  The tree holds the statements that were understood; it is
 * only meaningful to check further where diagnostics_count(d) did not grow. */
const syntax_tree *syntax_parse(arena *a, diagnostics *d, const char *text, size_t length);

#endif
