# SPDX-License-Identifier: BSD-3-Clause
"""Constrained Hamiltonian Monte Carlo: random positions on the manifold g(q) = 0 of a model.

Example::

    from sidewinder import hmc

    samples = hmc.sample(sidewinder.Model("torus.sw"), chains=64, draws=1000, step=0.2, seed=1)
    print(samples.summary())
    samples["q.x"], samples["q"]     # (draws, chains), (draws, chains, d)

The target.  Let H = p^T M^-1 p/2 + U(q) with a constant mass matrix M, G = Dg, and let m be the
number of constraints.  A chain leaves the density exp(-H/kT) invariant with respect to the
Liouville volume of the states with g(q) = 0 and G M^-1 p = 0.  The integral over p leaves exp(-U/kT)
with respect to one of three measures on the manifold, which `measure` chooses:

- "metric": the volume of the metric dq^T M dq.  Up to a constant it is
  (det(G M^-1 G^T)/det(G G^T))^(1/2) times the Hausdorff measure.
- "hausdorff": length, area or volume in the Euclidean space of the coordinates.  It equals "metric"
  if M is a multiple of the unit matrix, and is offered for these M only.
- "delta": delta(g(q)) dq, which is the Hausdorff measure divided by det(G G^T)^(1/2) for every M.
  It is the conditional measure given g, such as a posterior given exact data, and depends on g.

A correction W(q) enters the Metropolis test only, as exp(-(H + W)/kT): kT/2 log det(G M^-1 G^T) for
"delta".  So the trajectories are those of H.  docs/sampling.md has references.
"""
from __future__ import annotations

import functools
import math
import statistics
import time
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from .ensemble import Ensemble
from .errors import OptionError, StepError
from .kinds import Names, Parameters, Progress
from .model import Model
from .names import joined, real, reals, unknown
from .rows import Rows
from .running import checked_count
from .sim import Sim

Array = npt.NDArray[np.float64]

MEASURES = ["metric", "hausdorff", "delta"]
SETTINGS = ["sizes", "data", "init", "tolerance", "max_iterations", "redundant", "solver"]
STEPS_MOST = 1024  # of a trajectory with a given length
REVERSIBLE = 1e-8  # tolerance of the reversibility check, relative to the state
SCALE = 2.0**20  # of momenta, whose kinetic energy then exceeds U by far


# ---- diagnostics ----

@functools.lru_cache(maxsize=4)
def _normal_scores(count: int) -> Array:
    """Normal quantiles of the ranks 1, 3/2, 2, ..., count."""
    quantile = statistics.NormalDist().inv_cdf
    half = np.array([quantile(((i + 2) / 2 - 0.375) / (count + 0.25)) for i in range(count)])
    return np.concatenate([half, -half[: count - 1][::-1]])


