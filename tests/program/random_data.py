# SPDX-License-Identifier: BSD-3-Clause
"""Random models that take data, each with random data, and the same model with every sum, family and index written out.

random_data.py make SEED FOLDER     data.sw, data.json and spelled.sw
random_data.py compare A B MOST     exits with 1 where two .csv files differ anywhere by more than MOST times what is there, or 1, or
                                    where nothing has moved

An expression is a nested tuple whose first item says what it is. There are three things that one can do to it: write it as the model with
data has it, write it with all indices known, and compute it.
"""
import csv
import json
import math
import random
import sys

XY = ["x", "y"]
KINDS = ["u", "w"]
ARRAYS = {  # of indices: over which set, and of what
    "a": ("bond", "atom"), "b": ("bond", "atom"), "of": ("atom", "kind"), "way": ("bond", "xy"), "up": ("atom", "bond"),
    "next": ("bond", "bond"), "own": ("pin", "atom"), "from": ("rod", "atom"), "to": ("rod", "atom"), "first": ("atom", "bond"),
    "last": ("atom", "bond"), "pair.1": ("pair", "atom"), "pair.2": ("pair", "atom"), "tri.1": ("tri", "atom"),
    "tri.2": ("tri", "xy"), "tri.3": ("tri", "bond"),
}
PARAMETERS = {"m": ("kind",), "stiff": ("bond",), "w": ("pair",), "charge": ("atom",), "grid": ("atom", "kind")}


# ---- indices: ("var", name), ("in", array, index), ("int", n), ("twice", index, j): 2*i - 1 or 2*i, the slots of an atom ----

def index_text(e, env=None):
    """As the model with data has it; with an environment, the element itself."""
    if env is not None:
        value = index_value(e, env)
        return str(value)
    if e[0] == "in":
        return e[3] if len(e) > 3 else f"{e[1]}[{index_text(e[2])}]"
    if e[0] == "twice":
        return f"2*{index_text(e[1])}" + ("" if e[2] else " - 1")
    return str(e[1])


def index_value(e, env):
    if e[0] == "var":
        return env[e[1]]
    if e[0] == "in":
        return env["arrays"][e[1]][index_value(e[2], env) - 1]
    if e[0] == "twice":
        return 2 * index_value(e[1], env) - (0 if e[2] else 1)
    return e[1]


# ---- real expressions ----

def text(e, env=None):
    kind = e[0]
    if kind == "number":
        return repr(e[1])
    if kind == "entry":
        return f"{e[1]}[{','.join(index_text(i, env) for i in e[2])}]"
    if kind == "index":
        return index_text(e[1], env)
    if kind in "+*":
        return "(" + f" {kind} ".join(text(x, env) for x in e[1]) + ")" if e[1] else "0"
    if kind == "^":
        return f"{text(e[1], env)}^{e[2]}"
    if kind == "call":
        return f"{e[1]}({text(e[2], env)})"
    if kind == "let":
        return text(e[3], dict(env, **{k: index_value(v, env) for k, v in e[2]})) if env else (
            f"{e[1]}({', '.join(index_text(v) for _, v in e[2])})")
    if kind == "sum" and env is not None:
        return text(("+", [("at", e[3], inner) for inner in instances(e[1], e[2], env)]), env)
    if kind == "sum":
        return f"sum({binders_text(e[1])}{condition_text(e[2])}: {text(e[3])})"
    return text(e[1], e[2])


def value(e, env):
    kind = e[0]
    if kind == "number":
        return e[1]
    if kind == "entry":
        return env["state"][e[1]][tuple(index_value(i, env) for i in e[2])]
    if kind == "index":
        return index_value(e[1], env)
    if kind == "+":
        return math.fsum(value(x, env) for x in e[1])
    if kind == "*":
        return math.prod(value(x, env) for x in e[1])
    if kind == "^":
        return value(e[1], env) ** e[2]
    if kind == "call":
        return getattr(math, e[1])(value(e[2], env))
    if kind == "let":
        return value(e[3], dict(env, **{k: index_value(v, env) for k, v in e[2]}))
    return math.fsum(value(e[3], inner) for inner in instances(e[1], e[2], env))


# ---- what loops: (shown, variable, set, first, last) and conditions (index, sign, index) ----

def binders_text(binders):
    return ", ".join(f"{shown} in " + (s if first is None else f"{index_text(first)} .. {index_text(last)}")
                     for shown, _, s, first, last in binders)


def condition_text(condition):
    return " where " + f" {condition[0]} ".join(f"{index_text(x)} {sign} {index_text(y)}" for x, sign, y in condition[1]) if condition else ""


