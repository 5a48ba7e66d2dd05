/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h -- indices and conditions with variables in them, for the looped lowering.
 *
 * An index is a polynomial with integer coefficients in the variables of loops and in sizes.  In this form
 * two indices are the same expression exactly where they are equal, whatever lets they came through.
 */
#ifndef SIDEWINDER_INDEX_H
#define SIDEWINDER_INDEX_H

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
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
Polynomial substitute(const Polynomial &p, const Substitution &by);

/* Numbers for the variables, in the order in which they are met. */
class Variables
{
public:
  int of(const model_binder *binder);
  int of(const model_size *size);
  /* A new variable over the same set. */
  int twin(int number);

  /* What it stands for: exactly one is set. */
  const model_binder *binder(int number) const { return all[static_cast<size_t>(number)].binder; }
  const model_size *size(int number) const { return all[static_cast<size_t>(number)].size; }
  const char *name(int number) const;

private:
  struct Variable {
    const model_binder *binder;
    const model_size *size;
  };
  std::vector<Variable> all;
  std::map<const void *, int> known; /* looked up, never walked */

  int number(const void *key, const Variable &v);
};

struct Index {
  Polynomial value;
  const model_set *labels = nullptr; /* of a label */

  bool operator==(const Index &other) const { return value == other.value; }
  bool operator!=(const Index &other) const { return value != other.value; }
};

/* What binders' slots stand for. */
using Environment = std::vector<Index>;

/* Throws ModelError where the index becomes too large. */
Index index_value(const model_index &index, const Environment &environment, Variables &variables);

/* As a reader would write it, and as a tree of the arena. */
std::string index_text(const Index &index, const Variables &variables);
const model_index *index_tree(arena *a, const Index &index, const Variables &variables, span where);

struct Condition;
using ConditionPointer = std::shared_ptr<const Condition>;

/* Comparisons of constants have been decided, so that each comparison here has a variable. */
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

Filter condition_value(const model_condition *condition, const Environment &environment,
                       Variables &variables);
ConditionPointer both(const ConditionPointer &a, const ConditionPointer &b);
bool same(const ConditionPointer &a, const ConditionPointer &b);
ConditionPointer substitute(const ConditionPointer &c, const Substitution &by);
const model_condition *condition_tree(arena *a, const ConditionPointer &c,
                                      const Variables &variables);

/* False where the conditions, with values put in, contradict each other plainly: one is wrong, or two say
 * p < c and p >= c.  What is under 'or' and 'not' is not looked at. */
bool may_hold_together(const std::vector<ConditionPointer> &conditions, const Substitution &by);

} // namespace sidewinder

#endif
