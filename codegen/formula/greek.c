/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formula/greek.h"

#include <string.h>

const char *greek_letter(const char *name, size_t length)
{
  static const struct {
    const char *name;
    const char *letter;
  } greek[] = {{"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"},
               {"zeta", "ζ"},  {"eta", "η"},     {"theta", "θ"}, {"iota", "ι"},   {"kappa", "κ"},
               {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},    {"pi", "π"},     {"sigma", "σ"},
               {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},
               {"omega", "ω"}, {"Delta", "Δ"},   {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},
               {"Pi", "Π"},    {"Sigma", "Σ"},   {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"}};
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
    if (strlen(greek[i].name) == length && !strncmp(greek[i].name, name, length)) {
      return greek[i].letter;
    }
  }
  return NULL;
}