def holds(condition, env):
    signs = {"==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
             ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}
    found = [signs[sign](index_value(x, env), index_value(y, env)) for x, sign, y in condition[1]] if condition else [True]
    return any(found) if condition and condition[0] == "or" else all(found)


def instances(binders, condition, env):
    if not binders:
        return [env] if holds(condition, env) else []
    _, name, s, first, last = binders[0]
    elements = env["sets"][s] if first is None else range(index_value(first, env), index_value(last, env) + 1)
    return [inner for i in elements for inner in instances(binders[1:], condition, dict(env, **{name: i}))]


# ---- a random model ----

class Author:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.count = 0
        self.lets = []

    def variable(self):
        self.count += 1
        return f"i{self.count}"

    def index(self, target, scope, depth=0):
        """Some element of the set: a variable, or an entry of an array at one."""
        rng = self.rng
        if target == "slot":
            return ("twice", self.index("atom", scope, depth), rng.randint(0, 1))
        found = [e for e, s in scope if s == target]
        arrays = [(n, s) for n, (s, t) in ARRAYS.items() if t == target and "." not in n and any(s == u for _, u in scope)]
        if depth < 2 and target in ("atom", "bond") and rng.random() < 0.15:
            name = rng.choice([n for n, (_, t) in ARRAYS.items() if t == target and "." not in n and n not in ("own", "from", "to")])
            return ("in", name, self.index(ARRAYS[name][0], scope, depth + 1))
        if found and (not arrays or rng.random() < 0.6):
            return rng.choice(found)
        if arrays:
            name, s = rng.choice(arrays)
            return ("in", name, rng.choice([e for e, u in scope if u == s]))
        if target in ("xy", "kind"):
            return ("int", rng.choice(XY if target == "xy" else KINDS))
        return ("int", rng.randint(1, 2))

    def condition(self, scope):
        rng = self.rng
        if rng.random() < 0.5:
            return None
        terms = []
        for _ in range(rng.randint(1, 2)):
            s = rng.choice(["atom", "atom", "bond", "kind", "xy"])
            sign = rng.choice(["==", "!="] if s in ("kind", "xy") else ["==", "!=", "<", "<=", ">", ">="])
            left = self.index(s, scope)
            if left[0] == "int":
                continue
            terms.append((left, sign, self.index(s, scope)))
        return (rng.choice(["and", "or"]), terms) if terms else None

    def binders(self, scope):
        """Some variables, and the scope with them."""
        rng = self.rng
        result, scope = [], list(scope)
        for _ in range(rng.choice([1, 1, 1, 2])):
            s = rng.choice(["atom", "bond", "bond", "pair", "tri", "rod", "parts", "triple", "between", "xy"])
            i = self.variable()
            shown = i
            if s in ("parts", "triple"):
                s = "pair" if s == "parts" else "tri"
                parts = [self.variable() for _ in range(2 if s == "pair" else 3)]
                shown, i = f"({', '.join(parts)})", "_".join(parts)
                scope += [(("in", f"{s}.{k + 1}", ("var", i), v), ARRAYS[f"{s}.{k + 1}"][1]) for k, v in enumerate(parts)]
                result.append((shown, i, s, None, None))
                continue
            if s == "between":
                at = [e for e, u in scope if u == "atom" and e[0] == "var"]
                if not at:
                    continue
                result.append((i, i, "bond", ("in", "first", at[0]), ("in", "last", at[0])))
                s = "bond"
            else:
                result.append((i, i, s, None, None))
            scope.append((("var", i), s))
        return (result, scope) if result else self.binders(scope)

    def factor(self, scope, is_momentum):
        rng = self.rng
        roll = rng.random()
        if roll < 0.6 or is_momentum:
            name = "p" if is_momentum else rng.choice(["q", "q", "s"])
            if name == "s":
                return ("entry", "s", [self.index("slot", scope)])
            return ("entry", name, [self.index("atom", scope), self.index("xy", scope)])
        if roll < 0.8:
            name = rng.choice(list(PARAMETERS))
            if all(any(u == s for _, u in scope) or s != "pair" for s in PARAMETERS[name]):
                return ("entry", name, [self.index(s, scope) for s in PARAMETERS[name]])
        if roll < 0.9:
            return ("*", [("number", 0.25), ("index", self.index(rng.choice(["atom", "bond"]), scope))])
        return ("number", round(rng.uniform(0.1, 1), 2))

    def body(self, scope, with_momenta=False):
        rng = self.rng
        x = ("*", [self.factor(scope, with_momenta and rng.random() < 0.4) for _ in range(rng.randint(1, 3))])
        x = ("*", [x, ("entry", "q", [self.index("atom", scope), self.index("xy", scope)])])
        roll = rng.random()
        if roll < 0.2:
            return ("call", rng.choice(["cos", "sin"]), x)
        if roll < 0.35:
            return ("^", x, 2)
        if roll < 0.5:
            k = self.variable()
            return ("sum", [(k, k, "xy", None, None)], None, self.body(scope + [(("var", k), "xy")]))
        if roll < 0.65:
            i, j = self.variable(), self.variable()
            inside = self.body([(("var", i), "atom"), (("var", j), "bond")])
            name = f"f{len(self.lets)}"
            self.lets.append(f"let {name}({i}, {j}) = {text(inside)}")
            return ("let", name, [(i, self.index("atom", scope)), (j, self.index("bond", scope))], inside)
        return x

    def term(self, with_momenta):
        binders, scope = self.binders([])
        return ("*", [("number", 0.05), ("sum", binders, self.condition(scope), self.body(scope, with_momenta))])


