/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term_place.h -- errors with a location in the model file, and wrappers that convert exceptions
 * into diagnostics at the interface of the symbolic stage.
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

/* Thrown for a construct that has no looped form.  The message ends with the remedy `instead`,
 * and with the advice to unroll the model if that is possible. */
struct LoopError : ModelError {
  std::string instead; /* a remedy, or "" */
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

/* Returns compute().  Converts GiNaC's exceptions for poles and for values that are not real
 * into ModelErrors at `where`. */
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

/* Returns build().  If it throws, records the error in *d, with its location if known, and
 * returns nullptr or 0. */
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

/* As above, for a looped lowering: completes the advice of a LoopError. */
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
