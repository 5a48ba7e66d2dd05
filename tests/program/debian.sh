#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages: made, examined by lintian, unpacked into a folder of their own, and used there by a project outside of this
# tree.
# Usage: debian.sh BUILD
set -uo pipefail
. tests/program/lib.sh
build=$1
root=$work/root

expect 0 'libsidewinder-dev_' cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages"
true_that "four packages" test "$(ls "$work"/packages/*.deb | wc -l)" = 4

# Left aside: who maintains the packages is for those to say who publish them, and which report of Debian they close; one copy is
# for one architecture, below /usr/lib; CPack adds a call of ldconfig to the trigger.
if command -v lintian >/dev/null; then
  expect 0 '' lintian --allow-root --fail-on error,warning --suppress-tags \
    bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs,pkg-config-unavailable-for-cross-compilation,maintscript-calls-ldconfig \
    "$work"/packages/*.deb
fi

for package in "$work"/packages/*.deb; do
  expect 0 '' dpkg-deb -x "$package" "$root"
  true_that "no path of this build in $(basename "$package")" test -z "$(dpkg-deb -c "$package" | grep "$build")"
done
expect 0 '^libsidewinder-dev \(= [0-9.]+-1\), gcc \| c-compiler, .*libginac' dpkg-deb -f "$work"/packages/sidewinder_*.deb Depends
expect 0 '^libsidewinder0.1 \(= [0-9.]+-1\), .*libsundials-dev' dpkg-deb -f "$work"/packages/libsidewinder-dev_*.deb Depends

project=$work/project
mkdir "$project"
cp -r tests/outside/. "$root"/usr/share/sidewinder/models/{hopf,mirror}.sw "$project"
expect 0 '' cmake -G Ninja -S "$project" -B "$work/build" -DCMAKE_PREFIX_PATH="$root/usr"
expect 0 'Generating C of the model hopf' cmake --build "$work/build"
expect 0 'status 0, mirror 3' "$work/build/orbit"

# The library alone is enough to run what was compiled.
mkdir "$work/alone"
dpkg-deb -x "$work"/packages/libsidewinder0.1_*.deb "$work/alone"
expect 0 'status 0' env LD_LIBRARY_PATH="$work/alone/usr/lib" "$work/build/orbit"

XDG_CACHE_HOME=$work/cache expect 0 'steps +10' "$root/usr/bin/sidewinder" run "$project/hopf.sw" --steps 10
# Debian's Python, if it has NumPy.
expect 0 '^python3 \(>= 3.9\), python3-numpy, sidewinder' dpkg-deb -f "$work"/packages/python3-sidewinder_*.deb Depends
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  script='import sidewinder; sim = sidewinder.Model("models/hopf.sw").sim(); sim.run(10); print(sim.t, sidewinder.__file__)'
  expect 0 "^1.0 $root/usr/lib/python3/dist-packages/sidewinder" env PYTHONPATH="$root/usr/lib/python3/dist-packages" \
    SIDEWINDER="$root/usr/bin/sidewinder" XDG_CACHE_HOME="$work/cache" /usr/bin/python3 -c "$script"
fi
for page in sidewinder sidewinder-generate sidewinder-report; do
  if [ -e "$root/usr/share/man/man1/$page.1.gz" ] || command -v help2man >/dev/null; then
    true_that "a manual page" grep -q 'SH DESCRIPTION' <(zcat "$root/usr/share/man/man1/$page.1.gz")
  fi
done
finish
