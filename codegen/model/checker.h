/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checker.h -- the interfaces between the parts of the checker.
 *
 * The checker processes the syntax tree in the order of check_model.c: names, sizes, sets, arrays,
 * then formulas in the order of the file, then values.  The function that finds an error reports it
 * and returns NULL or zero.  Its callers then stay silent, so each mistake is reported once.
 */
#ifndef SIDEWINDER_CHECKER_H
#define SIDEWINDER_CHECKER_H

#include "common/rational.h"
#include "language/syntax.h"
#include "model/index_nodes.h"
#include "model/model.h"
#include "model/model_limits.h"

/* Number of errors that are printed.  Later errors need no costly text. */
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
  NAME_INVARIANT,
  NAME_FORCE,
  NAME_EVENT
} name_kind;

/* How the body of a let uses an argument.  The arguments of each call must match this use. */
typedef struct argument_use {
  int as_value;            /* as a real number */
  int as_integer;          /* as an integer index, or a part of one */
  const model_set *labels; /* as an index over this label set */
  int conflict;            /* used over two different label sets */
} argument_use;

/* What a formula depends on. */
enum {
  USES_PARAMETERS = 1,
  USES_STATE = 2, /* a coordinate, a momentum or a velocity */
  USES_MULTIPLIER = 4,
  USES_ALGEBRAIC = 8,           /* an algebraic variable */
  USES_ALGEBRAIC_POSITION = 16, /* the position conjugate to an algebraic variable */
  USES_MOMENTUM = 32,           /* a momentum, or a derivative by momenta */
  /* a velocity; formulas with USES_ALGEBRAIC or any of the next three also have USES_STATE */
  USES_VELOCITY = 64,
  USES_INPUT = 128, /* an input; with USES_PARAMETERS */
  USES_IMPULSE = 256,
  USES_LAMBDA = USES_MULTIPLIER | USES_IMPULSE
};

/* A global name.  The pointer to its object is NULL until its statement has been checked, and
 * stays NULL after an error in the statement. */
typedef struct declared {
  name_kind kind;
  const char *name;
  span where;
  int order;  /* number of its statement in the file */
  int failed; /* 1 if its statement has an error; uses of the name are then not reported */
  const char
      *implied_by; /* the statement that implies this name, such as "algebraic beta", or NULL */
  const char *renamed_by; /* the clause that would give it another name, or NULL */
  model_size *size;
  const model_set *set;
  model_parameter *parameter;
  const model_indices *indices;
  model_coordinate *coordinate;
  const model_let *let;
  const model_family *family; /* a constraint or an invariant */
  argument_use *arguments;    /* of a let */
  /* set of the components if a let is a vector (its last argument is the component), else NULL */
  const model_set *vector;
  unsigned uses; /* of a let, H, constraint or invariant */
  /* depth of the expression of a let, H, constraint or invariant, with lets expanded */
  int depth;
} declared;

/* A bound variable in the scope of a formula.  The list begins with the innermost variable. */
typedef struct bound {
  const model_binder *binder;
  span where;
  int argument;      /* number of a let's argument */
  argument_use *use; /* NULL unless it is a let's argument */
  /* the element that the name denotes, if it denotes a single element; else NULL */
  const model_index *fixed;
  /* the names of a tuple's parts, which are reserved as well; else NULL */
  const syntax_binder *parts;
  const struct bound *outer;
} bound;

/* A component of a vector: the index, in the set of the components. */
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
  declared *lagrangian; /* NULL if the model gives a Hamiltonian */

  const model_size_setting *settings; /* n_settings */
  int n_settings;

  /* number of the statement that is being checked */
  int order;
  const char *what;   /* description of the statement, such as "the value of parameter 'm'" */
  unsigned forbidden; /* USES_ bits that the statement may not have */

  /* The lists of the model, allocated for one entry per statement. */
  model_size **sizes;
  const model_set **sets;
  const model_indices **indices;
  const model_parameter **parameters;
  const model_coordinate **coordinates;
  const model_let **lets;
  const model_family **constraints;
  const model_family **observe;
  const model_family **invariants;
  const model_family **forces;
  const model_family **events;
  const model_family **force_targets;

  const model_set **inline_sets; /* sets without a name, written where they are used */
  size_t n_inline_sets;
  size_t inline_sets_capacity;
  /* capacity of `sets`, which grows by the unnamed sets of arrays and families */
  size_t sets_capacity;

  long *environment; /* trial values of variables, by slot */
  int n_environment;

  const vector_component *component; /* last index of the references being checked, or NULL */
  long components_left;              /* remaining budget of MODEL_MAX_COMPONENTS */

  long rounds_left;    /* remaining budget of MODEL_MAX_ALL_ROUNDS */
  long expansion_left; /* remaining budget of MODEL_MAX_ALL_EXPANSION */

  /* expressions_check (expressions.c), for formulas inside formulas: arguments of calls and
   * components of vectors. */
  struct checked (*formula)(struct checker *c, const syntax_expr *e, const bound *inner);
} checker;

