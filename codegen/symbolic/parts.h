/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h -- checked model to sums of parts: GiNaC expressions with the loops around them.
 */
#ifndef SIDEWINDER_PARTS_H
#define SIDEWINDER_PARTS_H

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/domain.h"
#include "symbolic/index_polynomial.h"
#include "symbolic/named.h"
#include "symbolic/symbols.h"

namespace sidewinder
{

struct LoopVelocities;

/* What all families of a model share. */
struct LoopModel {
  arena *memory;
  const model &source;
  ir_context *context;
  mutable Variables variables; /* which are met while indices are compared, too */
  int n_slots;                 /* those of the model, and of the binders made here */
  long visits = 0;
  std::shared_ptr<const LoopVelocities> velocities; /* of a Lagrangian, once they are asked for */
  bool labels_apart = false; /* sums over fixed sets within its sums over others are unrolled */

  LoopModel(arena *a, const model &m, ir_context *c)
      : memory(a), source(m), context(c), n_slots(m.n_slots)
  {
  }
};

struct Part;

/* An entry of an array at an index with variables, an instance of a family, a sum, or (all NULL) an index as a
 * number. */
struct Atom {
  const model_coordinate *coordinate;
  const model_parameter *parameter;
  const model_family *constraint;
  std::vector<Index> index;
  ex symbol;   /* of the position, for a coordinate */
  ex momentum; /* for a coordinate */
  span where;  /* of the first reference to it */
  std::shared_ptr<const Part> sum = nullptr;
};

/* The atoms of one family, in the order of first appearance. */
class Atoms
{
public:
  explicit Atoms(const LoopModel &m) : world(m) {}

  int site(const model_coordinate &c, const std::vector<Index> &index, span where);
  int value(const model_parameter &p, const std::vector<Index> &index, span where);
  int number(const Index &index, span where);
  int multiplier(const model_family &f, const std::vector<Index> &index, span where);
  int sum(const Part &part, span where);
  /* e, which is in the atoms of `from`, in these at other indices. */
  ex substituted(const Atoms &from, const ex &e, const Substitution &by);

  const Atom &operator[](int i) const { return all[static_cast<size_t>(i)]; }
  /* Those that e reads, ascending. */
  std::vector<int> in(const ex &e) const;
  std::string text(int atom, bool momentum = false) const;

private:
  using Key = std::pair<const void *, std::vector<Polynomial>>;
  const LoopModel &world;
  std::vector<Atom> all;
  std::map<Key, int> known;                          /* looked up, never walked */
  std::map<ex, int, GiNaC::ex_is_less> from_symbols; /* looked up, never walked */

  int find(const Atom &atom, bool positive);
  /* The same at other indices, also of an atom of another family. */
  int substituted(Atom other, const Substitution &by);
};

/* Indices in brackets, such as "[i+1,x]"; "" for none. */
std::string indices_text(const std::vector<Index> &index, const LoopModel &world);

/* Whether the number of elements is the same for all sizes. */
bool is_fixed(const model_set &set);

struct Part {
  std::vector<const model_binder *> loops; /* the first slowest */
  ConditionPointer condition;
  ex kernel;
  span where; /* of the sum that loops */
};
using Parts = std::vector<Part>;

/* Whether they are one set, or ranges with the same ends. */
bool same_range(const model_set &a, const model_set &b, LoopModel &world);

Parts scalar_part(const ex &e);
/* a + factor * b; throws ModelError, at `where`, where that has too many parts. */
Parts added(Parts a, const Parts &b, const ex &factor, span where);

/* A value that counts where a condition holds. */
struct Case {
  ConditionPointer condition;
  ex value;
};

/* Most parts of one family, cases of one value, most iterations of a sum that is unrolled, and of those around it
 * together. */
constexpr size_t max_parts = 256;
constexpr size_t max_cases = 64;
constexpr double max_unrolled = 64;
constexpr double max_copies = 1024;

/* Most expressions within each other; each takes up to 1 kB of the stack, and several with sanitizers. */
constexpr int max_depth = 2000;

/* Evaluates one family.  Sums over few and fixed elements are unrolled; the others are loops, which can
 * stand in a sum and be multiplied by what does not loop. */
class Looper
{
public:
  explicit Looper(LoopModel &m);

  Atoms atoms;
  bool keeps_sums = false; /* a sum that loops is an atom, and so may stand anywhere */
  /* Where it is set, what lets give names to is kept by them, parts stay apart, and what is not seen of conditions (domain.h) is
   * dropped. */
  Named *named = nullptr;

