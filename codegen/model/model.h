/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h -- the checked model: names resolved, shapes known, nothing unrolled.
 *
 * A family (a constraint, a term of H, an observable) keeps its index sets and one body.  Sizes stay
 * symbols with a present value, so that a lowering can unroll or loop.  Every reference has been
 * checked: indices are in range for the present sizes, names exist, kinds agree.
 *
 * Numbers are exact rationals (GMP) until they are printed.
 */
#ifndef SIDEWINDER_CHECKED_MODEL_H
#define SIDEWINDER_CHECKED_MODEL_H

#include <gmp.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/diagnostics.h"
#include "sidewinder/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- index arithmetic: integers that select an entry of an array ---- */

typedef struct model_size {
  const char *name;
  long value;  /* the default of the model file, or what --size gave */
  int is_data; /* 1: the number of elements of a set that is data, of which nothing is known; value is a sample's */
  int number;  /* among the sizes of the model */
  span where;
} model_size;

typedef struct model_index model_index;

typedef struct model_set {
  const char *name; /* as it is written, for a set without a name: "1 .. N-1" */
  int is_range;
  const model_index *lower; /* range: lower .. upper, in sizes and integers only, */
  const model_index *upper;
  int is_dependent; /* but 1: in outer variables, too, of a sum or product; first and count mean
                     * nothing then */
  long first;       /* range: present value of lower; labels: 0 */
  long count;       /* present number of elements (0 where upper < lower) */
  const char *const *labels; /* label set: count labels; NULL for a range */
  span where;
} model_set;

/* A bound index variable: `i in node`, or a let's argument that is used as an index.  `slot` is
 * unique in the model: an environment is an array of longs over slots.  The value of a variable
 * over a range is the integer itself; over a label set, the label's position from 0. */
typedef struct model_binder {
  const char *name;
  const model_set *set; /* NULL for a let's argument */
  int slot;
  const char *const
      *parts; /* what the parts of a tuple are called: the i and j of (i, j) in pair; else NULL */
} model_binder;

/* An element of one set for each element of another, which a run is given.  Until then the elements are those of a sample. */
typedef struct model_indices {
  const char *name;
  const model_set *set;
  const model_set *target;
  int part; /* of the tuples that `set` consists of, counted from 1; else 0 */
  /* Where a sample begins, and how far it is ahead of the first array over the same sets: so `a` and `b` of bonds are neighbours, and
   * other sets begin with other elements. */
  long offset;
  long shift;
  int number; /* among the arrays of indices of the model */
  /* The elements that data give, one for each of n_given elements of `set`; NULL: those of the sample. */
  const long *given;
  long n_given;
  span where;
} model_indices;

typedef enum model_index_kind {
  INDEX_INTEGER,  /* value */
  INDEX_SIZE,     /* size */
  INDEX_VARIABLE, /* binder */
  INDEX_LABEL,    /* set, value = position */
  INDEX_ADD,      /* a + b */
  INDEX_SUB,      /* a - b */
  INDEX_MUL,      /* a * b */
  INDEX_NEG,      /* -a */
  INDEX_MOD,      /* the remainder of a by b > 0, from 0 to b - 1 */
  INDEX_MIN,      /* the smaller of a and b */
  INDEX_MAX,      /* the larger of a and b */
  INDEX_ENTRY     /* what `indices` has for the element a */
} model_index_kind;

struct model_index {
  model_index_kind kind;
  long value;
  const model_size *size;
  const model_binder *binder;
  const model_set *set;
  const model_indices *indices;
  const model_index *a;
  const model_index *b;
  span where;
};

typedef enum model_condition_kind {
  CONDITION_EQ,
  CONDITION_NE,
  CONDITION_LT,
  CONDITION_LE,
  CONDITION_GT,
  CONDITION_GE,
  CONDITION_AND,
  CONDITION_OR,
  CONDITION_NOT
} model_condition_kind;

typedef struct model_condition {
  model_condition_kind kind;
  const model_index *left; /* comparisons */
  const model_index *right;
  const struct model_condition *a; /* and, or, not */
  const struct model_condition *b;
} model_condition;

/* ---- arrays ---- */