def of(name, *indices):
    return ("entry", name, list(indices))


def over(*sets):
    names = [f"j{n}" for n in range(len(sets))]
    return [(n, n, s, None, None) for n, s in zip(names, sets)], [("var", n) for n in names]


def kinetic():
    binders, (i, k) = over("atom", "xy")
    slots, (j,) = over("slot")
    return [("sum", binders, None, ("*", [("number", 0.5), ("^", of("p", i, k), 2), of("m", ("in", "of", i))])),
            ("sum", slots, None, ("*", [("number", 0.5), ("^", of("r", j), 2)]))]


def constraints(author):
    """Rods between the later atoms, and pins of the first ones, which something weak disturbs: of full rank."""
    rods, (e,) = over("rod")
    j = ("var", "k")
    rod = ("sum", [("k", "k", "xy", None, None)], None,
           ("^", ("+", [of("q", ("in", "from", e), j), ("*", [("number", -1.0), of("q", ("in", "to", e), j)])]), 2))
    pins, (c,) = over("pin")
    pin = ("+", [of("q", ("in", "own", c), ("int", "x")), ("*", [("number", 0.02), author.body([(c, "pin")])])])
    return [("rod_", rods, rod, "rods"), ("pin_", pins, pin, "pins")]


def random_data(rng):
    n, bonds = rng.randint(4, 6), rng.randint(2, 4)
    pins = rng.randint(0, 2)
    atoms = list(range(1, n + 1))
    rods = [(i, i + 1) for i in range(3, n)][: rng.randint(0, 3)]
    sets = {"atom": atoms, "bond": list(range(1, bonds + 1)), "pair": list(range(1, rng.randint(0, 4) + 1)),
            "tri": list(range(1, rng.randint(0, 3) + 1)), "rod": list(range(1, len(rods) + 1)), "pin": list(range(1, pins + 1)),
            "slot": list(range(1, 2 * n + 1)), "xy": XY, "kind": KINDS}
    arrays = {name: [rng.choice(sets[target]) for _ in sets[s]] for name, (s, target) in ARRAYS.items()}
    arrays["own"] = rng.sample([1, 2], pins)
    arrays["from"], arrays["to"] = [a for a, _ in rods], [b for _, b in rods]
    return sets, arrays


