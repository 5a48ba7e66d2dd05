/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checker.h -- what the parts of the checker share.
 *
 * The checker goes through the syntax tree in the order of check_model.c: names, sizes, sets, arrays, then
 * the formulas in the order of the file, then values.  A part that finds an error records it and
 * returns NULL or zero; whoever gets that stays silent, so that each mistake is reported once.
 */
#ifndef SIDEWINDER_CHECKER_H
#define SIDEWINDER_CHECKER_H

#include "common/rational.h"
#include "language/syntax.h"
#include "model/index_nodes.h"
#include "model/index_text.h"
#include "model/model.h"
#include "model/model_limits.h"

/* Errors that are kept: costly work for the text of a later one would be for nothing. */
enum { PRINTED_ERRORS = 20 };

/* ---- names ---- */

typedef enum name_kind {
  NAME_SIZE,
  NAME_SET,
  NAME_PARAMETER,
  NAME_INDICES,
  NAME_POSITION,
  NAME_MOMENTUM,
  NAME_VELOCITY,
  NAME_LET,
  NAME_HAMILTONIAN,
  NAME_LAGRANGIAN,
  NAME_CONSTRAINT,
  NAME_OBSERVE,
  NAME_INVARIANT
} name_kind;

/* How the body of a let uses an argument; calls must fit. */
typedef struct argument_use {
  int as_value;            /* as a real number */
  int as_integer;          /* as an integer index, or a part of one */
  const model_set *labels; /* as an index over this label set */
  int conflict;            /* over two different label sets */
} argument_use;

/* What a formula depends on. */
enum {
  USES_PARAMETERS = 1,
  USES_STATE = 2, /* a coordinate or a momentum */
  USES_MULTIPLIER = 4,
  USES_ALGEBRAIC = 8,           /* a variable without a time derivative, */
  USES_ALGEBRAIC_POSITION = 16, /* and its conjugate position; */
  USES_MOMENTUM = 32,           /* a momentum, or derivatives by momenta; */
  USES_VELOCITY = 64            /* a velocity: all of these count as state, too */
};

/* A global name.  The object is NULL until its statement has been checked, and stays so after an
 * error in it. */
typedef struct declared {
  name_kind kind;
  const char *name;
  span where;
  int order;  /* of its statement in the file */
  int failed; /* its statement has an error: uses of it stay silent */
  const char
      *implied_by; /* the statement that brings this name along, "algebraic beta", or NULL; */
  const char *renamed_by; /* and the one that gives it another, or NULL */
  model_size *size;
  const model_set *set;
  model_parameter *parameter;
  const model_indices *indices;
  model_coordinate *coordinate;
  const model_let *let;
  const model_family *family; /* a constraint or an invariant */
  argument_use *arguments;    /* of a let */
  const model_set *vector;    /* what a let is a vector over; its last argument is the component */
  unsigned uses;              /* of a let, H, constraint or invariant */
  int depth;                  /* likewise: of the expression, lets followed */
} declared;

/* A bound variable that can be seen from a formula; innermost first. */
typedef struct bound {
  const model_binder *binder;
  span where;
  int argument;               /* number of a let's argument */
  argument_use *use;          /* NULL unless it is a let's argument */
  const model_index *fixed;   /* what it stands for, where that is one element; else NULL */
  const syntax_binder *parts; /* of a tuple, whose names are taken, too; else NULL */
  const struct bound *outer;
} bound;

/* One component of a vector: an index into the set that it is over. */
typedef struct vector_component {
  const model_set *set;
  const model_index *index;
} vector_component;

struct checked;

typedef struct checker {
  arena *memory;
  diagnostics *d;
  const char *text;
  const syntax_tree *tree;
  model *m;

  declared *names; /* sorted by name */
  int n_names;
  declared *hamiltonian;
  declared *lagrangian; /* NULL where a Hamiltonian is given */

  const model_size_setting *settings; /* n_settings */
  int n_settings;

  /* The statement that is being checked. */
  int order;
  const char *what;   /* "the value of parameter 'm'" */
  unsigned forbidden; /* USES_ bits that it may not have */

  /* The lists of the model, with room for one entry of each statement. */
  model_size **sizes;
  const model_set **sets;
  const model_indices **indices;
  const model_parameter **parameters;
  const model_coordinate **coordinates;
  const model_let **lets;
  const model_family **constraints;
  const model_family **observe;
  const model_family **invariants;

  const model_set **inline_sets; /* without a name, each written somewhere */
  size_t n_inline_sets;
  size_t inline_sets_capacity;
  size_t sets_capacity; /* of `sets`, to which those that arrays and families run over are added */

  long *environment; /* for trial values of variables, by slot */
  int n_environment;

  const vector_component *component; /* that a reference takes for its last index, or NULL */
  long components_left;              /* of MODEL_MAX_COMPONENTS */

  long rounds_left;    /* of MODEL_MAX_ALL_ROUNDS */
  long expansion_left; /* of MODEL_MAX_ALL_EXPANSION */

  /* Checks a formula (expressions.c), for the parts of formulas that are formulas: arguments of calls and components of vectors. */
  struct checked (*formula)(struct checker *c, const syntax_expr *e, const bound *inner);
} checker;

