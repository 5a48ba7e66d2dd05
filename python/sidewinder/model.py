# SPDX-License-Identifier: BSD-3-Clause
"""A model file: analysed, generated, compiled and loaded."""
from __future__ import annotations

import json
import math
import os
import re
import shutil
import tempfile
import weakref
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from . import notebook, pictures
from .data import Data
from .ensemble import Ensemble
from .errors import ModelError, OptionError
from .generator import Installation
from .kinds import Names, Parameters, Path, Source
from .library import Handle, Library
from .names import by_name, joined, numbers, path_text, real, reals, unknown
from .sim import Sim


ARGUMENTS = ("step", "k", "sizes", "init", "z", "q", "p", "project", "data", "derivatives")  # of sim, besides options of the library
PLACES = {
    **dict.fromkeys(("h", "dt"), "the step size is step="),
    **dict.fromkeys(("steps", "every", "columns", "progress"), "it belongs to run, as in sim(...).run(1000, every=10)"),
    "t_end": "run takes a number of steps, as in sim(...).run(1000)",
    **dict.fromkeys(("threads", "z0"), "it belongs to ensemble, as in m.ensemble(z0, threads=8)"),
}


class Options(Handle):
    """Options of the library for one model.  Must outlive the simulations created with them."""

    def __init__(self, library: Library, method: str | None = None) -> None:
        self._lib = library
        self._kept: list[Any] = [None if method is None else method.encode()]
        self.handle = library.swpy_options_new(self._kept[0])
        if not self.handle:
            raise MemoryError("options")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._lib.swpy_options_free(self.handle)

    def text(self, name: str) -> str | None:
        said = self._lib.swpy_options_text(self.handle, self._lib.options[name][0])
        return None if said is None else said.decode()

    def set(self, name: str, value: Any) -> None:
        if name in PLACES:
            raise OptionError(f"sim has no option '{name}'; {PLACES[name]}")
        if name not in self._lib.options:
            place = f"a parameter is k={{'{name}': ...}}, a size sizes={{'{name}': ...}}"
            raise unknown("option", name, [*ARGUMENTS, *self._lib.options], place)
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

    def set_data(self, given: Source) -> npt.NDArray[np.float64]:
        """Sets the data, and returns the parameters in them.  Sizes must be added before."""
        data = Data(self._lib, self.handle, given)
        self._kept.append(data)
        return data.k

    def set_tableau(self, given: dict[str, Any]) -> None:
        """Sets a user-defined base method.

        `given` is a dict of "A" and "b", optionally with "A_hat", "b_hat" (sidewinder/tableau.h) and
        "name".
        """
        parts = ("A", "b", "A_hat", "b_hat")
        for name in given:
            if name not in parts and name != "name":
                raise unknown("part of a tableau", name, [*parts, "name"])
        if given.get("A") is None or given.get("b") is None:
            raise OptionError("a tableau has 'A' and 'b'")
        arrays = {name: reals(f"'{name}' of the tableau", given[name]) for name in parts if given.get(name) is not None}
        stages = arrays["b"].size
        for name, values in arrays.items():
            wanted = (stages, stages) if name.startswith("A") else (stages,)
            if values.shape != wanted:
                raise OptionError(f"'{name}' of the tableau has the shape {values.shape}, and with {stages} weights in 'b' it is {wanted}")
        title = str(given.get("name", "tableau")).encode()
        self._kept += [title, arrays]
        places = [arrays[name].ctypes.data if name in arrays else None for name in parts]
        why = self._lib.swpy_options_set_tableau(self.handle, title, stages, *places)
        if why:
            raise OptionError(f"the tableau: {why.decode()}")

    def add_sizes(self, sizes: Mapping[str, int]) -> None:
        for name, value in sizes.items():
            self._kept.append(name.encode())
            if not self._lib.swpy_options_add_size(self.handle, self._kept[-1], value):
                raise OptionError("too many sizes")


