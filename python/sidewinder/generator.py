# SPDX-License-Identifier: BSD-3-Clause
"""Finds and runs the command `sidewinder`."""
from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from typing import Iterable

from .errors import InstallationError, ModelError

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")


class Installation:
    """An installed generator."""

    def __init__(self) -> None:
        name = os.environ.get("SIDEWINDER") or "sidewinder"
        # pip installs the generator of a wheel in the folder of this Python's scripts.
        found = shutil.which(name, path=sysconfig.get_path("scripts") + os.pathsep + os.environ.get("PATH", os.defpath))
        if found is None:
            raise InstallationError(
                f"there is no generator '{name}'; install the Debian package or the wheel of sidewinder, or set the environment variable "
                "SIDEWINDER to the path of the command"
            )
        self.generator = os.path.realpath(found)

    def shared_object(self, options: Iterable[str], model_file: str, folder: str | None = None) -> str:
        """The path of a model's shared object.

        The generator builds it unless it is in the user's cache.
        """
        return self.ask("build", f"--shared={SHIM}", *options, "--", model_file, folder=folder).rstrip("\n")

    def run(self, *words: str, folder: str | None = None) -> tuple[int, str, str]:
        """Runs `sidewinder WORDS` in the folder.

        Returns the exit code, standard output and standard error.
        """
        variables = dict(os.environ, LC_ALL="C.UTF-8")
        done = subprocess.run(
            [self.generator, *words], stdin=subprocess.DEVNULL, capture_output=True, env=variables, cwd=folder, check=False
        )
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace").strip()

    def ask(self, command: str, *words: str, answers: tuple[int, ...] = (0,), folder: str | None = None) -> str:
        """Runs `sidewinder COMMAND WORDS` in the folder, and returns its standard output.

        answers: the exit codes of success.  For exit codes 1 and 2 otherwise ModelError, for others
        InstallationError, with the message of the command.
        """
        code, out, said = self.run(command, *words, folder=folder)
        if code in answers:
            return out
        if code in (1, 2) and not said.startswith("sidewinder: CC has "):
            raise ModelError(said or f"sidewinder {command}: exit code {code}", code)
        raise InstallationError(said or f"sidewinder {command} has failed with exit code {code}")
