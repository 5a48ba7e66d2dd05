/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syntax.h -- the syntax tree: the contents of the model file before any name is looked up.
 *
 * syntax_parse hides the lexer and the parser. The arena owns the nodes and copies of all text.
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
  SYNTAX_NUMBER, /* text: the literal as written */
  SYNTAX_PI,
  SYNTAX_NAME,      /* text: the name */
  SYNTAX_REFERENCE, /* text[args] */
  SYNTAX_CALL,      /* text(args): a function or a let */
  SYNTAX_NEG,       /* -a */
  SYNTAX_ADD,       /* a + b */
  SYNTAX_SUB,
  SYNTAX_MUL,
  SYNTAX_DIV,
  SYNTAX_POW,
  SYNTAX_SUM,        /* sum(binders where condition: a) */
  SYNTAX_PRODUCT,    /* product(...) */
  SYNTAX_IF,         /* if condition then a else b; the condition is in binders */
  SYNTAX_COMPONENT,  /* a[args], where a is a call */
  SYNTAX_BRACKET,    /* bracket(a, b) */
  SYNTAX_MULTIPLIER, /* multiplier(a) */
  SYNTAX_IMPULSE     /* impulse(a) */
} syntax_kind;

typedef struct syntax_expr syntax_expr;

/* A set after `in`. Exactly one of name.text, lower and items is set. */
typedef struct syntax_set {
  syntax_name name;
  const syntax_expr *lower; /* range lower .. upper */
  const syntax_expr *upper;
  int n_items;
  const syntax_expr *const *items; /* {labels} or {integers} */
  span where;
} syntax_set;

/* A binder `name in set`. In the brackets of a declaration the name may be missing; then the binder
 * is a set, or, if `index` is set, an expression (the name of a set, a label or an index). `(i, j)
 * in set` has the parts i and j, and the unique name "(i,j)". */
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
  const syntax_expr *left; /* operands of comparisons */
  const syntax_expr *right;
  const struct syntax_condition *a; /* operands of and, or, not */
  const struct syntax_condition *b;
  span where;
} syntax_condition;

/* `[i in node, x where ...]`. Without brackets n = 0 and condition is NULL. */
typedef struct syntax_binders {
  int n;
  const syntax_binder *at;
  const syntax_condition *condition;
  span where;
} syntax_binders;

struct syntax_expr {
  syntax_kind kind;
  span where;
  const char *text; /* literal or name */
  span name_where;  /* source range of the name alone, in references and calls */
  int n_args;
  const syntax_expr *const *args;
  syntax_binders binders;
  const syntax_expr *a;
  const syntax_expr *b;
};

/* The value of a parameter or of an initial state: an expression, or a table of values. Entries of
 * a table may have keys, which are labels or integers. */
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

/* Bounds such as `in (0, inf]`. */
typedef struct syntax_bounds {
  int present;
  int lower_closed;
  int upper_closed;
  const syntax_expr *lower; /* NULL: -inf */
  const syntax_expr *upper; /* NULL: inf */
  span where;
} syntax_bounds;

/* One `name = value` of a run line. The value is a number (an expression) or a word. Some text is
 * both, such as N-1. */
typedef struct syntax_setting {
  syntax_name name;
  const char *word;         /* "rattle", "euler-a", "gauss-4"; NULL: number only */
  const syntax_expr *value; /* NULL: word only */
  span value_where;
} syntax_setting;

typedef enum syntax_statement_kind {
  STATEMENT_MODEL,  /* name, title (or NULL) */
  STATEMENT_SIZE,   /* name = a */
  STATEMENT_RANGE,  /* set name = a .. b */
  STATEMENT_LABELS, /* set name = {labels} */
  /* set name = data, or, if `a` is set, set name = data in a, where a is a product of names of
   * sets */
  STATEMENT_DATA,
  STATEMENT_INDICES, /* param name binders in second, which is a set */
  STATEMENT_PARAM,   /* param name binders = value bounds; value NULL: the value is data */
  /* coord name binders momentum second. With velocity.text, second.text may be NULL: the momentum
   * has no name. */
  STATEMENT_COORD,
  STATEMENT_ALGEBRAIC,   /* algebraic name binders momentum second; second.text NULL: no name */
  STATEMENT_LET,         /* let name(labels) = a, where labels are the argument names */
  STATEMENT_HAMILTONIAN, /* name = a */
  STATEMENT_LAGRANGIAN,  /* name hamiltonian second = a; second.text NULL: SYNTAX_ENERGY_NAME */
  STATEMENT_CONSTRAINT,  /* name binders : a == b */
  STATEMENT_OBSERVE,     /* name binders = a */
  STATEMENT_INVARIANT,   /* name binders = a */
  STATEMENT_FORCE,       /* name binders on b = a; b is an entry of a momentum */
  STATEMENT_EVENT,       /* name binders : a == b; b NULL: 0 */
  STATEMENT_BATH, /* bath name binders: kT = a, friction = b; name.text NULL: for all momenta */
  STATEMENT_INIT, /* init second: name binders = value; second.text NULL: the default state */
  STATEMENT_RUN   /* settings */
} syntax_statement_kind;

/* Default name of the Hamiltonian of a Lagrangian. */
#define SYNTAX_ENERGY_NAME "H"

/* Words after an event. */
enum { EVENT_RISING = 1, EVENT_FALLING = 2, EVENT_STOP = 4, EVENT_RECORD = 8 };

typedef struct syntax_statement {
  syntax_statement_kind kind;
  span where; /* source range of the leading keyword */
  syntax_name name;
  syntax_name second;
  int has_time; /* 1: the coordinate t, or H or L with its momentum (rewrite.h) */
  /* 1: generated for a data set, as its size or an array of the parts of its tuples
   * (rewrite.h) */
  int is_data;
  int event;            /* words after an event: EVENT_RISING, ... */
  int is_input;         /* 1: a parameter that is declared as an input */
  syntax_name velocity; /* velocity of a coordinate of a Lagrangian; text NULL: none */
  const char *title;
  span title_where;
  syntax_binders binders;
  int n_labels;
  const syntax_name *labels;
  const syntax_expr *a;
  const syntax_expr *b;
  /* source range of the right side: of `a == b` in a constraint, else of the expression */
  span text_where;
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

/* Parses text of `length` bytes. Errors go to *d. After a syntax error parsing resumes at the next
 * statement, so several errors are reported. The tree holds the statements that parsed without
 * errors. Check it further only if diagnostics_count(d) did not grow. */
const syntax_tree *syntax_parse(arena *a, diagnostics *d, const char *text, size_t length);

#endif
