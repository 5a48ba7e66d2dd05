/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unroll.h -- checked model to GiNaC expressions, one for every instance of every family.
 */
#ifndef SIDEWINDER_UNROLL_H
#define SIDEWINDER_UNROLL_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/domain.h"
#include "symbolic/legendre.h"
#include "symbolic/named.h"
#include "symbolic/running.h"
#include "symbolic/symbols.h"
#include "symbolic/term_place.h"

namespace sidewinder
{

/* Bound on what is unrolled, beside those of model_is_small(): nodes of the checked model visited. */
constexpr long max_visits = 2000000;

std::vector<ex> values_of(const std::vector<PlacedTerm> &terms);

class Unroller
{
public:
  /* Formulas are lowered where it has to be seen what is left of them. */
  Unroller(const model &m, const Symbols &s, ir_context *c, Lowering &lower);

  /* One expression per instance, in the family's own order. */
  std::vector<ex> family(const model_family &f);

  /* The terms of H, which is their sum: the instances of those that are written, or what a Lagrangian makes of them. */
  const std::vector<PlacedTerm> &hamiltonian_terms();

  /* The instances of the terms of L; symbols of momenta stand for velocities. */
  const std::vector<PlacedTerm> &lagrangian_terms() const { return terms_of_L; }

  /* Velocities in the largest block of M, and in that of those that are solved for at each state. */
  int coupled() const { return transformed.coupled; }
  int solved() const { return transformed.solved; }

  /* One expression per entry of an array of this shape; they and those of a state may have symbols of
   * running sums in them. */
  std::vector<ex> values(const model_values &v);

  /* The 2d expressions of an initial state, in the parameters. */
  std::vector<ex> state(const model_init &init);

  RunningSums running;
  /* Where it is set, what lets give names to is kept by them, and what is not seen of conditions (domain.h) is dropped. */
  Named *named = nullptr;

private:
  const model &source;
  const Symbols &symbols;
  ir_context *context;
  Lowering &lowering;
  std::vector<long> environment;
  std::vector<std::vector<ex>> frames; /* real arguments of the lets being expanded */
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
  bool in_lagrangian = false; /* velocities are variables */
  bool is_running = false;    /* sums may continue each other */
  long visits = 0;
  double rounds = 0; /* index values that were tried one by one */

  size_t n_sums = 0; /* of the running ones, that are defined for lowering */

  Expanded alone(const model_expr &e);
  void define_sums(span where);
  std::vector<PlacedTerm> instances(std::vector<Conditions> &conditions);
  void keep_conditions_of_H(const std::vector<Conditions> &conditions);
  std::vector<PlacedTerm> transform_lagrangian();
  std::vector<int> moving() const; /* the degrees of freedom that have a velocity */
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
  /* Calls visit() in every iteration of the binders that the condition admits, and visit(value) for every entry. */
  template <class Visit>
  void each_round(int n, const model_binder *const binders[], const model_condition *condition,
                  span where, Visit visit);
  template <class Visit> void each_value(const model_values &v, Visit visit);
  long position(const model_expr &e);
};

} // namespace sidewinder

#endif
