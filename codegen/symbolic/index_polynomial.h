/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_polynomial.h -- indices and conditions with variables in them, for the looped lowering.
 *
 * An index is a polynomial with integer coefficients in variables: those of loops, sizes, what mod, min and max make of two
 * indices, and entries of arrays of indices.  In this form two indices without these functions are the same expression exactly
 * where they are equal, whatever lets they came through.
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

/* Products of variables (their numbers, ascending, with repetition), and the coefficients that are not 0. */
using Monomial = std::vector<int>;
using Polynomial = std::map<Monomial, long>;

/* An index that is too large to handle: beyond long, or of more than a few dozen terms. */
struct IndexTooLarge : std::runtime_error {
  IndexTooLarge() : std::runtime_error("an index is too large") {}
};

Polynomial constant(long value);
Polynomial variable(int number);
/* factor * b + a. */
Polynomial plus(const Polynomial &a, const Polynomial &b, long factor = 1);
Polynomial times(const Polynomial &a, const Polynomial &b);
bool is_constant(const Polynomial &p);
/* The term without variables. */
long constant_term(const Polynomial &p);

using Substitution = std::map<int, Polynomial>;

/* Numbers for the variables, in the order in which they are met. */
class Variables
{
public:
  int of(const model_binder *binder);
  int of(const model_size *size);
  /* A new variable over the same set. */
  int twin(int number);

  /* mod, min or max of two indices; `kind` says which. */
  Polynomial made(model_index_kind kind, const Polynomial &a, const Polynomial &b);

  /* The entry of an array of indices. */
  Polynomial entry(const model_indices *indices, const Polynomial &at);

  /* p with values put in. */
  Polynomial substitute(const Polynomial &p, const Substitution &by);

  /* What it stands for: a binder, a size, a function of two indices, or an entry, whose place is `left`. */
  const model_binder *binder(int number) const { return at(number).binder; }
  const model_size *size(int number) const { return at(number).size; }
  bool is_made(int number) const { return !binder(number) && !size(number); }
  model_index_kind kind(int number) const { return at(number).kind; }
  const model_indices *indices(int number) const { return at(number).indices; }
  const Polynomial &left(int number) const { return at(number).left; }
  const Polynomial &right(int number) const { return at(number).right; }

  /* The binders that p reads, within functions, too. */
  void collect(const Polynomial &p, std::set<int> &binders) const;

  /* Whether a binder stands in p once, with the factor 1 or -1. */
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
  std::map<const void *, int> known; /* looked up, never walked, and so is the other one */
  using Made = std::tuple<int, const model_indices *, Polynomial, Polynomial>;
  std::map<Made, int> known_made; /* looked up, never walked */

  Polynomial kept(model_index_kind kind, const model_indices *indices, const Polynomial &left,
                  const Polynomial &right);
  const Variable &at(int number) const { return all[static_cast<size_t>(number)]; }
  int number(const void *key, const Variable &v);
};

struct Index {
  Polynomial value;
  const model_set *labels = nullptr; /* of a label */

  bool operator==(const Index &other) const { return value == other.value; }
  bool operator!=(const Index &other) const { return value != other.value; }
};

/* What binders' slots stand for; where it is empty, binders stand for themselves. */
using Environment = std::vector<Index>;

/* Throws ModelError where the index becomes too large. */
Index index_value(const model_index &index, const Environment &environment, Variables &variables);

/* The same where binders stand for themselves. */
Polynomial plain_value(const model_index &index, Variables &variables);

/* As a reader would write it, and as a tree of the arena. */
std::string index_text(arena *a, const Index &index, const Variables &variables);
const model_index *index_tree(arena *a, const Index &index, const Variables &variables, span where);

struct Condition;
using ConditionPointer = std::shared_ptr<const Condition>;

/* Comparisons of constants have been decided, so that each comparison here has a variable; and there is no 'not', whose part is
 * the opposite instead. */
struct Condition {
  model_condition_kind kind;
  Index left;
  Index right;
  ConditionPointer a;
  ConditionPointer b;
};

/* A condition, always true where the pointer is null, or never true. */
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

/* False where the conditions, with values put in, contradict each other plainly: one is wrong, or some say
 * p < c and p >= c, or p == c and p != c; likewise for every choice of one part of each 'or', as long as there are few choices, and
 * beyond that for each 'or' by itself. */
bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by,
                       Variables &variables);

/* The condition as some of which exactly one holds, wherever it does: an 'or' of which every part bounds a
 * variable of the loops is taken apart. */
std::vector<ConditionPointer> alternatives(const ConditionPointer &c, const std::set<int> &loops,
                                           Variables &variables);

} // namespace sidewinder

#endif
