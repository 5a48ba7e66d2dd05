/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term_place.h -- errors that belong to a place in the model file.
 */
#ifndef SIDEWINDER_SYMBOLIC_TERM_PLACE_H
#define SIDEWINDER_SYMBOLIC_TERM_PLACE_H

#include <ginac/ginac.h>

#include <stdexcept>
#include <string>

#include "model/model.h"

namespace sidewinder
{

struct ModelError : std::runtime_error {
  span where;
  ModelError(span place, const std::string &what) : std::runtime_error(what), where(place) {}
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

} // namespace sidewinder

#endif