/* Shape of a parameter or coordinate: the sets of its indices, first index slowest. */
typedef struct model_shape {
  int n;
  const model_set *const *sets;
  long count; /* product of the sets' counts; 1 for a scalar */
} model_shape;

/* ---- expressions ---- */

typedef enum model_function {
  FUNCTION_SIN,
  FUNCTION_COS,
  FUNCTION_TAN,
  FUNCTION_ASIN,
  FUNCTION_ACOS,
  FUNCTION_ATAN,
  FUNCTION_ATAN2, /* two arguments: y, x */
  FUNCTION_SINH,
  FUNCTION_COSH,
  FUNCTION_TANH,
  FUNCTION_EXP,
  FUNCTION_LOG,
  FUNCTION_SQRT,
  FUNCTION_ABS,
  FUNCTION_SIGN, /* -1, 0 or 1 */
  FUNCTION_MIN,  /* two arguments: the smaller one */
  FUNCTION_MAX,  /* two arguments: the larger one */
  FUNCTION_COUNT
} model_function;

typedef struct model_parameter model_parameter;
typedef struct model_coordinate model_coordinate;
typedef struct model_let model_let;
typedef struct model_family model_family;

typedef enum model_expr_kind {
  EXPR_NUMBER,    /* number */
  EXPR_PI,        /* the constant pi */
  EXPR_INDEX,     /* index[0] as a number */
  EXPR_PARAMETER, /* parameter, n_index indices */
  EXPR_POSITION,  /* coordinate, n_index indices: an entry of q */
  EXPR_MOMENTUM,  /* coordinate, n_index indices: an entry of p */
  EXPR_VELOCITY, /* coordinate, n_index indices: an entry of v, a variable of L and elsewhere H_p */
  EXPR_NEG,      /* -a */
  EXPR_ADD,      /* a + b */
  EXPR_SUB,      /* a - b */
  EXPR_MUL,      /* a * b */
  EXPR_DIV,      /* a / b */
  EXPR_POW,      /* a ^ b */
  EXPR_CALL,     /* function of a (and b for atan2) */
  EXPR_SUM,      /* sum over n_binders binders where condition: a */
  EXPR_PRODUCT,  /* product, likewise */
  EXPR_LET,      /* let, with let->n_arguments arguments (arguments[i]) */
  EXPR_ARGUMENT, /* inside a let's body: argument number `argument`, a real value */
  EXPR_HAMILTONIAN, /* the model's H */
  EXPR_LAGRANGIAN,  /* the model's L */
  EXPR_CONSTRAINT,  /* family, n_index indices: g of a constraint, or the value of an invariant */
  EXPR_BRACKET,     /* {a, b} */
  EXPR_MULTIPLIER   /* family (a constraint), n_index indices: its lambda; observables only */
} model_expr_kind;

typedef struct model_expr model_expr;

/* An argument of a let: the index where it is an index expression (then it may stand as an index and
 * as a value), and else the value. */
typedef struct model_argument {
  const model_index *index; /* NULL where the argument is no index expression */
  const model_expr *value;  /* always set */
} model_argument;

struct model_expr {
  model_expr_kind kind;
  span where;
  mpq_srcptr number;
  model_function function;
  const model_parameter *parameter;
  const model_coordinate *coordinate;
  const model_let *let;
  const model_family *family;
  int argument;
  int n_index;
  const model_index *const *index;
  int n_binders;
  const model_binder *const *binders;
  const model_condition *condition; /* NULL: no where */
  const model_expr *a;
  const model_expr *b;
  const model_argument *arguments;
};

/* ---- declarations, each in the order of the file ---- */

/* A value for every entry of an array: one body over binders, or a table of count bodies in the
 * array's own order.  Exactly one of body and table is set. */
typedef struct model_values {
  int n_binders;
  const model_binder *const *binders;
  const model_expr *body;
  const model_expr *const *table;
} model_values;

struct model_parameter {
  const char *name;
  model_shape shape;
  int number;          /* among the parameters of the model */
  long offset;         /* of its first entry in k */
  model_values values; /* constant: numbers, sizes, indices and functions of them only */
  int is_data;      /* 1: there is no default, a run is given the values; body is then a sample's */
  mpq_srcptr lower; /* NULL: -infinity */
  mpq_srcptr upper; /* NULL: +infinity */
  int lower_closed; /* 1 where the bound itself is allowed */
  int upper_closed;
  span where;
};

