# SPDX-License-Identifier: BSD-3-Clause
"""Random sets, indices, conditions and formulas; random_model.py makes models of them."""
import random

SHIFTS = (1, -1, 2, -2, 0, 0)
COORDINATES = (("q", "p"), ("r", "s"), ("u", "v"), ("row", "col"), ("theta", "p_theta"), ("n", "d"),
               ("place", "e"), ("a", "b"), ("x1", "y1"), ("count", "first"))
PARAMETERS = ("m", "w", "c", "g", "eps", "mass", "stiff", "last", "K", "t", "h", "value")
VARIABLES = ("i", "j", "k", "l", "z", "out", "lambda", "o", "f", "ii", "index", "site_of", "_", "t1", "int", "sizes",
             "sin", "k_", "d", "N_", "__i", "larger")


class Set:
    """Labels, or a range between bounds (size or None, integer)."""

    def __init__(self, name, labels=None, low=None, high=None):
        self.name, self.labels, self.low, self.high = name, labels, low, high

    def is_small(self):
        return self.labels is not None or (self.low[0] is None and self.high[0] is None)

    def has_element(self):
        """Whether it does at all sizes."""
        return self.labels is not None or not_above(self.low, self.high)


def set_text(over):
    """As it is declared, or written where it is used."""
    return "{" + ", ".join(over.labels) + "}" if over.labels else f"{bound_text(over.low)} .. {bound_text(over.high)}"


class Array:
    """A parameter, or a coordinate with its momentum; role[label] (role[None] without labels)."""

    def __init__(self, name, sets, momentum=None):
        self.name, self.sets, self.momentum, self.role = name, sets, momentum, {}

    def labels(self):
        last = self.sets[-1].labels if self.sets else None
        return last if last else (None,)


def not_above(a, b):
    """Whether bound a <= b whatever the sizes, which are at least 1."""
    if a[0] == b[0]:
        return a[1] <= b[1]
    return a[0] is None and a[1] <= b[1] + 1


def plus(bound, shift):
    return (bound[0], bound[1] + shift)


def bound_text(bound):
    size, shift = bound
    if size is None:
        return str(shift)
    return size if shift == 0 else f"{size}{shift:+d}"


