// SPDX-License-Identifier: GPL-2.0-or-later
// atoms.cpp -- what the kernels of a family read: one symbol for each entry, whatever it is called.
#include <algorithm>

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

int Atoms::find(const Atom &atom, bool positive)
{
  Key key{what(atom), {}};
  for (const Index &index : atom.index) {
    key.second.push_back(index.value);
  }
  const int next = static_cast<int>(all.size());
  const auto [at, is_new] = known.insert({key, next});
  if (is_new) {
    all.push_back(atom);
    Atom &added = all.back();
    added.symbol = positive ? ex(GiNaC::possymbol("a")) : ex(GiNaC::realsymbol("a"));
    from_symbols[added.symbol] = next;
    if (atom.coordinate) {
      added.momentum = GiNaC::realsymbol("p");
      from_symbols[added.momentum] = next;
    }
  }
  return at->second;
}

int Atoms::site(const model_coordinate &c, const std::vector<Index> &index, span where)
{
  return find({&c, nullptr, nullptr, index, 0, 0, where}, false);
}

int Atoms::value(const model_parameter &p, const std::vector<Index> &index, span where)
{
  return find({nullptr, &p, nullptr, index, 0, 0, where}, is_positive(p));
}

int Atoms::number(const Index &index, span where)
{
  return find({nullptr, nullptr, nullptr, {index}, 0, 0, where}, false);
}

int Atoms::multiplier(const model_family &f, const std::vector<Index> &index, span where)
{
  return find({nullptr, nullptr, &f, index, 0, 0, where}, false);
}

int Atoms::sum(const Part &part, span where)
{
  return find({nullptr, nullptr, nullptr, {}, 0, 0, where, std::make_shared<const Part>(part)},
              false);
}

int Atoms::substituted(Atom other, const Substitution &by)
{
  for (Index &index : other.index) {
    index.value = world.variables.substitute(index.value, by);
  }
  return find(other, other.parameter && is_positive(*other.parameter));
}

ex Atoms::substituted(const Atoms &from, const ex &e, const Substitution &by)
{
  GiNaC::exmap symbols;
  for (const int i : from.in(e)) {
    const int number =
        substituted(from[i], by); /* may reallocate the atoms of `from`, if from == *this */
    const Atom &old = from[i];
    const Atom &to = (*this)[number];
    symbols[old.symbol] = to.symbol;
    if (to.coordinate) {
      symbols[old.momentum] = to.momentum;
    }
  }
  return e.subs(symbols, GiNaC::subs_options::no_pattern);
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