def make(seed, folder):
    author = Author(int(seed))
    rng = author.rng
    sets, arrays = random_data(rng)
    with_momenta = rng.random() < 0.4

    def numbers(*over_sets):
        keys = [()]
        for s in over_sets:
            keys = [k + (e,) for k in keys for e in sets[s]]
        return {k: round(rng.uniform(0.3, 1.3), 3) for k in keys}

    state = {name: numbers(*over_sets) for name, over_sets in PARAMETERS.items()}
    state.update(q=numbers("atom", "xy"), s=numbers("slot"))
    env = {"sets": sets, "arrays": arrays, "state": state}

    energy = ("+", kinetic() + [author.term(with_momenta) for _ in range(rng.randint(1, 4))])
    families = constraints(author)
    watched = [(f"o{n}", *author.binders([])) for n in range(3)]
    watched = [(name, binders, author.condition(scope), author.body(scope)) for name, binders, scope in watched
               if all(first is None for _, _, _, first, _ in binders)]

    lines = ["model data", "set xy = {x, y}", "set kind = {u, w}"]
    lines += [f"set {s} = data" for s in ("atom", "bond", "rod", "pin")]
    lines += ["set pair = data in atom * atom", "set tri = data in atom * xy * bond", "set slot = 1 .. 2*n_atom"]
    lines += [f"param {name}[{s}] in {target}" for name, (s, target) in ARRAYS.items() if "." not in name]
    lines += [f"param {name}[{', '.join(over_sets)}]" for name, over_sets in PARAMETERS.items()]
    lines += ["param q0[atom, xy]", "param s0[slot]", "param rods[rod]", "param pins[pin]"]
    lines += ["coord q[atom, xy] momentum p", "coord s[slot] momentum r"] + author.lets
    lines += [f"hamiltonian H = {text(energy)}"]
    spelled = ["model spelled", "set xy = {x, y}", "set kind = {u, w}", f"set atom = 1 .. {len(sets['atom'])}",
               f"set slot = 1 .. {len(sets['slot'])}"]
    spelled += [f"set {s} = 1 .. {max(1, len(sets[s]))}" for s in ("bond", "pair")]
    for name, over_sets in PARAMETERS.items():
        spelled += [f"param {name}[{', '.join(over_sets)}] = {table(state[name], [sets[s] for s in over_sets])}"]
    spelled += ["coord q[atom, xy] momentum p", "coord s[slot] momentum r", f"hamiltonian H = {text(energy, env)}"]
    targets = {}
    for name, binders, body, target in families:
        targets[target] = [value(body, inner) for inner in instances(binders, None, env)]
        lines.append(f"constraint {name}[{binders_text(binders)}]: {text(body)} == {target}[{binders[0][1]}]")
        spelled += [f"constraint {name}{n + 1}: {text(body, inner)} == {targets[target][n]!r}"
                    for n, inner in enumerate(instances(binders, None, env))]
    for name, binders, condition, body in watched:
        lines.append(f"observe {name}[{binders_text(binders)}{condition_text(condition)}] = {text(body)}")
        spelled += [f"observe {name}_{n}_ = {text(body, inner)}" for n, inner in enumerate(instances(binders, condition, env))]
    lines += ["init q[i in atom, k in xy] = q0[i,k]", "init s[i in slot] = s0[i]", "init p[i in atom, k in xy] = q0[i,k] - 0.8",
              "init r[i in slot] = s0[i] - 0.8"]
    for (i, k), v in state["q"].items():
        spelled += [f"init q[{i},{k}] = {v!r}", f"init p[{i},{k}] = {v!r} - 0.8"]
    for (i,), v in state["s"].items():
        spelled += [f"init s[{i}] = {v!r}", f"init r[{i}] = {v!r} - 0.8"]
    for model in lines, spelled:
        model += ["invariant energy = H", "run method = rattle, step = 1e-2, steps = 3"]
    given = {s: len(sets[s]) for s in ("atom", "bond", "rod", "pin")}
    given["pair"] = [list(t) for t in zip(arrays["pair.1"], arrays["pair.2"])]
    given["tri"] = [list(t) for t in zip(arrays["tri.1"], ["xy".index(k) for k in arrays["tri.2"]], arrays["tri.3"])]
    labels = {"kind": KINDS, "xy": XY}
    given.update({name: [labels[ARRAYS[name][1]].index(v) if ARRAYS[name][1] in labels else v for v in values]
                  for name, values in arrays.items() if "." not in name})
    given.update({name: nested(state[name], [sets[s] for s in over_sets]) for name, over_sets in PARAMETERS.items()})
    given.update(targets, q0=nested(state["q"], [sets["atom"], XY]), s0=list(state["s"].values()))
    for name, content in ("data.sw", "\n".join(lines) + "\n"), ("spelled.sw", "\n".join(spelled) + "\n"), ("data.json", json.dumps(given)):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(content)


def nested(entries, sets, key=()):
    return [nested(entries, sets[1:], key + (e,)) for e in sets[0]] if sets else entries[key]


def table(entries, sets, key=()):
    """A set without elements has one here, which nothing reads."""
    if not sets:
        return repr(entries[key])
    return "{" + ", ".join(table(entries, sets[1:], key + (e,)) for e in sets[0]) + "}" if sets[0] else "{1}"


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [[float(v) for v in row] for row in list(csv.reader(file))[1:]]


def compare(a, b, most):
    left, right = rows(a), rows(b)
    same = len(left) == len(right) and all(len(u) == len(v) for u, v in zip(left, right))
    apart = max(abs(x - y) / max(1, abs(y)) for u, v in zip(left, right) for x, y in zip(u, v))
    moved = max(abs(x - y) for x, y in zip(left[0][2:], left[-1][2:]))
    print(f"{len(left)} and {len(right)} rows, {len(left[0])} and {len(right[0])} columns, moved {moved:.3g}, apart {apart:.3g}")
    sys.exit(0 if same and moved > 1e-6 and apart <= float(most) else 1)


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
