# SPDX-License-Identifier: BSD-3-Clause
"""Draws rows on axes of matplotlib, which is optional and imported on first use."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import OptionError
from .kinds import Names
from .names import joined, unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .rows import Rows

# Equal to those of codegen/report/web/style.gp, which installations lack; a test compares them.
COLOURS = ("#3b82c4", "#d9812e", "#3a9d6e", "#9a6fc2", "#cf5b5b", "#7f8a96")
GRID = "#dddddd"


def _new_axes() -> Axes:
    """Axes of a new pyplot figure, in the style of the other pictures."""
    from matplotlib import pyplot

    axes: Axes = pyplot.subplots(figsize=(7.6, 4.2), layout="constrained")[1]
    lines = ("-", "--", ":", "-.")
    axes.set_prop_cycle(color=len(lines) * COLOURS, linestyle=[line for line in lines for _ in COLOURS])
    axes.grid(color=GRID)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _label(rows: Rows, name: str) -> str:
    """The name and its unit, which is in brackets in the comment of the model file.

    The comment of a coordinate and its momentum has one unit for each.  Velocities have no unit.
    """
    comments = rows.metadata.get("comments", {})
    declared = rows._declared(name)
    units = re.findall(r"\[[^][]+\]", comments.get(declared, ""))
    sharing = [key for key in comments if comments[key] == comments.get(declared)]
    known = units and len(units) == len(sharing) and not name.startswith("velocity.")
    return f"{name} {units[sharing.index(declared)]}" if known else name


def draw(rows: Rows, columns: Names, x: str, ax: Axes | None, change: bool, line: dict[str, Any]) -> Axes:
    """Draws columns over the column x.  The arguments are those of Rows.draw."""
    try:
        from matplotlib.axes import Axes
    except ImportError as error:
        raise ImportError(
            "draw needs matplotlib, which cannot be imported (pip install matplotlib; Debian: python3-matplotlib); "
            "rows.plot writes an SVG without it", name="matplotlib"
        ) from error
    if ax is not None and not isinstance(ax, Axes):
        raise OptionError(f"ax is an Axes of matplotlib, such as pyplot.subplots()[1], not {type(ax).__name__}")
    given = [name.strip() for name in joined(columns).split(",")]
    found = [column for name in given for column in rows._matching(name)]
    for name in [*given, x]:
        if not rows._matching(name):
            hint = "; rows.plot writes a file" if name.endswith(".svg") else ""
            raise OptionError(f"{unknown('column', name, rows.columns)}{hint}")
    if rows._matching(x) != [x]:
        raise OptionError(f"x is one column, such as '{rows._matching(x)[0]}'; '{x}' is an array")
    axes = _new_axes() if ax is None else ax
    over = np.asarray(rows[x]).reshape(len(rows), -1)
    for column in found:
        values = np.asarray(rows[column]).reshape(len(rows), -1)
        values = values - values[:1] if change else values
        style: dict[str, Any] = {"label": _label(rows, column), "alpha": max(0.1, over.shape[1] ** -0.5), **line}
        first = axes.plot(over[:, 0], values[:, 0], **style)[0]
        style.update(label="_", color=first.get_color(), linestyle=first.get_linestyle())
        axes.plot(over[:, 1:], values[:, 1:], **style)
    axes.set_xlabel(axes.get_xlabel() or _label(rows, x))
    axes.set_ylabel(axes.get_ylabel() or ("change of " if change else "") + ", ".join(_label(rows, name) for name in given))
    if len(axes.get_legend_handles_labels()[0]) > 1:  # above the axes, where it covers no curve
        legend = axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.2, ncol=6, frameon=False)
        for shown in legend.get_lines():
            shown.set_alpha(1)
    return axes
