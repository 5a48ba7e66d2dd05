/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unroll.h -- checked model to GiNaC expressions, one for every instance of every family.
 */
#ifndef SIDEWINDER_SYMBOLIC_UNROLL_H
#define SIDEWINDER_SYMBOLIC_UNROLL_H

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/domain.h"
#include "symbolic/exact.h"
#include "symbolic/legendre.h"
#include "symbolic/symbols.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

/* Running sums: sum(j in 1 .. i-1: a[j]) for i = 1, 2, 3, ... adds one term to the previous sum. */
class RunningSums
{
public:
  /* A symbol and its value, which contains earlier symbols only. */
  using Definition = std::pair<ex, ex>;
  std::vector<Definition> definitions;

  /* Whether e is a running sum: a sum over one variable, with one bound that depends on outer
   * variables, and a body that does not.  A condition may set the bound. */
  bool can_continue(const model_expr &e);

  /* The sum e.  term(j) is the summand, as a symbol or a short value.  The environment gives the
   * values of the variables that e reads. */
  ex sum(const model_expr &e, const std::vector<long> &environment,
         const std::function<ex(long)> &term);

private:
  /* The partial sums of 1, 2, 3, ... terms from the fixed bound on; the last one equals `base`
   * plus the terms in `behind`. */
  struct Chain {
    std::vector<ex> sums;
    ex base = 0;
    exvector behind;
  };
  using Slots = std::optional<std::set<int>>;
  std::map<const model_expr *, Slots> slots; /* used for lookups only, as is `chains` */
  std::map<std::pair<const model_expr *, std::vector<long>>, Chain> chains;

  ex named(const ex &value);
};

/* Limit of the visited nodes of the checked model.  model_is_small() sets further limits. */
constexpr long max_visits = 2000000;

std::vector<ex> values_of(const std::vector<PlacedTerm> &terms);

class Unroller
{
public:
  /* `lower` is used to find the domain conditions that simplified formulas still check. */
  Unroller(const model &m, const Symbols &s, ir_context *c, Lowering &lower);

  /* One expression for each instance, in the family's order. */
  std::vector<ex> family(const model_family &f);

  /* The terms of H; H is their sum.  They are the instances of the model's terms, or the
   * Legendre transform of L. */
  const std::vector<PlacedTerm> &hamiltonian_terms();

  /* The instances of the terms of L; symbols of momenta denote velocities. */
  const std::vector<PlacedTerm> &lagrangian_terms() const { return terms_of_L; }

  /* The number of velocities in the largest block of M, and in the largest block that is solved
   * at each state. */
  int coupled() const { return transformed.coupled; }
  int solved() const { return transformed.solved; }

  /* One expression for each entry of an array of this shape.  These expressions, and those of
   * state(), may contain symbols of `running`. */
  std::vector<ex> values(const model_values &v);

  /* The 2d expressions of an initial state, in the parameters. */
  std::vector<ex> state(const model_init &init);

  RunningSums running;
  /* If not NULL, values of lets are replaced by names, and domain conditions that the formula
   * does not check (domain.h) are dropped. */
  Named *named = nullptr;

private:
  const model &source;
  const Symbols &symbols;
  ir_context *context;
  Lowering &lowering;
  std::vector<long> environment;
  std::vector<std::vector<ex>> frames; /* real arguments of the lets that are being expanded */
  struct Expanded {
    ex value;
    Conditions conditions;
  };
  std::map<std::pair<const model_let *, std::vector<long>>, Expanded> expanded;
  Domain domain;
  std::vector<PlacedTerm> terms; /* of H */
  std::vector<PlacedTerm> terms_of_L;
  Legendre transformed;
  Conditions conditions_of_H;
  bool have_terms = false;
  bool in_lagrangian = false; /* momenta denote velocities */
  bool is_running = false;    /* running sums are allowed */
  long visits = 0;
  double rounds = 0; /* index values tested so far */

  size_t n_sums = 0; /* number of running sums that are already defined for lowering */

  Expanded alone(const model_expr &e);
  void define_sums(span where);
  std::vector<PlacedTerm> instances(std::vector<Conditions> &conditions);
  void keep_conditions_of_H(const std::vector<Conditions> &conditions);
  std::vector<PlacedTerm> transform_lagrangian();
  std::vector<int> moving() const; /* degrees of freedom with a velocity, ascending */
  void velocities_to_momenta(std::vector<ex> &z);
  ex velocity(const model_expr &e);
  bool reads_velocities(const ex &e) const;
  ex within_domain(const model_expr &e);
  ex expression(const model_expr &e);
  ex value(const model_expr &e);
  ex chain(const model_expr &e, bool sums);
  ex let(const model_expr &e);
  ex constraint(const model_expr &e);
  ex repeated(const model_expr &e);
  ex continued(const model_expr &e);
  void spend(int n, const model_binder *const binders[], const model_condition *condition,
             span where);
  /* each_round calls visit() for every iteration of the binders that satisfies the condition;
   * each_value calls visit(value) for every entry. */
  template <class Visit>
  void each_round(int n, const model_binder *const binders[], const model_condition *condition,
                  span where, Visit visit);
  template <class Visit> void each_value(const model_values &v, Visit visit);
  long position(const model_expr &e);
};

} // namespace sidewinder

#endif