struct model_coordinate {
  const char *name;     /* of the position, such as q */
  const char *momentum; /* such as p */
  const char
      *velocity; /* such as v; NULL where a Hamiltonian is given, and of algebraic variables */
  model_shape shape;
  int number;       /* among the coordinates of the model */
  long offset;      /* of its first entry in q, and in p */
  int is_time;      /* 1: the time, which H contains by its momentum alone (language/time.h) */
  int is_algebraic; /* 1: has no time derivative; its momentum is kept at 0 by a constraint */
  span where;
};

struct model_let {
  const char *name;
  int number; /* among the lets of the model */
  int n_arguments;
  const model_binder *const *arguments; /* set = NULL; their slots are bound by EXPR_LET where the
                                         * argument is an index */
  const model_expr *body;
  span where;
};

/* A distinct reference to an array entry that a family's body makes, lets followed. */
typedef struct model_slot {
  const char *text; /* such as "q[i+1,k]", in the family's binders and those of inner sums */
} model_slot;

/* One body over index sets: a constraint (body = left - right), an observable, an invariant, or a
 * term of H. */
struct model_family {
  const char *name; /* NULL for a term of H */
  const char
      *heading; /* name and brackets as written, folded: "bond[i in atom where i > 1]"; NULL for
                        * a term of H */
  int n_binders;
  const model_binder *const *binders;
  const model_condition *condition; /* NULL: no where */
  const model_expr *body;
  const char *text; /* as written in the file, white space folded to single blanks */
  long offset;      /* of its first instance among the families of its kind */
  long count;       /* instances at the present sizes */
  int n_slots;
  const model_slot *slots;
  span where;
};

/* `q[1,k in ax] = ...` within an initial state: `index[j]` fixes dimension j, or is the variable of
 * one of values.binders. */
typedef struct model_assignment {
  const model_coordinate *coordinate;
  int is_momentum;
  int is_velocity; /* of a momentum: the values are the velocities that it belongs to */
  const model_index *const *index; /* shape.n entries */
  model_values values;             /* a table covers the binders, first slowest */
  span where;
} model_assignment;

typedef struct model_init {
  const char *name; /* "default" where the file gives none */
  int n;
  const model_assignment *assignments; /* together they set each entry of q and p exactly once;
                                        * bodies may use parameters and sizes */
  span where;
} model_init;

/* The `run` line; NULL, NaN and -1 for what it does not say. */
typedef sw_run_defaults model_run;

typedef struct model {
  const char *name;
  span where;        /* of the name */
  const char *title; /* "" if none */
  const char *file;  /* as it was given, for messages only */
  const char *text;
  const struct syntax_tree *tree; /* the parsed text (language/syntax.h) */
  int n_slots;                    /* size of an environment: binder slots are 0 .. n_slots-1 */

  int n_sizes;
  model_size *const *sizes;
  int n_sets;
  const model_set *const *sets;
  int n_indices;
  const model_indices *const *indices;
  int n_parameters;
  const model_parameter *const *parameters;
  long nk;
  int n_coordinates;
  const model_coordinate *const *coordinates;
  long nq;
  int n_lets;
  const model_let *const *lets;

  const char *hamiltonian_name; /* "H" */
  const char *hamiltonian_text; /* as written, folded; NULL where a Lagrangian is given */
  const char *lagrangian_name;  /* "L"; NULL where a Hamiltonian is given */
  const char *lagrangian_text;
  int n_terms;
  const model_family *const *terms; /* what is given is their sum: H(q,p), or else L(q,v) */
  int n_constraints;
  const model_family *const *constraints;
  long nc; /* instances of all constraint families */
  int n_observe;
  const model_family *const *observe;
  int n_invariants;
  const model_family *const *invariants;
  int n_inits;
  const model_init *const *inits;
  model_run run;
} model;

/* A size given on the command line, or an array of indices given by data. */
typedef struct model_size_setting {
  const char *name;
  long value;           /* the size, or the number of elements */
  const long *elements; /* `value` elements of an array of indices; NULL: a size */
} model_size_setting;

