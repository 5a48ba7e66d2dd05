/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h -- one part of a family: its formula, over local degrees of freedom, and its derivatives.
 */
#ifndef SIDEWINDER_KERNEL_H
#define SIDEWINDER_KERNEL_H

#include <functional>
#include <memory>
#include <utility>

#include "expr/loops.h"
#include "symbolic/derivatives.h"
#include "symbolic/exact.h"
#include "symbolic/parts.h"

namespace sidewinder
{

/* A formula and what it reads, as numbers of atoms in the order of first appearance.  `symbols` numbers the
 * inputs of the kernel's functions. */
struct Kernel {
  ex value;
  std::vector<int> sites;
  std::vector<int> values;
  std::vector<int> multipliers;
  std::unique_ptr<Symbols> symbols;
};

/* Of a constraint: lambda[0] is its multiplier. */
Kernel kernel_of(const Atoms &atoms, const ex &value, bool is_constraint = false);

/* Kernels in the IR.  An expression that is not real is an error at `where`. */
class KernelWriter
{
public:
  /* The loops of a sum that a kernel reads as a value. */
  using Nest = std::function<ir_nest(const Part &)>;

  KernelWriter(LoopModel &m, const Atoms &a, Nest n = nullptr)
      : world(m), atoms(a), nest(std::move(n))
  {
  }

  /* Without derivatives. */
  ir_kernel formula(const Kernel &kernel, span where);
  /* With the derivatives of the kernel as the one term of `of`. */
  ir_kernel differentiated(const Kernel &kernel, const Derivatives &of, span where);
  /* The flow and its Jacobian, of which the ones of the diagonal are left out. */
  void flow(const std::vector<ex> &flow, span where, const Kernel &kernel,
            ir_looped_family &result);
  ir_reference reference(const Atom &atom, const std::string &text);

private:
  LoopModel &world;
  const Atoms &atoms;
  Nest nest;

  const ir_reference *references(const std::vector<int> &list);
};

/* Refuses what would take very long to differentiate, or to write: `what` says which it is. */
void bound_work(const Kernel &kernel, const char *what, span where, double &total);

} // namespace sidewinder

#endif