/* ---- declarations.c, name_space.c: global names ---- */

/* Enters the names of all statements, and reports duplicate declarations. */
void names_collect(checker *c);

/* The momentum of a coordinate, or the position of an algebraic variable: the given name, or a
 * generated one with the location of the variable's name. */
syntax_name names_conjugate(const checker *c, const syntax_statement *s);

/* The declaration of a name, or NULL. */
declared *names_find(const checker *c, const char *name);

/* The declaration that statement number `order` made; NULL if the name belongs to another
 * statement. */
declared *names_own(const checker *c, const syntax_name *name, int order);

/* The kind as a noun phrase for messages, such as "a parameter". */
const char *names_kind(name_kind kind);

/* The most similar name among the bound variables and the declared names whose kinds are in the
 * mask (bit 1 << kind); NULL if none is similar, and always NULL after more errors than are
 * printed. */
const char *names_suggest(const checker *c, const char *name, unsigned kinds, const bound *outer);

/* "; did you mean 'near'?", or "" if near is NULL. */
const char *names_did_you_mean(const checker *c, const char *near);

/* Reports an undeclared name, with a suggestion. */
void names_unknown(const checker *c, span where, const char *name, unsigned kinds,
                   const bound *outer);

/* Reports a name that is too long.  Returns 1 if the length is valid. */
int names_check_length(const checker *c, const syntax_name *name);

/* ---- scope.c, inline_sets.c: bound variables ---- */

/* The bound variable of this name, or NULL. */
const bound *scope_find(const bound *inner, const char *name);

/* Adds a variable.  Reports a name that would hide another variable or an earlier declaration.
 * Returns the new innermost scope, NULL after an error. */
bound *scope_add(checker *c, const bound *outer, const syntax_name *name, const model_set *set);

/* scope_add for `i in set` and `(i, j) in set`. */
bound *scope_bind(checker *c, const bound *outer, const syntax_binder *b, const model_set *set);

/* The checked binders of a sum or a family.  Sets of a family must not depend on variables.
 * `inner` is the scope of the body.  scope_binders_check returns 0 after an error. */
typedef struct scope_binders {
  int n;
  const model_binder *const *binders;
  const model_condition *condition;
  const bound *inner;
} scope_binders;
int scope_binders_check(checker *c, const syntax_binders *syntax, const bound *outer, int is_family,
                        scope_binders *result);

/* The set with this name; NULL after an error. */
const model_set *scope_set(checker *c, const syntax_name *name);

/* The sets of the family's binders. */
const model_set *const *scope_sets(const checker *c, const model_family *family);

/* A generated name that is used neither in the scope nor by any declaration.  `skipped`
 * candidates are passed over. */
const char *scope_free_name(const checker *c, const bound *inner, int skipped);

/* The variable of dimension `number` of an array: the written one, which enters the scope, or
 * else one with a generated name.  NULL after an error. */
const model_binder *scope_variable(checker *c, const bound **inner, const syntax_binder *b,
                                   const model_set *set, int number);

/* A new variable with a slot of its own. */
const model_binder *scope_binder(checker *c, const char *name, const model_set *set);

/* A variable over each of the array's sets, and the indices that consist of these variables. */
const model_binder **scope_over_array(checker *c, const model_coordinate *q,
                                      const model_index ***index);

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
/* Declares a coordinate: its position, its momentum, and its velocity if it has one. */
void sets_coordinate(checker *c, const syntax_statement *s, declared *own);

/* A range whose bounds contain no variables; NULL after an error. */
const model_set *sets_between(checker *c, const char *name, const model_index *lower,
                              const model_index *upper, span where);

/* Adds the set to the model's sets, if it is not there yet, because the runtime needs it. */
void sets_enter(checker *c, const model_set *set);

/* ---- inline_sets.c: sets that are written where they are used ---- */

/* The members of a list, to which a variable is restricted; n = 0 means no restriction. */
typedef struct inline_members {
  int n;
  const model_index *const *at;
} inline_members;

/* A set given by name, as a range or as a list; NULL after an error. */
const model_set *inline_set(checker *c, const syntax_set *s, const bound *inner,
                            inline_members *only);

/* inline_set for a dimension of an array. */
const model_set *inline_array_set(checker *c, const syntax_set *s);

/* Conditions: lower <= binder <= upper; a AND b, or a OR b.  If a or b is NULL, inline_joined
 * returns the other. */
const model_condition *inline_is_between(checker *c, const model_binder *binder,
                                         const model_index *lower, const model_index *upper);
const model_condition *inline_joined(checker *c, model_condition_kind kind,
                                     const model_condition *a, const model_condition *b);

/* ---- indices.c: index expressions ---- */

