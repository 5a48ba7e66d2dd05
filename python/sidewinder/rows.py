# SPDX-License-Identifier: BSD-3-Clause
"""The rows that a run records: a NumPy array with named columns."""
import numpy as np

from . import pictures


class Rows(np.ndarray):
    """A structured array with columns such as rows["t"] and rows["q.1"].

    The shape is (R,), or (R, W) for an ensemble of W trajectories.  Columns are doubles, except
    "step": an integer that counts from the last state that was set.  `metadata` is the dict of
    metadata of a file (sidewinder.read); {} for rows of a run.
    """

    metadata = {}

    def __array_finalize__(self, other):
        self.metadata = getattr(other, "metadata", {})

    def __reduce__(self):
        function, arguments, state = super().__reduce__()
        return function, arguments, (state, self.metadata)

    def __setstate__(self, state):
        super().__setstate__(state[0])
        self.metadata = state[1]

    @classmethod
    def of(cls, values, names):
        """Rows with C named columns that share the memory of `values`.

        `values` are contiguous doubles of shape (..., C).
        """
        kinds = [(name, np.int64 if name == "step" else np.float64) for name in names]
        for i, name in enumerate(names):
            if name == "step":
                values[..., i].view(np.int64)[...] = values[..., i].astype(np.int64)
        return values.view(np.dtype(kinds))[..., 0].view(cls)

    def block(self, name):
        """All columns of the model's array `name`, such as "q": shape self.shape + (n,)."""
        found = [column for column in self.dtype.names if column == name or column.startswith(f"{name}.")]
        if not found:
            raise KeyError(name)
        return np.stack([np.asarray(self[column], dtype=np.float64) for column in found], axis=-1)

    def plot(self, path, columns=None, x=None):
        """Draws the rows of one trajectory as an SVG, and returns its path.

        The picture is that of `sidewinder plot`.  columns: names of entries or arrays to draw over
        the column x (default: t); None: an overview.
        """
        return pictures.of_rows(self, path, columns, x)

    def comment(self, name):
        """The comment of a column in the model file, such as "positions [m]"; "" if none."""
        comments = self.metadata.get("comments", {})
        first, _, rest = name.partition(".")
        return comments.get(first) or comments.get(rest.partition(".")[0], "")

    def to_xarray(self):
        """An xarray.Dataset with the dimension "row" (and "trajectory" for an ensemble).

        The coordinates are t and step; the comments of columns are attributes.
        """
        import xarray

        dimensions = ("row", "trajectory")[: self.ndim]
        data = {}
        for name in self.dtype.names:
            comment = self.comment(name)
            data[name] = (dimensions, np.asarray(self[name]), {"comment": comment} if comment else {})
        return xarray.Dataset(data).set_coords([name for name in ("t", "step") if name in data])
