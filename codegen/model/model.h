/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h -- the checked model: names resolved, shapes known, nothing unrolled.
 *
 * A family (a constraint, a term of H, an observable) has index sets and one body.  Sizes are
 * symbols with a present value, so that a lowering can unroll or loop.  All references are valid:
 * the names exist, the kinds match, and indices are in range at the present sizes.
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
  long value;  /* default of the model file, or the value of --size */
  int is_data; /* 1: number of elements of a data set; unknown, `value` is that of a sample */
  int number;  /* among the sizes of the model */
  span where;
} model_size;

typedef struct model_index model_index;

typedef struct model_set {
  const char *name; /* for an unnamed set, its text: "1 .. N-1" */
  int is_range;
  /* range lower .. upper, in sizes and integers; also in outer variables if is_dependent */
  const model_index *lower;
  const model_index *upper;
  /* 1: a range of a sum or product whose bounds contain outer variables; `first` and `count` are
   * then unused */
  int is_dependent;
  long first;                /* range: present value of lower; labels: 0 */
  long count;                /* present number of elements (0 if upper < lower) */
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
  const char *const *parts; /* names of a tuple's parts: i and j of (i, j) in pair; else NULL */
} model_binder;

/* An index array: an element of `target` for each element of `set`.  A run supplies the data;
 * until then the elements are those of a sample. */
typedef struct model_indices {
  const char *name;
  const model_set *set;
  const model_set *target;
  /* the part of the tuples in `set` that this array holds, from 1; 0 if they are no tuples */
  int part;
  /* Start of the sample, and its shift relative to the first array over the same sets.  The
   * shift makes the `a` and `b` of bonds neighbours; the offset makes samples of different sets
   * begin with different elements. */
  long offset;
  long shift;
  int number; /* among the index arrays of the model */
  /* data: one element for each of n_given elements of `set`; NULL: use the sample */
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
  INDEX_MOD,      /* remainder of a divided by b > 0, from 0 to b - 1 */
  INDEX_MIN,      /* the smaller of a and b */
  INDEX_MAX,      /* the larger of a and b */
  INDEX_ENTRY     /* entry of `indices` at the element a */
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
  const model_index *left; /* of a comparison */
  const model_index *right;
  const struct model_condition *a; /* operands of and, or, not */
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
  /* coordinate, n_index indices: an entry of v, which is a variable inside L and H_p elsewhere */
  EXPR_VELOCITY,
  EXPR_NEG,         /* -a */
  EXPR_ADD,         /* a + b */
  EXPR_SUB,         /* a - b */
  EXPR_MUL,         /* a * b */
  EXPR_DIV,         /* a / b */
  EXPR_POW,         /* a ^ b */
  EXPR_CALL,        /* function of a, and of b if it has two arguments */
  EXPR_SUM,         /* sum over n_binders binders where condition: a */
  EXPR_PRODUCT,     /* product over n_binders binders where condition: a */
  EXPR_LET,         /* let, with let->n_arguments arguments (arguments[i]) */
  EXPR_ARGUMENT,    /* inside a let's body: argument number `argument`, a real value */
  EXPR_HAMILTONIAN, /* the model's H */
  EXPR_LAGRANGIAN,  /* the model's L */
  EXPR_CONSTRAINT,  /* family, n_index indices: g of a constraint, or the value of an invariant */
  EXPR_BRACKET,     /* {a, b} */
  EXPR_MULTIPLIER,  /* family (a constraint), n_index indices: its lambda; observables only */
  EXPR_IMPULSE      /* likewise: its impulse in the last step */
} model_expr_kind;

typedef struct model_expr model_expr;

/* An argument of a let.  An index expression is passed as an index and as a value; other
 * arguments are passed as a value. */
typedef struct model_argument {
  const model_index *index; /* NULL if the argument is no index expression */
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
  const model_condition *condition; /* NULL: no condition */
  const model_expr *a;
  const model_expr *b;
  const model_argument *arguments;
};

/* ---- declarations, each in the order of the file ---- */

/* A value for every entry of an array: one body over binders, or a table of one expression per
 * entry in the array's order.  Exactly one of body and table is set. */
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
  model_values values; /* contains only numbers, sizes, indices, and functions of them */
  /* 1: no default, a run supplies the values; the body is then that of a sample */
  int is_data;
  int is_input;     /* 1: an input, which forces, events and observables may read */
  mpq_srcptr lower; /* NULL: -infinity */
  mpq_srcptr upper; /* NULL: +infinity */
  int lower_closed; /* 1 if the bound itself is allowed */
  int upper_closed;
  span where;
};