/* 1 if the expression consists of integers, sizes, bound variables and entries of index arrays
 * only, so that it may be an index.  Arguments of the current let count if `arguments` is 1. */
int indices_is_index(const checker *c, const syntax_expr *e, const bound *inner, int arguments);

/* The expression as an index of a dimension over `set`; set = NULL accepts any integer. */
const model_index *indices_for_set(checker *c, const syntax_expr *e, const model_set *set,
                                   const bound *inner);

/* The expression as an integer or a variable over a label set. */
const model_index *indices_any(checker *c, const syntax_expr *e, const bound *inner);

/* 1 for a call of mod, min or max; sets *kind. */
int indices_function(const checker *c, const syntax_expr *e, model_index_kind *kind);

/* The index array that the expression is an entry of; NULL if it is none. */
const model_indices *indices_array(const checker *c, const syntax_expr *e);

/* The label set of a variable; NULL if it is an integer, or its use is not known yet. */
const model_set *indices_labels_of(const bound *b);

const model_condition *indices_condition(checker *c, const syntax_condition *s, const bound *inner);

/* ---- formulas.c: let, hamiltonian, constraint, observe, invariant ---- */

void formulas_let(checker *c, const syntax_statement *s, declared *own);
void formulas_hamiltonian(checker *c, const syntax_statement *s, declared *own);
void formulas_lagrangian(checker *c, const syntax_statement *s, declared *own);
void formulas_constraint(checker *c, const syntax_statement *s, declared *own);
void formulas_algebraic(checker *c, const syntax_statement *s);
void formulas_observe(checker *c, const syntax_statement *s, declared *own);
void formulas_force(checker *c, const syntax_statement *s, declared *own);
void formulas_event(checker *c, const syntax_statement *s, declared *own);
/* Reports a model with forces and constraints that read momenta. */
void formulas_check_forces(checker *c);

/* ---- algebraic.c: variables without a time derivative ---- */

/* The name of the constraint of an `algebraic` statement, with the location of the variable's
 * name. */
syntax_name algebraic_constraint_name(const checker *c, const syntax_statement *s);

/* Reports a variable name that would make the name of the constraint too long. */
void algebraic_check_length(const checker *c, const syntax_statement *s);

/* The constraint momentum == 0 for all entries.  It is not entered in a list yet. */
model_family *algebraic_family(checker *c, const syntax_statement *s, const model_coordinate *q);

/* The assignment momentum = 0 for all entries, for an initial state. */
model_assignment algebraic_start(checker *c, const model_coordinate *q);

/* Reports the algebraic variables if H depends on none of them. */
void algebraic_check(checker *c);

/* ---- lagrangian_statement.c: L(q,v), and its H(q,p) ---- */

/* The name of the Hamiltonian of a Lagrangian: the given name, or a generated one with the
 * location of the Lagrangian's name. */
syntax_name lagrangian_energy(const syntax_statement *s);

/* Reports coordinates of the wrong kind: with a velocity for H, or without one for L. */
void lagrangian_check_coordinates(checker *c, const syntax_statement *given);

/* Reports an initial state that gives both velocities and momenta.  Returns 1 if the state is
 * valid. */
int lagrangian_start_good(checker *c, const model_init *init);

/* ---- source_text.c ---- */

/* The model's text within a span, without comments, with white space folded to single blanks. */
const char *text_folded(checker *c, span where);

/* "node = 1 .. 64": a range with its present bounds; only the bounds if they are its name. */
const char *text_range(arena *a, const model_set *set);

/* " at i = 64, j = 3": the variables of n indices with their values in c->environment; ""
 * without variables. */
const char *text_witness(checker *c, int n, const model_index *const index[]);

/* ---- ranges.c: the indices of a formula, with lets expanded ---- */

/* Checks every index of the family's body, and collects the distinct references to coordinates
 * and momenta in family->slots. */
void ranges_family(checker *c, model_family *family);

/* Checks the indices in a value of a parameter or an initial state. */
void ranges_expression(checker *c, const model_expr *body, int n,
                       const model_binder *const binders[]);

/* ---- parameter_statements.c ---- */

typedef struct values_checked {
  model_values values;
  long n_constants; /* 1, or the number of entries of a table */
  /* exact values of these entries; NULL for an entry that is not known exactly */
  mpq_srcptr *constants;
} values_checked;

/* Checks an expression or a table for all combinations of the binders.  Returns 0 after an
 * error. */
int values_check(checker *c, const syntax_value *value, int n, const model_binder *const binders[],
                 const bound *inner, values_checked *result);

void parameters_shape(checker *c, const syntax_statement *s, declared *own);
void parameters_value(checker *c, const syntax_statement *s, declared *own);

/* ---- inits.c ---- */

void inits_check(checker *c);

/* ---- run_statement.c ---- */

void run_check(checker *c);

#endif
