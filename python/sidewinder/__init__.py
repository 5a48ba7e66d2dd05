# SPDX-License-Identifier: BSD-3-Clause
"""Structure-preserving integrators for Hamiltonian systems with constraints g(q, p) = 0.

Example::

    import sidewinder

    m = sidewinder.Model("hopf.sw")
    sim = m.sim(base="midpoint", step=0.1)
    rows = sim.run(1000, every=10)        # rows["t"], rows["q.1"], rows["q"], rows["energy"]
    rows = sidewinder.read("rows.csv")    # the output of `sidewinder run hopf.sw --out rows.csv`

All quantities have the units of the model.  In shapes, d is the number of degrees of freedom, m the
number of constraints, nk the number of parameters, R the number of rows, and W the number of
trajectories of an ensemble.  docs/python.md is the reference.
"""
from . import hmc
from .ensemble import Ensemble
from .errors import Error, FileError, InstallationError, ModelError, OptionError, StepError
from .model import Model, check
from .molecules import molecule
from .reading import read
from .rows import Rows
from .sim import Sim

__version__ = "0.1.0"
__all__ = ["Model", "check", "read", "molecule", "Sim", "Ensemble", "Rows", "hmc", "Error", "FileError", "InstallationError", "ModelError", "OptionError", "StepError"]