class _Folder:
    """A temporary folder.

    The process that created it removes it, at the latest on exit; its children do not.
    """

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="sidewinder-")
        weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class Model:
    """A model: analysed, generated as C, compiled (cached) and loaded.

    :param path: the path of a model file, or the text of a model in several lines
    :param text: instead of `path`: the text of a model
    :param sizes: {"N": 100}
    :param lowering: "unrolled", "looped" or "auto", as for `sidewinder generate`; "auto" chooses
        the lowering for these sizes
    :raises ModelError: the file has an error, or the theory does not cover the model; the message
        is that of the generator
    :raises InstallationError: there is no generator, library or compiler

    `name` and `title` are those of the model file; `digest` identifies the model.

    Example::

        m = sidewinder.Model("chain.sw", sizes={"N": 100})
        m = sidewinder.Model("model free\\ncoord x momentum p\\nhamiltonian H = p^2/2\\n")
        rows = m.sim(step=0.01).run(100)
    """

    def __init__(
            self, path: Path | None = None, text: str | None = None,
            sizes: Mapping[str, int] | None = None, lowering: str | None = None
    ) -> None:
        if isinstance(path, str) and "\n" in path and text is None:
            path, text = None, path
        if not isinstance(text, (str, type(None))):
            raise OptionError(f"text is the text of a model, not {type(text).__name__}; a path has no text=, and sizes are sizes=")
        if (path is None) == (text is None):
            raise TypeError("Model takes the path of a model file, or text=")
        if text is not None and text.endswith(".sw"):
            raise OptionError(f"text is the text of a model; a path has no text=: Model({text!r})")
        self._installation = Installation()
        self._sizes = _checked_sizes(sizes)
        self._lowering = lowering
        self._how = [] if lowering is None else [f"--lowering={lowering}"]
        self._libraries: dict[tuple[str, ...], Library] = {}
        self._folder = _Folder()
        if path is not None:
            path = path_text("the model", path)
            text = _read(path)
            name = os.path.basename(path)
        else:
            assert text is not None
            found = re.search(r"^\s*model\s+(\w+)", text, re.MULTILINE)
            name = (found.group(1) if found else "model") + ".sw"
        # A copy of the text: later builds for other methods do not depend on the original file.
        self._file = name
        with open(os.path.join(self._folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)
        library = self._library(file=path)
        self.name, self.title, self.digest = (library.text(what) or "" for what in ("name", "title", "digest"))

    def __copy__(self) -> Model:
        """Returns the model itself, because models are immutable."""
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        text = _read(os.path.join(self._folder.name, self._file))
        return _again, (type(self), text, self._sizes, self._lowering)

    def __repr__(self) -> str:
        return f"<sidewinder.Model {self.name}: {self.title}>"

    def _library(
            self, method: str | None = None, base: str | None = None, sizes: Mapping[str, int] | None = None,
            file: Path | None = None, derivatives: bool = False
    ) -> Library:
        """The library of the model, with the generated step of this method, if there is one."""
        words = list(self._how)
        for name, value in dict(self._sizes, **(sizes or {})).items():
            words.append(f"--size={name}={value}")
        words += [f"--method={method}"] if method else []
        words += [f"--base={base}"] if base else []
        extra = {"variational": "variational", "energy-momentum": "discrete"}.get(method or "", "parameters" if derivatives else None)
        words += [f"--with={extra}"] if extra else []
        key = tuple(words)
        if key not in self._libraries:
            where = (self._file, self._folder.name) if file is None else (os.fspath(file),)
            self._libraries[key] = Library(self._installation.shared_object(words, *where))
        return self._libraries[key]

    # ---- results of the analysis ----

    def _ask(self, *words: str) -> str:
        return self._installation.ask(
            "check", *words, *_size_words(self._sizes), "--", self._file, answers=(0, 1), folder=self._folder.name
        )

    def check(self) -> dict[str, Any]:
        """The record of facts of `sidewinder check --json` as a dict (docs/check.md).

        Example::

            if sidewinder.Model("hopf.sw").check()["answer"] == "yes":
                print("SHAKE and RATTLE apply everywhere")
        """
        record: dict[str, Any] = json.loads(self._ask("--json"))
        return record

    def page(self) -> str:
        """The output of `sidewinder check`, as text.

        Example::

            print(sidewinder.Model("hopf.sw").page())
        """
        return self._ask()

    def _repr_latex_(self) -> str | None:
        return notebook.latex(self._ask("--latex"))

    def _repr_html_(self) -> str:
        return notebook.html(self.name, self.title, self._ask("--latex"), self.page())

    # ---- pages and pictures ----

    def report(self, path: Path, **run: Any) -> str:
        """Writes an HTML page, as `sidewinder report` does.

        The page has the model, the verdicts, figures of a run and an animation.

        :param path: the page
        :param run: options of the run as `sidewinder run MODEL --help` lists them, with ``_`` for
            ``-``: ``step=0.1``, ``t_end=50``, ``check_reversible=True``; ``k`` and ``sizes`` are
            dicts, as for `sim`
        :returns: the absolute path of the page
        :raises OptionError: an option or its value is invalid
        :raises OSError: there is no folder for the page
        :raises StepError: a step fails; the page then ends at this step

        Example::

            sidewinder.Model("hopf.sw").report("hopf.html", step=0.05, steps=500)
        """
        return pictures.of_model("report", self, path, self._told(run))

    def plot(
            self, path: Path, columns: Names | None = None, x: str | None = None,
            **run: Any
    ) -> str:
        """Draws a run as an SVG, as `sidewinder plot` does.

        :param path: the picture; its name ends in .svg
        :param columns: names of entries or arrays to draw; None: an overview
        :param x: the column of the horizontal axis (default: t)
        :param run: as for `report`
        :returns: the absolute path of the picture
        :raises OptionError: a column, an option or its value is invalid
        :raises StepError: a step fails

        Example::

            sidewinder.Model("pendulum.sw").plot("p.svg", ["q.y", "multiplier"], x="q.x", steps=100)
        """
        words = [f"--columns={names}" for names in pictures.listed(columns)] + ([] if x is None else ["-x", joined(x)])
        return pictures.of_model("plot", self, path, self._told(run), words)

    # ---- commands with a text ----

    def verify(self, **options: Any) -> str:
        """Checks the model's functions and the methods on it, as `sidewinder verify` does.

        Each derivative is compared with differences, each bracket with the contraction of
        gradients, at random points near the constraint manifold.  Identities of the fibre flow, of
        invariants and of the methods follow.

        :param options: the options that `sidewinder verify MODEL --help` lists, with ``_`` for
            ``-``: ``points=6``, ``seed=1``, ``only="witness"``, ``init="za"``; ``k`` and ``sizes``
            are dicts, as for `sim`
        :returns: the table of checks, as text
        :raises ModelError: a check fails; the message is the table, and ``code`` is 1
        :raises OptionError: an option or its value is invalid

        Example::

            print(sidewinder.Model("pendulum.sw").verify(points=10))
        """
        return pictures.text_of_model("verify", self, self._told(options))

    def advise(self, **options: Any) -> str:
        """Proposes method, composition and step size for an error, as `sidewinder advise` does.

        :param options: as `sidewinder advise MODEL --help` lists them: ``error`` (of the positions
            at the end, relative to their size), ``t_end`` (in the model's unit of time), ...
        :returns: the measured runs, and in the last line the options to choose, as text
        :raises OptionError: an option or its value is invalid
        :raises StepError: no run succeeds

        Example::

            print(sidewinder.Model("pendulum.sw").advise(error=1e-8, t_end=100))
        """
        return pictures.text_of_model("advise", self, self._told(options))

    def lyapunov(self, **options: Any) -> str:
        """Computes the largest Lyapunov exponents, as `sidewinder lyapunov` does.

        :param options: as `sidewinder lyapunov MODEL --help` lists them: ``exponents`` (how many),
            ``rows`` (of running estimates), ``step``, ``steps`` or ``t_end``, ...
        :returns: tables of estimates, in units of 1 / the model's unit of time, as text
        :raises ModelError: the sum of all exponents is wrong; ``code`` is 1
        :raises OptionError: an option or its value is invalid
        :raises StepError: a step or its derivative fails

        Example::

            print(sidewinder.Model("pendulum.sw").lyapunov(step=0.01, steps=100000))
        """
        return pictures.text_of_model("lyapunov", self, self._told(options))

    def converge(self, **options: Any) -> str:
        """Halves the step size repeatedly, as `sidewinder converge` does.

        :param options: as `sidewinder converge MODEL --help` lists them: ``step`` (the first
            size), ``levels`` (2 to 20 sizes), ``t_end``, ``method``, ``base``, ...
        :returns: a table of errors of q, p and the multipliers, and of observed orders, as text
        :raises OptionError: an option or its value is invalid
        :raises StepError: a step fails

        Example::

            print(sidewinder.Model("pendulum.sw").converge(step=0.1, t_end=1))
        """
        return pictures.text_of_model("converge", self, self._told(options))

    def _told(self, run: dict[str, Any]) -> dict[str, Any]:
        sizes = dict(self._sizes, **_checked_sizes(run.get("sizes")))
        how = self._how[0].split("=")[1] if self._how else None
        return dict(run, sizes=sizes, lowering=how)

    # ---- simulations ----

    def _choose(self, library: Library, method: str | None, options: Mapping[str, Any]) -> Options:
        methods, bases, base = library.names("sw_method_names"), library.names("sw_base_choices"), options.get("base")
        if not isinstance(method, (str, type(None))):
            raise OptionError(f"method is a name, such as 'rattle', not {method!r}; the step size is step=")
        if method is not None and method not in methods:
            raise unknown("method", method, methods, f"a base method is base='{method}'" if method in bases else "")
        if not isinstance(base, dict) and base not in (None, "none") and base not in bases:
            raise unknown("base method", base, bases, f"a method is method='{base}'" if base in methods else "")
        for name, of in (("compose", "sw_composition_names"), ("redundant", "sw_redundant_names")):
            if isinstance(options.get(name), str) and options[name] not in library.names(of):
                raise unknown(f"{name} =", options[name], library.names(of))
        made = Options(library, method)
        for name, value in options.items():
            if name == "base" and isinstance(value, dict):
                made.set_tableau(value)
            else:
                made.set(name, value)
        return made

    def _options(
            self, method: str | None, sizes: dict[str, int], options: Mapping[str, Any], derivatives: bool
    ) -> tuple[Library, Options]:
        """A library with the generated step of the method, if there is one, and options for it."""
        # One library serves all sizes of a looped model.  Otherwise the sizes decide between
        # unrolled and looped code.
        fixed = {} if "--lowering=looped" in self._how else sizes
        library = self._library(sizes=fixed, derivatives=derivatives)
        made = self._choose(library, method, options)
        pair = made.text("method"), made.text("base")
        mine = tuple(text and text.decode() for text in (library.swpy_stepper(0), library.swpy_stepper(1)))
        if pair != mine and (pair[0] in ("variational", "energy-momentum") or made.text("solver") != "kinsol"):
            named = pair[1] in library.names("sw_base_choices") and not isinstance(options.get("base"), dict)
            library = self._library(pair[0], pair[1] if named else None, fixed, derivatives=derivatives)
            made = self._choose(library, method, options)
        known = library.sizes()
        for name in sizes:
            if name not in known and not fixed:
                raise unknown("size", name, list(known))
        made.add_sizes({name: value for name, value in dict(self._sizes, **sizes).items() if name in known})
        return library, made

    def sim(
            self, method: str | None = None, base: str | dict[str, Any] | None = None, step: float | None = None,
            k: Parameters | None = None, sizes: Mapping[str, int] | None = None, init: str | None = None,
            z: npt.ArrayLike | None = None, q: npt.ArrayLike | None = None, p: npt.ArrayLike | None = None,
            project: float = False, data: Source | None = None, derivatives: bool = False,
            seed: int | None = None, **options: Any
    ) -> Sim:
        """Creates a Sim.

        Omitted arguments have the defaults of the model's run line, as in the model's program.

        :param method: a name in docs/methods.md
        :param base: a base method: a name in docs/methods.md, or a tableau, a dict of "A", (s, s),
            and "b", (s,), optionally "A_hat", "b_hat" and "name"
        :param step: the step size h, in the model's unit of time; negative steps run backwards
        :param k: {"g.1": 0.5}, {"m": [1, 2, 3]} or all nk values
        :param sizes: {"N": 1000}
        :param init: the name of an initial state
        :param z: the initial state: 2d values, of any shape
        :param q: d positions, of any shape; they override the initial state
        :param p: d momenta, likewise
        :param project: project the state onto the constraint manifold first; True, or the limit of
            the displacement as for `Sim.project`
        :param data: a file, a folder of CSV, or {"a": [1, 2, 3], ...} (docs/data.md); k
            overrides it
        :param seed: of the noise of a heat bath, for the method "baoab" (`Sim.set_seed`)
        :param derivatives: derivatives of steps with respect to the parameters and the step size, for
            `Sim.gradient`; the model is then compiled with more code
        :param options: compose, tolerance, redundant, solver, check_reversible, compensated, ...
            (sw_options in sidewinder/sim.h)
        :raises OptionError: a name or a value is invalid
        :raises StepError: the projection fails

        Example::

            sim = m.sim(method="rattle", base="midpoint", step=0.1, k={"g.2": -1}, project=True)
        """
        if not isinstance(init, (str, type(None))):
            raise OptionError(f"init is the name of an initial state, not {type(init).__name__}; values are z=, or q= and p=")
        given = {name: value for name, value in options.items() if value is not None}
        if base is not None:
            given["base"] = base
        library, made = self._options(method, _checked_sizes(sizes), given, bool(derivatives))
        h = library.swpy_model_step() if step is None else real("step", step)
        if not math.isfinite(h) or h == 0.0:
            raise OptionError("step is a number that is not 0, which this model's run line does not give" if step is None
                              else f"step is a number that is not 0, not {step}")
        if data is None and library.swpy_model_takes_data():
            data = {}  # incomplete, so set_data raises an error
        of_data = None if data is None else made.set_data(data)
        made_sim = Sim(self, library, made, h)
        if seed is not None:
            made_sim.set_seed(seed)
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
            made_sim.project(project)
        return made_sim

    def ensemble(
            self, z0: npt.ArrayLike, k: Parameters | None = None, threads: int | None = None,
            columns: Names | None = None, project: float = False, **settings: Any
    ) -> Ensemble:
        """Creates an Ensemble of W trajectories.

        :param z0: the initial states, (W, 2d)
        :param k: (W, nk) values, or by name {"g.1": W values}
        :param threads: their number; default: the number of processors that this process may use
        :param columns: names of entries or arrays that a run records, as for `Sim.run`; None: all
            columns that the model's program writes
        :param project: project the states onto the constraint manifold first; True, or the limit of
            the displacement as for `Sim.project`
        :param settings: the arguments of `sim`.  Trajectory i has the noise of
            `Sim.set_seed(seed, i)`.
        :raises OptionError: a name, a shape or a value is invalid

        Example::

            with m.ensemble(numpy.tile(m.sim().z, (64, 1)), base="midpoint", step=0.1) as all:
                rows = all.run(1000, every=100)    # rows["q.1"]: (11, 64)
        """
        for name in {"z", "q", "p"} & set(settings):
            raise OptionError(f"an ensemble has no option '{name}'; z0 has the states of all trajectories, (W, 2d)")
        made = Ensemble(self.sim(**settings), z0, k, threads, columns)
        if project:
            made.project(project)
        return made


def _again(kind: type[Model], text: str, sizes: dict[str, int], lowering: str | None) -> Model:
    """Unpickles a model; the model is analysed again."""
    return kind(text=text, sizes=sizes, lowering=lowering)


def check(path: Path, sizes: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The record of facts of a model file as a dict ("answer", "refusal", ...; docs/check.md).

    Models that the theory does not cover have a record as well.

    :param path: the model file
    :param sizes: {"N": 100}
    :raises ModelError: the file has an error
    :raises InstallationError: there is no generator

    Example::

        print(sidewinder.check("hopf.sw")["answer"])
    """
    words = _size_words(_checked_sizes(sizes))
    file = path_text("the model", path)
    if "\n" in file:
        raise OptionError("check takes the path of a model file; Model(text).check() takes a text")
    record: dict[str, Any] = json.loads(Installation().ask("check", "--json", *words, "--", file, answers=(0, 1)))
    return record


def _read(path: Path) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read '{path}': {getattr(error, 'strerror', None) or error}", 2) from error


def _checked_sizes(sizes: Mapping[str, int] | None) -> dict[str, int]:
    given = by_name("sizes", sizes)
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
            raise OptionError(f"the size '{name}' is a count, not {value!r}")
    return {name: int(value) for name, value in given.items()}


def _size_words(sizes: Mapping[str, int]) -> list[str]:
    return [f"--size={name}={value}" for name, value in sizes.items()]