/* ---- declarations.c, name_space.c: global names ---- */

/* Enters the names of all statements; reports second declarations. */
void names_collect(checker *c);

/* The momentum of a coordinate, or the position of an algebraic variable, given or made; what is made has the place of the variable's name. */
syntax_name names_conjugate(const checker *c, const syntax_statement *s);

/* The declaration of a name, or NULL. */
declared *names_find(const checker *c, const char *name);

/* The declaration that statement number `order` made; NULL where the name belongs to another one. */
declared *names_own(const checker *c, const syntax_name *name, int order);

/* "a parameter", for messages. */
const char *names_kind(name_kind kind);

/* A name near to `name` among the declared ones of the kinds in the mask (bit 1 << kind) and the
 * bound variables, or NULL; always NULL once there are more errors than are printed. */
const char *names_suggest(const checker *c, const char *name, unsigned kinds, const bound *outer);

/* "; did you mean 'near'?", and "" where near is NULL. */
const char *names_did_you_mean(const checker *c, const char *near);

/* Reports a name that is not declared. */
void names_unknown(const checker *c, span where, const char *name, unsigned kinds,
                   const bound *outer);

/* Reports a name that is too long; 1 if it is good. */
int names_check_length(const checker *c, const syntax_name *name);

/* ---- scope.c, binders.c: bound variables ---- */

/* The bound variable of this name, or NULL. */
const bound *scope_find(const bound *inner, const char *name);

/* Adds a variable; reports one that hides another variable, or what is declared above.  Returns the new
 * innermost, NULL after an error. */
bound *scope_add(checker *c, const bound *outer, const syntax_name *name, const model_set *set);

/* The same for `i in set` and `(i, j) in set`. */
bound *scope_bind(checker *c, const bound *outer, const syntax_binder *b, const model_set *set);

/* The binders of a sum, or of a family, whose sets must not depend on variables.  *inner is the scope of the body.  0 after
 * an error. */
typedef struct scope_binders {
  int n;
  const model_binder *const *binders;
  const model_condition *condition;
  const bound *inner;
} scope_binders;
int scope_binders_check(checker *c, const syntax_binders *syntax, const bound *outer, int is_family,
                        scope_binders *result);

/* The set of this name; NULL after an error. */
const model_set *scope_set(checker *c, const syntax_name *name);

/* The sets that the variables of a family run over. */
const model_set *const *scope_sets(const checker *c, const model_family *family);

/* A name for a variable that is in use neither around it nor anywhere in the file, after some that are skipped. */
const char *scope_free_name(const checker *c, const bound *inner, int skipped);

/* The variable of dimension `number` of an array: as it is written, which puts it into the scope, or else one that nothing written can
 * mean.  NULL after an error. */
const model_binder *scope_variable(checker *c, const bound **inner, const syntax_binder *b,
                                   const model_set *set, int number);

/* A new variable with a slot of its own. */
const model_binder *scope_binder(checker *c, const char *name, const model_set *set);

/* Product of the sets' counts; reports more than MODEL_MAX_INSTANCES and returns -1. */
long scope_count(checker *c, span where, int n, const model_set *const sets[]);

/* ---- sets.c, shapes.c: sizes, sets, shapes of arrays ---- */

void sets_size(checker *c, const syntax_statement *s, declared *own);
void sets_apply_settings(checker *c, int n, const model_size_setting settings[]);
const model_set *sets_range(checker *c, const syntax_statement *s);
const model_set *sets_labels(checker *c, const syntax_name *name, int n,
                             const syntax_name written[]);
void sets_indices(checker *c, const syntax_statement *s, declared *own);
int sets_shape(checker *c, const syntax_binders *binders, model_shape *shape);
/* A position with its momentum and, where it has one, its velocity. */
void sets_coordinate(checker *c, const syntax_statement *s, declared *own);

/* A range whose ends have no variables; NULL after an error. */
const model_set *sets_between(checker *c, const char *name, const model_index *lower,
                              const model_index *upper, span where);

/* Sees to it that the set is among the model's, where the runtime has to know it. */
void sets_enter(checker *c, const model_set *set);

/* ---- inline_sets.c: sets that are written where they are used ---- */

/* What a list adds to the set that a variable runs over: the variable is one of these (n = 0: anything). */
typedef struct inline_members {
  int n;
  const model_index *const *at;
} inline_members;

/* A set by name, a range or a list; NULL after an error. */
const model_set *inline_set(checker *c, const syntax_set *s, const bound *inner,
                            inline_members *only);

/* The same as the dimension of an array. */
const model_set *inline_array_set(checker *c, const syntax_set *s);

/* All that a range with variables in its ends can be, in sizes; NULL after an error. */
const model_set *inline_hull(checker *c, const model_set *set);

/* binder is one of the members, or NULL for n = 0; lower <= binder <= upper; a and b, or a or b, where both
 * are set. */
