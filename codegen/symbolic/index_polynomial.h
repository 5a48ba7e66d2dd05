/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_polynomial.h -- indices and conditions with variables, for the looped lowering.
 *
 * An index is a polynomial with integer coefficients.  Its variables are loop variables, sizes,
 * values of mod, min and max, and entries of index arrays.  Without mod, min and max, two indices
 * are equal for all values of the variables if and only if their polynomials are equal, regardless
 * of the lets that they were written with.
 */
#ifndef SIDEWINDER_SYMBOLIC_INDEX_POLYNOMIAL_H
#define SIDEWINDER_SYMBOLIC_INDEX_POLYNOMIAL_H

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/model.h"

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
 * Splits an 'or' only if each of its parts bounds a variable of the loops. */
std::vector<ConditionPointer> alternatives(const ConditionPointer &c, const std::set<int> &loops,
                                           Variables &variables);

} // namespace sidewinder

#endif
