/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard.h -- the doors of the symbolic stage: no exception passes.
 */
#ifndef SIDEWINDER_GUARD_H
#define SIDEWINDER_GUARD_H

#include <exception>
#include <new>

#include "symbolic/unroll.h"

namespace sidewinder
{

/* What build() returns, a pointer; or nullptr once its exception has been recorded in *d, with the place in the
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
  return nullptr;
}

} // namespace sidewinder

#endif