/* Parses and checks the text; NULL after errors, which are in *d.  An unknown name in `settings`, or
 * a value out of range, is an error too (its span is the first `size` line, or the model line). */
const model *model_check(arena *a, diagnostics *d, const char *file, const char *text,
                         size_t length, int n_settings, const model_size_setting settings[]);

/* The same model at other sizes, or with other arrays of indices, without parsing its text again.
 * NULL if it has errors at these: they are not reported. */
const model *model_at(arena *a, const model *m, int n_settings,
                      const model_size_setting settings[]);

/* The first declaration of a set or of indices that a run is given; NULL where there is none, and the graph is known.  (model/check_model.c) */
const span *model_first_data(const model *m);

/* 1 where there are not too many instances for formulas of their own.  (model/check_model.c) */
int model_is_small(const model *m);

/* 1 where --lowering unrolled gives them: small enough, and without data.  (model/check_model.c) */
int model_can_unroll(const model *m);

/* 1 where every parameter has a default. */
int model_has_defaults(const model *m);

/* What has been made of the time, where formulas contain it; else "".  (model/check_model.c) */
const char *model_time_text(const model *m);

/* ---- variables without a time derivative, in words (model/algebraic.c) ---- */

/* How the algebraic variables are embedded; "" where there is none. */
const char *model_algebraic_text(arena *a, const model *m);

/* What a singular N means for the algebraic variables, and the remedy; "" where there is none. */
const char *model_algebraic_degenerate(arena *a, const model *m);

/* ---- what every lowering needs (model/walk.c) ---- */

/* The remainder of x by n, from 0 to n - 1; 0 where n <= 0. */
long model_index_modulo(long x, long n);

/* What a sample has at place `at` of an array of indices, counted from 0, whose values are `count` elements from `first` on.  With the
 * array before it they are the edges of a path, which closes to a ring, and then has chords.  If data give the array, its
 * element there. */
long model_sample(const model_indices *indices, long at, long first, long count);

/* Value of an index expression; environment[slot] holds the bound variables. */
long model_index_value(const model_index *index, const long environment[]);

/* Whether a comparison holds of two indices, by left - right. */
int model_condition_holds(model_condition_kind kind, long difference);

/* What holds where a comparison does not, and AND for OR, as in the opposite of these. */
model_condition_kind model_condition_opposite(model_condition_kind kind);

/* Position of an element within a shape: 0 .. count-1.  index has shape->n entries. */
long model_shape_offset(const model_shape *shape, const model_index *const index[],
                        const long environment[]);

/* Position of an instance within its family, as counted by model_binders_next with the family's
 * condition: `index` are the indices of a reference to it (one for each binder). -1 where the
 * condition leaves it out. */
long model_family_position(const model_family *family, const model_index *const index[],
                           const long environment[], long scratch[]);

/* Enumerates the values of binders that satisfy condition, first binder slowest:
 *   for (int more = model_binders_first(n, b, c, env); more; more = model_binders_next(n, b, c, env))
 * With n = 0 there is exactly one iteration (where the condition holds). */
int model_binders_first(int n, const model_binder *const binders[],
                        const model_condition *condition, long environment[]);
int model_binders_next(int n, const model_binder *const binders[], const model_condition *condition,
                       long environment[]);

/* An element of a set as it is written: a number or a label. */
const char *model_element_text(arena *a, const model_set *set, long value);

/* The indices of an entry of an array, from its number; and "q[1,x]", as it is written in a model. */
void model_shape_place(const model_shape *shape, long entry, long at[]);
const char *model_entry_text(arena *a, const char *name, const model_shape *shape, const long at[]);

/* Dotted names of all entries, such as "q.1.x"; count entries.  `name` alone for a scalar. */
const char *const *model_shape_names(arena *a, const char *name, const model_shape *shape);
const char *const *model_family_names(arena *a, const model *m, const model_family *family);

/* Whether a part of this kind stands in an index, which may be NULL. */
int model_index_has(const model_index *index, model_index_kind kind);

/* Name of the function that an index of this kind is ("mod"); NULL for others. */
const char *model_index_function(model_index_kind kind);

/* Name of an elementary function, as in the language ("sin"). */
const char *model_function_name(model_function function);

#ifdef __cplusplus
}
#endif

#endif
