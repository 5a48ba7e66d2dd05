#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Any name that is not a word of the language is good for anything that a model declares.

Usage: every_name.py GENERATOR COMPARE INCLUDE TURNS

The names: the keywords of C and C++; every identifier of <math.h>, <stdlib.h> and <stddef.h> and every macro that
gcc has while it reads them; every identifier of the generated C of the shipped models, in both lowerings; and
names with underscores anywhere.  Each of them is, in one model or another, a coordinate, momentum, parameter,
size, set, let, constraint, observable, invariant, label, index variable, argument and initial state.  Every model
is generated in both lowerings and compiled by gcc and clang without a warning, and both give the same values
(COMPARE is the program of tests/random/compare.c).  Each name has TURNS of ten roles, all of them with 10.

The steps, NAME_step.c: every identifier of the generated steps and of the headers that they include is coordinate,
momentum, parameter, set, let and constraint of models with steps of several kinds, which gcc and clang compile without
a warning, for one lane and for four.
"""
import glob
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile

LANGUAGE = set("""model size set param coord momentum algebraic let hamiltonian constraint observe invariant init
    run sum product where in and or not if then else bracket multiplier pi inf lagrangian velocity""".split())
KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
    while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    alignas alignof asm bool constexpr false fortran nullptr static_assert thread_local true typeof typeof_unqual
    and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new
    noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template
    this throw try typeid typename using virtual wchar_t xor xor_eq""".split()
ODD = """_ __ ___ _a __a _A a_ a__ a__b _a_ __a__ v v_ v__a v_a t0 t00 t0_ t0__ t1 t1_ t12_ s0 s1 s0_ x_1 x_1_
    k_ k__ lambda_ out_ z_ z__ exp_ NULL_ _NULL M_PI_ SIDEWINDER_ SIDEWINDER_MAX SIDEWINDER_ABI_ sw sw_ sw_x sw_model_x
    SW_ SW_X I H L O o l il1 init_0 init_0_ init_00 init_1_2 labels_0 sets_0 sets_1_0 n_sets q_instances _instances
    x_row x_col M main argc argv printf FILE errno stdin""".split()
WARNINGS = "-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror".split()
CHUNK = 160    # names to a model
STEP_CHUNK = 60  # of a model with a step
STEP_ROLES = ("coordinate", "momentum", "parameter", "set", "let", "constraint")
STEPS = {"verlet": (), "midpoint": ("--base", "midpoint"), "splitting": ("--base", "splitting"),
         "compensated": ("--compensated",), "clusters": ("--lowering", "looped")}
ROLES = ("coordinate", "momentum", "parameter", "size", "set", "let", "constraint", "observable", "invariant", "free")


def output(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"[:4000])
    return done.stdout


def identifiers(text):
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\])*"', " ", text, flags=re.S)
    return set(re.findall(r"\b[A-Za-z_]\w*", text))


def identifiers_of_file(path):
    with open(path) as file:
        return identifiers(file.read())


def identifiers_of_model(task):
    """The identifiers of the C that is made of a shipped model."""
    generator, model, lowering, folder = task
    output(generator, "generate", model, "-o", folder, "--lowering", lowering)
    return identifiers_of_file(os.path.join(folder, os.path.basename(model)[:-2] + "c"))


