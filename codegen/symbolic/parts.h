/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h -- checked model to sums of parts: GiNaC expressions with the loops around them.
 */
#ifndef SIDEWINDER_PARTS_H
#define SIDEWINDER_PARTS_H

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/model.h"
#include "symbolic/domain.h"
#include "symbolic/exact.h"
#include "symbolic/symbols.h"

/*
 * Indices and conditions with variables, for the looped lowering.
 *
 * An index is a polynomial with integer coefficients.  Its variables are loop variables, sizes,
 * values of mod, min and max, and entries of index arrays.  Without mod, min and max, two indices
 * are equal for all values of the variables if and only if their polynomials are equal, regardless
 * of the lets that they were written with.
 */

namespace sidewinder
{

/* A monomial lists its variables by number, ascending, with repetition.  A polynomial maps
 * monomials to nonzero coefficients. */
using Monomial = std::vector<int>;
using Polynomial = std::map<Monomial, long>;

/* Thrown if an index overflows a long or has more than a few dozen terms. */
struct IndexTooLarge : std::runtime_error {
  IndexTooLarge() : std::runtime_error("an index is too large") {}
};

Polynomial constant(long value);
Polynomial variable(int number);
/* a + factor * b. */
Polynomial plus(const Polynomial &a, const Polynomial &b, long factor = 1);
Polynomial times(const Polynomial &a, const Polynomial &b);
bool is_constant(const Polynomial &p);
/* The coefficient of the monomial without variables. */
long constant_term(const Polynomial &p);

using Substitution = std::map<int, Polynomial>;

/* Numbers the variables in the order of their first occurrence. */
class Variables
{
public:
  int of(const model_binder *binder);
  int of(const model_size *size);
  /* A new variable over the same set. */
  int twin(int number);

  /* mod, min or max of two indices, according to `kind`. */
  Polynomial made(model_index_kind kind, const Polynomial &a, const Polynomial &b);

  /* The entry of an index array at `at`. */
  Polynomial entry(const model_indices *indices, const Polynomial &at);

  /* p with the variables in `by` replaced by their values. */
  Polynomial substitute(const Polynomial &p, const Substitution &by);

  /* The meaning of a variable: a binder, a size, a function of two indices (kind, left, right),
   * or an entry of an index array (indices, with its index in `left`). */
  const model_binder *binder(int number) const { return at(number).binder; }
  const model_size *size(int number) const { return at(number).size; }
  bool is_made(int number) const { return !binder(number) && !size(number); }
  model_index_kind kind(int number) const { return at(number).kind; }
  const model_indices *indices(int number) const { return at(number).indices; }
  const Polynomial &left(int number) const { return at(number).left; }
  const Polynomial &right(int number) const { return at(number).right; }

  /* Adds the binders that p depends on, including arguments of mod, min, max and index arrays. */
  void collect(const Polynomial &p, std::set<int> &binders) const;

  /* 1 if binder v occurs in p exactly once, linearly, with the coefficient 1 or -1. */
  bool stands_alone(int v, const Polynomial &p) const;

private:
  struct Variable {
    const model_binder *binder = nullptr;
    const model_size *size = nullptr;
    model_index_kind kind = INDEX_INTEGER;
    const model_indices *indices = nullptr;
    Polynomial left;
    Polynomial right;
  };
  std::vector<Variable> all;
  std::map<const void *, int> known; /* used for lookups only */
  using Made = std::tuple<int, const model_indices *, Polynomial, Polynomial>;
  std::map<Made, int> known_made; /* used for lookups only */

  Polynomial kept(model_index_kind kind, const model_indices *indices, const Polynomial &left,
                  const Polynomial &right);
  const Variable &at(int number) const { return all[static_cast<size_t>(number)]; }
  int number(const void *key, const Variable &v);
};

struct Index {
  Polynomial value;
  const model_set *labels = nullptr; /* the set if the index is a label, else NULL */

  bool operator==(const Index &other) const { return value == other.value; }
  bool operator!=(const Index &other) const { return value != other.value; }
};

/* The values of the binders, by slot.  In an empty environment each binder is a variable. */
using Environment = std::vector<Index>;

/* Throws ModelError if the index becomes too large. */
Index index_value(const model_index &index, const Environment &environment, Variables &variables);

/* index_value in an empty environment. */
Polynomial plain_value(const model_index &index, Variables &variables);

/* The index as text for a reader, and as a syntax tree in the arena. */
std::string index_text(arena *a, const Index &index, const Variables &variables);
const model_index *index_tree(arena *a, const Index &index, const Variables &variables, span where);

struct Condition;
using ConditionPointer = std::shared_ptr<const Condition>;

/* A condition on indices.  Comparisons of constants have been evaluated, so every comparison
 * here contains a variable.  There is no 'not': negations are resolved into the opposite
 * comparisons. */
struct Condition {
  model_condition_kind kind;
  Index left;
  Index right;
  ConditionPointer a;
  ConditionPointer b;
};

/* A condition; always true if the pointer is null and `never` is false. */
struct Filter {
  ConditionPointer condition;
  bool never = false;
};

Filter compared(model_condition_kind kind, const Index &left, const Index &right);
Filter condition_value(const model_condition *condition, const Environment &environment,
                       Variables &variables);
ConditionPointer both(const ConditionPointer &a, const ConditionPointer &b);
Filter both(const Filter &a, const Filter &b);
bool same(const ConditionPointer &a, const ConditionPointer &b);
ConditionPointer negated(const ConditionPointer &c);
ConditionPointer substitute(const ConditionPointer &c, const Substitution &by,
                            Variables &variables);
/* lower <= at <= upper. */
Filter between(const Index &at, const Polynomial &lower, const Polynomial &upper);
void collect(const ConditionPointer &c, const Variables &variables, std::set<int> &binders);
const model_condition *condition_tree(arena *a, const ConditionPointer &c,
                                      const Variables &variables);

/* Returns false only if the conditions, after the substitution, contradict each other: a
 * comparison is false, or two of them have the forms p < c and p >= c, or p == c and p != c.
 * Every choice of one part of each 'or' must fail.  If there are too many choices, each 'or' is
 * tested by itself. */
bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by,
                       Variables &variables);

