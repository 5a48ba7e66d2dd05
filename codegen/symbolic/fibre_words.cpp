// SPDX-License-Identifier: GPL-2.0-or-later
// fibre_words.cpp -- what kinds of fibre flows are called.
#include <algorithm>

#include "symbolic/fibre.h"

namespace sidewinder
{

std::string each_once(const std::vector<std::string> &kinds, const char *between)
{
  std::string text;
  for (size_t i = 0; i < kinds.size(); i++) {
    const auto here = kinds.begin() + static_cast<long>(i);
    if (std::find(kinds.begin(), here, kinds[i]) == here) {
      text += (i ? between : "") + kinds[i];
    }
  }
  return text;
}

std::string fibre_summary(const std::vector<std::string> &kinds, bool several)
{
  return "closed form: " + each_once(kinds, "; ") + (several ? "; the flows commute" : "");
}

std::string fibre_numerical(const std::string &constraint)
{
  return "numerical, Gauss-Legendre of order 8, 16 or 24: no closed form for '" + constraint + "'";
}

} // namespace sidewinder
