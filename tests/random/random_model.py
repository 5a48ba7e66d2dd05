#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a random, valid model in the language of docs/language.md.

Usage: random_model.py SEED

The same seed gives the same text.  Sizes are at least 1.  What is random is the structure: sets, arrays,
lets, sums and filters, indices, formulas.  What is not left to chance is that the model means something:

* every index stays inside its set at all sizes, either by itself or by a filter that is added;
* arguments of functions are well inside their domains, so that values and derivatives are of order one;
* H has a kinetic part and a well for every degree of freedom, which the rest disturbs a little;
* a column of a coordinate (an array, or one label of it) has a role: without constraints, with constraints
  on its positions, with constraints on its momenta, or with constraints of each site by itself that mix
  both.  So any two constraints that share a degree of freedom commute for a visible reason;
* each family leads with its own column, so that the constraints are independent.
"""
import re
import sys

from formulas import (COORDINATES, PARAMETERS, Array, Formulas, Set, bound_text, not_above, plus, set_text)


class Model(Formulas):
    """Statement after statement."""

    def say(self, line):
        self.lines.append(line)

    def declare_sizes(self):
        self.sizes = ["N"] + ([self.pick(("M", "L", "N_x"))] if self.chance(0.4) else [])
        self.used.update(self.sizes)
        for size in self.sizes:
            self.say(f"size {size} = {self.pick((2, 3, 4))}")
        for size in self.sizes:
            shapes = [((None, 1), (size, 0)), ((None, 1), (size, -1)), ((None, 2), (size, 0)),
                      ((None, 0), (size, -1)), ((None, 2), (size, -1)), ((None, 1), (size, 1)),
                      ((None, -1), (size, 0))]
            names = ["node", "link", "tail", "zero", "inner", "wide", "low"]
            chosen = [0] + [i for i in range(1, len(shapes)) if self.chance(0.35)]
            for i in chosen:
                suffix = "" if size == "N" else "_" + size.lower()
                self.add_set(Set(names[i] + suffix, None, *shapes[i]))
        if self.chance(0.3):
            self.add_set(Set("few", None, (None, 1), (None, self.pick((1, 2, 3)))))
        self.add_set(Set("xy", self.pick((("x", "y"), ("x", "y", "w1"), ("left", "right"), ("only",)))))
        if self.chance(0.25):
            self.add_set(Set("kind", ("up", "down")))

    def add_set(self, new):
        self.sets.append(new)
        self.used.add(new.name)
        if new.labels:
            self.say(f"set {new.name} = {{{', '.join(new.labels)}}}")
        else:
            self.say(f"set {new.name} = {bound_text(new.low)} .. {bound_text(new.high)}")

    def array_sets(self):
        ranges = [s for s in self.ranges() if s.high[0]]
        labels = [s for s in self.sets if s.labels]
        return self.pick(([], [self.pick(ranges)], [self.pick(ranges)], [self.pick(ranges)],
                          [self.pick(ranges), self.pick(labels)], [self.pick(ranges), self.pick(labels)],
                          [self.pick(labels)], [self.pick(ranges), self.pick(ranges)]))

    def table(self, sets, values):
        keys = [f"{label}: " for label in sets[0].labels] if self.chance(0.6) else [""] * len(sets[0].labels)
        inner = (lambda: self.table(sets[1:], values)) if len(sets) > 1 else values
        return "{" + ", ".join(key + inner() for key in keys) + "}"

    def declare_parameters(self):
        for _ in range(self.rng.randrange(4)):
            array = Array(self.name_from(PARAMETERS), self.array_sets())
            scope = []
            if array.sets and all(s.labels for s in array.sets) and self.chance(0.6):
                binders = ", ".join(s.name for s in array.sets)
                value = self.table(array.sets, lambda: self.pick(("1", "0.5", "2", "1.5", "pi/3")))
            else:
                for over in array.sets:
                    scope.append(self.variable(scope, over))
                binders = ", ".join(f"{name} in {self.set_name(over)}" for name, over in scope)
                old, self.parameters = self.parameters, []
                value = f"{self.literal()} + abs({self.coefficient(scope)})/3"
                self.parameters = old
            bounds = self.pick(("", "", " in (0, inf)", " in [0, 100]", " in (-1, 1e3]"))
            self.say(f"param {array.name}{f'[{binders}]' if binders else ''} = {value}{bounds}")
            self.parameters.append(array)

    def declare_coordinates(self):
        for position, momentum in self.rng.sample(COORDINATES, self.pick((1, 1, 2, 2, 3))):
            if position in self.used or momentum in self.used:
                continue
            sets = self.array_sets()
            if not self.coordinates and not (sets and all(s.has_element() for s in sets)):
                # There is something at all sizes; now and then there is not, and such sizes are refused.
                sets = [self.sets[0]] if self.chance(0.97) else sets or [self.sets[0]]
            array = Array(position, sets, momentum)
            self.used.update((position, momentum))
            self.say(f"coord {position}{f'[{self.set_names(sets)}]' if sets else ''} momentum {momentum}")
            for label in array.labels():
                array.role[label] = self.pick(("free", "q", "q", "p", "mixed"))
            if self.chance(0.3):
                array.role = dict.fromkeys(array.role, array.role[array.labels()[0]])
            self.coordinates.append(array)

    def set_names(self, sets):
        return ", ".join(self.set_name(s) for s in sets)

    def declare_lets(self):
        for name in ("d2", "soft", "wave", "r"):
            if name in self.used or not self.chance(0.4):
                continue
            self.used.add(name)
            scope = []
            for _ in range(self.pick((0, 1, 1, 2))):
                scope.append(self.variable(scope, self.pick(self.sets)))
            values = []
            for _ in range(self.pick((0, 0, 1))):
                values.append(self.variable(scope + values, None))
            # Every index argument is used as an index, or its kind would be unknown.
            uses = [self.let_use(v) for v in scope]
            self.arguments = [v for v, _ in scope]
            body = self.scalar(scope + values, None, "z", 1)
            self.arguments = []
            parts = [body] + [f"{self.literal()}*{use}" for use in uses if use]
            parts += [f"{self.smooth(v[0])}" for v in values]
            if None in uses:
                self.used.discard(name)
                continue
            arguments = [v[0] for v in scope + values]
            self.say(f"let {name}{f'({chr(44).join(arguments)})' if arguments else ''} = {' + '.join(parts)}")
            self.lets.append((name, [v[1] for v in scope], len(values)))
        for name in ("apart", "arm"):
            if name not in self.used and self.vector_sets(False) and self.chance(0.4):
                self.declare_vector(name)

    def declare_vector(self, name):
        over = self.pick(self.vector_sets(False))
        scope = [self.variable([], self.pick(self.sets))] if self.chance(0.6) else []
        self.arguments = [v for v, _ in scope]
        body = self.vector(scope, "z", over)
        self.arguments = []
        if body is None or not all(re.search(rf"\b{v}\b", body) for v, _ in scope):
            return
        self.used.add(name)
        self.say(f"let {name}{f'({scope[0][0]})' if scope else ''} = {body}")
        self.vectors.append((name, [s for _, s in scope], over))

    def let_use(self, variable):
        """Something that has the variable as an index; None where there is none."""
        for array in self.coordinates:
            for place, over in enumerate(array.sets):
                if over is variable[1] or (not over.labels and not variable[1].labels and
                                           not_above(over.low, variable[1].low) and
                                           not_above(variable[1].high, over.high)):
                    others = [self.index([], s, None) for s in array.sets]
                    others[place] = variable[0]
                    if None not in others:
                        return f"{array.name}[{', '.join(others)}]"
        return None

    def declare_hamiltonian(self):
        terms = []
        for array in self.coordinates:
            scope = []
            for over in array.sets:
                scope.append(self.variable(scope, over))
            head = ", ".join(f"{name} in {self.set_name(over)}" for name, over in scope)
            entry = f"[{', '.join(name for name, _ in scope)}]" if scope else ""
            mass = self.pick(("2", "3", "1.6", "(2 + 1/N)"))
            weight = self.pick((f"1/{mass}", "0.5", "0.45*(1 + 1/(3 + N))"))
            kinetic = f"{weight}*{array.momentum}{entry}^2"
            well = f"{self.pick(('0.9', '1.2', '3/2', '1.1'))}*{array.name}{entry}^2"
            if head and self.chance(0.5):
                terms.append(f"sum({head}: {kinetic} + {well})")
            elif head:
                terms += [f"sum({head}: {kinetic})", f"sum({head}: {well})"]
            else:
                terms += [kinetic, well]
        for _ in range(self.pick((1, 2, 2, 3))):
            kind = self.pick(("q", "q", "z", "p", "z"))
            guards = []
            terms.append(f"{self.pick(('0.05', '0.1', '1/20', '-0.04'))}*({self.value([], guards, kind)})")
            assert not guards
        self.energy = self.name_from(("H", "energy_of", "Ham"))
        self.say(f"hamiltonian {self.energy} = " + "\n    + ".join(terms))

    # ---- constraints ----

    def columns(self, role):
        return [(array, label, role) for array in self.coordinates for label in array.labels()
                if array.role[label] == role]

    def entry(self, column, variables, letter=None):
        array, label, role = column
        name = array.momentum if (letter or role) == "p" else array.name
        parts = list(variables) + ([label] if label else [])
        return name + (f"[{', '.join(parts)}]" if parts else "")

    def declare_constraints(self):
        for role in ("q", "p", "mixed"):
            for column in self.columns(role):
                if not self.chance(0.75):
                    continue
                name = self.name_from(("length", "pin", "rod", "fix", "cut", "tie", "sphere", "bond", "site",
                                       "glue"))
                (self.mixed if role == "mixed" else self.shifted)(name, column, role)

    def family(self, name, scope, guards, formula):
        head = self.binders(scope) + self.where(guards)
        self.say(f"constraint {name}{f'[{head}]' if scope else ''}: {formula}")
        self.families.append((name, [over for _, over in scope], not guards and not self.is_dependent))

    def shifted(self, name, column, role):
        """A family on positions alone, or momenta alone, that leads with entries of its column."""
        array, label, _ = column
        sets = array.sets[:-1] if label else array.sets
        others = self.columns(role)
        if sets and self.chance(0.25):
            scope = []
            for over in sets:
                scope.append(self.variable(scope, over))
            head = ", ".join(f"{v} in {self.set_name(over)}" for v, over in scope)
            entry = self.entry(column, [v for v, _ in scope])
            term = self.pick((entry, f"{entry}^2", f"{entry} + sin({entry})/4",
                              f"{self.coefficient(scope)}^2*{entry} + {entry}/3"))
            disturbance = f" + 0.1*{self.scalar([], None, others, 0)}" if self.chance(0.3) else ""
            self.family(name, [], [], f"sum({head}: {term}){disturbance} == {self.pick(('0.5', '1', '0.3'))}")
            return
        scope, guards, index = [], [], []
        if sets and self.chance(0.4):
            # Differences along the first index: instance i leads with entry i + 1.
            links = [s for s in self.ranges() if not sets[0].labels and s.low == sets[0].low and
                     s.high == plus(sets[0].high, -1)]
            if links:
                i = self.variable(scope, links[0])
                scope.append(i)
                for over in sets[1:]:
                    scope.append(self.variable(scope, over))
                rest = [v for v, _ in scope[1:]]
                here, there = self.entry(column, [i[0]] + rest), self.entry(column, [f"{i[0]}+1"] + rest)
                formula = self.pick((f"{there} - {here} == {self.pick(('0.1', '0'))}",
                                     f"({there} - {here})^2 == 0.25",
                                     f"{there} == {self.smooth(here)}/3",
                                     f"({there} - {here})^2 + ({there} + {here})/9 == 1/4"))
                self.family(name, scope, guards, formula)
                return
        for over in sets:
            if over.has_element() and self.chance(0.15):
                index.append(bound_text(self.pick((over.low, over.high))))
            else:
                scope.append(self.variable(scope, over))
                index.append(scope[-1][0])
        entry = self.entry(column, index)
        if scope and self.chance(0.3):
            guards.append(self.condition(scope))
        leading = self.pick((entry, f"{entry} + {entry}^3/6", f"2*{entry} - sin({entry})", f"{entry}^2"))
        if self.chance(0.7):
            inner = [] if guards or self.chance(0.7) else guards
            added = self.total(scope, others, 0) if self.chance(0.2) else self.scalar(scope, inner, others, 0)
            leading += f" + {self.pick(('0.1', '0.05', '1/12'))}*({added})"
            guards += inner if inner is not guards else []
        self.family(name, scope, guards, f"{leading} == {self.pick(('0.5', '0.3', '0.7', '1/2'))}")

    def mixed(self, name, column, role):
        """A family that mixes positions and momenta of one site, or of two labels of one site."""
        array, label, _ = column
        sets = array.sets[:-1] if label else array.sets
        if array.role[label] != role:
            return
        array.role[label] = "taken"
        scope, guards = [], []
        for over in sets:
            scope.append(self.variable(scope, over))
        variables = [v for v, _ in scope]
        q, p = self.entry(column, variables, "q"), self.entry(column, variables, "p")
        if scope and self.chance(0.25):
            guards.append(self.condition(scope))
        partner = [c for c in self.columns(role) if c[0] is array]
        formula = self.pick((f"{q}^2 + {p}^2 == 1", f"{q}^2/2 + 2*{p}^2 == 3/4", f"{q}*{p} == 0.3",
                             f"2*{q} + {p} == 1/3", f"({q}^2 + {p}^2)*{self.literal()} == 1",
                             f"{q}^2 + {p}^2 + {q}*{p}/2 == 1"))
        if partner and self.chance(0.6):
            array.role[partner[0][1]] = "taken"
            r, s = self.entry(partner[0], variables, "q"), self.entry(partner[0], variables, "p")
            formula = self.pick((f"{q}^2 + {p}^2 + {r}^2 + {s}^2 == 1",
                                 f"{q}^2 + {p}^2 + 2*({r}^2 + {s}^2) == 1.5",
                                 f"{q}^2/2 + {p}^2/2 - {r}*{s} == 0.4"))
        self.family(name, scope, guards, formula)

    # ---- outputs and states ----

    def plain_value(self, scope, guards):
        """What an invariant may be: whether {I,H} vanishes is looked at, and the time that takes grows fast
        with the terms that are not polynomial."""
        inner = scope + [self.variable(scope, self.pick(self.sets))]
        own = []
        x, y = self.leaf(inner, own, "z"), self.leaf(inner, own, "z")
        body = self.pick((f"{x}*{y}", f"{self.coefficient(inner)}*{x}^2 - {y}", f"{x} - {y}/2"))
        where = own + ([self.condition(inner)] if self.chance(0.4) else [])
        total = f"sum({inner[-1][0]} in {inner[-1][1].name}{self.where(where)}: {body})"
        return self.pick((total, total, f"{self.leaf(scope, guards, 'z')} - {self.literal()}*{total}",
                          self.smooth(self.leaf(scope, guards, "z"))))

    def declare_outputs(self):
        for number in range(self.rng.randrange(3)):
            self.output("observe", f"seen{number}")
        self.say(f"invariant energy = {self.energy}")
        for number in range(self.rng.randrange(3)):
            self.output("invariant", f"kept{number}")
        for number in range(3, self.pick((3, 4, 5))):
            self.output("observe", f"seen{number}")

    def output(self, keyword, name):
        scope, guards = [], []
        plain = [family for family in self.families if family[2]]
        for _ in range(self.pick((0, 1, 1, 2) if keyword == "observe" else (0, 0, 1))):
            scope.append(self.variable(scope, self.pick(self.sets)))
        own = guards if scope else None
        value = self.value(scope, own, "z") if keyword == "observe" else self.plain_value(scope, own)
        plain += [family for family in self.kept if family[2] and keyword == "observe"]
        if plain and self.chance(0.6):
            family, sets, _ = self.pick(plain)
            reference = self.reference(family, sets, scope, own)
            if reference:
                if keyword == "observe" and (family, sets, True) in self.families and self.chance(0.7):
                    value = self.pick((f"multiplier({reference})", f"multiplier({reference}) + {value}",
                                       f"{self.leaf(scope, own, 'z')}*multiplier({reference})"))
                else:
                    value = f"{reference}*{self.coefficient(scope)}"
        elif self.chance(0.15):
            value = f"{self.energy}/2 - {value}"
        if scope and self.chance(0.3):
            guards.append(self.condition(scope))
        head = self.binders(scope) + self.where(guards)
        self.say(f"{keyword} {name}{f'[{head}]' if scope else ''} = {value}")
        if keyword == "invariant":
            self.kept.append((name, [over for _, over in scope], not guards and not self.is_dependent))

    def partial(self, scope):
        """A sum over what comes before the value of a variable, or after it."""
        ranges = [(name, over) for name, over in scope if not over.labels]
        if not ranges:
            return self.literal()
        i, over = self.pick(ranges)
        j, _ = variable = self.variable(scope, over)
        span, where = self.pick(((f"{bound_text(over.low)} .. {i}-1", ""), (f"{i} .. {bound_text(over.high)}", ""),
                                 (set_text(over), f" where {j} < {i}"), (over.name, f" where {j} > {i}"),
                                 (f"{bound_text(over.low)} .. {i}", f" where mod({j}, 2) == 0")))
        return f"sum({j} in {span}{where}: {self.coefficient(scope + [variable])}/8)"

    def state_value(self, scope):
        return self.pick((f"{self.partial(scope)} - {self.partial(scope)}", f"sin({self.partial(scope)})",
                          f"{self.coefficient(scope)} - {self.partial(scope)}/2") if self.chance(0.3) else (self.pick(("0.4", "-0.3", "0", "1/7")), f"0.5*{self.coefficient(scope)}",
                          f"sin({self.coefficient(scope)})/2", f"{self.coefficient(scope)} - 0.6"))

    def declare_state(self):
        prefix = self.pick(("", "", "start: ", "za: "))
        for array in self.coordinates:
            for name in (array.name, array.momentum):
                last = array.sets[-1] if array.sets else None
                if last and last.labels and self.chance(0.5):
                    if len(array.sets) == 1 and self.chance(0.5):
                        values = self.table(array.sets, lambda: self.state_value([]))
                        variable = self.variable([], last)[0]
                        self.say(f"init {prefix}{name}[{variable} in {last.name}] = {values}")
                        continue
                    for label in last.labels:
                        self.state(prefix, name, array.sets[:-1], label)
                else:
                    self.state(prefix, name, array.sets, None)

    def state(self, prefix, name, sets, label):
        """The entries of one array, or of one label of it; the first of a range perhaps by itself."""
        first = sets[0] if sets else None
        rest = [s for s in self.ranges() if first and not first.labels and s.low == plus(first.low, 1) and
                s.high == first.high]
        parts = [(None, sets)]
        if rest and first.has_element() and self.chance(0.7):
            parts = [(bound_text(first.low), sets[1:]), (None, [rest[0]] + sets[1:])]
        for index, over_sets in parts:
            scope = []
            for over in over_sets:
                scope.append(self.variable(scope, over))
            items = ([index] if index else []) + [f"{v} in {self.set_name(over)}" for v, over in scope]
            items += [label] if label else []
            entry = f"{name}[{', '.join(items)}]" if items else name
            self.say(f"init {prefix}{entry} = {self.state_value(scope)}")

    def text(self):
        self.say(f'model {self.name} "Random model"')
        self.declare_sizes()
        self.declare_parameters()
        self.declare_coordinates()
        self.declare_lets()
        self.declare_hamiltonian()
        self.declare_constraints()
        self.declare_outputs()
        self.declare_state()
        if self.chance(0.3):
            self.say("run method = rattle, base = verlet, step = 0.01, steps = 10")
        return "\n".join(self.lines) + "\n"


def random_model(seed):
    """The text of the model, and the names of its sizes."""
    model = Model(seed)
    return model.text(), model.sizes


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit("Usage: random_model.py SEED")
    sys.stdout.write(random_model(int(sys.argv[1]))[0])