def _ranked(x: Array) -> Array:
    """Normal scores of the ranks of all values together; equal values have their mean rank."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    scores: Array = _normal_scores(x.size)[2 * last - counts - 1][inverse].reshape(x.shape)
    return scores


def _halves(x: Array) -> Array:
    """The first and second halves of all chains as chains of their own: (R // 2, 2 W)."""
    n = len(x) // 2
    return np.concatenate([x[:n], x[len(x) - n :]], axis=1)


def _ratio(x: Array) -> float:
    """R-hat of (N, W) values."""
    within = x.var(axis=0, ddof=1).mean()
    return math.sqrt((len(x) - 1) / len(x) + x.mean(axis=0).var(ddof=1) / within)


def _effective(x: Array) -> float:
    """Effective sample size of (N, W) values by Geyer's initial monotone sequence."""
    n, chains = x.shape
    centred = x - x.mean(axis=0)
    spectrum = np.abs(np.fft.rfft(centred, 2 * n, axis=0)) ** 2
    covariance = np.fft.irfft(spectrum, axis=0)[:n].mean(axis=1) / n
    within = covariance[0] * n / (n - 1)
    total = covariance[0] + x.mean(axis=0).var(ddof=1)
    rho = 1 - (within - covariance) / total
    rho[0] = 1.0
    pairs = rho[: n - n % 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    k = int(negative[0]) if len(negative) else len(pairs)
    time_scale = 2 * np.minimum.accumulate(pairs[:k]).sum() - 1
    if 2 * k < n:
        time_scale += max(rho[2 * k], 0.0)
    return n * chains / max(float(time_scale), 1 / math.log10(n * chains))


def _each(function: Callable[[Array], float], x: npt.ArrayLike) -> Any:
    """function(x) for values (R, W), or for each i of x[..., i]; NaN for unusable values."""
    values = reals("x", x)
    if values.ndim not in (2, 3) or len(values) < 4 or values.shape[1] < 1:
        raise OptionError(f"x has the shape (draws, chains) or (draws, chains, n) with at least 4 draws, not {values.shape}")
    if values.ndim == 3:
        return np.array([_each(function, values[..., i]) for i in range(values.shape[2])])
    if not np.isfinite(values).all() or np.ptp(values) == 0:
        return math.nan
    return function(values)


def rhat(x: npt.ArrayLike) -> Any:
    """Split R-hat, rank-normalised and folded (A. Vehtari et al., Bayesian Analysis 16, 667, 2021).

    :param x: the values, (draws, chains) or (draws, chains, n)
    :returns: a number, or n numbers; below 1.01 if chains agree, NaN for constants and non-finite
        values
    :raises OptionError: the shape is wrong, or there are fewer than 4 draws

    Example::

        assert hmc.rhat(samples["q"]).max() < 1.01
    """
    def of(values: Array) -> float:
        split = _halves(values)
        folded = np.abs(split - np.median(split))
        return max(_ratio(_ranked(each)) for each in (split, folded) if np.ptp(each) > 0)

    return _each(of, x)


def ess(x: npt.ArrayLike, rank: bool = True) -> Any:
    """Effective sample size by autocorrelation, of split chains (Vehtari et al. 2021).

    :param x: the values, (draws, chains) or (draws, chains, n)
    :param rank: True: of rank-normalised values ("bulk"), which exists for every distribution;
        False: of the values, for the standard error sd/ess^(1/2) of their mean
    :returns: a number, or n numbers; NaN for constants and non-finite values
    :raises OptionError: the shape is wrong, or there are fewer than 4 draws

    Example::

        error = samples["q.x"].std() / hmc.ess(samples["q.x"], rank=False) ** 0.5
    """
    return _each(lambda values: _effective(_ranked(_halves(values)) if rank else _halves(values)), x)


class Samples:
    """The draws of `sample`, without the warm-up.

    `rows` are Rows of shape (draws, chains) with the columns asked for.  `accepted` is the fraction
    of accepted proposals, `acceptance` the mean acceptance probability, `failures` a dict of the
    fractions of failed proposals by status, such as {"SW_ERR_NOT_CONVERGED": 0.01}.  `step` is the
    step size, `steps` the mean number of steps of a trajectory, `seconds` the time for the draws,
    and `seed` the seed.  `q` are the last positions, (chains, d), from which a further call of
    `sample` can continue.
    """

    def __init__(self, rows: Rows, q: Array, **facts: Any) -> None:
        self.rows, self.q = rows, q
        self.accepted: float = facts["accepted"]
        self.acceptance: float = facts["acceptance"]
        self.failures: dict[str, float] = facts["failures"]
        self.step: float = facts["step"]
        self.steps: float = facts["steps"]
        self.seconds: float = facts["seconds"]
        self.seed: int = facts["seed"]

    @property
    def not_reversible(self) -> float:
        """The fraction of proposals that the reversibility check has rejected."""
        return self.failures.get("SW_ERR_NOT_REVERSIBLE", 0.0)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A column, (draws, chains), or the block of an array, (draws, chains, n)."""
        return self.rows[name]

    def __repr__(self) -> str:
        draws, chains = self.rows.shape
        return (f"<sidewinder.hmc.Samples: {draws} draws of {chains} chains; step {self.step:.4g}, {self.accepted:.1%} accepted, "
                f"{self.not_reversible:.1%} not reversible>")

    def ess(self, name: str, rank: bool = True) -> Any:
        """The effective sample size of a column or of each entry of an array (`hmc.ess`)."""
        return ess(self.rows[name], rank)

    def rhat(self, name: str) -> Any:
        """R-hat of a column or of each entry of an array (`hmc.rhat`)."""
        return rhat(self.rows[name])

    def summary(self) -> str:
        """A table of all columns as text: mean, standard deviation, standard error, ESS and R-hat."""
        lines = [repr(self)[1:-1], f"{'':16}{'mean':>12}{'sd':>12}{'mcse':>12}{'ess':>10}{'rhat':>8}"]
        for name in self.rows.columns:
            x = np.asarray(self.rows[name], dtype=np.float64)
            error = x.std() / math.sqrt(ess(x, rank=False))
            lines.append(f"{name:16}{x.mean():12.5g}{x.std():12.5g}{error:12.2g}{ess(x):10.0f}{rhat(x):8.3f}")
        return "\n".join(lines)

    def to_arviz(self) -> Any:
        """An InferenceData (or DataTree) of ArviZ, which must be installed, with dimensions (chain, draw).

        :raises ImportError: arviz is not installed

        Example::

            arviz.plot_trace(samples.to_arviz())
        """
        import arviz

        return arviz.from_dict({name: np.asarray(self.rows[name]).T for name in self.rows.columns})


# ---- the sampler ----

class _StepSize:
    """Dual averaging of log h (M. D. Hoffman and A. Gelman, J. Mach. Learn. Res. 15, 1593, 2014)."""

    def __init__(self, h: float, target: float) -> None:
        self.h, self.final, self._target = h, h, target
        self._mu, self._deficit, self._mean, self._count = math.log(10 * h), 0.0, 0.0, 0

    def update(self, acceptance: float) -> None:
        self._count += 1
        weight = 1 / (self._count + 10)
        self._deficit += weight * (self._target - acceptance - self._deficit)
        log_h = self._mu - max(-20.0, min(20.0, math.sqrt(self._count) / 0.05 * self._deficit))
        self._mean += self._count**-0.75 * (log_h - self._mean)
        self.h, self.final = math.exp(log_h), math.exp(self._mean)


def _inverse_mass(sim: Sim, diagonal: bool) -> Array:
    """M^-1 = H_pp from values of H: (d,) if it is diagonal, otherwise (d, d)."""
    unit, q = np.eye(sim.d), sim.q

    def energy(p: Array) -> float:
        sim.set(q=q, p=p)
        return sim.energy

    p = np.sqrt(1 + np.arange(sim.d))
    even, odd = energy(p), energy(-p)
    if not abs(even - odd) <= 1e-12 * max(abs(even), abs(odd)):
        raise OptionError(f"hmc needs H(q, -p) = H(q, p), and at the start of '{sim.model.name}' they are {odd!r} and {even!r}")
    if diagonal:
        base = energy(0 * p)
        return np.array([2 * (energy(SCALE * e) - base) / SCALE**2 for e in unit])
    return np.array([[(energy(SCALE * (a + b)) - energy(SCALE * (a - b))) / (2 * SCALE**2) for a in unit] for b in unit])


def _momentum_root(inverse: Array) -> Array:
    """R with R^T R = M; (d,) if M is diagonal.  Momenta xi R have the covariance M."""
    try:
        if inverse.ndim == 2:
            return np.asarray(np.linalg.inv(np.linalg.cholesky(inverse)))
        if (inverse > 0).all():
            return np.asarray(1 / np.sqrt(inverse))
    except np.linalg.LinAlgError:
        pass
    raise OptionError("hmc needs a positive kinetic energy: H_pp of this model is not positive definite")


def _acceptance(change: Array, kT: float) -> Array:
    """Metropolis' probability of acceptance; 0 for NaN."""
    return np.where(np.isnan(change), 0.0, np.exp(-np.maximum(change, 0.0) / kT))


class _Chains:
    """The chains, and one transition of all of them."""

    def __init__(self, sim: Sim, q: Array, columns: list[str], threads: int | None, random: np.random.Generator, **how: Any) -> None:
        structure, self.kT, self.q, self.random = how["structure"], how["kT"], q, random
        inverse = _inverse_mass(sim, structure["mass_matrix"] == "constant_diagonal")
        self._root: Array = _momentum_root(inverse) * math.sqrt(self.kT)
        equal = inverse.flat[0] * (np.eye(sim.d) if inverse.ndim == 2 else np.ones(sim.d))
        if how["measure"] == "hausdorff" and sim.m and np.abs(inverse - equal).max() > 1e-12 * equal.max():
            raise OptionError('measure="hausdorff" needs equal masses; choose "metric" or "delta", or correction= with an observable of the model '
                              "kT/2 log(det(G M^-1 G^T)/det(G G^T))")
        self._energy, self._correction = _energy_is_column(sim), how["correction"]
        self._with_det = how["measure"] == "delta" and sim.m > 0
        wanted = columns + ["energy"] * self._energy + ["det_N"] * self._with_det + [self._correction] * (self._correction is not None)
        self.ensemble = Ensemble(sim, np.hstack([q, 0 * q]), None, threads, list(dict.fromkeys(wanted)))

    def _potential(self, rows: Rows) -> Array:
        """The correction W at the two rows of a run, and H if it is a column: (2, W)."""
        found: Array = rows["energy"] if self._energy else np.zeros(rows.shape)
        if self._with_det:
            found = found + self.kT / 2 * np.log(np.abs(rows["det_N"]))
        if self._correction is not None:
            found = found + rows[self._correction]
        return found

    def _momenta(self) -> Array:
        noise = self.random.standard_normal(self.q.shape)
        return np.asarray(noise @ self._root if self._root.ndim == 2 else noise * self._root)

    def _project(self) -> None:
        """Projects the momenta; this projection is orthogonal in M^-1 and keeps the positions."""
        self.ensemble.project(math.inf)
        for i, message in self.ensemble.messages.items():
            raise StepError(f"chain {i}: {message}", self.ensemble.status[i])

    def move(self, h: float, n: int) -> tuple[Rows, Array, npt.NDArray[np.bool_], npt.NDArray[np.intc]]:
        """Moves all chains once.

        Returns the two rows of the trajectories, the acceptance probabilities, the decisions, and
        the statuses: 0 for success, -1 if the backward trajectory does not return to the start.
        """
        all_, d = self.ensemble, self.q.shape[1]
        all_.set(np.hstack([self.q, self._momenta()]))
        self._project()
        begin = all_.z
        before = 0 * begin[:, 0] if self._energy else all_.energy
        all_.h = h
        rows = all_.run(n)
        end, status = all_.z, all_._progress()[0]
        after = 0 * before if self._energy else all_.energy
        all_.h = -h
        all_.run(n)
        back = all_.z
        returned = all_.ok
        for part in (slice(None, d), slice(d, None)):
            size = np.abs(begin[:, part]).max(axis=1) + np.abs(end[:, part] - begin[:, part]).max(axis=1)
            returned &= np.abs(back[:, part] - begin[:, part]).max(axis=1) <= REVERSIBLE * size
        status[(status == 0) & ~returned] = -1
        with np.errstate(invalid="ignore"):
            potential = self._potential(rows)
            probability = _acceptance(after - before + potential[-1] - potential[0], self.kT)
        probability[status != 0] = 0.0
        accepted = self.random.random(len(self.q)) < probability
        self.q = np.where(accepted[:, None], end[:, :d], begin[:, :d])
        return rows, probability, accepted, status


def _energy_is_column(sim: Sim) -> bool:
    """Whether the column "energy" exists and is H, as with the line `invariant energy = H`."""
    if "energy" not in sim._column_names(sim._open_columns(None)):
        return False
    sim.set(p=1 + np.arange(sim.d))
    return abs(float(sim.run(0, columns="energy")["energy"][0]) - sim.energy) <= 1e-12 * abs(sim.energy)


def _checked_structure(model: Model) -> dict[str, Any]:
    if not isinstance(model, Model):
        raise OptionError(f"hmc samples a sidewinder.Model, not {type(model).__name__}")
    record = model.check()
    structure: dict[str, Any] = record["structure"]
    if record["verdicts"].get("forces"):
        raise OptionError(
            f"hmc samples exp(-H/kT), which motions with forces do not preserve; leave the forces of '{model.name}' out"
        )
    if not structure["holonomic"]:
        raise OptionError(f"hmc needs constraints on positions alone; a constraint of '{model.name}' depends on momenta")
    if not structure["separable"] or structure["mass_matrix"] == "general":
        raise OptionError(f"hmc needs H = p^T M^-1 p/2 + U(q) with a constant M; H of '{model.name}' is {record['hamiltonian']['text']}")
    return structure


def _positive(what: str, value: Any, most: float = math.inf) -> float:
    found = real(what, value)
    if not 0 < found < most:
        bounds = "of a positive number" if most == math.inf else f"between 0 and {most:g}"
        raise OptionError(f"{what} has the value {bounds}, not {value!r}")
    return found


def _starts(sim: Sim, start: Any, chains: Any) -> Array:
    """The first positions, (W, d)."""
    q = sim.q if start is None else reals("start", start)
    if q.ndim not in (1, 2) or q.shape[-1] != sim.d or q.size == 0 or not np.isfinite(q).all():
        raise OptionError(f"start has finite positions of the shape (chains, {sim.d}) or ({sim.d},), not {q.shape}")
    count = (4 if q.ndim == 1 else len(q)) if chains is None else checked_count("chains", chains, 1)
    if q.ndim == 2 and count != len(q):
        raise OptionError(f"start has positions of {len(q)} chains, and chains is {count}; leave one of them out")
    return np.array(np.broadcast_to(q, (count, sim.d)))


def sample(
        model: Model, start: npt.ArrayLike | None = None, chains: int | None = None, draws: int = 1000, warmup: int = 500,
        step: float | None = None, steps: int = 10, length: float | None = None, jitter: float = 0.0, target: float | None = 0.8,
        kT: float = 1.0, measure: str = "metric", correction: str | None = None, columns: Names = "q",
        k: Parameters | None = None, seed: int | None = None, threads: int | None = None, project: float = False,
        progress: Progress | None = None, **settings: Any
) -> Samples:
    """Draws positions on the manifold of a model by constrained HMC (the head of this module).

    A draw takes momenta from N(0, kT M), projects them to the cotangent space, and follows RATTLE
    over Verlet.  A proposal is rejected if a step fails, or if RATTLE does not lead back to the
    start.  Otherwise it is accepted with the probability min(1, exp(-(H1 - H0)/kT)).  Results
    depend on the seed, and not on the number of threads.

    :param model: H = p^T M^-1 p/2 + U(q) with a constant M, and constraints on positions.  The
        line `invariant energy = H` in its file saves time.
    :param start: positions on the manifold, (chains, d), or (d,) for all chains; None: the initial
        state of the model
    :param chains: their number W; default: as `start` has, otherwise 4
    :param draws: the number of draws of each chain, after the warm-up
    :param warmup: the number of discarded draws, during which the step size is adapted
    :param step: the first step size, in the model's unit of time; default: that of its run line
    :param steps: the number of steps of a trajectory
    :param length: instead of `steps`: the time of a trajectory; it then has length/h steps, from 1
        to 1024
    :param jitter: j from 0 to below 1: the number of steps of each trajectory is random, uniform
        between 1 - j and 1 + j times the number above; it is the same for all chains
    :param target: the mean acceptance probability that the adaptation aims at; None: the step size
        remains `step`
    :param kT: the temperature, in the model's unit of energy
    :param measure: "metric", "hausdorff" or "delta"
    :param correction: the name of an observable W(q), which is added to H in the Metropolis test
    :param columns: names of entries or arrays to record, as for `Sim.run`
    :param k: parameters, as for `Model.sim`
    :param seed: an integer of at least 0; None: from the operating system, see `Samples.seed`
    :param threads: their number; default: the number of processors that this process may use
    :param project: move `start` to the manifold first; True, or the limit as for `Sim.project`
    :param progress: called as progress(done, warmup + draws) after each draw
    :param settings: sizes, data, init, tolerance, max_iterations, redundant, solver, as for
        `Model.sim`
    :raises OptionError: an argument is invalid, or the model has another form
    :raises StepError: a start is not on the manifold, or momenta cannot be projected

    Example::

        samples = hmc.sample(model, start=q0, draws=2000, length=2.0, jitter=0.5, measure="delta", seed=1)
        print(samples.summary(), samples.failures)
    """
    structure = _checked_structure(model)
    for name in settings:
        if name in ("method", "base", "compose", "check_reversible"):
            raise OptionError(f"hmc has no option '{name}': it uses RATTLE over Verlet, and checks that trajectories are reversible")
        if name not in SETTINGS:
            raise unknown("option", name, [*sample.__annotations__, *SETTINGS])
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    if correction is not None and not isinstance(correction, str):
        raise OptionError(f"correction is the name of an observable, not {type(correction).__name__}")
    if progress is not None and not callable(progress):
        raise OptionError(f"progress is a function of (done, draws), such as print, not {type(progress).__name__}")
    draws, warmup, steps = checked_count("draws", draws, 1), checked_count("warmup", warmup), checked_count("steps", steps, 1)
    kT, target = _positive("kT", kT), None if target is None else _positive("target", target, 1)
    length = None if length is None else _positive("length", length)
    jitter = real("jitter", jitter)
    if not 0 <= jitter < 1:
        raise OptionError(f"jitter is a number from 0 to below 1, not {jitter!r}")
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else checked_count("seed", seed)
    sim = model.sim(method="rattle", base="verlet", step=step, k=k, **settings)
    q = _starts(sim, start, chains)
    recorded = sim._column_names(sim._open_columns(joined(columns)))
    if correction is not None and sim._column_names(sim._open_columns(correction)) != [correction]:
        raise OptionError(f"correction is the name of one observable; '{correction}' is an array")
    sim.set(q=q[0])
    how = {"structure": structure, "kT": kT, "measure": measure, "correction": correction}
    moved = _Chains(sim, q, recorded, threads, np.random.default_rng(seed), **how)
    with moved.ensemble as all_:
        all_.project(project if project else 1e-9)  # of a state on the manifold, this changes nothing
        for i, message in all_.messages.items():
            raise StepError(f"chain {i}: {message}" + ("" if project else "; project=True moves it there"), all_.status[i])
        moved.q = all_.z[:, : sim.d]
        size = _StepSize(_positive("step", sim.h), target or 0.8)
        values, done, probabilities, failed, taken = [], [], [], [], []
        begun = time.perf_counter()
        for i in range(warmup + draws):
            if i == warmup:
                size.h, begun = size.final, time.perf_counter()
            n = steps if length is None else max(1, min(STEPS_MOST, round(length / size.h)))
            n = int(moved.random.integers(max(1, math.ceil(n * (1 - jitter))), math.floor(n * (1 + jitter)), endpoint=True))
            rows, probability, accepted, status = moved.move(size.h, n)
            if i < warmup and target is not None:
                size.update(float(probability.mean()))
            if i >= warmup:
                kept = np.where(accepted, rows[-1], rows[0])
                values.append(np.stack([kept[name].astype(np.float64) for name in recorded], axis=-1))
                done.append(accepted.mean())
                probabilities.append(probability.mean())
                failed.append(status[status != 0])
                taken.append(n)
            if progress is not None:
                progress(i + 1, warmup + draws)
        seconds = time.perf_counter() - begun
    which, count = np.unique(np.concatenate(failed), return_counts=True)
    failures = {"SW_ERR_NOT_REVERSIBLE" if s == -1 else sim._lib.status_name(int(s)): float(c) / (draws * len(q)) for s, c in zip(which, count)}
    return Samples(
        Rows.of(np.ascontiguousarray(values), recorded), moved.q, accepted=float(np.mean(done)), acceptance=float(np.mean(probabilities)),
        failures=failures, step=size.h, steps=float(np.mean(taken)), seconds=seconds, seed=seed
    )