class Formulas:
    """What a model has declared so far, and random formulas of that."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.name = f"random{seed}"
        self.lines = []
        self.sizes, self.sets, self.parameters, self.coordinates = [], [], [], []
        self.lets = []        # (name, sets of its index arguments, number of values it takes)
        self.vectors = []     # lets: (name, sets of its index arguments, set of its components)
        self.families = []    # (name, sets, whether it has no filter)
        self.kept = []        # invariants likewise
        self.arguments = []   # of the let that is being written
        self.used = set()

    def ranges(self):
        return [s for s in self.sets if s.labels is None]

    # ---- choices ----

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, things):
        return things[self.rng.randrange(len(things))]

    def name_from(self, pool):
        free = [name for name in pool if name not in self.used]
        name = self.pick(free)
        self.used.add(name)
        return name

    def variable(self, scope, over):
        """A fresh index variable over a set: (name, set)."""
        taken = [name for name, _ in scope]
        return (self.pick([v for v in VARIABLES if v not in taken and v not in self.used]), over)

    def set_name(self, over):
        return set_text(over) if self.chance(0.15) else over.name

    def binders(self, new, within=()):
        """Variables and their sets, now and then between ends that depend on the variables before: then not
        all combinations are there, as with a filter."""
        parts, before, self.is_dependent = [], list(within), False
        for name, over in new:
            others = [other for other, its in before if its is over and other not in self.arguments]
            if others and not over.labels and self.chance(0.4):
                other, self.is_dependent = self.pick(others), True
                parts.append(name + " in " + self.pick((f"{bound_text(over.low)} .. {other}-1",
                                                        f"{other} .. {bound_text(over.high)}",
                                                        f"{other}+1 .. {bound_text(over.high)}")))
            else:
                parts.append(f"{name} in {self.set_name(over)}")
            before.append((name, over))
        return ", ".join(parts)

    # ---- numbers: coefficients of order one ----

    def literal(self):
        return self.pick(("0.3", "0.7", "1/3", "2", "1.25", "3/4", "5e-1", "pi/4", "sqrt(2)", "0.9"))

    def coefficient(self, scope):
        choices = [self.literal] * 3 + [lambda: f"1/({self.pick(self.sizes)} + 1)"]
        choices += [lambda: self.parameter(scope)] * (3 if self.parameters else 0)
        ranges = [name for name, over in scope if over and not over.labels]
        if ranges:
            i = self.pick(ranges)
            j = self.pick(ranges)
            choices += [lambda: f"1/(1 + {i}^2)", lambda: f"({i} + 2)/4", lambda: f"cos({i} - {j})",
                        lambda: f"(-1)^{i}", lambda: f"{i}/{self.pick(self.sizes)}",
                        lambda: f"min({i}, {self.pick(('2', j, '5/2'))})/4", lambda: f"sign({i} - {j} + 1/2)",
                        lambda: f"1/max({i}, 2, {j}^2)", lambda: f"mod({i} + 1, 3)/3",
                        lambda: f"(if {self.condition(scope)} then {self.literal()} else {self.literal()})"]
        return self.pick(choices)()

    def parameter(self, scope):
        array = self.pick(self.parameters)
        return self.reference(array.name, array.sets, scope, None) or self.literal()

    # ---- indices ----

    def index(self, scope, over, guards):
        """An index into a set; guards (None: not possible) collects the conditions under which it is
        inside.  None where there is none."""
        if over.labels:
            names = [name for name, its in scope if its is over]
            return self.pick(names) if names and self.chance(0.8) else self.pick(over.labels)
        if self.chance(0.002):
            return str(over.low[1] + 1)  # outside at some sizes, which are to be refused
        choices = []
        for name, its in scope:
            if its is None or its.labels:
                continue
            for shift in SHIFTS:
                low, high = plus(its.low, shift), plus(its.high, shift)
                text = name if shift == 0 else f"{name}{shift:+d}"
                needed = []
                if not not_above(over.low, low):
                    needed.append(f"{text} >= {bound_text(over.low)}")
                if not not_above(high, over.high):
                    needed.append(f"{text} <= {bound_text(over.high)}")
                choices.append((text, needed))
            if not_above(over.low, its.low) and not_above(its.high, over.high):
                ends = plus(over.high, over.low[1]) if over.low[0] is None else None
                if ends:
                    choices.append((f"{bound_text(ends)} - {name}", []))
            if over.has_element() and self.chance(0.3):
                shift = self.pick((1, -1, 0, 2))
                low, high = bound_text(over.low), bound_text(over.high)
                text = name if shift == 0 else f"{name}{shift:+d}"
                choices += [(f"mod({text}, {high} - ({low}) + 1) + {low}", []),
                            (f"max({low}, min({text}, {high}))", [])]
            if not_above(over.low, plus(its.low, 0)):
                choices.append((f"2*{name}", [f"2*{name} <= {bound_text(over.high)}",
                                              f"2*{name} >= {bound_text(over.low)}"]))
        inside = [choice for choice in choices if not choice[1]]
        if over.has_element() and self.chance(0.1):
            return bound_text(self.pick((over.low, over.high)))
        if guards is not None and choices and self.chance(0.3):
            text, needed = self.pick(choices)
            guards += needed
            return text
        if inside:
            return self.pick(inside)[0]
        return bound_text(over.low) if over.has_element() else None

    def reference(self, name, sets, scope, guards):
        indices = [self.index(scope, over, guards) for over in sets]
        if None in indices:
            return None
        return name + (f"[{', '.join(indices)}]" if indices else "")

    # ---- formulas ----

    def leaf(self, scope, guards, kind):
        """A position or momentum; kind 'q', 'p' or 'z', or a list of (array, label, letter)."""
        for _ in range(8):
            if isinstance(kind, list):
                array, label, letter = self.pick(kind)
                sets = array.sets[:-1] if label else array.sets
                text = self.reference("", sets, scope, guards)
                if text is None:
                    continue
                inside = [part for part in (text[1:-1], label) if part]
            else:
                array = self.pick(self.coordinates)
                letter = kind if kind in "qp" else self.pick("qp")
                text = self.reference("", array.sets, scope, guards)
                if text is None:
                    continue
                inside = [text[1:-1]] if text else []
            name = array.name if letter == "q" else array.momentum
            return name + (f"[{', '.join(inside)}]" if inside else "")
        return "0.5"

    def simple(self, scope, guards, kind):
        x, y = self.leaf(scope, guards, kind), self.leaf(scope, guards, kind)
        return self.pick((f"{x}", f"{x} - {y}", f"{x}*{y}", f"{self.coefficient(scope)}*{x}", f"{x}^2",
                          f"{x} + {self.coefficient(scope)}", f"-{x}^2 + {y}", f"({x} - {y})^3/2",
                          f"{x}/(2 + {y}^2)", f"{x} - 2*{y}", f"if {self.condition(scope)} then {x} else {y}/2"))

    # ---- vectors over one set ----

    def vector(self, scope, kind, over, depth=1):
        """An array over the set without its last index, and arithmetic of such."""
        choices = []
        for array in self.coordinates:
            if array.sets and array.sets[-1] is over:
                names = {"q": [array.name], "p": [array.momentum]}.get(kind, [array.name, array.momentum])
                indices = [self.index(scope, its, None) for its in array.sets[:-1]]
                if None not in indices:
                    choices += [name + (f"[{', '.join(indices)}]" if indices else "") for name in names]
        if not choices:
            return None
        for array in self.parameters:
            indices = [self.index(scope, its, None) for its in array.sets[:-1]]
            if array.sets and array.sets[-1] is over and None not in indices:
                choices.append(array.name + (f"[{', '.join(indices)}]" if indices else ""))
        for name, sets, its in self.vectors if kind == "z" else ():
            arguments = [self.index(scope, argument, None) for argument in sets]
            if its is over and None not in arguments:
                choices.append(name + (f"({', '.join(arguments)})" if arguments else ""))
        x = self.pick(choices)
        if depth == 0 or self.chance(0.3):
            return x
        y = self.vector(scope, kind, over, 0)
        return self.pick((f"{x} - {y}", f"{x} + {y}/2", f"2*{x}", f"-({x} - {self.literal()}*{y})",
                          f"(if {self.condition(scope)} then {x} else {y})"))

    def vector_sets(self, small):
        return [array.sets[-1] for array in self.coordinates
                if array.sets and (array.sets[-1].is_small() or not small)]

    def product_of_vectors(self, scope, kind, small=True):
        sets = self.vector_sets(small)
        if not sets or isinstance(kind, list):
            return None
        over = self.pick(sets)
        u, v = self.vector(scope, kind, over), self.vector(scope, kind, over)
        if u is None or v is None:
            return None
        if over.labels and len(over.labels) == 3 and self.chance(0.4):
            w = self.vector(scope, kind, over, 0)
            component = f"[{self.pick(over.labels)}]" if self.chance(0.5) else None
            return f"cross({u}, {v}){component}" if component else f"dot(cross({u}, {v}), {w})"
        if small and self.chance(0.2):
            return f"1/(1 + norm2({u})^2)"
        return f"dot({u}, {v})"

    def smooth(self, x):
        return self.pick((f"sin({x})", f"cos({x})", f"tanh({x})", f"atan({x})", f"sqrt(1 + ({x})^2)",
                          f"log(2 + ({x})^2)", f"exp(-({x})^2)", f"exp(sin({x})/2)", f"1/(1 + ({x})^2)",
                          f"({x})^2/(3 + ({x})^2)", f"cosh(tanh({x}))", f"sinh(sin({x}))",
                          f"asin(sin({x})/3)", f"acos(tanh({x})/2)", f"tan(tanh({x})/2)",
                          f"atan2({x}, 3 + cos({x}))", f"abs(2 + ({x})^2)", f"(1 + ({x})^2)^(-1/2)",
                          f"(2 + sin({x}))^1.5", f"(1 + ({x})^2)^-2", f"sqrt(2 + sin({x}))"))

    def small(self, scope, guards, kind):
        """A sum or product over a set that no size changes: it may stand inside of functions."""
        over = self.pick([s for s in self.sets if s.is_small()])
        variable = self.variable(scope, over)
        body = self.leaf(scope + [variable], None, kind)
        where = [self.condition([variable], fixed=True)] if self.chance(0.3) else []
        head = f"{variable[0]} in {self.set_name(over)}" + self.where(where)
        if self.chance(0.5):
            return f"product({head}: 1 + {self.smooth(body)}/4)"
        return f"sum({head}: {self.pick((f'{body}^2', self.smooth(body), f'{self.literal()}*{body}'))})"

    def call(self, scope, guards, kind):
        name, sets, values = self.pick(self.lets)
        arguments = [self.index(scope, over, guards) for over in sets]
        if None in arguments:
            return self.leaf(scope, guards, kind)
        arguments += [self.simple(scope, guards, kind) for _ in range(values)]
        return name + (f"({', '.join(arguments)})" if arguments else "")

    def scalar(self, scope, guards, kind, depth=2):
        """A formula without sums over sets of any size."""
        choices = [lambda: self.smooth(self.simple(scope, guards, kind))] * 3
        choices += [lambda: self.simple(scope, guards, kind)]
        choices += [lambda: self.small(scope, guards, kind)]
        if depth > 0:
            choices += [
                lambda: f"{self.coefficient(scope)}*{self.smooth(self.scalar(scope, guards, kind, 0))}",
                lambda: f"({self.scalar(scope, guards, kind, 0)})*({self.scalar(scope, guards, kind, 0)})",
                lambda: f"sqrt(2 + {self.small(scope, guards, kind)}^2)",
                lambda: f"({self.scalar(scope, guards, kind, 0)})/(2 + {self.leaf(scope, guards, kind)}^2)",
                lambda: f"(if {self.condition(scope)} then {self.scalar(scope, guards, kind, 0)} else "
                        f"{self.scalar(scope, guards, kind, 0)})"]
            choices += [lambda: self.product_of_vectors(scope, kind) or self.leaf(scope, guards, kind)] * 2
            if self.lets and kind == "z":
                choices += [lambda: self.call(scope, guards, kind)] * 3
        return self.pick(choices)()

    def condition(self, scope, fixed=False):
        """On the variables of the scope; on no size where fixed."""
        ranges = [name for name, over in scope if over and not over.labels]
        # The kind of a let's argument is not known in a comparison with a label.
        labelled = [(name, over) for name, over in scope
                    if over and over.labels and name not in self.arguments]
        size = self.pick(self.sizes)
        choices = []
        if ranges:
            i = self.pick(ranges)
            choices += [f"{i} > 1", f"{i} != 2", f"{i} < {size}", f"2*{i} <= {size}", f"{i} > {size} + 3",
                        f"not {i} == 1", f"{i} >= 2 and {i} < {size}", f"({i} == 1 or {i} == {size})",
                        f"{i}*{i} != 4", f"{size} - {i} >= 1", f"mod({i}, 2) == 1", f"mod({i} - 2, {size}) < 2"]
        if len(ranges) > 1:
            i, j = ranges[-1], self.pick(ranges[:-1])
            choices += [f"{i} < {j}", f"{j} < {i}", f"{i} != {j}", f"{i} == {j} + 1", f"{i} >= {j}",
                        f"not ({i} == {j})", f"{i} + 1 < {j}", f"({i} < {j} and {j} < {i})",
                        f"{i}*{j} <= 4", f"{i} + {j} == {size} + 1", f"{i} == {j}",
                        f"({i} == {j} + 1 or {j} == {i} + 1)", f"{i} - {j} <= 1 and {j} - {i} <= 1",
                        f"mod({i} - {j}, {size}) == 1", f"min({i}, {j}) == 1", f"max({i}, {j}) < {size}",
                        f"({i} == 1 or {j} == 1 or {i} == {j})"] * 2
        if fixed:
            choices = [f"{i} {rest}" for i in ranges for rest in ("> 1", "!= 2", "<= 2 and not 1 == 2")]
        for name, over in labelled:
            choices += [f"{name} != {over.labels[0]}", f"{name} == {over.labels[-1]}"]
        for a, over in labelled:
            choices += [f"{a} != {b}" for b, other in labelled if b != a and other is over]
        if len(choices) > 1 and self.chance(0.15):
            return f"({self.pick(choices)} {self.pick(('and', 'or'))} not ({self.pick(choices)}))"
        return self.pick(choices) if choices else f"{size} >= 1"

    @staticmethod
    def where(conditions):
        unique = list(dict.fromkeys(f"({c})" if " or " in c and c[0] != "(" else c for c in conditions))
        return " where " + " and ".join(unique) if unique else ""

    def total(self, scope, kind, depth=1):
        """A sum over sets of any size."""
        inner = list(scope)
        for _ in range(2 if self.chance(0.35) else 1):
            inner.append(self.variable(inner, self.pick(self.sets if self.chance(0.4) else self.ranges())))
        new = inner[len(scope):]
        guards = []
        if depth > 0 and self.chance(0.25):
            body = f"{self.coefficient(inner)}*{self.total(inner, kind, depth - 1)}"
            if self.chance(0.5):
                factor = self.smooth(self.leaf(inner, guards, kind))
                body = f"{factor}*({self.leaf(inner, guards, kind)} - {body})"
        else:
            body = self.scalar(inner, guards, kind)
            if self.chance(0.1):
                body = self.product_of_vectors(inner, kind, False) or body
        if len(new) > 1 and self.chance(0.7) or self.chance(0.25):
            guards.append(self.condition(inner))
        return f"sum({self.binders(new, scope) + self.where(guards)}: {body})"

    def value(self, scope, guards, kind):
        """Sums of any size, with what they may be multiplied by."""
        total = self.total(scope, kind)
        return self.pick((lambda: total, lambda: self.scalar(scope, guards, kind),
                          lambda: f"{self.coefficient(scope)}*{total} - {self.scalar(scope, guards, kind)}",
                          lambda: f"({total})/(3 + {self.leaf(scope, guards, kind)}^2)",
                          lambda: f"-{self.smooth(self.leaf(scope, guards, kind))}*({total} + 1)",
                          lambda: f"{total} + {self.total(scope, kind, 0)}"))()
