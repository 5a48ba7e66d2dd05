/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h -- declarations shared by the lexer, the grammar and the builders of the tree; private to
 * language/.
 */
#ifndef SIDEWINDER_PARSE_H
#define SIDEWINDER_PARSE_H

#include <stdbool.h>

#include "common/arena.h"
#include "common/diagnostics.h"
#include "language/syntax.h"

/* Largest total depth of an expression, chains such as a + b + c + ... included. It lets later
 * stages walk the tree recursively. */
#define SYNTAX_MAX_CHAIN 10000

typedef struct parse {
  arena *memory;
  diagnostics *errors;
  const char *text;
  int length;
  void *scanner;
  int at;       /* end of the scanned text */
  bool skip;    /* the lexer drops tokens until a statement begins */
  bool stop;    /* a limit of the file is exceeded, so the lexer returns the end of the file */
  int last_end; /* end of the last token */
  int depth;    /* number of open levels of nesting */
  int nodes;
  const syntax_statement **statements;
  size_t n_statements;
  size_t room;
} parse;

/* ---- semantic values: growing lists, and trees with their depths ---- */

typedef struct deep_expr {
  const syntax_expr *at;
  int depth;
} deep_expr;

typedef struct deep_condition {
  const syntax_condition *at;
  int depth;
} deep_condition;

typedef struct deep_set {
  syntax_set at;
  int depth;
} deep_set;

typedef struct deep_binder {
  syntax_binder at;
  int depth;
} deep_binder;

typedef struct name_list {
  syntax_name *at;
  size_t n;
  size_t room;
} name_list;

typedef struct expr_list {
  const syntax_expr **at;
  size_t n;
  size_t room;
  int depth;
} expr_list;

typedef struct binder_list {
  syntax_binder *at;
  size_t n;
  size_t room;
  int depth;
} binder_list;

typedef struct entry_list {
  syntax_table_entry *at;
  size_t n;
  size_t room;
} entry_list;

typedef struct setting_list {
  syntax_setting *at;
  size_t n;
  size_t room;
} setting_list;

/* Append an item to a list. Every item counts as a node of the file. */
name_list names_add(parse *p, name_list list, syntax_name name);
expr_list exprs_add(parse *p, expr_list list, deep_expr e);
binder_list binders_add(parse *p, binder_list list, deep_binder binder);
entry_list entries_add(parse *p, entry_list list, const syntax_expr *key,
                       const syntax_value *value);

/* Appends a setting of a run line. A value that consists of a name, and of names and numbers joined
 * by '-', is a word. */
setting_list settings_add(parse *p, setting_list list, syntax_name name, deep_expr value,
                          span value_where);

/* Create nodes; `where` is the source range of the whole node. */
deep_expr expr_leaf(parse *p, syntax_kind kind, const char *text, span where);
deep_expr expr_unary(parse *p, syntax_kind kind, deep_expr a, span where);
deep_expr expr_binary(parse *p, syntax_kind kind, deep_expr a, deep_expr b, span where);
deep_expr expr_apply(parse *p, syntax_kind kind, syntax_name name, expr_list args, span where);
deep_expr expr_reduce(parse *p, syntax_kind kind, binder_list binders, deep_condition condition,
                      deep_expr body, span where);
deep_expr expr_if(parse *p, deep_condition condition, deep_expr a, deep_expr b, span where);
/* The component a[args] of a call. */
deep_expr expr_component(parse *p, deep_expr call, expr_list args, span where);
deep_set set_range(deep_expr lower, deep_expr upper, span where);
deep_set set_list(expr_list items, span where);
/* The set that an expression names; reports any expression that is not a name. */
deep_set set_named(parse *p, deep_expr e, span where);
deep_binder binder_over(syntax_name name, deep_set set, span where);
/* A variable over tuples, whose parts have the names `first` and `rest`. */
deep_binder binder_over_parts(parse *p, syntax_name first, name_list rest, deep_set set,
                              span where);
deep_condition condition_compare(parse *p, syntax_condition_kind kind, deep_expr left,
                                 deep_expr right, span where);
deep_condition condition_join(parse *p, syntax_condition_kind kind, deep_condition a,
                              deep_condition b, span where);
syntax_binders binders_make(binder_list list, deep_condition condition, span where);
const syntax_value *value_expr(parse *p, deep_expr e, span where);
const syntax_value *value_table(parse *p, entry_list entries, span where);

/* Reports an error unless the expression after `set NAME =` is the word data. */
void check_data(parse *p, const syntax_expr *e);

/* Reports a word other than 'on' between the name of a force and its momentum. */
void check_on(parse *p, syntax_name word);

/* Adds a word after an event to the flags (syntax.h) that are `given`.  Reports an unknown word,
 * and one that contradicts another; then the result is false. */
bool event_word(parse *p, syntax_name word, int given, int *flags);
/* Reports words other than 'kT' and 'friction' in a bath. */
void check_bath(parse *p, syntax_name kT, syntax_name friction);

/* 1 if a node of this depth is too deep, which is reported. */
bool too_deep(parse *p, int depth, span where);

/* Opens a level of nesting. Returns false, with a report, if there are too many. */
bool nest(parse *p, span where);
void unnest(parse *p);

/* Appends a copy of a statement. */
void statement_add(parse *p, syntax_statement statement);

/* The source text of a range, shortened for a message. */
const char *quoted(parse *p, span where);

/* 1 if parsing can resume at this word after an error: a keyword that begins statements, the first
 * word on its line, and not the name of a setting (`init = za`). */
bool starts_statement(const parse *p, span where);

/* Creates the scanner of p->text. Returns false, with a report, if memory is exhausted. */
bool scan_open(parse *p);
void scan_close(parse *p);

#endif
