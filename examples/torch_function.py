#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A run of sidewinder as a differentiable function of PyTorch.

    PYTHONPATH=python SIDEWINDER=build/bin/sidewinder python3 examples/torch_function.py

Trajectory maps parameters k and a state z0 to the states z_1 .. z_n, (n, 2d).  Its backward pass is Sim.gradient with the loss
sum_j w_j . z_j for the weights w_j of PyTorch.  The program compares both gradients with differences, and skips everything without PyTorch.
"""
import sys

import numpy as np

import sidewinder

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed")
    sys.exit(0)


class Trajectory(torch.autograd.Function):
    """states = Trajectory.apply(k, z0, sim, steps) for a sim with derivatives=True, in double precision."""

    @staticmethod
    def forward(ctx, k, z0, sim, steps):
        ctx.run = sim, steps, k.detach().numpy().copy(), z0.detach().numpy().copy()
        sim.set_parameters(ctx.run[2])
        sim.set(ctx.run[3])
        states = []
        for _ in range(steps):
            sim.step()
            states.append(sim.z)
        return torch.from_numpy(np.stack(states))

    @staticmethod
    def backward(ctx, weights):
        sim, steps, k, z0 = ctx.run
        w = weights.numpy()
        sim.set_parameters(k)
        sim.set(z0)
        found = sim.gradient(lambda step, _, z: (w[step - 1] @ z, w[step - 1]) if step > 0 else None, steps)
        return torch.tensor(list(found.k.values()), dtype=torch.float64), torch.from_numpy(found.z0), None, None


MODEL = """model two "Two masses on a spring"
param m = 1 in (0, inf)
param k = 2
coord x momentum p
coord y momentum r
hamiltonian H = p^2/(2*m) + r^2/2 + k*(x - y)^2/2 + x^4/4
init x = 1
init y = 0
init p = 0
init r = 0
run method = rattle, base = verlet, step = 0.05
"""


def main():
    sim = sidewinder.Model(MODEL).sim(derivatives=True)
    k = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    z0 = torch.tensor(sim.z, requires_grad=True)
    right = torch.autograd.gradcheck(lambda k, z0: Trajectory.apply(k, z0, sim, 10), (k, z0))
    print("the gradients of PyTorch agree with differences" if right else "the gradients are wrong")
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
