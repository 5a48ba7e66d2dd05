/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term_place.h -- errors that belong to a place in the model file, and the doors of the symbolic stage, which no exception
 * passes.
 */
#ifndef SIDEWINDER_SYMBOLIC_TERM_PLACE_H
#define SIDEWINDER_SYMBOLIC_TERM_PLACE_H

#include <ginac/ginac.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "model/model.h"

namespace sidewinder
{

struct ModelError : std::runtime_error {
  span where;
  ModelError(span place, const std::string &what) : std::runtime_error(what), where(place) {}
};

/* What loops cannot have.  The error says what helps: what is said here, and to unroll the model where that can be. */
struct LoopError : ModelError {
  std::string instead; /* "" for nothing */
  LoopError(span place, const std::string &what, const std::string &otherwise = "")
      : ModelError(place, what), instead(otherwise)
  {
  }
  ModelError advising(const model &m) const
  {
    const std::string others = instead.empty() ? "" : "; " + instead;
    const char *const link = instead.empty() ? "; " : ", or ";
    return {
        where,
        what() + others +
            (model_can_unroll(&m) ? link + std::string("generate with --lowering unrolled") : "")};
  }
};

/* What compute() returns; poles that GiNaC meets, and values that are not real, are errors at the place. */
template <class Compute> auto at_place(span where, Compute compute) -> decltype(compute())
{
  try {
    return compute();
  } catch (const GiNaC::pole_error &) {
    throw ModelError(where, "this expression has a pole: it divides by zero");
  } catch (const std::overflow_error &) {
    throw ModelError(where, "this expression divides by zero");
  } catch (const std::domain_error &error) {
    throw ModelError(where, error.what());
  }
}

/* What build() returns, a pointer or a number; or nullptr, or 0, once its exception has been recorded in *d, with the place in the
 * model file where it has one. */
template <class Build> auto guarded(diagnostics *d, Build build) -> decltype(build())
{
  try {
    return build();
  } catch (const ModelError &error) {
    diagnostics_error(d, error.where, "%s", error.what());
  } catch (const std::bad_alloc &) {
    diagnostics_error(d, span{0, 0}, "out of memory while differentiating this model");
  } catch (const std::exception &error) {
    diagnostics_error(d, span{0, 0}, "the symbolic stage failed: %s", error.what());
  }
  return {};
}

/* The same for loops of that model. */
template <class Build>
auto guarded(diagnostics *d, const model &m, Build build) -> decltype(build())
{
  return guarded(d, [&] {
    try {
      return build();
    } catch (const LoopError &error) {
      throw error.advising(m);
    }
  });
}

} // namespace sidewinder

#endif
