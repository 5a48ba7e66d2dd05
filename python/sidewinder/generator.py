# SPDX-License-Identifier: BSD-3-Clause
"""The command `sidewinder`: where it is, and how it is asked."""
import os
import shutil
import subprocess

from .errors import InstallationError, ModelError

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")


class Installation:
    """A generator, which knows where its library is."""

    def __init__(self):
        name = os.environ.get("SIDEWINDER") or "sidewinder"
        found = shutil.which(name)
        if found is None:
            raise InstallationError(
                f"there is no generator '{name}'; install the Debian package sidewinder, or set the environment variable "
                "SIDEWINDER to the path of the command"
            )
        self.generator = os.path.realpath(found)

    def shared_object(self, options, model_file, folder=None):
        """The path of a model's shared object, which the generator keeps in the user's cache."""
        return self.ask("build", f"--shared={SHIM}", *options, "--", model_file, folder=folder).rstrip("\n")

    def run(self, *words, folder=None):
        """Exit code, standard output and standard error of `sidewinder WORDS`, started in the folder."""
        variables = dict(os.environ, LC_ALL="C.UTF-8")
        done = subprocess.run(
            [self.generator, *words], stdin=subprocess.DEVNULL, capture_output=True, env=variables, cwd=folder, check=False
        )
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace").strip()

    def ask(self, command, *words, answers=(0,), folder=None):
        """Standard output of `sidewinder COMMAND WORDS`; ModelError with what it said for other exit codes than `answers`.

        folder: where it is started.
        """
        code, out, said = self.run(command, *words, folder=folder)
        if code in answers:
            return out
        if code in (1, 2) and not said.startswith("sidewinder: CC has "):
            raise ModelError(said or f"sidewinder {command}: exit code {code}", code)
        raise InstallationError(said or f"sidewinder {command} has failed with exit code {code}")