struct model_coordinate {
  const char *name;     /* of the position, such as q */
  const char *momentum; /* such as p */
  const char
      *velocity; /* such as v; NULL for algebraic variables, and if the model gives a Hamiltonian */
  model_shape shape;
  int number;  /* among the coordinates of the model */
  long offset; /* of its first entry in q, and in p */
  int is_time; /* 1: the time variable; H depends on its momentum linearly (language/rewrite.h) */
  int is_algebraic; /* 1: algebraic variable, whose momentum a constraint keeps at 0 */
  span where;
};

struct model_let {
  const char *name;
  int number; /* among the lets of the model */
  int n_arguments;
  /* set = NULL; EXPR_LET binds the slot if the argument is an index */
  const model_binder *const *arguments;
  const model_expr *body;
  span where;
};

/* A distinct reference to an array entry in a family's body, with lets expanded. */
typedef struct model_slot {
  const char *text; /* such as "q[i+1,k]", in the family's binders and those of inner sums */
} model_slot;

/* What observables read besides states and parameters; sw_model.reads_lambda has the same bits. */
enum { MODEL_READS_MULTIPLIERS = 1, MODEL_READS_IMPULSES = 2 };

/* One body over index sets: a constraint (body = left - right), an observable, an invariant, or
 * a term of H or L. */
struct model_family {
  const char *name; /* NULL for a term of H */
  const char
      /* name and brackets as written, folded: "bond[i in atom where i > 1]"; NULL for a term of
       * H */
      *heading;
  int n_binders;
  const model_binder *const *binders;
  const model_condition *condition; /* NULL: no condition */
  const model_expr *body;
  const char *text;    /* text of the body in the file, white space folded to single blanks */
  long offset;         /* of its first instance among the families of its kind */
  long count;          /* instances at the present sizes */
  int reads_lambda;    /* of an observable: the sum of MODEL_READS_... */
  sw_event_kind event; /* of an event */
  int n_slots;
  const model_slot *slots;
  span where;
};

/* `q[1,k in ax] = ...` in an initial state: index[j] is a constant, or the variable of one of
 * values.binders. */
typedef struct model_assignment {
  const model_coordinate *coordinate;
  int is_momentum;
  int is_velocity;                 /* of a momentum: 1 if the values are velocities instead */
  const model_index *const *index; /* shape.n entries */
  model_values values;             /* a table covers the binders, first slowest */
  span where;
} model_assignment;

typedef struct model_init {
  const char *name; /* "default" if the file gives no name */
  int n;
  /* set each entry of q and p exactly once; bodies may use parameters and sizes */
  const model_assignment *assignments;
  span where;
} model_init;

/* The `run` line; NULL, NaN and -1 mark settings that it lacks. */
typedef sw_run_defaults model_run;

typedef struct model {
  const char *name;
  span where;        /* of the name */
  const char *title; /* "" if none */
  const char *file;  /* file name as given; used in messages only */
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
  const char *hamiltonian_text; /* as written, folded; NULL if the model gives a Lagrangian */
  const char *lagrangian_name;  /* "L"; NULL if the model gives a Hamiltonian */
  const char *lagrangian_text;
  int n_terms;
  /* their sum is H(q,p), or L(q,v) if the model gives a Lagrangian */
  const model_family *const *terms;
  int n_constraints;
  const model_family *const *constraints;
  long nc; /* instances of all constraint families */
  int n_observe;
  const model_family *const *observe;
  int n_invariants;
  const model_family *const *invariants;
  int n_forces;
  const model_family *const *forces;
  /* for each force, a family with the same binders: the position of its momentum; its text is the
   * momentum */
  const model_family *const *force_targets;
  int n_events; /* body = left - right */
  const model_family *const *events;
  int n_inits;
  const model_init *const *inits;
  /* 1 if there is a heat bath.  Then inits[n_inits] is the bath: its positions are the temperatures
   * kT, its momenta the frictions. */
  int has_bath;
  model_run run;
} model;

/* A size from the command line, or the elements of an index array from data. */
typedef struct model_size_setting {
  const char *name;
  long value;           /* the size, or the number of elements */
  const long *elements; /* `value` elements of an index array; NULL for a size */
} model_size_setting;