  /* The body of a family, its binders staying variables; parts with the same loops are one. */
  Parts family(const model_family &f);
  Parts hamiltonian();
  /* Velocities in the largest block of M; 0 where H is given. */
  int coupled() const;
  /* p = L_v at that index, with the positions and velocities that an initial state has. */
  std::vector<Case> starting_momentum(const model_init &init, const model_coordinate &c,
                                      const std::vector<Index> &index, span where);
  /* A value in the binders, which loops over nothing else: of the cases exactly one holds. */
  std::vector<Case> value(const model_expr &e);
  Filter filter(const model_condition *condition);
  /* The indices of a reference into an array of that shape. */
  std::vector<Index> indices(int n, const model_index *const index[], const model_shape *shape);
  void bind(const model_binder *binder, const Index &value);
  void bind(int n, const model_binder *const binders[], const std::vector<Index> &values);
  /* To their values in an environment of the model. */
  void bind(int n, const model_binder *const binders[], const std::vector<long> &at);
  /* Makes binders variables. */
  void open(int n, const model_binder *const binders[]);

private:
  struct Frame {
    std::vector<Parts> values;
    std::vector<const Index *> indices;
  };
  /* The values of a sum's binders, iteration after iteration. */
  using Values = std::vector<std::vector<Index>>;
  /* A sum or a product. */
  struct Iterations {
    int n;
    const model_binder *const *binders;
    const model_condition *condition;
    const model_expr &body;
    span where;
    bool sum;
  };
  LoopModel &world;
  Environment environment;
  std::vector<Frame> frames;
  int depth = 0;
  double copies = 1;                   /* iterations of the sums around that are being unrolled */
  std::set<const model_binder *> used; /* looked up, never walked */
  struct Expanded {
    Parts parts;
    Conditions conditions;
  };
  std::map<std::pair<const model_let *, std::vector<Polynomial>>, Expanded> expanded;
  Domain domain;
  bool in_lagrangian = false; /* momenta of atoms stand for velocities */

  /* What binders are bound to, to be bound to again. */
  std::vector<Index> bound(int n, const model_binder *const binders[]) const;

  /* The parts, with a factor inside(u) for each condition that none of them shows. */
  Parts kept_inside_of(Parts parts, const Conditions &conditions, span where);
  template <class Function>
  Parts each_case(const std::vector<Case> &x, const std::vector<Case> &y, span where, Function f);
  Parts expression(const model_expr &e);
  Parts known(const model_expr &e);
  std::vector<Case> cases(const model_expr &e, const char *around);
  std::vector<Case> cases_of(const Parts &parts, span where);
  Parts product(const Parts &a, const Parts &b, span where);
  Parts chain(const model_expr &e);
  Parts multiplied(const model_expr &e);
  Parts divided(const model_expr &e);
  Parts power(const model_expr &e);
  Parts call(const model_expr &e);
  Parts let(const model_expr &e);
  Parts argument(const model_expr &e);
  Parts number(const Index &index, span where);
  Parts entry(const model_expr &e);
  Parts multiplier(const model_expr &e);
  Parts constraint(const model_expr &e);
  Parts all_terms();
  Parts written_terms();
  Parts written_term(const model_family &term);
  Parts with_labels_apart(const model_family &term);
  Parts lagrangian();
  Parts transformed(const Parts &L);
  Parts moving(const Parts &L, Parts &potential);
  Parts velocity(const model_expr &e);
  Parts transported(const model_coordinate &c, const std::vector<Index> &index, bool of_momenta,
                    span where);
  std::vector<Case> starting(const model_init &init, const Atom &atom, bool velocity, span where);
  std::vector<Case> starting_value(const model_assignment &a, const std::vector<Index> &index);
  std::vector<Case> at_start(const std::vector<Case> &from, const model_init &init, int atom,
                             bool velocity, span where);
  const LoopVelocities &velocities();
  std::shared_ptr<const LoopVelocities> made_velocities();
  friend struct LoopVelocities;
  Parts repeated(const Iterations &r);
  bool enumerate(const Iterations &r, Values &values);
  Parts unrolled(const Iterations &r, const Values &values);
  Parts looped(const Iterations &r);
  Parts kept(const Parts &parts, span where);
  const model_binder *fresh(const model_binder *b);
  const model_binder *dependent(const model_binder *b);
  bool same_set(const Part &a, const Part &b, size_t j, const Substitution &rename);
  Parts merged(const Parts &parts);
  Parts put_together(const Parts &parts);
  bool merge(Part &into, const Part &other);
};

} // namespace sidewinder

#endif
