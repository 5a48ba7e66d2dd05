# SPDX-License-Identifier: BSD-3-Clause
"""A model file: analysed, generated, compiled and loaded."""
import json
import math
import os
import re
import shutil
import tempfile
import weakref

import numpy as np

from . import notebook, pictures
from .data import Data
from .ensemble import Ensemble
from .errors import ModelError, OptionError
from .generator import Installation
from .library import Handle, Library
from .names import numbers, real, reals, unknown
from .sim import Sim


class Options(Handle):
    """Options of the library for one model.  Must outlive the simulations created with them."""

    def __init__(self, library, method=None):
        self._lib = library
        self._kept = [None if method is None else method.encode()]
        self.handle = library.swpy_options_new(self._kept[0])
        if not self.handle:
            raise MemoryError("options")

    def __del__(self):
        if getattr(self, "handle", None):
            self._lib.swpy_options_free(self.handle)

    def text(self, name):
        said = self._lib.swpy_options_text(self.handle, self._lib.options[name][0])
        return None if said is None else said.decode()

    def set(self, name, value):
        if name not in self._lib.options:
            raise unknown("option", name, list(self._lib.options))
        i, kind = self._lib.options[name]
        if kind == "t":
            if not isinstance(value, str):
                raise OptionError(f"the option '{name}' is a name, not {value!r}")
            self._kept.append(value.encode())
            self._lib.swpy_options_set_text(self.handle, i, self._kept[-1])
        else:
            given = numbers(f"the option '{name}'", value, 2 if kind == "2" else 1)
            if kind == "i" and not (abs(given[0]) < 2**31 and given[0] == int(given[0])):
                raise OptionError(f"the option '{name}' is an integer, not {value!r}")
            self._lib.swpy_options_set_numbers(self.handle, i, given)

    def set_data(self, given):
        """Sets the data, and returns the parameters in them.  Sizes must be added before."""
        self._kept.append(Data(self._lib, self.handle, given))
        return self._kept[-1].k

    def set_tableau(self, given):
        """Sets a user-defined base method.

        `given` is a dict of "A" and "b", optionally with "A_hat", "b_hat" (sidewinder/tableau.h) and
        "name".
        """
        arrays = {name: given.get(name) for name in ("A", "b", "A_hat", "b_hat")}
        for name in given:
            if name not in arrays and name != "name":
                raise unknown("part of a tableau", name, [*arrays, "name"])
        if arrays["A"] is None or arrays["b"] is None:
            raise OptionError("a tableau has 'A' and 'b'")
        arrays = {name: None if values is None else reals(f"'{name}' of the tableau", values) for name, values in arrays.items()}
        stages = arrays["b"].size
        for name, values in arrays.items():
            wanted = (stages, stages) if name.startswith("A") else (stages,)
            if values is not None and values.shape != wanted:
                raise OptionError(f"'{name}' of the tableau has the shape {values.shape}, and with {stages} weights in 'b' it is {wanted}")
        name = str(given.get("name", "tableau")).encode()
        self._kept += [name, arrays]
        places = [None if values is None else values.ctypes.data for values in arrays.values()]
        why = self._lib.swpy_options_set_tableau(self.handle, name, stages, *places)
        if why:
            raise OptionError(f"the tableau: {why.decode()}")

    def add_sizes(self, sizes):
        for name, value in sizes.items():
            self._kept.append(name.encode())
            if not self._lib.swpy_options_add_size(self.handle, self._kept[-1], value):
                raise OptionError("too many sizes")


