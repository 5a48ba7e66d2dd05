# SPDX-License-Identifier: BSD-3-Clause
"""Many trajectories of one model, computed in SIMD lanes and by several threads."""
from __future__ import annotations

import ctypes
import os
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .errors import OptionError
from .kinds import Names, Parameters, Progress
from .library import LockedHandle
from .names import fill, joined, real, reals
from .rows import Rows
from .running import checked_count, in_chunks, row_count

if TYPE_CHECKING:
    from .sim import Sim


def _matrix(what: str, values: Any, n: int, count: int | None = None) -> npt.NDArray[np.float64]:
    found = reals(what, values)
    if found.ndim != 2 or found.shape[1] != n or found.shape[0] != (count or found.shape[0]) or found.shape[0] == 0:
        raise OptionError(f"{what} has the shape ({count or 'W'}, {n}), not {found.shape}")
    return found


class Ensemble(LockedHandle):
    """W trajectories of one model; created by Model.ensemble.

    Each trajectory equals that of a Sim with its state and parameters bit for bit, for any number
    of threads.  A trajectory that fails stays at its last valid state; the others are not affected.

    `model` is the Model, `h` the step size, `d` the number of degrees of freedom, `count` the
    number W of trajectories, and `threads` the number of threads.  All arrays are copies.  A closed
    ensemble raises ValueError.

    Example::

        with sidewinder.Model("hopf.sw").ensemble(z0, threads=8, step=0.1) as all:    # z0: (W, 2d)
            rows = all.run(1000, every=100)                                           # rows["q.1"]: (11, W)
            print(all.z, all.failed, all.messages)
    """

    _instead = "make another from its states z and parameters k"

    def __init__(
            self, like: Sim, z0: npt.ArrayLike, k: Parameters | None = None, threads: int | None = None,
            columns: Names | None = None
    ) -> None:
        super().__init__()
        self.model, self.h, self.d = like.model, like.h, like.d
        self._like, self._lib = like, like._lib
        self._handle: ctypes.c_void_p | None = ctypes.c_void_p()
        said = self._lib.buffer()
        z0 = _matrix("z0", z0, 2 * self.d)
        self.count = len(z0)
        most = min(len(os.sched_getaffinity(0)), self.count)
        self.threads = most if threads is None else checked_count("threads", threads, 1, 2**31 - 1)
        status = self._lib.swpy_ensemble_create(
            like._handle, self.count, self.threads, self.h, None if columns is None else joined(columns).encode(), self._handle, said
        )
        if status:
            self._lib.refuse(status, said.value.decode())
        self._finalizer = weakref.finalize(self, self._lib.swpy_ensemble_free, ctypes.c_void_p(self._handle.value))
        self._core = self._lib.swpy_ensemble_of(self._handle)
        self._names = like._column_names(self._lib.swpy_ensemble_columns(self._handle))
        if k is not None:
            self.set_parameters(k)
        self.set(z0)

    def __repr__(self) -> str:
        return f"<sidewinder.Ensemble of {self.count} {self.model.name}: {self.step} steps of {self.h:g}, {self.failed} failed>"

    def close(self) -> None:
        """Ends the threads and frees the memory.  Garbage collection does the same.

        If a progress callback closes the ensemble, the run ends with ValueError.
        """
        if self._finalizer.alive:
            with self._lock:
                self._finalizer()
                self._handle = self._core = None

    def _lose(self) -> None:
        super()._lose()
        self._finalizer()

    def __enter__(self) -> Ensemble:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Any:
        if self._core is None:
            raise ValueError("this ensemble has been closed")
        return self._handle

    def _put(self, parameters: int, t: float, values: npt.NDArray[np.float64]) -> None:
        at = ctypes.c_long()
        with self._lock:
            status = self._lib.swpy_ensemble_set(self._open(), parameters, t, values.shape[1], values, at)
        if status:
            self._lib.refuse(status, f"trajectory {at.value}: {self._lib.status_text(status)}")

    def set(self, z: npt.ArrayLike, t: float = 0.0) -> None:
        """Sets the states, and restarts all trajectories, including failed ones.

        :param z: the states, (W, 2d)
        :param t: the time
        :raises OptionError: the shape is wrong

        Example::

            all.set(all.z * (1 + 1e-9))    # restarts from neighbouring states
        """
        self._put(0, real("t", t), _matrix("z", z, 2 * self.d, self.count))

    def set_parameters(self, k: Parameters) -> None:
        """Sets the parameters.

        :param k: (W, nk) values, or by name {"g.1": W values, or one for all trajectories}
        :raises OptionError: a name is unknown, or a shape or a value is invalid

        Example::

            all.set_parameters({"gravity": numpy.linspace(1, 2, all.count)})
        """
        names = self._like._k_names
        if isinstance(k, dict):
            now = self.k
            for name, values in k.items():
                column = reals(f"parameter '{name}'", values)
                if column.ndim > 1 or column.size not in (1, self.count):
                    raise OptionError(f"parameter '{name}' has a value for each of {self.count} trajectories, or one; not the shape {column.shape}")
                column = np.broadcast_to(column, (self.count,))
                for i in range(self.count):
                    now[i] = fill("parameter", names, now[i], {name: column[i]})
            k = now
        self._put(1, 0.0, _matrix("k", k, len(names), self.count))

    def _get(self, parameters: int, n: int) -> npt.NDArray[np.float64]:
        out = np.empty((self.count, n))
        with self._lock:
            self._lib.swpy_ensemble_get(self._open(), parameters, n, out)
        return out

    @property
    def z(self) -> npt.NDArray[np.float64]:
        """The last valid state of each trajectory: (W, 2d)."""
        return self._get(0, 2 * self.d)

    @property
    def k(self) -> npt.NDArray[np.float64]:
        """The parameters: (W, nk)."""
        return self._get(1, len(self._like._k_names))

    @property
    def dropped(self) -> list[str]:
        """Names of the constraints that all trajectories leave out, with ``redundant="drop"``.

        They are proved to follow from others for all sizes.  Steps of single trajectories may leave
        out more: those of a Sim with the same state (`Sim.dropped`).
        """
        return self._like.dropped

    @property
    def energy(self) -> npt.NDArray[np.float64]:
        """The values of H at the last valid states, (W,)."""
        like, lib, found = self._like._handle, self._lib, np.empty(self.count)
        with self._lock:
            for i, (z, k) in enumerate(zip(self.z, self.k)):
                lib.sw_sim_set_parameters(like, k)
                lib.sw_sim_set_state(like, 0.0, z)
                lib.sw_sim_hamiltonian(like, found[i:])
        return found

    def _progress(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        status, steps = np.empty(self.count, np.intc), np.empty(self.count, np.dtype("l"))
        with self._lock:
            self._lib.swpy_ensemble_progress(self._open(), status, steps)
        return status, steps

    @property
    def status(self) -> list[str]:
        """The names of W statuses; "SW_OK" for a trajectory that has not failed."""
        return [self._lib.status_name(int(status)) for status in self._progress()[0]]

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(W,) booleans; True for a trajectory that has not failed."""
        return np.equal(self._progress()[0], 0)

    @property
    def steps(self) -> npt.NDArray[Any]:
        """The numbers of steps, (W,) integers; -1 for an invalid initial state."""
        return self._progress()[1]

    @property
    def messages(self) -> dict[int, str]:
        """The messages of failed trajectories, as a dict by trajectory number."""
        with self._lock:
            which = np.flatnonzero(self._progress()[0])
            return {int(i): self._lib.message(self._lib.sw_ensemble_message(self._core, int(i))) for i in which}

    @property
    def failed(self) -> int:
        """The number of failed trajectories."""
        with self._lock:
            self._open()
            return int(self._lib.sw_ensemble_failed(self._core))

    @property
    def step(self) -> int:
        """The number of steps since the ensemble was created; `run` takes steps."""
        with self._lock:
            self._open()
            return int(self._lib.sw_ensemble_step(self._core))

    @property
    def stats(self) -> dict[str, int | float]:
        """The cost of all steps, and their largest residuals."""
        with self._lock:
            return self._lib.stats(self._lib.swpy_ensemble_stat, self._open())

    def project(self, most: float = True) -> None:
        """Projects all states onto the constraint manifold.

        :param most: a trajectory fails if the projection moves it beyond this limit, as for
            `Sim.project`
        :raises OptionError: the limit is invalid

        Example::

            all.project()
            print(all.failed, all.messages)
        """
        limit = self._lib.project_limit(most)
        with self._lock:
            self._open()
            status = self._lib.sw_ensemble_project(self._core, limit)
        if status:
            self._lib.refuse(status)

    def _advance(self, n: int) -> None:
        self._open()  # a progress callback may have closed it
        status = self._lib.sw_ensemble_advance(self._core, self.h, n)
        if status:
            self._lib.refuse(status)

    def _measured(self, step: int) -> npt.NDArray[np.float64]:
        """The values of all columns, (W, C); NaN for failed trajectories, except for "step"."""
        n = len(self._names)
        values = np.ctypeslib.as_array(self._lib.sw_ensemble_values(self._core), (n, self.count)).T.copy()
        for i, name in enumerate(self._names):
            if name == "step":
                values[:, i] = step
        return values

    def run(self, steps: int, every: int | None = None, progress: Progress | None = None) -> Rows:
        """Takes `steps` steps of all trajectories, and records rows.

        Ctrl-C ends the run between steps.  The states reached are kept, and `rows` of the
        KeyboardInterrupt has the rows recorded so far.

        :param steps: the number of steps
        :param every: the number of steps between rows; default: no rows but the first and the last
        :param progress: called as progress(done, steps) about 20 times per second
        :returns: Rows, (R, W), for the start, every `every`-th step, and the last step; the values of
            a trajectory are NaN after it has failed
        :raises OptionError: a count is invalid

        Example::

            rows = all.run(1000, every=100, progress=print)
            mean = numpy.nanmean(rows["q.1"], axis=1)
        """
        steps = checked_count("steps", steps)
        apart = max(steps, 1) if every is None else checked_count("every", every, 1)
        with self._lock:
            self._open()
            values = np.empty((row_count(steps, apart), self.count, len(self._names)))
            first, rows = self.step, 1
            self._advance(0)
            values[0] = self._measured(first)

            def advance(done: int, n: int) -> None:
                nonlocal rows
                end = done + n
                while done < end:
                    due = min(done + apart - done % apart, steps)
                    self._advance(min(due, end) - done)
                    done = min(due, end)
                    if done == due:
                        values[rows] = self._measured(first + done)
                        rows += 1

            try:
                in_chunks(steps, advance, progress)
            except KeyboardInterrupt as error:
                error.__dict__["rows"] = Rows.of(values[:rows].copy(), self._names)
                raise
            return Rows.of(values, self._names)
