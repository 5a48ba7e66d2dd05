// SPDX-License-Identifier: GPL-2.0-or-later
// atoms.cpp -- what the kernels of a family read: one symbol for each entry, whatever it is called.
#include "symbolic/parts.h"

namespace sidewinder
{

static const void *what(const Atom &atom)
{
  if (atom.coordinate) {
    return atom.coordinate;
  }
  if (atom.sum) {
    return atom.sum.get();
  }
  return atom.parameter ? static_cast<const void *>(atom.parameter) : atom.constraint;
}

int Atoms::find(const Atom &atom)
{
  Key key{what(atom), atom.is_impulse, {}};
  for (const Index &index : atom.index) {
    std::get<2>(key).push_back(index.value);
  }
  const int next = element_count(all);
  const auto [at, is_new] = known.insert({key, next});
  if (is_new) {
    all.push_back(atom);
    Atom &added = all.back();
    const bool positive = atom.parameter && is_positive(*atom.parameter);
    added.symbol = positive ? ex(GiNaC::possymbol("a")) : ex(realsymbol("a"));
    from_symbols[added.symbol] = next;
    if (atom.coordinate) {
      added.momentum = realsymbol("p");
      from_symbols[added.momentum] = next;
    }
  }
  return at->second;
}

ex Atoms::substituted(const Atoms &from, const ex &e, const Substitution &by)
{
  exmap symbols;
  for (const int i : from.in(e)) {
    Atom other = from[i]; /* a copy: find() may reallocate the atoms of `from` */
    for (Index &index : other.index) {
      index.value = world.variables.substitute(index.value, by);
    }
    const Atom &to = (*this)[find(other)];
    symbols[other.symbol] = to.symbol;
    if (to.coordinate) {
      symbols[other.momentum] = to.momentum;
    }
  }
  return replaced(e, symbols);
}

std::vector<int> Atoms::in(const ex &e) const
{
  std::set<int> found;
  for (const ex &symbol : symbols_in(e)) {
    found.insert(from_symbols.at(symbol));
  }
  return std::vector<int>(found.begin(), found.end());
}

std::string indices_text(const std::vector<Index> &index, const LoopModel &world)
{
  std::string text;
  for (const Index &i : index) {
    text += (text.empty() ? "[" : ",") + index_text(world.memory, i, world.variables);
  }
  return text.empty() ? text : text + "]";
}

std::string Atoms::text(int atom, bool momentum) const
{
  const Atom &a = (*this)[atom];
  const std::string indices = indices_text(a.index, world);
  if (a.coordinate) {
    return (momentum ? a.coordinate->momentum : a.coordinate->name) + indices;
  }
  if (a.parameter) {
    return a.parameter->name + indices;
  }
  if (a.sum) {
    return "sum";
  }
  return a.constraint ? a.constraint->name + indices
                      : index_text(world.memory, a.index[0], world.variables);
}

} // namespace sidewinder
