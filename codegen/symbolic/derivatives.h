/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derivatives.h -- gradients, Hessians and brackets of one unrolled model.
 *
 * Sums are differentiated term by term, and each term only by the variables that it reads.  For a
 * chain of 100 nodes the brackets {{g_i,H},g_j} cost 10 ms; differentiating whole sums by all
 * variables takes 32 s.
 */
#ifndef SIDEWINDER_DERIVATIVES_H
#define SIDEWINDER_DERIVATIVES_H

#include <functional>
#include <map>
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

} // namespace sidewinder

#endif