const model_condition *inline_is_member(checker *c, const model_binder *binder,
                                        const inline_members *only);
const model_condition *inline_is_between(checker *c, const model_binder *binder,
                                         const model_index *lower, const model_index *upper);
const model_condition *inline_joined(checker *c, model_condition_kind kind,
                                     const model_condition *a, const model_condition *b);

/* ---- indices.c: index expressions ---- */

/* 1 where the expression consists of integers, sizes, bound variables and entries of arrays of indices only, and so may be
 * an index; a let's own arguments count where `arguments` is 1. */
int indices_is_index(const checker *c, const syntax_expr *e, const bound *inner, int arguments);

/* The expression as an index of a dimension over `set`; set = NULL: any integer. */
const model_index *indices_for_set(checker *c, const syntax_expr *e, const model_set *set,
                                   const bound *inner);

/* The expression as an integer or a variable over a label set. */
const model_index *indices_any(checker *c, const syntax_expr *e, const bound *inner);

/* 1 for a call of mod, min or max, which is *kind. */
int indices_function(const checker *c, const syntax_expr *e, model_index_kind *kind);

/* The array of indices of which an expression is an entry; NULL where it is none. */
const model_indices *indices_array(const checker *c, const syntax_expr *e);

/* The label set of a variable; NULL where it is an integer or not known yet. */
const model_set *indices_labels_of(const bound *b);

/* ---- conditions.c ---- */

const model_condition *indices_condition(checker *c, const syntax_condition *s, const bound *inner);

/* ---- formulas.c: let, hamiltonian, constraint, observe, invariant ---- */

void formulas_let(checker *c, const syntax_statement *s, declared *own);
void formulas_hamiltonian(checker *c, const syntax_statement *s, declared *own);
void formulas_lagrangian(checker *c, const syntax_statement *s, declared *own);
void formulas_constraint(checker *c, const syntax_statement *s, declared *own);
void formulas_algebraic(checker *c, const syntax_statement *s);
void formulas_observe(checker *c, const syntax_statement *s, declared *own);

/* ---- algebraic.c: variables without a time derivative ---- */

/* The name of an `algebraic` statement's constraint, at the place of the variable's name. */
syntax_name algebraic_constraint_name(const checker *c, const syntax_statement *s);

/* Reports a name that is too long for the constraint's to be one. */
void algebraic_check_length(const checker *c, const syntax_statement *s);

/* The constraint momentum == 0 for all entries, not yet entered in a list. */
model_family *algebraic_family(checker *c, const syntax_statement *s, const model_coordinate *q);

/* momentum = 0 for all entries, in an initial state. */
model_assignment algebraic_start(checker *c, const model_coordinate *q);

/* Reports algebraic variables of which H does not depend on any. */
void algebraic_check(checker *c);

/* ---- lagrangian_statement.c: L(q,v), and the H(q,p) that belongs to it ---- */

/* The Hamiltonian of a Lagrangian, given or made; what is made has the place of the Lagrangian's name. */
syntax_name lagrangian_energy(const syntax_statement *s);

/* Reports coordinates that do not fit to what is given, L or H. */
void lagrangian_check_coordinates(checker *c, const syntax_statement *given);

/* Reports an initial state with velocities and with momenta; 1 where it has one of both. */
int lagrangian_start_good(checker *c, const model_init *init);

/* ---- source_text.c ---- */

/* The model's text within a span, without comments, white space folded to single blanks. */
const char *text_folded(checker *c, span where);

/* "node = 1 .. 64" for a range at its present ends, which stand alone where they are the name. */
const char *text_range(arena *a, const model_set *set);

/* " at i = 64, j = 3": the variables of n indices at the values in c->environment, or nothing. */
const char *text_witness(checker *c, int n, const model_index *const index[]);

/* ---- ranges.c: the indices of a formula, lets followed ---- */

/* Checks every index of the family's body, and collects the distinct references to coordinates and momenta in
 * family->slots. */
void ranges_family(checker *c, model_family *family);

/* Checks those of the values of a parameter or an initial state. */
void ranges_expression(checker *c, const model_expr *body, int n,
                       const model_binder *const binders[]);

/* ---- index_tables.c, parameter_statements.c ---- */

typedef struct values_checked {
  model_values values;
  long n_constants;      /* 1, or that of the table's entries */
  mpq_srcptr *constants; /* of each that is known exactly, else NULL */
} values_checked;

/* An expression or a table for all combinations of the binders; 0 after an error. */
int values_check(checker *c, const syntax_value *value, int n, const model_binder *const binders[],
                 const bound *inner, values_checked *result);

void parameters_shape(checker *c, const syntax_statement *s, declared *own);
void parameters_value(checker *c, const syntax_statement *s, declared *own);

/* ---- inits.c, coverage.c ---- */

void inits_check(checker *c);

/* Reports the entries of the coordinates that an initial state sets twice or not at all. */
void coverage_check(checker *c, const model_init *init);

/* ---- run_statement.c ---- */

void run_check(checker *c);

#endif
