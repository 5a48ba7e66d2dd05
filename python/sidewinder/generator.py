# SPDX-License-Identifier: BSD-3-Clause
"""The command `sidewinder`: where it is, and how it is asked."""
import glob
import os
import shutil
import subprocess

from .errors import InstallationError, ModelError


class Installation:
    """A generator and the library beside it: PREFIX/bin/sidewinder, PREFIX/include, PREFIX/lib/libsidewinder.so."""

    def __init__(self):
        name = os.environ.get("SIDEWINDER") or "sidewinder"
        found = shutil.which(name)
        if found is None:
            raise InstallationError(
                f"there is no generator '{name}'; install the Debian package sidewinder, or set the environment variable "
                "SIDEWINDER to the path of the command"
            )
        self.generator = os.path.realpath(found)
        self.prefix = os.path.dirname(os.path.dirname(self.generator))
        self.include = os.path.join(self.prefix, "include")
        self.library = self._find_library()

    def _find_library(self):
        # "shared" is where a build tree has it.
        for folder in ("lib*", os.path.join("lib", "*"), "shared"):
            for path in sorted(glob.glob(os.path.join(glob.escape(self.prefix), folder, "libsidewinder.so"))):
                if os.path.exists(os.path.join(self.include, "sidewinder", "columns.h")):
                    return path
        raise InstallationError(
            f"there are no libsidewinder.so and its headers below {self.prefix}, beside the generator; install the Debian "
            "package libsidewinder-dev"
        )

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
        if code in (1, 2):
            raise ModelError(said or f"sidewinder {command}: exit code {code}", code)
        raise InstallationError(f"sidewinder {command} has failed with exit code {code}: {said}")
