// SPDX-License-Identifier: GPL-2.0-or-later
// symbolic.cpp -- the unrolled lowering: from a checked model to a program of IR expressions.
#include "symbolic/symbolic.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "expr/derivative.h"
#include "expr/discrete_gradient.h"
#include "expr/evaluate.h"
#include "expr/forces.h"
#include "expr/magnitude.h"
#include "symbolic/derivatives.h"
#include "symbolic/exact.h"
#include "symbolic/fibre.h"
#include "symbolic/unroll.h"

namespace sidewinder
{

static const char *const *family_names(arena *memory, const model &source, int n,
                                       const model_family *const list[])
{
  std::vector<const char *> all;
  for (int i = 0; i < n; i++) {
    const char *const *names = model_family_names(memory, &source, list[i]);
    all.insert(all.end(), names, names + list[i]->count);
  }
  return kept(memory, all);
}

// Sets the names of q, p, k, constraints, observables and invariants, and the array that each q
// belongs to.
static void name_entries(arena *memory, const model &source, ir_program *program)
{
  const char **q = ARENA_ARRAY(memory, source.nq + 1, const char *);
  const char **p = ARENA_ARRAY(memory, source.nq + 1, const char *);
  int *array = ARENA_ARRAY(memory, source.nq + 1, int);
  for (int j = 0; j < source.n_coordinates; j++) {
    const model_coordinate &c = *source.coordinates[j];
    const char *const *positions = model_shape_names(memory, c.name, &c.shape);
    const char *const *momenta = model_shape_names(memory, c.momentum, &c.shape);
    std::copy(positions, positions + c.shape.count, q + c.offset);
    std::copy(momenta, momenta + c.shape.count, p + c.offset);
    std::fill(array + c.offset, array + c.offset + c.shape.count, j);
  }
  program->q_array = array;
  const char **k = ARENA_ARRAY(memory, source.nk + 1, const char *);
  for (int j = 0; j < source.n_parameters; j++) {
    const model_parameter &parameter = *source.parameters[j];
    const char *const *entries = model_shape_names(memory, parameter.name, &parameter.shape);
    std::copy(entries, entries + parameter.shape.count, k + parameter.offset);
  }
  program->q_names = q;
  program->p_names = p;
  program->k_names = k;
  program->c_names = family_names(memory, source, source.n_constraints, source.constraints);
  program->observe_names = family_names(memory, source, source.n_observe, source.observe);
  program->invariant_names = family_names(memory, source, source.n_invariants, source.invariants);
  program->force_names = family_names(memory, source, source.n_forces, source.forces);
  program->event_names = family_names(memory, source, source.n_events, source.events);
}

namespace
{

class Builder
{
public:
  Builder(arena *a, const model &m, ir_context *c)
      : memory(a), source(m), context(c), symbols(m), lower(c, symbols),
        unroll(m, symbols, c, lower), program(ARENA_NEW(a, ir_program))
  {
  }

  const ir_program *build();

  /* Adds the discrete gradients. */
  void discrete(ir_program *to);

private:
  arena *memory;
  const model &source;
  ir_context *context;
  Symbols symbols;
  Lowering lower;
  Unroller unroll;
  ir_program *program;

  void parameters();
  void states();
  void bound_work(const std::vector<ex> &g);
  void hamiltonian(const Derivatives &of);
  void lagrangian();
  void constraints(const Derivatives &of);
  bool closed_flow(const Derivatives &of, const std::vector<ex> &flow, std::string &reason);
  void fibre(const Derivatives &of);
  void outputs(const Derivatives &of);
  void forces();
  void structure(const Derivatives &of);