/* Splits a condition into conditions of which exactly one holds wherever the given one holds.
 * Splits an 'or' only if each of its parts bounds a variable of the loops, into at most `most`
 * conditions. */
std::vector<ConditionPointer> alternatives(const ConditionPointer &c, const std::set<int> &loops,
                                           Variables &variables, size_t most = 16);

} // namespace sidewinder

namespace sidewinder
{

struct LoopVelocities;

/* The context that all families of a model share. */
struct LoopModel {
  arena *memory;
  const model &source;
  ir_context *context;
  mutable Variables variables; /* comparisons of indices may add variables */
  int n_slots;                 /* slots of the model and of the binders created here */
  long visits = 0;
  std::shared_ptr<const LoopVelocities> velocities; /* of a Lagrangian; computed on first use */
  /* 1 if sums over fixed sets inside sums over other sets are unrolled */
  bool labels_apart = false;

  LoopModel(arena *a, const model &m, ir_context *c)
      : memory(a), source(m), context(c), n_slots(m.n_slots)
  {
  }
};

struct Part;

/* An entry of an array at a symbolic index, an instance of a family, a sum, or (if all pointers
 * are NULL) an index used as a number. */
struct Atom {
  const model_coordinate *coordinate;
  const model_parameter *parameter;
  const model_family *constraint;
  std::vector<Index> index;
  span where; /* the first reference to this atom */
  std::shared_ptr<const Part> sum = nullptr;
  bool is_impulse = false; /* of a constraint: its impulse instead of its multiplier */
  ex symbol = 0;           /* symbol of the position, the value, the multiplier or the number */
  ex momentum = 0;         /* symbol of the momentum, for a coordinate */
};

/* The atoms of one family, numbered in the order of first appearance. */
class Atoms
{
public:
  explicit Atoms(const LoopModel &m) : world(m) {}

  /* The number of an atom, which gets symbols on its first occurrence. */
  int find(const Atom &atom);
  /* An expression in the atoms of `from`, rewritten in these atoms with the indices substituted. */
  ex substituted(const Atoms &from, const ex &e, const Substitution &by);

  const Atom &operator[](int i) const { return all[static_cast<size_t>(i)]; }
  /* The atoms that e reads, ascending. */
  std::vector<int> in(const ex &e) const;
  std::string text(int atom, bool momentum = false) const;

private:
  using Key = std::tuple<const void *, bool, std::vector<Polynomial>>;
  const LoopModel &world;
  std::vector<Atom> all;
  std::map<Key, int> known;                   /* used for lookups only */
  std::map<ex, int, ex_is_less> from_symbols; /* used for lookups only */
};

/* Indices in brackets, such as "[i+1,x]"; "" for none. */
std::string indices_text(const std::vector<Index> &index, const LoopModel &world);

/* Whether the set has the same number of elements for all sizes. */
bool is_fixed(const model_set &set);

struct Part {
  std::vector<const model_binder *> loops; /* outermost first */
  ConditionPointer condition;
  ex kernel;
  span where; /* the sum that loops */
};
using Parts = std::vector<Part>;

/* Whether a and b are the same set, or ranges with the same bounds. */
bool same_range(const model_set &a, const model_set &b, LoopModel &world);

Parts scalar_part(const ex &e);
/* a + factor * b.  Throws ModelError at `where` if the result has too many parts. */
Parts added(Parts a, const Parts &b, const ex &factor, span where);

/* A value, valid if the condition holds. */
struct Case {
  ConditionPointer condition;
  ex value;
};

/* Limits: parts of one family; cases of one value; iterations of an unrolled sum; and the
 * product of the iterations of nested unrolled sums. */
constexpr size_t max_parts = 256;
constexpr size_t max_cases = 64;
constexpr double max_unrolled = 64;
constexpr double max_copies = 1024;

/* Recursion limit for expressions.  Each level takes up to 1 kB of the stack, and more with
 * sanitizers. */
constexpr int max_depth = 2000;

/* Evaluates one family.  Sums with few elements over fixed sets are unrolled.  The others are
 * loops; they may only be summands, or be multiplied by values without loops. */
class Looper
{
public:
  explicit Looper(LoopModel &m);

