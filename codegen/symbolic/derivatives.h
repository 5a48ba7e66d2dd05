/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derivatives.h -- gradients, Hessians and brackets of one unrolled model, the work that they take,
 * and the structure that they show.
 *
 * Sums are differentiated term by term, and each term only by the variables that it reads.  For a
 * chain of 100 nodes the brackets {{g_i,H},g_j} cost 10 ms; differentiating whole sums by all
 * variables takes 32 s.
 */
#ifndef SIDEWINDER_SYMBOLIC_DERIVATIVES_H
#define SIDEWINDER_SYMBOLIC_DERIVATIVES_H

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "expr/ir_program.h"
#include "symbolic/exact.h"
#include "symbolic/symbols.h"

namespace sidewinder
{

/* Nonzero entries of a matrix by (row, column).  The map fixes the order of iteration. */
using Matrix = std::map<std::pair<int, int>, ex>;
inline ex entry_at(const Matrix &M, int i, int j)
{
  const auto found = M.find({i, j});
  return found == M.end() ? ex(0) : found->second;
}
/* The nonzero entries of one row. */
struct Row {
  Matrix::const_iterator first;
  Matrix::const_iterator last;
  Matrix::const_iterator begin() const { return first; }
  Matrix::const_iterator end() const { return last; }
};
inline Row row_of(const Matrix &M, int i)
{
  return {M.lower_bound({i, 0}), M.lower_bound({i + 1, 0})};
}
/* The blocks of a coupled linear system: i and j are in one block if M_ij or M_ji is nonzero,
 * directly or through other unknowns.  `unknowns` must be ascending; so are the unknowns of a
 * block, and blocks are ordered by their smallest unknown. */
std::vector<std::vector<int>> coupled_blocks(const Matrix &M, const std::vector<int> &unknowns);

/* Entries of a gradient, by index into z. */
using Gradient = std::map<int, ex>;

struct Derivatives {
  const Symbols *symbols = nullptr;
  std::vector<ex> H_terms;
  ex H;
  Gradient H_z;
  Matrix H_zz; /* lower triangle */
  std::vector<ex> g;
  std::vector<Gradient> g_z;
  Matrix lambda_g_zz; /* sum_i lambda_i g_i,zz, lower triangle */
  std::vector<ex> rho;
  std::vector<Gradient> rho_z;
  Matrix C; /* entries not proved to be zero */
  Matrix N;
};

Gradient gradient(const Symbols &symbols, const ex &e);

Derivatives differentiate(const Symbols &symbols, const std::vector<ex> &H_terms,
                          const std::vector<ex> &g);

/* The bracket {a, b} = a_q . b_p - a_p . b_q, from the functions or from their gradients. */
ex bracket(const Symbols &symbols, const ex &a, const ex &b);
ex contract(const Symbols &symbols, const Gradient &a, const Gradient &b);

/* Lowers the entries to the IR and drops those that become 0.  place(i) is the location of row i
 * in the model file, for errors. */
ir_function lowered(arena *memory, Lowering &lower, int rows, int cols, const Matrix &entries,
                    const std::function<span(int)> &place);
/* Lowers a vector and keeps all its values, zeros included. */
ir_function lowered(arena *memory, Lowering &lower, const std::vector<ex> &values,
                    const std::function<span(int)> &place);

/* ---- Bounds of the work that it takes to differentiate a formula ---- */

/* GiNaC differentiates expression trees, so a shared part is differentiated once for each use.
 * Thirty lets that each use the previous one twice have 2^30 parts, and a product of n factors
 * has second derivatives of n^3 parts.  This class bounds the tree nodes of all derivatives
 * before anything is differentiated; it visits each shared part once. */
class Growth
{
public:
  explicit Growth(const Symbols &s) : symbols(s) {}

  /* Bounds of the tree nodes of the gradient and of the Hessian of e. */
  double slopes(const ex &e) { return size(e).slopes; }
  double work(const ex &e) { return size(e).seconds; }

private:
  struct Size {
    double nodes;
    double slopes;
    double seconds;
    double pairs;           /* number of possibly nonzero entries of the Hessian */
    std::vector<int> reads; /* indices into z, ascending */
  };
  const Symbols &symbols;
  std::map<ex, Size, ex_is_less> known; /* used for lookups only */

  static double all_pairs(const Size &of)
  {
    return static_cast<double>(of.reads.size()) * static_cast<double>(of.reads.size());
  }
  const Size &size(const ex &e);
  Size computed(const ex &e);
  Size product(const ex &e, const Size &sums);
};

/* Limit of all Hessians together, in nodes: about five seconds. */
constexpr double max_work = 1e7;

/* A constraint needs its Hessian, rho, the derivative of rho, and N; so it costs four times its
 * Hessian. */
constexpr double work_of_constraint = 4;

/* Adds work to the total.  Throws ModelError at `where` if the total exceeds max_work; `what`
 * names the work in the message. */
void spend_work(double &total, double work, const std::string &what, span where);

/* Limit of the gradients of all invariants together, in nodes. */
constexpr double max_work_of_slopes = 2e7;

/* ---- Structural properties: degree, separability, kind of mass matrix, invariants ---- */

/* The largest total degree in z of the expressions, -1 if one is no polynomial.  Throws
 * ModelError at `where` if the degree exceeds an int. */
int polynomial_degree(const Symbols &symbols, const std::vector<ex> &expressions, span where);

/* H_qp = 0: then H(q,p) = T(p) + V(q). */
bool is_separable(const Derivatives &of);

/* Whether e reads no momenta, or, with `positions` false, no positions. */
bool reads_only(const Symbols &symbols, const ex &e, bool positions);

bool is_holonomic(const Derivatives &of);

ir_mass mass_matrix(const Derivatives &of);

/* Budget (in units of effort(), symbols.h) for the proofs about all invariants of a model: a few
 * seconds. */
constexpr double max_effort = 1e5;

/* Whether I is conserved: {I,H} = 0, and each {I,g_i} is 0 or -rho_i (as for I = H), as
 * identities; then dI/dt = {I,H} + sum_i lambda_i {I,g_i} vanishes on M^H.  Subtracts the effort
 * from `left`, and returns false if the budget does not suffice. */
bool is_conserved(const Derivatives &of, const ex &I, double &left);

} // namespace sidewinder

#endif