  span constraint_place(int i) const;
  /* The location of entry or row i of a function in the model file. */
  using Place = std::function<span(int)>;
  void vector(ir_function_id id, const std::vector<ex> &values, const Place &place);
  void matrix(ir_function_id id, int rows, int cols, const Matrix &entries, const Place &place);
  void scale(ir_function_id from, ir_function_id to);
  std::vector<ex> families(int n, const model_family *const list[]);
  const char *keep(const std::string &text) { return arena_strdup(memory, text.c_str()); }
};

span Builder::constraint_place(int i) const
{
  for (int j = 0; j < source.n_constraints; j++) {
    const model_family &f = *source.constraints[j];
    if (i < f.offset + f.count) {
      return f.where;
    }
  }
  return {0, 0};
}

void Builder::vector(ir_function_id id, const std::vector<ex> &values, const Place &place)
{
  program->functions[id] = lowered(memory, lower, values, place);
}

void Builder::matrix(ir_function_id id, int rows, int cols, const Matrix &entries,
                     const Place &place)
{
  program->functions[id] = lowered(memory, lower, rows, cols, entries, place);
}

void Builder::scale(ir_function_id from, ir_function_id to)
{
  const ir_function &f = program->functions[from];
  std::vector<const ir_expr *> values;
  for (int i = 0; i < f.n; i++) {
    values.push_back(f.entries[i].value);
  }
  std::vector<const ir_expr *> bounds(values.size());
  ir_magnitudes(context, f.n, values.data(), bounds.data());
  program->functions[to] = ir_vector(context, f.n, bounds.data());
}

std::vector<ex> Builder::families(int n, const model_family *const list[])
{
  std::vector<ex> all;
  for (int i = 0; i < n; i++) {
    for (const ex &instance : unroll.family(*list[i])) {
      all.push_back(instance);
    }
  }
  return all;
}

void Builder::parameters()
{
  double *k = ARENA_ARRAY(memory, source.nk + 1, double);
  int *array = ARENA_ARRAY(memory, source.nk + 1, int);
  ir_bounds *bounds = ARENA_ARRAY(memory, source.nk + 1, ir_bounds);
  const ir_expr **exact_values = ARENA_ARRAY(memory, source.nk + 1, const ir_expr *);
  for (int j = 0; j < source.n_parameters; j++) {
    const model_parameter &parameter = *source.parameters[j];
    std::vector<const ir_expr *> values;
    const std::vector<ex> defaults = unroll.values(parameter.values);
    for (const ex &value : defaults) {
      values.push_back(lower.at(value, parameter.where));
    }
    ir_evaluator *evaluator = ir_evaluator_create(context);
    const ir_values none = {{nullptr, nullptr, nullptr}};
    ir_evaluator_begin(evaluator, &none);
    bool finite = true;
    for (size_t i = 0; i < values.size(); i++) {
      const double value = ir_evaluator_value(evaluator, values[i]);
      finite = finite && std::isfinite(value);
      const size_t at = static_cast<size_t>(parameter.offset) + i;
      k[at] = value;
      exact_values[at] = values[i];
      array[at] = j;
      bounds[at] = {parameter.lower, parameter.upper, parameter.lower_closed,
                    parameter.upper_closed};
    }
    ir_evaluator_free(evaluator);
    if (!finite) {
      throw ModelError(parameter.where, std::string("the default of parameter '") + parameter.name +
                                            "' is not a finite number");
    }
  }
  program->k_default = k;
  program->k_exact = exact_values;
  program->k_bounds = bounds;
  program->k_array = array;
}

void Builder::states()
{
  program->n_states = source.n_inits;
  program->has_bath = source.has_bath;
  program->states = ARENA_ARRAY(memory, source.n_inits + 1, ir_state);
  for (int j = 0; j < source.n_inits + source.has_bath; j++) {
    const model_init &init = *source.inits[j];
    std::vector<const ir_expr *> values;
    for (const ex &value : unroll.state(init)) {
      values.push_back(lower.at(value, init.where));
    }
    program->states[j] = {init.name, kept(memory, values)};
  }
}

// Throws ModelError if a formula would take too long to differentiate.
void Builder::bound_work(const std::vector<ex> &g)
{
  Growth growth(symbols);
  double total = 0;
  const auto add = [&](const ex &e, double weight, span where) {
    spend_work(total, weight * growth.work(e), "the derivatives of this formula", where);
  };
  for (const PlacedTerm &term : unroll.hamiltonian_terms()) {
    add(term.value, 1, term.where);
  }
  for (size_t i = 0; i < g.size(); i++) {
    add(g[i], work_of_constraint, constraint_place(static_cast<int>(i)));
  }
}

void Builder::hamiltonian(const Derivatives &of)
{
  // Each term is lowered by itself first, so an error has the location of its term.
  ir_term_of_H *terms = ARENA_ARRAY(memory, of.H_terms.size() + 1, ir_term_of_H);
  for (const PlacedTerm &term : unroll.hamiltonian_terms()) {
    terms[program->n_terms++] = {lower.at(term.value, term.where), term.where};
  }
  program->terms = terms;
  const auto place = [&](int) { return source.terms[0]->where; };
  const int n = 2 * symbols.d;
  vector(IR_HAMILTONIAN, {of.H}, place);
  std::vector<ex> slopes(static_cast<size_t>(n), 0);
  for (const auto &[i, slope] : of.H_z) {
    slopes[static_cast<size_t>(i)] = slope;
  }
  vector(IR_HAMILTONIAN_GRAD, slopes, place);
  matrix(IR_HAMILTONIAN_HESS, n, n, of.H_zz, place);
}

// The sum of the terms of L; reports show it.
void Builder::lagrangian()
{
  const std::vector<PlacedTerm> &terms = unroll.lagrangian_terms();
  if (!terms.empty()) {
    program->lagrangian = lower.at(sum_of(values_of(terms)), terms[0].where);
  }
}

static Matrix rows(const std::vector<Gradient> &gradients)
{
  Matrix result;
  for (size_t i = 0; i < gradients.size(); i++) {
    for (const auto &[j, slope] : gradients[i]) {
      result[{static_cast<int>(i), j}] = slope;
    }
  }
  return result;
}

void Builder::constraints(const Derivatives &of)
{
  for (size_t i = 0; i < of.g.size(); i++) {
    if (of.g_z[i].empty()) {
      throw ModelError(
          constraint_place(static_cast<int>(i)),
          std::string("constraint '") + program->c_names[i] +
              "' does not depend on any coordinate or momentum: what it reads cancels");
    }
  }
  const auto place = [&](int i) { return constraint_place(i); };
  const auto anywhere = [&](int) { return constraint_place(0); };
  const int m = program->nc;
  const int n = 2 * symbols.d;
  vector(IR_CONSTRAINT, of.g, place);
  scale(IR_CONSTRAINT, IR_CONSTRAINT_SCALE);
  matrix(IR_CONSTRAINT_JAC, m, n, rows(of.g_z), place);
  matrix(IR_CONSTRAINT_HESS, n, n, of.lambda_g_zz, anywhere);
  vector(IR_HIDDEN, of.rho, place);
  scale(IR_HIDDEN, IR_HIDDEN_SCALE);
  matrix(IR_HIDDEN_JAC, m, n, rows(of.rho_z), place);
  matrix(IR_COISOTROPY, m, m, of.C, place);
  matrix(IR_NONDEGENERACY, m, m, of.N, place);
}

// The functions of a closed fibre flow; whether their formulas are short enough.
bool Builder::closed_flow(const Derivatives &of, const std::vector<ex> &flow, std::string &reason)
{
  const auto anywhere = [&](int) { return constraint_place(0); };
  const int n = 2 * symbols.d;
  ir_function tried[IR_FUNCTIONS] = {};
  ir_attempt attempt = ir_attempt_begin(context, static_cast<size_t>(IR_ATTEMPT_MIB) << 20);
  try {
    Lowering own = lower; // what it remembers may be dropped
    tried[IR_FIBRE_FLOW] = lowered(memory, own, flow, anywhere);
    const ir_function *f = &tried[IR_FIBRE_FLOW];
    tried[IR_FIBRE_FLOW_LAMBDA] = ir_jacobian(context, f, IR_LAMBDA, program->nc);
    tried[IR_FIBRE_FLOW_Z] = ir_jacobian(context, f, IR_Z, n);
    tried[IR_FIBRE_INCREMENT] = is_holonomic(of) ? ir_function{} : ir_increment(context, f);
  } catch (...) {
    ir_attempt_drop(&attempt);
    throw;
  }
  const char *excess = ir_attempt_excess(memory, context);
  reason = excess ? std::string("the formulas of the closed form ") + excess : "";
  if (!ir_attempt_settle(&attempt, 1)) {
    return false;
  }
  for (const int id : {IR_FIBRE_FLOW, IR_FIBRE_FLOW_LAMBDA, IR_FIBRE_FLOW_Z, IR_FIBRE_INCREMENT}) {
    program->functions[id] = tried[id];
  }
  return true;
}

void Builder::fibre(const Derivatives &of)
{
  Fibre found = find_fibre(of);
  if (found.numerical < 0 && !closed_flow(of, found.flow, found.reason)) {
    found.numerical = program->nc - 1;
  }
  ir_structure &s = program->structure;
  s.fibre = keep(found.numerical < 0 ? found.summary
                                     : fibre_numerical(program->c_names[found.numerical]));
  s.numerical = {found.numerical, keep(found.reason)};
  std::vector<const char *> kinds;
  for (const std::string &kind : found.kinds) {
    kinds.push_back(keep(kind));
  }
  s.constraint_kind = kept(memory, kinds);
}

void Builder::outputs(const Derivatives &of)
{
  const auto observed = [&](int) { return source.observe[0]->where; };
  const auto invariant = [&](int) { return source.invariants[0]->where; };
  const std::vector<ex> observe = families(source.n_observe, source.observe);
  const std::vector<ex> invariants = families(source.n_invariants, source.invariants);
  vector(IR_OBSERVE, observe, observed);
  vector(IR_INVARIANT, invariants, invariant);
  program->n_observe = element_count(observe);
  program->n_invariants = element_count(invariants);
  const std::vector<ex> events = families(source.n_events, source.events);
  vector(IR_EVENT, events, [&](int) { return source.events[0]->where; });
  program->n_events = element_count(events);
  ir_invariant *verdicts = ARENA_ARRAY(memory, invariants.size() + 1, ir_invariant);
  Growth growth(symbols);
  double slopes = 0;
  double left = max_effort;
  for (size_t i = 0; i < invariants.size(); i++) {
    slopes += growth.slopes(invariants[i]);
    verdicts[i].conserved = slopes < max_work_of_slopes && is_conserved(of, invariants[i], left);
  }
  program->invariants = verdicts;
}

void Builder::forces()
{
  const auto place = [&](int) { return source.forces[0]->where; };
  const std::vector<ex> values = families(source.n_forces, source.forces);
  const std::vector<ex> positions = families(source.n_forces, source.force_targets);
  std::vector<Gradient> slopes;
  std::vector<int> targets;
  Growth growth(symbols);
  double total = 0;
  for (size_t i = 0; i < values.size(); i++) {
    spend_work(total, growth.slopes(values[i]), "the derivatives of this force", place(0));
    slopes.push_back(gradient(symbols, values[i]));
    targets.push_back(gradient(symbols, positions[i]).begin()->first);
  }
  program->n_forces = element_count(values);
  program->force_target = kept(memory, targets);
  vector(IR_FORCE, values, place);
  matrix(IR_FORCE_JAC, program->n_forces, 2 * symbols.d, rows(slopes), place);
  program->structure.force = ir_force_kind(context, program);
}

void Builder::structure(const Derivatives &of)
{
  ir_structure &s = program->structure;
  s.separable = is_separable(of);
  s.holonomic = is_holonomic(of);
  s.mass = mass_matrix(of);
  s.coupled = unroll.coupled();
  s.solved = unroll.solved();
  s.degree_H = polynomial_degree(symbols, of.H_terms, source.terms[0]->where);
  s.degree_g = polynomial_degree(symbols, of.g, constraint_place(0));
  std::vector<ir_pair> pairs;
  for (const auto &[at, value] : of.C) {
    if (at.first < at.second) {
      pairs.push_back({at.first, at.second, lower.at(value, constraint_place(at.first))});
    }
  }
  s.n_pairs = element_count(pairs);
  s.pairs = kept(memory, pairs);
}

const ir_program *Builder::build()
{
  program->nq = static_cast<int>(source.nq);
  program->nc = static_cast<int>(source.nc);
  program->n_weights = model_reads_impulses(&source) ? program->nc : 0;
  program->nk = static_cast<int>(source.nk);
  name_entries(memory, source, program);
  parameters();
  states();
  const std::vector<ex> g = families(source.n_constraints, source.constraints);
  bound_work(g);
  const Derivatives of = differentiate(symbols, values_of(unroll.hamiltonian_terms()), g);
  hamiltonian(of);
  lagrangian();
  program->structure.numerical = {-1, ""};
  program->structure.fibre = "none is needed";
  if (program->nc > 0) {
    constraints(of);
    fibre(of);
  }
  structure(of);
  outputs(of);
  if (source.n_forces > 0) {
    forces();
  }
  return program;
}

void Builder::discrete(ir_program *to)
{
  Named named([&](const ex &e) { return symbols.state_symbols(e); });
  unroll.named = &named;
  const std::vector<ex> terms = values_of(unroll.hamiltonian_terms());
  const std::vector<ex> g = families(source.n_constraints, source.constraints);
  const std::vector<const ir_expr *> values =
      named.lowered(named.all(), 2 * symbols.d, lower, source.terms[0]->where);
  const ir_expr *H = lower.at(sum_of(terms), source.terms[0]->where);
  std::vector<const ir_expr *> lowered_g;
  for (size_t i = 0; i < g.size(); i++) {
    lowered_g.push_back(lower.at(g[i], constraint_place(static_cast<int>(i))));
  }
  const ir_named_model in_names = {element_count(values), values.data(), H, lowered_g.data()};
  ir_discrete(context, &in_names, to);
}

// Refuses a model that is too large to unroll, before anything of its size is allocated.
void check_size(const model &m)
{
  const span where = m.n_coordinates ? m.coordinates[0]->where : span{0, 0};
  if (model_is_small(&m)) {
    return;
  }
  throw ModelError(where, "the model unrolls to " + std::to_string(m.nq) + " degrees of freedom, " +
                              std::to_string(m.nc) + " constraints and " + std::to_string(m.nk) +
                              " parameters, which is too large for dense solves; choose smaller "
                              "sizes, or --lowering looped");
}

} // namespace

} // namespace sidewinder

const ir_program *symbolic_lower(arena *a, diagnostics *d, const model *m, ir_context *c)
{
  return sidewinder::guarded(d, [&]() -> const ir_program * {
    sidewinder::check_size(*m);
    return sidewinder::Builder(a, *m, c).build();
  });
}

int symbolic_discrete(arena *a, diagnostics *d, const model *m, ir_context *c, ir_program *program)
{
  return sidewinder::guarded(d, [&] {
    sidewinder::Builder(a, *m, c).discrete(program);
    return 1;
  });
}
