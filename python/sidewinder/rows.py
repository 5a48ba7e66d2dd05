# SPDX-License-Identifier: BSD-3-Clause
"""What a run records: a NumPy array with named columns."""
import numpy as np

from . import pictures


class Rows(np.ndarray):
    """A structured array: rows["t"], rows["q.1"]; of shape (R,), and (R, W) for an ensemble of W trajectories.

    "step" is an integer and counts from the state that was set; the others are doubles.  `metadata` is a dict of what a file says of its
    rows (sidewinder.read), else {}.
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
        """values: (..., C) doubles, contiguous, which become the array's own memory; names: C of them."""
        kinds = [(name, np.int64 if name == "step" else np.float64) for name in names]
        for i, name in enumerate(names):
            if name == "step":
                values[..., i].view(np.int64)[...] = values[..., i].astype(np.int64)
        return values.view(np.dtype(kinds))[..., 0].view(cls)

    def block(self, name):
        """All columns of the array `name` of the model, such as "q": doubles of shape self.shape + (n,)."""
        found = [column for column in self.dtype.names if column == name or column.startswith(f"{name}.")]
        if not found:
            raise KeyError(name)
        return np.stack([np.asarray(self[column], dtype=np.float64) for column in found], axis=-1)

    def plot(self, path, columns=None, x=None):
        """An SVG picture of the rows of one trajectory, as `sidewinder plot` draws it: columns, of entries or arrays, over x (t); without
        them an overview.  Its path."""
        return pictures.of_rows(self, path, columns, x)

    def comment(self, name):
        """What the model file says behind the declaration of a column, as of a unit: "positions [m]"; "" where it says nothing."""
        comments = self.metadata.get("comments", {})
        first, _, rest = name.partition(".")
        return comments.get(first) or comments.get(rest.partition(".")[0], "")

    def to_xarray(self):
        """An xarray.Dataset over the dimension "row" (and "trajectory"), with t as a coordinate, and comments as attributes."""
        import xarray

        dimensions = ("row", "trajectory")[: self.ndim]
        data = {}
        for name in self.dtype.names:
            comment = self.comment(name)
            data[name] = (dimensions, np.asarray(self[name]), {"comment": comment} if comment else {})
        return xarray.Dataset(data).set_coords([name for name in ("t", "step") if name in data])
