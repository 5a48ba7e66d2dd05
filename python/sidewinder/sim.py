# SPDX-License-Identifier: BSD-3-Clause
"""A simulation: one model, one method, one state."""
from __future__ import annotations

import ctypes
import hashlib
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .errors import OptionError, StepError
from .gradients import Caller, Gradient, Loss, place, rows_of_inputs
from .kinds import Names, Parameters, Progress
from .library import Library, LockedHandle, copied
from .names import fill, joined, numbers, real, unknown
from .rows import Rows
from .running import checked_count, counts, in_chunks, row_count

if TYPE_CHECKING:
    from .model import Model, Options


def _release(
        library: Library, sim: ctypes.c_void_p, columns: dict[str | None, ctypes.c_void_p], search: ctypes.c_void_p
) -> None:
    library.sw_events_free(ctypes.byref(search))
    for made in columns.values():
        library.sw_columns_free(ctypes.byref(made))
    library.sw_sim_free(ctypes.byref(sim))


class Sim(LockedHandle):
    """A simulation; created by Model.sim.

    It has d degrees of freedom, m constraints and nk parameters.  `model` is its Model, and `h` its
    step size.

    All arrays are copies.  Calls from several threads are serialised, and run without the GIL.
    copy.copy(sim) creates another simulation with the same options, parameters and state.

    Example::

        sim = sidewinder.Model("hopf.sw").sim(base="midpoint", step=0.1)
        sim.step()
        rows = sim.run(1000, every=10)
        print(sim.t, sim.q, sim.p, sim.energy, sim.multipliers)
    """

    _instead = "pickle its model and `save()`, and make another from them"

    def __init__(self, model: Model, library: Library, options: Options, h: float) -> None:
        super().__init__()
        self.model = model
        self.h = h
        self._lib = library
        self._options = options
        self._handle = ctypes.c_void_p()
        self._columns: dict[str | None, ctypes.c_void_p] = {}
        self._search = ctypes.c_void_p()  # for events; created on first use
        self._id: float | None = None
        self._before: int = 0  # number of steps before the last restore
        status = library.swpy_sim_create(options.handle, self._handle)
        if status:
            library.refuse(status, library.swpy_options_objection(options.handle).decode())
        self._finalizer = weakref.finalize(self, _release, library, self._handle, self._columns, self._search)
        self.d = library.sw_sim_nq(self._handle)
        self.m = library.sw_sim_nc(self._handle)
        self._names: dict[str, list[str]] = {}
        self._k_names = self._names_of("k", library.sw_sim_nk(self._handle))

    def __copy__(self) -> Sim:
        with self._lock:
            made = type(self)(self.model, self._lib, self._options, self.h)
            made._set_parameters(copied(self._lib.sw_sim_parameters(self._handle), len(self._k_names)), {})
            made.restore(self.save())
            made._before = self._before + int(self.stats["steps"])
            return made

    def __deepcopy__(self, memo: Any) -> Sim:
        return self.__copy__()

    def __repr__(self) -> str:
        return f"<sidewinder.Sim of {self.model.name}: {self.method} over {self.base}, h = {self.h:g}, at t = {self.t:g}>"

    # ---- names ----

    def _names_of(self, kind: str, n: int) -> list[str]:
        if kind not in self._names:
            room = self._lib.buffer()
            name = self._lib.swpy_sim_name
            self._names[kind] = [name(self._handle, kind.encode(), i, room).decode() for i in range(n)]
        return list(self._names[kind])

    @property
    def coordinates(self) -> list[str]:
        """Names of the 2d entries of z."""
        return self._names_of("q", self.d) + self._names_of("p", self.d)

    @property
    def constraints(self) -> list[str]:
        """Names of the m constraints."""
        return self._names_of("c", self.m)

    @property
    def dropped(self) -> list[str]:
        """Names of the constraints that the last step has left out, with ``redundant="drop"``.

        Their impulses are 0.  Constraints that are proved to follow from others for all sizes are
        left out of every step, and named before the first one.
        """
        with self._lock:
            return [name for i, name in enumerate(self.constraints) if self._lib.sw_sim_drops(self._handle, i)]

    @property
    def events(self) -> list[str]:
        """Names of the model's events."""
        return self._names_of("e", self._lib.sw_sim_n_event(self._handle))

    @property
    def inits(self) -> list[str]:
        """Names of the model's initial states."""
        n = self._lib.sw_sim_n_init(self._handle)
        return [self._lib.sw_sim_init_name(self._handle, i).decode() for i in range(n)]

    @property
    def method(self) -> str:
        """The name of the method (docs/methods.md)."""
        return str(self._options.text("method"))

    @property
    def base(self) -> str:
        """The name of the base method (docs/methods.md); "none" for methods without one."""
        return str(self._options.text("base"))

    @property
    def order(self) -> int:
        """The order of the method over its base method."""
        return int(self._lib.sw_sim_order(self._handle))

    # ---- the state ----

    @property
    def z(self) -> npt.NDArray[np.float64]:
        """The state (q, p), (2d,)."""
        with self._lock:
            return copied(self._lib.sw_sim_state(self._handle), 2 * self.d)

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """The positions, (d,)."""
        return self.z[: self.d]

    @property
    def p(self) -> npt.NDArray[np.float64]:
        """The momenta, (d,)."""
        return self.z[self.d :]

    @property
    def t(self) -> float:
        """The time."""
        with self._lock:
            return float(self._lib.sw_sim_time(self._handle))

    @property
    def k(self) -> dict[str, float]:
        """The parameters by name."""
        with self._lock:
            return dict(zip(self._k_names, copied(self._lib.sw_sim_parameters(self._handle), len(self._k_names)).tolist()))

    @property
    def multipliers(self) -> npt.NDArray[np.float64]:
        """The multipliers of the motion at the state, (m,): lambda in z' = X_H + sum_i lambda_i X_{g_i}.

        The force of constraint i on p is -lambda_i dg_i/dq.

        :raises StepError: N is singular, or the fibre of the state has no point of M^H
        """
        with self._lock:
            out = np.empty(max(self.m, 1))
            self._check(self._lib.sw_sim_multipliers(self._handle, out))
            return out[: self.m]

    @property
    def impulses(self) -> npt.NDArray[np.float64]:
        """The impulses of the last step, (m,): it changed p by -impulse_i dg_i/dq; 0 before the first step."""
        with self._lock:
            return copied(self._lib.sw_sim_impulses(self._handle), self.m)

    def set(
            self, z: npt.ArrayLike | None = None, q: npt.ArrayLike | None = None, p: npt.ArrayLike | None = None,
            t: float = 0.0
    ) -> None:
        """Sets the state and the time.  Omitted parts of the state are unchanged.

        The next step checks whether the state is on the constraint manifold.

        :param z: 2d values, of any shape
        :param q: d positions, of any shape; they override those in z
        :param p: d momenta, likewise
        :param t: the time
        :raises OptionError: a value is not finite, or their number is wrong

        Example::

            sim.set(q=[0.6, -0.8], p=[0, 0])
        """
        with self._lock:
            new = self.z if z is None else numbers("z", z, 2 * self.d)
            if q is not None:
                new[: self.d] = numbers("q", q, self.d)
            if p is not None:
                new[self.d :] = numbers("p", p, self.d)
            status = self._lib.sw_sim_set_state(self._handle, real("t", t), new)
            if status:
                raise OptionError(self._message(), self._lib.status_name(status))
            self._before = 0

    def set_seed(self, seed: int, trajectory: int = 0) -> None:
        """Sets the seed of the noise of a heat bath, for the method "baoab".

        The noise of a step is a function of these numbers and of the time: runs with equal numbers
        from equal states are equal, bit for bit.

        :param seed: 0 .. 2^53; 0 is the default
        :param trajectory: likewise; trajectories of an ensemble have the numbers 0, 1, ...
        :raises OptionError: the method has no noise, or a number is invalid

        Example::

            sim = model.sim(method="baoab")
            sim.set_seed(7)
        """
        pair = checked_count("seed", seed, 0, 2**53), checked_count("trajectory", trajectory, 0, 2**53)
        with self._lock:
            status = self._lib.sw_sim_set_seed(self._handle, *pair)
            if status:
                raise OptionError(self._message(), self._lib.status_name(status))

    @property
    def temperature(self) -> float:
        """The kinetic temperature kT, a mean over the steps since the state was set; NaN without noise."""
        with self._lock:
            return float(self._lib.sw_sim_temperature(self._handle))

    def set_init(self, name: str) -> None:
        """Sets one of the model's initial states, with the present parameters, at t = 0.

        :param name: one of `inits`
        :raises OptionError: there is no such initial state

        Example::

            sim.set_init(sim.inits[-1])
        """
        names = self.inits
        if name not in names:
            raise unknown("initial state", name, names)
        with self._lock:
            z = np.empty(2 * self.d)
            self._lib.sw_sim_init_state(self._handle, names.index(name), z)
            self.set(z)

    def set_parameters(self, k: Parameters) -> None:
        """Sets parameters.  The state is unchanged; the next step checks it.

        :param k: all nk values, or by name {"g.1": 0.5} or {"m": [1, 2, 3]}
        :raises OptionError: a name is unknown, or a value is outside its bounds

        Example::

            sim.set_parameters({"gravity": 9.81})
        """
        with self._lock:
            self._set_parameters(copied(self._lib.sw_sim_parameters(self._handle), len(self._k_names)), k)

    def _set_parameters(self, now: npt.NDArray[np.float64], k: Parameters) -> None:
        with self._lock:
            status = self._lib.sw_sim_set_parameters(self._handle, fill("parameter", self._k_names, now, k))
            if status:
                raise OptionError(self._message() or self._lib.status_text(status), self._lib.status_name(status))

    @property
    def inputs(self) -> dict[str, float]:
        """The inputs by name: parameters that only forces and observables read.

        Setting them keeps all data about the state, so that they may change before every step.  They
        act from the next step on.  A dict may have some of them, and names of arrays.

        :raises OptionError: a name is unknown, or a value is outside its bounds

        Example::

            for _ in range(100):
                sim.inputs = {"torque": -2 * sim.observables["rate"]}
                sim.step()
        """
        with self._lock:
            k = copied(self._lib.sw_sim_parameters(self._handle), len(self._k_names))
            where = [self._lib.sw_sim_input(self._handle, i) for i in range(self._lib.sw_sim_n_inputs(self._handle))]
            return {self._k_names[i]: float(k[i]) for i in where}

    @inputs.setter
    def inputs(self, u: Parameters) -> None:
        self.set_inputs(u)

    def set_inputs(self, u: Parameters) -> None:
        """Sets inputs, as ``sim.inputs = u`` does; for type checkers, which want a dict there.

        :param u: all inputs, or by name {"torque": 2} or {"wind": [1, 2]}
        :raises OptionError: a name is unknown, or a value is outside its bounds

        Example::

            sim.set_inputs([0.5, 1, 2])
        """
        with self._lock:
            now = self.inputs
            given = fill("input", list(now), np.array(list(now.values())), u)
            status = self._lib.sw_sim_set_inputs(self._handle, given)
            if status:
                raise OptionError(self._message() or self._lib.status_text(status), self._lib.status_name(status))

    def _identity(self) -> float:
        """A digest, as a float, of the properties that a saved state depends on.

        These are the model, its sizes, the method, its base method and the composition.
        """
        if self._id is None:
            options = [self._options.text(name) for name in ("method", "base", "compose")]
            about = [self.model.digest, self.coordinates, self.m, options, self._lib.sw_sim_saved_count(self._handle)]
            self._id = float(int.from_bytes(hashlib.sha256(repr(about).encode()).digest()[:6], "big"))
        return self._id

    def save(self) -> npt.NDArray[np.float64]:
        """The complete state as one array for `restore`; restored runs continue bit for bit.

        Example::

            saved = sim.save()
            sim.run(100)
            sim.restore(saved)
        """
        with self._lock:
            saved = np.empty(self._lib.sw_sim_saved_count(self._handle) + 1)
            self._lib.sw_sim_save(self._handle, saved)
            saved[-1] = self._identity()
            return saved

    def restore(self, saved: npt.ArrayLike) -> None:
        """Restores a saved state.

        :param saved: the result of `save`
        :raises OptionError: a simulation of another model, size, method, base method or composition
            has saved the state

        Example::

            again = sim.model.sim()
            again.restore(sim.save())
        """
        with self._lock:
            saved = numbers("a saved state", saved, self._lib.sw_sim_saved_count(self._handle) + 1)
            if saved[-1] != self._identity():
                raise OptionError("this state was saved by a simulation of another model, size, method, base method or composition")
            status = self._lib.sw_sim_restore(self._handle, saved)
            if status:
                raise OptionError("this is no saved state of such a simulation", self._lib.status_name(status))
            self._before = int(saved[1])

    # ---- measurements ----

    def _values(self, function: str, n: int) -> npt.NDArray[np.float64]:
        with self._lock:
            out = np.empty(max(n, 1))
            getattr(self._lib, function)(self._handle, out)
            return out[:n]

    @property
    def energy(self) -> float:
        """The value of H, in the model's unit of energy."""
        return float(self._values("sw_sim_hamiltonian", 1)[0])

    @property
    def work(self) -> float:
        """The work of the forces since the state was set; 0 without forces.

        It is the sum of the changes of H by the forces.  H minus the work is constant up to the error
        of the method.
        """
        with self._lock:
            return float(self._lib.sw_sim_work(self._handle))

    @property
    def observables(self) -> dict[str, float]:
        """The observables by name."""
        n = self._lib.sw_sim_n_observe(self._handle)
        return dict(zip(self._names_of("o", n), self._values("sw_sim_observe", n).tolist()))

    @property
    def invariants(self) -> dict[str, float]:
        """The invariants by name."""
        n = self._lib.sw_sim_n_invariant(self._handle)
        return dict(zip(self._names_of("i", n), self._values("sw_sim_invariant", n).tolist()))

    @property
    def stats(self) -> dict[str, int | float]:
        """The cost of the steps, and their largest residuals, since the state was set."""
        with self._lock:
            return self._lib.stats(self._lib.swpy_sim_stat, self._handle)

    # ---- steps ----

    def _message(self) -> str:
        return self._lib.message(self._lib.sw_sim_message(self._handle))

    def _check(self, status: int, rows: Rows | None = None) -> None:
        if status:
            if self._lib.status_name(status) == "SW_ERR_MEMORY":
                raise MemoryError(self._message())
            text = self._message() or self._lib.status_text(status)
            raise StepError(text, self._lib.status_name(status), self.t, rows)

    def _size(self, h: float | None) -> float:
        return self.h if h is None else real("h", h)

    def step(self, h: float | None = None) -> None:
        """Takes one step.

        :param h: its size; default: `self.h`
        :raises StepError: the step fails; the state is unchanged, bit for bit

        Example::

            while sim.t < 10:
                sim.step()
        """
        with self._lock:
            self._check(self._lib.sw_sim_step(self._handle, self._size(h)))

    def project(self, most: float = True) -> None:
        """Projects the state onto M, then along its fibre onto the constraint manifold M^H.

        :param most: the limit of the displacement of positions and of momenta, relative to their
            sizes (docs/programs.md); True: 0.1, as for programs; inf: no limit
        :raises OptionError: the displacement exceeds the limit; the state is unchanged
        :raises StepError: the projection fails; the state is unchanged

        Example::

            sim.set(p=momenta)
            sim.project(numpy.inf)
        """
        limit = self._lib.project_limit(most)
        with self._lock:
            status = self._lib.sw_sim_project_within(self._handle, limit)
            if status and self._lib.status_name(status) == "SW_ERR_OFF_M":
                self._lib.refuse(status, self._message())
            self._check(status)

    def tangent(self, h: float | None = None) -> npt.NDArray[np.float64]:
        """The exact derivative of the next step, D[i, j] = dz1_i/dz0_j.

        :param h: the size of the step; default: `self.h`
        :returns: (2d, 2d), or (4d, 4d) for "bdf2"
        :raises StepError: the step or its derivative fails

        Example::

            growth = numpy.linalg.norm(sim.tangent(0.1), 2)
        """
        with self._lock:
            n = self._lib.sw_sim_n_state(self._handle)
            out = np.empty(n * n)
            self._check(self._lib.sw_sim_tangent(self._handle, self._size(h), out))
            return np.ascontiguousarray(out.reshape(n, n).T)

    @property
    def has_derivatives(self) -> bool:
        """Whether steps have derivatives with respect to the parameters and the step size."""
        return bool(self._lib.sw_sim_has_parameter_tangent(self._handle))

    def _check_derivatives(self, status: int) -> None:
        if status and self._lib.status_name(status) in ("SW_ERR_OPTION", "SW_ERR_PARAMETER"):
            self._lib.refuse(status, self._message())
        self._check(status)

    def tangent_parameters(self, h: float | None = None) -> npt.NDArray[np.float64]:
        """The exact derivative of the next step with respect to parameters and step size.

        D[i, j] = dz1_i/dk_j for the parameters in the order of `k`, and in the last column dz1_i/dh.

        :param h: the size of the step; default: `self.h`
        :returns: (2d, nk + 1)
        :raises OptionError: the simulation was created without ``derivatives=True``, or its method
            has no such derivatives
        :raises StepError: the step or its derivative fails

        Example::

            sim = m.sim(derivatives=True)
            of_gravity = sim.tangent_parameters()[:, list(sim.k).index("gravity")]
        """
        with self._lock:
            n = self._lib.sw_sim_n_state(self._handle)
            out = np.empty(n * (len(self._k_names) + 1))
            self._check_derivatives(self._lib.sw_sim_tangent_parameters(self._handle, self._size(h), out))
            return np.ascontiguousarray(out.reshape(-1, n).T)

    def pullback(
            self, weights: npt.ArrayLike, h: float | None = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The transposes of `tangent` and `tangent_parameters`, applied to weights of the end z1.

        :param weights: df/dz1 of a function f, (2d,)
        :param h: the size of the step; default: `self.h`
        :returns: df/dz0, (2d,); and (df/dk, df/dh), (nk + 1,), which is empty without
            ``derivatives=True``
        :raises OptionError: the method has no derivatives
        :raises StepError: the step or its derivative fails

        Example::

            of_z, _ = sim.pullback([1, 0, 0, 0])    # the gradient of z1[0] with respect to z0
        """
        with self._lock:
            z = numbers("the weights", weights, self._lib.sw_sim_n_state(self._handle))
            k = np.zeros(len(self._k_names) + 1 if self.has_derivatives else 0)
            self._check_derivatives(self._lib.sw_sim_pullback(self._handle, self._size(h), z, z, place(k)))
            return z, k

    def gradient(
            self, loss: Loss, steps: int, h: float | None = None,
            inputs: npt.ArrayLike | None = None, checkpoints: int | None = None
    ) -> Gradient:
        """The gradient of L = sum_j l_j(z_j) over the next `steps` steps, j = 0 .. steps.

        It is exact for the computed trajectory, and its number of solves does not depend on the
        number of parameters and inputs.  The state, the time and the inputs are unchanged.

        :param loss: a function of (step, t, z) that returns l and dl/dz, or None if the step has no
            loss; it is called once for each step, from the last one to the first
        :param h: the size of the steps; default: `self.h`
        :param inputs: the inputs of each step, (steps, number of inputs); default: the present ones
        :param checkpoints: the largest number of states to keep; with fewer than steps + 1, steps
            are computed again.  Default: as many as fit 64 MiB
        :raises OptionError: the method has no derivatives, or an argument is invalid
        :raises StepError: a step or its derivative fails

        Example::

            sim = m.sim(derivatives=True, step=0.01)
            end = lambda step, t, z: (z[0], [1, 0, 0, 0]) if step == 100 else None
            value, of_z0, of_k, *_ = sim.gradient(end, 100)
        """
        steps = checked_count("steps", steps)
        with self._lock:
            n = self._lib.sw_sim_n_inputs(self._handle)
            fit = 1 + 2**26 // (8 * self._lib.sw_sim_saved_count(self._handle))
            most = checked_count("checkpoints", min(fit, steps + 1) if checkpoints is None else checkpoints, 1)
            given = None if inputs is None else rows_of_inputs(inputs, steps, n)
            z0 = np.empty(self._lib.sw_sim_n_state(self._handle))
            slopes = np.zeros(len(self._k_names) + 1 if self.has_derivatives else 0)
            u = np.zeros((steps if slopes.size else 0, n))
            value, caller = ctypes.c_double(), Caller(loss, 2 * self.d)
            status = self._lib.swpy_sim_gradient(
                self._handle, self._size(h), steps, most, caller.function, place(given), value, z0, place(slopes), place(u)
            )
            if caller.error is not None:
                raise caller.error
            self._check_derivatives(status)
            of_h = float(slopes[-1]) if slopes.size else None
            return Gradient(value.value, z0, dict(zip(self._k_names, slopes[:-1].tolist())), of_h, u)

    def _open_columns(self, wanted: Names | None) -> ctypes.c_void_p:
        key = None if wanted is None else joined(wanted)
        if key not in self._columns:
            made, said = ctypes.c_void_p(), self._lib.buffer()
            status = self._lib.sw_columns_of(self._handle, self.h, None if key is None else key.encode(), made, said)
            if status:
                self._lib.refuse(status, said.value.decode())
            self._columns[key] = made
        return self._columns[key]

    def _column_names(self, columns: Any) -> list[str]:
        room = self._lib.buffer()
        return [self._lib.sw_columns_name(columns, i, room).decode() for i in range(self._lib.sw_columns_count(columns))]

    def run(
            self, steps: int, every: int = 1, columns: Names | None = None,
            progress: Progress | None = None
    ) -> Rows:
        """Takes `steps` steps, and records rows.

        Ctrl-C ends a run between steps; the state reached is kept.  StepError and KeyboardInterrupt
        have the rows recorded so far in `rows`.

        :param steps: the number of steps
        :param every: the number of steps between rows
        :param columns: names of entries or arrays; None: all columns that the model's program
            writes
        :param progress: called as progress(done, steps) about 20 times per second
        :returns: Rows, (R,), for the start, every `every`-th step, and the last step
        :raises OptionError: a count or a column is invalid
        :raises StepError: a step fails; the state is that before this step

        Example::

            rows = sim.run(1000, every=10, columns=["t", "q", "energy"])
            drift = abs(rows["energy"] - rows["energy"][0]).max()
        """
        steps, every = counts(steps, every)
        with self._lock:
            made = self._open_columns(columns)
            self._check(self._lib.sw_columns_follow(made, self._handle))
            names = self._column_names(made)
            values = np.empty((row_count(steps, every), len(names)))
            first = self._before + self.stats["steps"]
            values[0] = copied(self._lib.sw_columns_values(made, self._handle, first), len(names))
            written, rows = ctypes.c_long(), 1

            def advance(done: int, n: int) -> None:
                nonlocal rows
                room = values[rows:] if rows < len(values) else values[-1:]
                status = self._lib.swpy_sim_run(self._handle, made, self.h, first, done, n, every, steps, room, written)
                rows += written.value
                self._check(status)

            try:
                in_chunks(steps, advance, progress)
            except (StepError, KeyboardInterrupt) as error:
                error.__dict__["rows"] = Rows.of(values[:rows].copy(), names)
                raise
            return Rows.of(values, names)

    def _open_events(self) -> None:
        if not self._search:
            status = self._lib.sw_events_create(self._handle, self._search)
            if status:
                why = self._lib.sw_sim_between_objection(self._handle).decode()
                self._lib.refuse(status, why or ("" if self.events else "the model has no events (docs/language.md)"))

    def run_events(
            self, steps: int, columns: Names | None = None, progress: Progress | None = None
    ) -> Rows:
        """Takes at most `steps` steps, and records the crossings of the model's events.

        A crossing is located by steps of the method from the start of the step that contains it, so
        its state is on the constraint manifold, and the run itself is that of `run`, bit for bit.
        An event that stops ends the run in the state at the event.  `run` ignores events.

        :param steps: the number of steps
        :param columns: names of entries or arrays; None: all columns of `run`
        :param progress: called as progress(done, steps) about 20 times per second
        :returns: Rows, one per crossing, with the columns "event", a number of `events`,
            "direction", 1 or -1, and those of `run`.  Its `metadata` has the names "events", and
            "stopped_by", the name of the event that ended the run, or None
        :raises OptionError: the model has no events, the method has no states between steps, or a
            count or a column is invalid
        :raises StepError: a step or a trial step fails; the state is that before this step

        Example::

            rows = sim.run_events(10000, columns=["t", "q"])
            section = rows[rows["event"] == sim.events.index("section")]
        """
        steps, _ = counts(steps, 1)
        with self._lock:
            self._open_events()
            made = self._open_columns(columns)
            names = ["event", "direction", *self._column_names(made)]
            least = 2 * len(self.events)
            values = np.empty((max(64, 2 * least), len(names)))
            before = self._before
            written, taken, stop, rows = ctypes.c_long(), ctypes.c_long(), ctypes.c_int(), 0

            def advance(done: int, n: int) -> None:
                nonlocal rows, values
                while n > 0 and not stop.value:
                    if len(values) - rows < least:
                        values = np.concatenate([values, np.empty_like(values)])
                    status = self._lib.swpy_events_run(
                        self._search, self._handle, made, self.h, before, n, values[rows:], len(values) - rows, written, taken, stop
                    )
                    rows += written.value
                    n -= taken.value
                    self._check(status)

            def found() -> Rows:
                made = Rows.of(values[:rows].copy(), names)
                stopped = self.events[stop.value - 1] if stop.value else None
                made.metadata = {"events": self.events, "stopped_by": stopped}
                return made

            try:
                in_chunks(steps, advance, progress)
            except (StepError, KeyboardInterrupt) as error:
                error.__dict__["rows"] = found()
                raise
            return found()