/* Parses and checks the text.  Returns NULL after errors, which are in *d.  An unknown name or
 * an invalid value in `settings` is reported at the first `size` line, or at the model line. */
const model *model_check(arena *a, diagnostics *d, const char *file, const char *text,
                         size_t length, int n_settings, const model_size_setting settings[]);

/* The same model at other sizes, or with other arrays of indices, without parsing its text again.
 * NULL if it has errors at these sizes; they are not reported. */
const model *model_at(arena *a, const model *m, int n_settings,
                      const model_size_setting settings[]);

/* The lifted model (language/rewrite.h) at the same sizes.  NULL after errors, which are in *d. */
const model *model_lift(arena *a, diagnostics *d, const model *m);

/* The location of the first set or index array that a run supplies; NULL if there is none, so
 * that the graph is known.  (model/check_model.c) */
const span *model_first_data(const model *m);

/* 1 if the model has few enough instances for a formula of each.  (model/check_model.c) */
int model_is_small(const model *m);

/* 1 if --lowering unrolled is possible: the model is small enough and has no data.
 * (model/check_model.c) */
int model_can_unroll(const model *m);

/* 1 if an observable reads impulses. */
int model_reads_impulses(const model *m);

/* 1 where every parameter has a default. */
int model_has_defaults(const model *m);

/* A note about the time as an extra coordinate, if formulas contain the time; else "".
 * (model/check_model.c) */
const char *model_time_text(const model *m);

/* ---- notes about variables without a time derivative (model/algebraic.c) ---- */

/* How the algebraic variables are embedded; "" if there are none. */
const char *model_algebraic_text(arena *a, const model *m);

/* The meaning of a singular N for the algebraic variables, and the remedy; "" if there are none. */
const char *model_algebraic_degenerate(arena *a, const model *m);

/* ---- what every lowering needs (model/walk.c) ---- */

/* The remainder of x divided by n, from 0 to n - 1; 0 if n <= 0. */
long model_index_modulo(long x, long n);

/* Entry `at`, from 0, of an index array whose values are `count` elements from `first` on: the
 * data if given, else the sample.  In the sample, two adjacent arrays are the edges of a path,
 * which then closes to a ring and continues with chords. */
long model_sample(const model_indices *indices, long at, long first, long count);

/* Value of an index expression; environment[slot] holds the bound variables. */
long model_index_value(const model_index *index, const long environment[]);

/* Whether a comparison of two indices holds, given their difference left - right. */
int model_condition_holds(model_condition_kind kind, long difference);

/* The negation of a comparison; AND for OR and vice versa, as in De Morgan's laws. */
model_condition_kind model_condition_opposite(model_condition_kind kind);

/* Position of an element within a shape: 0 .. count-1.  index has shape->n entries. */
long model_shape_offset(const model_shape *shape, const model_index *const index[],
                        const long environment[]);

/* Position of an instance in its family, as counted by model_binders_next with the family's
 * condition; -1 if the condition excludes it.  `index` has one index for each binder. */
long model_family_position(const model_family *family, const model_index *const index[],
                           const long environment[], long scratch[]);

/* Enumerates the values of binders that satisfy condition, first binder slowest:
 *   for (long round = 0; model_binders_next(round, n, b, c, env); round++)
 * Round 0 starts; the others advance.  With n = 0 there is exactly one iteration (where the
 * condition holds). */
int model_binders_next(long round, int n, const model_binder *const binders[],
                       const model_condition *condition, long environment[]);

/* An element of a set as text: a number or a label. */
const char *model_element_text(arena *a, const model_set *set, long value);

/* model_shape_place: the indices of an entry, from its number.  model_entry_text: the entry as
 * text, such as "q[1,x]". */
void model_shape_place(const model_shape *shape, long entry, long at[]);
const char *model_entry_text(arena *a, const char *name, const model_shape *shape, const long at[]);

/* Dotted names of all entries, such as "q.1.x", shape->count of them; `name` alone for a scalar. */
const char *const *model_shape_names(arena *a, const char *name, const model_shape *shape);
const char *const *model_family_names(arena *a, const model *m, const model_family *family);

/* Whether an index contains a node of this kind; 0 if index is NULL. */
int model_index_has(const model_index *index, model_index_kind kind);

/* Function name of an index kind, such as "mod"; NULL for other kinds. */
const char *model_index_function(model_index_kind kind);

/* Name of an elementary function in the language, such as "sin". */
const char *model_function_name(model_function function);

#ifdef __cplusplus
}
#endif

#endif
