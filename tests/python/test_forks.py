# SPDX-License-Identifier: BSD-3-Clause
"""Forked children: they step, copy and free what they have of their parent, and remove nothing of it."""
import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

SECONDS = 30


def good_in_child(function):
    """Whether a child that calls the function returns from it without an exception, before it is ended."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            function()
            code = 0
        finally:
            os._exit(code)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


@pytest.mark.parametrize("workers", [1, 3])
def test_a_child_goes_on_with_an_ensemble_and_frees_it(models, same, workers):
    model = models("pendulum")
    z0 = np.tile(model.sim().z, (40, 1))
    whole, made = model.ensemble(z0, threads=workers), model.ensemble(z0, threads=workers)
    whole.run(50)
    made.run(20)

    def goes_on():
        made.run(30)
        assert same(made.z, whole.z)
        made.close()
        model.ensemble(z0, threads=2).run(3)
        gc.collect()

    assert good_in_child(goes_on)
    goes_on()


def test_a_child_of_a_process_with_another_thread_in_a_call(models):
    model = models("pendulum")
    sim, made = model.sim(solver="kinsol"), model.ensemble([model.sim().z] * 40, threads=2)
    ends = threading.Event()

    def work():
        while not ends.is_set():
            sim.run(3000, every=3000)
            made.run(3000)

    worker = threading.Thread(target=work)
    worker.start()

    def uses_and_frees():
        for use in (sim.save, lambda: sim.z, lambda: made.status, lambda: made.z):
            try:
                use()
            except ValueError:
                pass
        made.close()

    try:
        assert all(good_in_child(uses_and_frees) for _ in range(20))
    finally:
        ends.set()
        worker.join()
    assert sim.t > 0 and made.failed == 0


def test_a_child_that_ends_leaves_the_folder_of_its_parent():
    code = """
import os, sys
import sidewinder
model = sidewinder.Model("models/pendulum.sw")
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
there = os.path.isdir(model._folder.name)
model.check()
print(model._folder.name)
sys.exit(0 if there else 1)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert not os.path.exists(done.stdout.strip())
