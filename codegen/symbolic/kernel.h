/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h -- one part of a family: a formula in local degrees of freedom, and its derivatives.
 */
#ifndef SIDEWINDER_SYMBOLIC_KERNEL_H
#define SIDEWINDER_SYMBOLIC_KERNEL_H

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "expr/loops.h"
#include "symbolic/derivatives.h"
#include "symbolic/exact.h"
#include "symbolic/parts.h"

namespace sidewinder
{

/* A formula, and the numbers of the atoms that it reads, in the order of their first appearance.
 * `symbols` numbers the inputs of the kernel's functions. */
struct Kernel {
  ex value;
  std::vector<int> sites;
  std::vector<int> values;
  std::vector<int> multipliers;
  std::unique_ptr<Symbols> symbols;
};

/* If is_constraint, lambda[0] is the multiplier of the constraint. */
Kernel kernel_of(const Atoms &atoms, const ex &value, bool is_constraint = false);

/* Lowers kernels to the IR.  An expression that is not real is an error at `where`. */
class KernelWriter
{
public:
  /* The loops of a sum that a kernel reads as one value. */
  using Nest = std::function<ir_nest(const Part &)>;

  KernelWriter(LoopModel &m, const Atoms &a, Nest n = nullptr)
      : world(m), atoms(a), nest(std::move(n))
  {
  }

  /* The kernel without derivatives. */
  ir_kernel formula(const Kernel &kernel, span where);
  /* The kernel with its derivatives; the kernel must be the only term of `of`. */
  ir_kernel differentiated(const Kernel &kernel, const Derivatives &of, span where);
  /* Sets the flow and its Jacobian minus the identity. */
  void flow(const std::vector<ex> &flow, span where, const Kernel &kernel,
            ir_looped_family &result);
  ir_reference reference(const Atom &atom, const std::string &text);

private:
  LoopModel &world;
  const Atoms &atoms;
  Nest nest;

  const ir_reference *references(const std::vector<int> &list);
};

/* Throws ModelError if the derivatives, or the C, of this kernel would be too large.  `what`
 * names the work in the message. */
void bound_work(const Kernel &kernel, const char *what, span where, double &total);

/* ---- The loops around kernels, and their index expressions that may be undefined ---- */

class LoopNests
{
public:
  explicit LoopNests(LoopModel &m) : world(m) {}

  /* Index expressions of the nests so far that are undefined for some sizes.  The program tests
   * them once the sizes are known: ir_loops.partial. */
  std::vector<const model_index *> partial;

  ir_nest nest(const std::vector<const model_binder *> &binders, const ConditionPointer &condition,
               span where);
  /* The loops of a family itself; its condition stays as written. */
  ir_nest nest(const model_family &f, const ConditionPointer &condition);

private:
  LoopModel &world;

  void note_partial(const Polynomial &p, span where);
  void note_partial(const ConditionPointer &c, span where);
};

} // namespace sidewinder

#endif