  Atoms atoms;
  bool keeps_sums = false; /* a sum that loops becomes an atom, so it may occur anywhere */
  /* If not NULL, values of lets are replaced by names, parts are not merged, and domain
   * conditions that the formula does not check (domain.h) are dropped. */
  Named *named = nullptr;

  /* The body of a family, with its binders as variables.  Parts with the same loops are merged. */
  Parts family(const model_family &f);
  Parts hamiltonian();
  /* The number of velocities in the largest block of M; 0 if the model gives H. */
  int coupled() const;
  /* p = L_v at this index, at the positions and velocities of an initial state. */
  std::vector<Case> starting_momentum(const model_init &init, const model_coordinate &c,
                                      const std::vector<Index> &index, span where);
  /* The value of an expression that has no loops of its own.  Exactly one of the cases holds. */
  std::vector<Case> value(const model_expr &e);
  Filter filter(const model_condition *condition);
  /* The indices of a reference to an array of this shape. */
  std::vector<Index> indices(int n, const model_index *const index[], const model_shape *shape);
  void bind(const model_binder *binder, const Index &value);
  void bind(int n, const model_binder *const binders[], const std::vector<Index> &values);
  /* Binds the binders to their values in an environment of the model. */
  void bind(int n, const model_binder *const binders[], const std::vector<long> &at);
  /* Makes the binders variables. */
  void open(int n, const model_binder *const binders[]);

private:
  struct Frame {
    std::vector<Parts> values;
    std::vector<const Index *> indices;
  };
  /* The values of a sum's binders: one vector for each iteration. */
  using Values = std::vector<std::vector<Index>>;
  /* A sum, or a product if `sum` is false. */
  struct Iterations {
    int n;
    const model_binder *const *binders;
    const model_condition *condition;
    const model_expr &body;
    span where;
    bool sum;
  };
  LoopModel &world;
  Environment environment;
  std::vector<Frame> frames;
  int depth = 0;
  double copies = 1;                   /* iterations of the enclosing unrolled sums, multiplied */
  std::set<const model_binder *> used; /* used for lookups only */
  struct Expanded {
    Parts parts;
    Conditions conditions;
  };
  std::map<std::pair<const model_let *, std::vector<Polynomial>>, Expanded> expanded;
  Domain domain;
  bool in_lagrangian = false; /* momenta of atoms denote velocities */

  /* The current values of the binders, to restore them later. */
  std::vector<Index> bound(int n, const model_binder *const binders[]) const;

  /* The parts, with a factor inside(u) for each condition that none of them checks. */
  Parts kept_inside_of(Parts parts, const Conditions &conditions, span where);
  template <class Function>
  Parts each_case(const std::vector<Case> &x, const std::vector<Case> &y, span where, Function f);
  Parts expression(const model_expr &e);
  Parts known(const model_expr &e);
  std::vector<Case> cases(const model_expr &e, const char *around);
  std::vector<Case> cases_of(const Parts &parts, span where);
  Parts product(const Parts &a, const Parts &b, span where);
  Parts chain(const model_expr &e);
  Parts multiplied(const model_expr &e);
  Parts divided(const model_expr &e);
  Parts power(const model_expr &e);
  Parts call(const model_expr &e);
  Parts let(const model_expr &e);
  Parts argument(const model_expr &e);
  Parts number(const Index &index, span where);
  Parts entry(const model_expr &e);
  Parts lambda(const model_expr &e); /* multiplier(c) or impulse(c) */
  Parts constraint(const model_expr &e);
  Parts all_terms();
  Parts written_terms();
  Parts with_labels_apart(const model_family &term);
  Parts lagrangian();
  Parts transformed(const Parts &L);
  Parts moving(const Parts &L, Parts &potential);
  Parts velocity(const model_expr &e);
  Parts transported(const model_coordinate &c, const std::vector<Index> &index, bool of_momenta,
                    span where);
  std::vector<Case> starting(const model_init &init, const Atom &atom, bool velocity, span where);
  std::vector<Case> starting_value(const model_assignment &a, const std::vector<Index> &index);
  std::vector<Case> at_start(const std::vector<Case> &from, const model_init &init, int atom,
                             bool velocity, span where);
  const LoopVelocities &velocities();
  std::shared_ptr<const LoopVelocities> made_velocities();
  friend struct LoopVelocities;
  Parts repeated(const Iterations &r);
  bool enumerate(const Iterations &r, Values &values);
  Parts unrolled(const Iterations &r, const Values &values);
  Parts looped(const Iterations &r);
  Parts kept(const Parts &parts, span where);
  const model_binder *fresh(const model_binder *b);
  const model_binder *dependent(const model_binder *b);
  bool same_set(const Part &a, const Part &b, size_t j, const Substitution &rename);
  Parts merged(const Parts &parts);
  Parts put_together(const Parts &parts);
  bool merge(Part &into, const Part &other);
};

} // namespace sidewinder

#endif
