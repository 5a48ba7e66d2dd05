# SPDX-License-Identifier: BSD-3-Clause
"""The rows that a run records: a NumPy array with named columns."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, overload

import numpy as np
import numpy.typing as npt

from . import figures, pictures
from .kinds import Names, Path
from .names import unknown

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    _Array = np.ndarray[Any, np.dtype[Any]]
else:
    _Array = np.ndarray


class Rows(_Array):
    """A structured array with columns such as rows["t"] and rows["q.1"], in the model's units.

    The shape is (R,), or (R, W) for an ensemble of W trajectories.  Columns are doubles, except
    "step": an integer that counts from the last state that was set.  If no column has the name of
    an array, rows["q"] is its block, a copy of shape (R, n) or (R, W, n).  For other names
    rows[name] raises OptionError, a ValueError.  `metadata` is the dict of metadata of a file (sidewinder.read);
    {} for rows of a run.

    Example::

        rows = sidewinder.Model("hopf.sw").sim().run(1000, every=10)
        print(rows["t"].shape, rows["q.1"][-1], rows["q"].shape, rows[["t", "energy"]])
    """

    metadata: dict[str, Any] = {}

    def __array_finalize__(self, other: Any) -> None:
        self.metadata = getattr(other, "metadata", {})

    def __reduce__(self) -> tuple[Any, ...]:
        function, arguments, state = tuple(super().__reduce__())
        return function, arguments, (state, self.metadata)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])
        self.metadata = state[1]

    @classmethod
    def of(cls, values: npt.NDArray[np.float64], names: Sequence[str]) -> Rows:
        """Rows with C named columns that share the memory of `values`.

        :param values: contiguous doubles, (..., C); values of a column "step" become integers
        :param names: C names
        """
        kinds: list[Any] = [(name, np.int64 if name == "step" else np.float64) for name in names]
        for i, name in enumerate(names):
            if name == "step":
                values[..., i].view(np.int64)[...] = values[..., i].astype(np.int64)
        return values.view(np.dtype(kinds))[..., 0].view(cls)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.dtype.names or ())

    @overload
    def __getitem__(self, key: str) -> npt.NDArray[Any]: ...

    @overload
    def __getitem__(self, key: Any) -> Any: ...

    def __getitem__(self, key: Any) -> Any:
        """The column `key`, a view; else the block of the array `key`, a copy.

        :raises OptionError: there is no such column
        """
        try:
            return super().__getitem__(key)
        except ValueError:  # no column has this name
            if not isinstance(key, str):
                raise
            block = self._block(key)
            if block is None:
                raise unknown("column", key, self.columns) from None
            return block

    def _matching(self, name: str) -> list[str]:
        """The columns of an entry or an array."""
        return [column for column in self.columns if column == name or column.startswith(f"{name}.")]

    def _block(self, name: str) -> npt.NDArray[np.float64] | None:
        found = self._matching(name)
        return np.stack([np.asarray(self[column], dtype=np.float64) for column in found], axis=-1) if found else None

    def block(self, name: str) -> npt.NDArray[np.float64]:
        """All columns of the model's array `name`, such as "q": shape (R, n) or (R, W, n), a copy.

        :raises KeyError: there is no such column

        Example::

            radius = numpy.linalg.norm(rows.block("q"), axis=-1)
        """
        block = self._block(name)
        if block is None:
            raise KeyError(name)
        return block

    def plot(
            self, path: Path, columns: Names | None = None, x: str | None = None
    ) -> str:
        """Draws the rows of one trajectory as an SVG, as `sidewinder plot` does.

        :param path: the picture; its name ends in .svg
        :param columns: names of entries or arrays to draw; None: an overview
        :param x: the column of the horizontal axis (default: t)
        :returns: the absolute path of the picture
        :raises OptionError: there is no such column, or the rows are those of an ensemble
        :raises OSError: there is no folder for the picture

        Example::

            rows.plot("orbit.svg", "q.2", x="q.1")
        """
        return pictures.of_rows(self, path, columns, x)

    def draw(
            self, columns: Names, x: str = "t", ax: Axes | None = None, change: bool = False,
            **line: Any
    ) -> Axes:
        """Draws columns on axes of matplotlib, which must be installed.

        Labels are names in the model.  Rows of a file have units, too, if the comments in the model
        file have them in brackets (docs/output.md).  Existing labels of axes remain.  An ensemble has
        one curve for each trajectory.

        :param columns: names of entries or arrays
        :param x: the column of the horizontal axis
        :param ax: the Axes to draw on; None: those of a new figure of pyplot
        :param change: draw the differences from the first row
        :param line: arguments of `Axes.plot`, such as ``label`` and ``color``
        :returns: the Axes; ``.figure.savefig(path)`` writes a picture
        :raises ImportError: matplotlib is not installed
        :raises OptionError: there is no such column, or ax is no Axes

        Example::

            figure, (left, right) = pyplot.subplots(1, 2)
            rows.draw("q.2", x="q.1", ax=left).set_aspect("equal")
            rows.draw("energy", ax=right, change=True, label="h = 0.1")
        """
        return figures.draw(self, columns, x, ax, change, line)

    def _declared(self, name: str) -> str:
        """The key in metadata["comments"] for a column; "" if there is none."""
        first, _, rest = name.partition(".")
        comments = self.metadata.get("comments", {})
        return next((key for key in (first, rest.partition(".")[0]) if key in comments), "")

    def comment(self, name: str) -> str:
        """The comment of a column in the model file, such as "positions [m]"; "" if none.

        Only rows of a file have comments (sidewinder.read).

        Example::

            print(sidewinder.read("traj.csv").comment("q.1"))
        """
        comments: dict[str, str] = self.metadata.get("comments", {})
        return comments.get(self._declared(name), "")

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset with the dimension "row" (and "trajectory" for an ensemble).

        The coordinates are t and step; the comments of columns are attributes.

        :raises ImportError: xarray is not installed

        Example::

            rows.to_xarray()["energy"].to_netcdf("energy.nc")
        """
        import xarray

        dimensions = ("row", "trajectory")[: self.ndim]
        data = {}
        for name in self.columns:
            comment = self.comment(name)
            data[name] = (dimensions, np.asarray(self[name]), {"comment": comment} if comment else {})
        return xarray.Dataset(data).set_coords([name for name in ("t", "step") if name in data])
