# SPDX-License-Identifier: BSD-3-Clause
"""Steps of RATTLE over Stormer-Verlet in the C that CasADi writes, for the pendulum and chain6.

CasADi is given V of H = |p|^2/2 + V(q) and g, and takes the derivatives.  With G = dg/dq, a step from (q, p) is

  r = p - h/2 V_q(q),   q1 = q + h r - G(q)^T mu   where g(q1) = 0,
  s = r - G(q)^T mu/h - h/2 V_q(q1),   p1 = s - G(q1)^T nu   where G(q1) p1 = 0.

mu is found by Newton's method from 0: by three iterations in one expression of SX, after which g is round-off on the paths that are timed, or by CasADi's
rootfinder fast_newton, which sees when to stop.  The step also returns |g(q1)|^2, and casadi_steps.c gives up where that is not small.  Parameters are numbers
in the C and h is an argument, as by hand."""
import os

from process import call
from start import Nodes

try:
    import casadi as ca
except ImportError:
    ca = None

INSTALL = "pip install casadi"
# As steps by hand are compiled.
COMPILE = ("cc", "-O3", "-ffp-contract=off")
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "casadi_steps.c")


def installed():
    return ca is not None


def pendulum(q):
    """V and g."""
    return q[1], ca.sumsqr(q) - 1


def chain6(q):
    x = ca.horzsplit(ca.reshape(q, 2, 6))
    return (2.5 * sum(ca.sumsqr(a - b) for a, b in zip(x, x[2:])),
            ca.vertcat(*(ca.sumsqr(a - b) - 1 for a, b in zip(x, x[1:]))))


def solve(matrix, b):
    """Tridiagonal, as the matrices of chains are.  CasADi's own ways to solve within SX, `solve`, `ldl` and `qr_sparse`, make longer expressions."""
    n = b.numel()
    over, right = [1 / matrix[0, 0]], [b[0]]
    for i in range(1, n):
        factor = matrix[i, i - 1] * over[-1]
        over.append(1 / (matrix[i, i] - factor * matrix[i - 1, i]))
        right.append(b[i] - factor * right[-1])
    x = [right[-1] * over[-1]]
    for i in reversed(range(n - 1)):
        x.insert(0, (right[i] - matrix[i, i + 1] * x[0]) * over[i])
    return ca.vertcat(*x)


def step_function(model, d, newton):
    """(z, h) -> z after a step, |g|^2 there.  newton finds mu, and is given the symbols mu, z and h, g(q1) in terms of these, and the function from them to what a
    step returns."""
    x, z, h = ca.SX.sym("x", d), ca.SX.sym("z", 2 * d), ca.SX.sym("h")
    potential, g = model(x)
    at = ca.Function("at", [x], [ca.gradient(potential, x), g, ca.jacobian(g, x)])
    mu = ca.SX.sym("mu", g.numel())
    q, p = z[:d], z[d:]
    slope, _, along = at(q)
    r = p - h / 2 * slope
    q1 = q + h * r - along.T @ mu
    slope1, g1, along1 = at(q1)
    s = r - along.T @ mu / h - h / 2 * slope1
    p1 = s - along1.T @ solve(along1 @ along1.T, along1 @ s)
    return newton(mu, z, h, g1, ca.Function("end", [mu, z, h], [ca.vertcat(q1, p1), ca.sumsqr(g1)]))


def unrolled(mu, z, h, g, end):
    better = ca.Function("better", [mu, z, h], [mu - solve(ca.jacobian(g, mu), g)])
    found = ca.SX.zeros(mu.numel())
    for _ in range(3):
        found = better(found, z, h)
    return ca.Function("step", [z, h], end(found, z, h), {"cse": True})


def fast_newton(mu, z, h, g, end):
    # Newton's method squares a change of 1e-8 into round-off.
    find = ca.rootfinder("find", "fast_newton", {"x": mu, "p": ca.vertcat(z, h), "g": g}, {"abstol": 4e-15, "abstolStep": 1e-8, "max_iter": 20})
    z, h = ca.MX.sym("z", z.numel()), ca.MX.sym("h")
    return ca.Function("step", [z, h], end(find(x0=0, p=ca.vertcat(z, h))["x"], z, h))


class Way:
    """A program whose steps are those of CasADi's C.  newton: unrolled or fast_newton.  model: V and g of d entries of q."""

    def __init__(self, subject, model, d, newton):
        self.subject = subject
        self.name = f"CasADi, {newton.__name__}"
        self.model = model
        self.d = d
        self.newton = newton
        self.program = ""

    def build(self, folder):
        os.makedirs(folder, exist_ok=True)
        generator = ca.CodeGenerator("step", {"with_header": True})
        generator.add(step_function(self.model, self.d, self.newton))
        generator.generate(os.path.join(folder, ""))
        call(folder, *COMPILE, "-I.", PROGRAM, "-o", "steps", "-lm")
        self.program = os.path.abspath(os.path.join(folder, "steps"))

    def run(self, folder, start, steps):
        """Returns seconds of a processor a step, and Nodes at the end.  All masses of both models are 1."""
        folder = os.path.join(folder, f"casadi_{self.subject}_{self.newton.__name__}")
        if not self.program:
            self.build(folder)
        moving = len(start.mass) - self.d // 2
        z = [c for part in (start.begin.x, start.begin.v) for node in part[moving:] for c in node[:2]]
        text, _ = call(folder, self.program, f"{start.h!r}", str(steps), *(f"{c!r}" for c in z))
        seconds, *z = (float(word) for word in text.split())
        pairs = [[*pair, 0.0] for pair in zip(z[::2], z[1::2])]
        return seconds / steps, Nodes(start.begin.x[:moving] + pairs[:self.d // 2], start.begin.v[:moving] + pairs[self.d // 2:])


def ways():
    return [Way(subject, model, d, newton) for subject, model, d in (("pendulum", pendulum, 2), ("chain6", chain6, 12)) for newton in (unrolled, fast_newton)]
