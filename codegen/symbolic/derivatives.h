/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derivatives.h -- gradients, Hessians and brackets of one unrolled model.
 *
 * Every sum is differentiated term by term, and only by the variables that a term reads: the pairs of
 * {{g_i,H},g_j} of a chain of 100 nodes cost 10 ms this way, 32 s otherwise.
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

/* Entries of a matrix that are not zero, by (row, column): walked in that order. */
using Matrix = std::map<std::pair<int, int>, ex>;
inline ex entry_at(const Matrix &M, int i, int j)
{
  const auto found = M.find({i, j});
  return found == M.end() ? ex(0) : found->second;
}
/* Those of row i. */
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
/* The unknowns, which are ascending, in sets that entries couple, M_ij as well as M_ji: those with the smallest ones first. */
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
  Matrix C; /* entries not proved zero */
  Matrix N;
};

Gradient gradient(const Symbols &symbols, const ex &e);

Derivatives differentiate(const Symbols &symbols, const std::vector<ex> &H_terms,
                          const std::vector<ex> &g);

/* {a, b} = a_q . b_p - a_p . b_q, and the same from two gradients. */
ex bracket(const Symbols &symbols, const ex &a, const ex &b);
ex contract(const Symbols &symbols, const Gradient &a, const Gradient &b);

/* The entries in our own expressions, those that are not 0 there; row i is written at place(i) in the model. */
ir_function lowered(arena *memory, Lowering &lower, int rows, int cols, const Matrix &entries,
                    const std::function<span(int)> &place);
/* The same of a vector, with all its values. */
ir_function lowered(arena *memory, Lowering &lower, const std::vector<ex> &values,
                    const std::function<span(int)> &place);

} // namespace sidewinder

#endif