class _Folder:
    """A temporary folder.

    The process that created it removes it, at the latest on exit; its children do not.
    """

    def __init__(self):
        self.name = tempfile.mkdtemp(prefix="sidewinder-")
        weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(folder, process):
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class Model:
    """Model("hopf.sw"), Model(text="model hopf ..."), or Model("model hopf\\n...").

    A string with several lines is the text of a model, any other string is a path.

    Raises ModelError with the generator's message if the file has an error or the theory does not
    cover the model.  lowering: "unrolled", "looped" or "auto", as for `sidewinder generate`.
    sizes: {"N": 100}; "auto" chooses the lowering for these sizes.
    """

    def __init__(self, path=None, text=None, sizes=None, lowering=None):
        if isinstance(path, str) and "\n" in path and text is None:
            path, text = None, path
        if (path is None) == (text is None):
            raise TypeError("Model takes the path of a model file, or text=")
        self._installation = Installation()
        self._sizes = _checked_sizes(sizes)
        self._lowering = lowering
        self._how = [] if lowering is None else [f"--lowering={lowering}"]
        self._libraries = {}
        self._folder = _Folder()
        if text is None:
            text = _read(path)
            name = os.path.basename(os.fspath(path))
        else:
            found = re.search(r"^\s*model\s+(\w+)", text, re.MULTILINE)
            name = (found.group(1) if found else "model") + ".sw"
        # A copy of the text: later builds for other methods do not depend on the original file.
        self._file = name
        with open(os.path.join(self._folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)
        library = self._library(file=path)
        self.name, self.title, self.digest = (library.text(what) for what in ("name", "title", "digest"))

    def __copy__(self):
        """Returns the model itself, because models are immutable."""
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        text = _read(os.path.join(self._folder.name, self._file))
        return _again, (type(self), text, self._sizes, self._lowering)

    def __repr__(self):
        return f"<sidewinder.Model {self.name}: {self.title}>"

    def _library(self, method=None, base=None, sizes=None, file=None):
        """The library of the model, with the generated step of this method, if there is one."""
        words = list(self._how)
        for name, value in dict(self._sizes, **(sizes or {})).items():
            words.append(f"--size={name}={value}")
        words += [f"--method={method}"] if method else []
        words += [f"--base={base}"] if base else []
        extra = {"variational": "variational", "energy-momentum": "discrete"}.get(method)
        words += [f"--with={extra}"] if extra else []
        key = tuple(words)
        if key not in self._libraries:
            where = (self._file, self._folder.name) if file is None else (os.fspath(file),)
            self._libraries[key] = Library(self._installation.shared_object(words, *where))
        return self._libraries[key]

    # ---- results of the analysis ----

    def _ask(self, *words):
        return self._installation.ask(
            "check", *words, *_size_words(self._sizes), "--", self._file, answers=(0, 1), folder=self._folder.name
        )

    def check(self):
        """The record of facts of `sidewinder check --json` as a dict (docs/check.md)."""
        return json.loads(self._ask("--json"))

    def page(self):
        """The output of `sidewinder check`."""
        return self._ask()

    def _repr_latex_(self):
        return notebook.latex(self._ask("--latex"))

    def _repr_html_(self):
        return notebook.html(self.name, self.title, self._ask("--latex"), self.page())

    # ---- pages and pictures ----

    def report(self, path, **run):
        """Writes an HTML page, as `sidewinder report` does, and returns its path.

        The page has the model, the verdicts, figures of a run and an animation.  run: options of
        the run as `sidewinder run MODEL --help` lists them, with _ for -: step=0.1, t_end=50,
        base="midpoint", check_reversible=True; k and sizes are dicts, as for `sim`.  Raises
        StepError if a step fails; the page then ends at this step.
        """
        return pictures.of_model("report", self, path, self._told(run))

    def plot(self, path, columns=None, x=None, **run):
        """Draws a run as an SVG, as `sidewinder plot` does, and returns its path.

        columns: names to draw over the column x (default: t); None: an overview.
        run: as for `report`.
        """
        words = [f"--columns={names}" for names in pictures.listed(columns)] + ([] if x is None else ["-x", x])
        return pictures.of_model("plot", self, path, self._told(run), words)

    def _told(self, run):
        sizes = dict(self._sizes, **_checked_sizes(run.get("sizes")))
        how = self._how[0].split("=")[1] if self._how else None
        return dict(run, sizes=sizes, lowering=how)

    # ---- simulations ----

    def _choose(self, library, method, options):
        if method is not None and method not in library.names("sw_method_names"):
            raise unknown("method", method, library.names("sw_method_names"))
        base = options.get("base")
        own = isinstance(base, dict)
        if not own and base not in (None, "none") and base not in library.names("sw_base_choices"):
            raise unknown("base method", base, library.names("sw_base_choices"))
        made = Options(library, method)
        for name, value in options.items():
            if name == "base" and own:
                made.set_tableau(base)
            else:
                made.set(name, value)
        return made

    def _options(self, method, sizes, options):
        """A library with the generated step of the method, if there is one, and options for it."""
        # One library serves all sizes of a looped model.  Otherwise the sizes decide between
        # unrolled and looped code.
        fixed = {} if "--lowering=looped" in self._how else sizes
        library = self._library(sizes=fixed)
        made = self._choose(library, method, options)
        pair = made.text("method"), made.text("base")
        mine = tuple(text and text.decode() for text in (library.swpy_stepper(0), library.swpy_stepper(1)))
        if pair != mine and (pair[0] in ("variational", "energy-momentum") or made.text("solver") != "kinsol"):
            named = pair[1] in library.names("sw_base_choices") and not isinstance(options.get("base"), dict)
            library = self._library(pair[0], pair[1] if named else None, fixed)
            made = self._choose(library, method, options)
        known = library.sizes()
        for name in sizes:
            if name not in known and not fixed:
                raise unknown("size", name, list(known))
        made.add_sizes({name: value for name, value in dict(self._sizes, **sizes).items() if name in known})
        return library, made

    def sim(self, method=None, base=None, step=None, k=None, sizes=None, init=None, z=None, q=None, p=None, project=False, data=None,
            **options):
        """Creates a Sim.

        Omitted arguments have the defaults of the model's run line, as in the model's program.

        method, base: names in docs/methods.md; base may be a tableau, a dict of "A" and "b".
        step: the step size h.
        k: {"g.1": 0.5}, {"m": [1, 2, 3]} or all nk values.
        sizes: {"N": 1000}.
        init: the name of an initial state.
        z: 2d values; q, p: d values each, of any shape.  They override the initial state.
        project: project the state onto the constraint manifold first.
        data: a file, a folder of CSV, or {"a": [1, 2, 3], ...} (docs/data.md); k overrides it.
        options: compose, tolerance, redundant, solver, check_reversible, compensated, ...
        (sw_options in sidewinder/sim.h).
        """
        given = {name: value for name, value in options.items() if value is not None}
        if base is not None:
            given["base"] = base
        library, made = self._options(method, _checked_sizes(sizes), given)
        h = library.swpy_model_step() if step is None else real("step", step)
        if not math.isfinite(h) or h == 0.0:
            raise OptionError("step is a number that is not 0, which this model's run line does not give" if step is None
                              else f"step is a number that is not 0, not {step}")
        if data is None and library.swpy_model_takes_data():
            data = {}  # incomplete, so set_data raises an error
        of_data = None if data is None else made.set_data(data)
        made_sim = Sim(self, library, made, h)
        if of_data is not None:
            made_sim._set_parameters(of_data, {} if k is None else k)
        elif k is not None:
            made_sim.set_parameters(k)
        name = init or library.text("init")
        if name is not None or made_sim.inits:
            made_sim.set_init(name or made_sim.inits[0])
        if z is not None or q is not None or p is not None:
            made_sim.set(z, q, p)
        if project:
            made_sim.project()
        return made_sim

    def ensemble(self, z0, k=None, threads=None, columns=None, project=False, **settings):
        """Creates an Ensemble of W trajectories that start at z0, (W, 2d).

        k: (W, nk) values, or by name {"g.1": W values}.
        threads: default: the number of processors that this process may use.
        columns: the columns that a run records; default: all.
        project: project the states onto the constraint manifold first.
        settings: the arguments of `sim`.
        """
        made = Ensemble(self.sim(**settings), z0, k, threads, columns)
        if project:
            made.project()
        return made


def _again(kind, text, sizes, lowering):
    """Unpickles a model; the model is analysed again."""
    return kind(text=text, sizes=sizes, lowering=lowering)


def check(path, sizes=None):
    """The record of facts of a model file as a dict ("answer", "refusal", ...; docs/check.md).

    The dict is returned for refused models as well.  Raises ModelError if the file has an error.
    """
    words = _size_words(_checked_sizes(sizes))
    return json.loads(Installation().ask("check", "--json", *words, "--", os.fspath(path), answers=(0, 1)))


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read '{os.fspath(path)}': {getattr(error, 'strerror', None) or error}", 2) from error


def _checked_sizes(sizes):
    for name, value in (sizes or {}).items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
            raise OptionError(f"the size '{name}' is a count, not {value!r}")
    return {name: int(value) for name, value in (sizes or {}).items()}


def _size_words(sizes):
    return [f"--size={name}={value}" for name, value in sizes.items()]