def all_names(generator, include, folder, pool):
    headers = "#include <math.h>\n#include <stddef.h>\n#include <stdlib.h>\n"
    found = set(KEYWORDS) | set(ODD)
    found |= identifiers(output("gcc", "-E", "-P", "-D_GNU_SOURCE", "-xc", "-", text=headers))
    for line in output("gcc", "-E", "-dM", "-D_GNU_SOURCE", "-xc", "-", text=headers).splitlines():
        found.add(line.split()[1].split("(")[0])
    not_made = {"unrolled": ("water_box.sw", "net.sw", "spin_chain.sw"), "looped": ("rods.sw",)}
    tasks = [(generator, model, lowering, os.path.join(folder, lowering))
             for model in sorted(glob.glob("models/*.sw")) for lowering in not_made
             if os.path.basename(model) not in not_made[lowering]]
    found = found.union(*pool.map(identifiers_of_model, tasks))
    with open(os.path.join(include, "sidewinder/model.h")) as file:
        found |= identifiers(file.read())
    # Thousands of them are of a few kinds, of which some will do: macros of the compiler, functions for other
    # types, entries of arrays, temporaries.
    kinds = (r"_[_A-Z].*", r".*[fF]\d+[xX]?(_[lr])?", r".*_\d+(_.*)?", r"[a-z]\d{2,}", r"v_.*|[pq]_.*", r".*_t")
    for kind in kinds:
        alike = sorted(name for name in found if re.fullmatch(kind, name) and name not in KEYWORDS + ODD)
        found -= set(alike[:-1]) - set(alike[::1 + len(alike)//12])
    return sorted(name for name in found if name not in LANGUAGE and len(name) <= 50)


def declare(model, names, turn):
    """A model in which name number i has the role number i + turn, and which uses all of them."""
    role = {r: [] for r in ROLES}
    for i, name in enumerate(names):
        role[ROLES[(i + turn) % len(ROLES)]].append(name)
    free, sets, labels = role["free"], role["set"], f"set_of_labels{turn}"
    lines = [f"model {model}", f"set {labels} = {{{', '.join(free)}}}"]

    def index(i):
        return free[i % len(free)]

    lines += [f"size {name} = 2" for name in role["size"]]
    lines += [f"set {name} = 1 .. {role['size'][i % len(role['size'])]}" for i, name in enumerate(sets)]
    energy, values = [], []
    wave = next(name for name in ("sin", "cos", "tanh") if name not in role["let"])
    for i, name in enumerate(role["parameter"]):
        over = sets[i % len(sets)]
        if i == 0:
            lines.append(f"param {name}[{labels}] = 1.5")
            values.append(f"sum({index(i)} in {labels}: {name}[{index(i)}])")
        elif i % 2:
            lines.append(f"param {name}[{index(i)} in {over}] = 1 + {index(i)}/7")
            values.append(f"sum({index(i + 1)} in {over}: {name}[{index(i + 1)}])")
        else:
            lines.append(f"param {name} = {i}/3")
            values.append(name)
    pairs = list(zip(role["coordinate"], role["momentum"]))
    arrays = []
    for i, (position, momentum) in enumerate(pairs):
        over, j = sets[i % len(sets)], index(i + 2)
        if i % 3 == 1:
            arrays.append((position, momentum, over))
            lines.append(f"coord {position}[{over}] momentum {momentum}")
            energy.append(f"sum({j} in {over}: {momentum}[{j}]^2/2 + {j}/(2 + {position}[{j}]^2))")
        else:
            lines.append(f"coord {position} momentum {momentum}")
            energy.append(f"{momentum}^2/2 + {wave}({position})*{values[i % len(values)]}/(9 + {position}^2)")
    for i, name in enumerate(role["let"]):
        position, momentum, over = arrays[i % len(arrays)]
        lines.append(f"let {name}({index(i + 3)}) = {position}[{index(i + 3)}]^2/{i + 2}")
        if i < 50:
            energy.append(f"sum({index(i + 4)} in {over}: {name}({index(i + 4)})*{i}/5)")
    lines.append("hamiltonian Ham = " + "\n  + ".join(energy))
    for i, name in enumerate(role["constraint"][:len(arrays)]):
        position, momentum, over = arrays[i]
        where = f" where {index(i)} > 1" if i % 2 else ""
        lines.append(f"constraint {name}[{index(i)} in {over}{where}]: 2*{position}[{index(i)}] == 0")
    for i, name in enumerate(role["constraint"][len(arrays):]):
        lines.append(f"let {name} = 1")
    for i, name in enumerate(role["observable"]):
        position, momentum, over = arrays[i % len(arrays)]
        lines.append(f"observe {name}[{index(i)} in {over} where {index(i)} < 9] = {momentum}[{index(i)}]*"
                     f"{pairs[0][0]} + {i}")
    for i, name in enumerate(role["invariant"]):
        lines.append(f"invariant {name} = {pairs[i % len(pairs)][i % 2]}" + ("" if (i % len(pairs)) % 3 != 1 else "[1]"))
    for name in (index(5), index(6)):
        for position, momentum in pairs:
            array = [a for a in arrays if a[0] == position]
            head = f"[{index(7)} in {array[0][2]}]" if array else ""
            lines += [f"init {name}: {position}{head} = 0", f"init {name}: {momentum}{head} = 1"]
    return "\n".join(lines) + "\n"


def states(names):
    """Every name is that of an initial state, and those of a let's argument and an index further down."""
    lines = ["model states", "set two = 1 .. 2", "coord coordinate_here[two] momentum momentum_here"]
    for i, name in enumerate(names):
        lines.append(f"let at{i}({name}) = {name}^2*coordinate_here[1]")
    lines.append("hamiltonian Ham = sum(i in two: momentum_here[i]^2/2 + coordinate_here[i]^2)")
    for name in names:
        lines += [f"init {name}: coordinate_here[{name} in two] = {name}",
                  f"init {name}: momentum_here[{name} in two] = 1"]
    return "\n".join(lines) + "\n"


def step_names(include):
    """The identifiers of generated steps and of the headers that these include; of names that differ in what the models
    call their parts, such as q_1_x_after and p_upper_y_after, one will do."""
    paths = glob.glob("generated/*_step.c") + glob.glob("tests/models/*_step.c")
    models = [path.replace("generated", "models")[:-len("_step.c")] + ".sw" for path in paths]
    paths += [path for kind in ("fused_*", "lanes", "stepper") for path in glob.glob(f"{include}/sidewinder/{kind}.h")]
    words = set().union(*map(identifiers_of_file, models))
    kinds = {}
    for name in sorted(set(KEYWORDS).union(*map(identifiers_of_file, paths)), key=len):
        parts = name.split("_")
        alike = "_".join("#" if part.isdigit() or part in words else part for part in parts) if len(parts) > 1 else name
        kinds.setdefault(re.sub(r"#(_#)+|(?<=^t)\d+$", "#", alike), name)
    return sorted(name for name in kinds.values() if name not in LANGUAGE and len(name) <= 50)


def with_step(model, kind, names, turn):
    """A model with a straight-line step in which name number i has the role number i + turn."""
    role = {r: [] for r in STEP_ROLES}
    for i, name in enumerate(names):
        role[STEP_ROLES[(i + turn) % len(STEP_ROLES)]].append(name)
    clusters = kind == "clusters"
    lines = [f"model {model}"] + ["size count_ = 8", "set all_ = 1 .. count_"] * clusters
    index, at = ("[i_ in all_]", "[i_]") if clusters else ("", "")
    lines += [f"set {name} = 1 .. 2" for name in role["set"]]
    lines += [f"param {name}{'[all_]' if clusters else ''} = 1.5" for name in role["parameter"]]
    lines += [f"let {name}(x_) = x_^2/2" for name in role["let"]]
    pairs = list(zip(role["coordinate"], role["momentum"]))
    energy = []
    for i, (position, momentum) in enumerate(pairs):
        lines.append(f"coord {position}{'[all_]' if clusters else ''} momentum {momentum}")
        parameter = f"{role['parameter'][i % len(role['parameter'])]}{at}"
        let, over = role["let"][i % len(role["let"])], role["set"][i % len(role["set"])]
        energy.append(f"{momentum}{at}^2/2 + {parameter}*{let}({position}{at})")
        energy.append("" if clusters else f"sum(j_ in {over}: j_)*{parameter}*{position}")
    if kind == "splitting":
        energy.append(f"{pairs[0][1]}*{pairs[-1][0]}")  # a linear flow
    whole = " + ".join(filter(None, energy))
    lines.append("hamiltonian Ham = " + (f"sum(i_ in all_: {whole})" if clusters else whole))
    for i, name in enumerate(role["constraint"]):
        if 2*i + 1 < len(pairs):
            lines.append(f"constraint {name}{index}: {pairs[2*i][0]}{at}^2 + {pairs[2*i + 1][0]}{at}^2 == 2")
        else:
            lines.append(f"let {name} = 1")
    for i, (position, momentum) in enumerate(pairs):
        lines += [f"init {position}{index} = 1", f"init {momentum}{index} = 0"]
    return "\n".join(lines) + "\nrun method = rattle, base = verlet\n"


class StepTrial:
    """A model with a step of one kind."""

    def __init__(self, generator, include, folder):
        self.generator, self.include, self.folder = generator, include, os.path.join(folder, "steps")
        self.compilers = [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)]
        os.makedirs(self.folder, exist_ok=True)

    def __call__(self, task):
        model, kind, text = task
        path = os.path.join(self.folder, model + ".sw")
        with open(path, "w") as file:
            file.write(text)
        try:
            said = output(self.generator, "generate", path, "-o", self.folder, *STEPS[kind])
            if not os.path.exists(os.path.join(self.folder, model + "_step.c")):
                raise RuntimeError(f"{model} has no step: {said}")
            for source in (model + ".c", model + "_step.c"):
                for compiler in self.compilers:
                    for lanes in ("1", "4")[:1 + source.endswith("_step.c")]:
                        # Vectors and attributes are extensions.
                        warnings = WARNINGS if lanes == "1" else ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
                        output(compiler, *warnings, f"-DSW_LANES={lanes}", "-fsyntax-only", "-I", self.include,
                               os.path.join(self.folder, source))
        except RuntimeError as error:
            return str(error)
        return ""


def try_steps(generator, include, folder, pool, turns):
    """What went wrong, and how many names and models there were."""
    names = step_names(include)
    chunks = [names[i::1 + len(names)//STEP_CHUNK] for i in range(1 + len(names)//STEP_CHUNK)]
    tasks = []
    for number, kind in enumerate(STEPS):
        for i, chunk in enumerate(chunks):
            for turn in range(min(turns, len(STEP_ROLES)) if kind == "verlet" else 1 + turns//len(STEP_ROLES)):
                model = f"{kind}{i}_{turn}"
                tasks.append((model, kind, with_step(model, kind, chunk, turn + number)))
    failures = list(filter(None, pool.map(StepTrial(generator, include, folder), tasks, chunksize=4)))
    return failures, len(names), len(tasks)


class Trial:
    """One model in both lowerings."""

    def __init__(self, generator, include, folder):
        self.generator, self.include, self.folder = generator, include, folder
        self.compiler = os.environ.get("CC", "cc").split()
        self.flags = os.environ.get("SW_BUILD_FLAGS", "").split()
        self.others = [other for other in ("gcc", "clang") if shutil.which(other)
                       and os.path.realpath(shutil.which(other)) != os.path.realpath(shutil.which(self.compiler[0]))]

    def __call__(self, model_and_text):
        """The object files of the two variants, and what went wrong."""
        try:
            return self.objects(*model_and_text), ""
        except RuntimeError as error:
            return [], str(error)

    def objects(self, model, text):
        path = os.path.join(self.folder, model + ".sw")
        with open(path, "w") as file:
            file.write(text)
        objects = []
        for lowering in ("unrolled", "looped"):
            output(self.generator, "generate", path, "-o", os.path.join(self.folder, lowering), "--lowering", lowering)
            source = os.path.join(self.folder, lowering, model + ".c")
            for other in self.others:
                output(other, *WARNINGS, "-fsyntax-only", "-I", self.include, source)
            objects.append(os.path.join(self.folder, f"{model}_{lowering}.o"))
            # The two have names of their own.
            output(*self.compiler, *self.flags, *WARNINGS, "-O0", "-fPIC", "-I", self.include, "-c", source,
                   f"-Dsw_model_{model}=sw_model_{model}_{lowering}", "-o", objects[-1])
        return objects


def main(generator, compare, include, turns):
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        failures, n_names, n_models = try_steps(generator, include, folder, pool, turns)
        print(f"{n_names} names in {n_models} models with steps, of which {len(failures)} failed")
        if failures or n_names < 300:
            print("\n".join(failures[:1]))
            return 1
        names = all_names(generator, include, folder, pool)
        chunks = [names[i::1 + len(names)//CHUNK] for i in range(1 + len(names)//CHUNK)]
        texts = {f"names{i}_{turn}": declare(f"names{i}_{turn}", chunk, turn)
                 for i, chunk in enumerate(chunks) for turn in range(turns)}
        texts["states"] = states(names)
        trial = Trial(generator, include, folder)
        done = pool.map(trial, texts.items(), chunksize=4)
        failures = [failure for _, failure in done if failure]
        if failures:
            print(f"{len(failures)} models failed; the first of them:\n{failures[0]}")
            return 1
        library = os.path.join(folder, "models.so")
        output(*trial.compiler, *trial.flags, "-shared", "-o", library, *(object for both, _ in done for object in both),
               "-lm")
        found = output(compare, library, text="".join(f"{model} sw_model_{model}_unrolled sw_model_{model}_looped\n"
                                                      for model in texts))
        output(generator, "run", os.path.join(folder, "states.sw"), "--init", "lambda", "--step", "0.01", "--steps", "2")
    print(f"{len(names)} names in {len(texts)} models, by {' and '.join(trial.compiler + trial.others)}: {found.splitlines()[-1]}")
    return 0 if f"{len(texts)} pairs, 0 differ" in found and len(names) > 900 else 1


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(*(os.path.abspath(path) for path in sys.argv[1:4]), int(sys.argv[4])))
