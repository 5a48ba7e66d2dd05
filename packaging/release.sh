#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A release of the commit in this folder: checks, tests, source archive, Debian packages, wheel and SHA256SUMS, all of them in
# build/release-VERSION.
# Usage: release.sh VERSION [--check | --tarball | --no-test]
# --check: only compare the version with the files that name it, and refuse changes that are not committed
# --tarball: then leave only the source archive; the same commit gives the same bytes
# --no-test: leave out `./dev test --all`
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:-}
option=${2:-}
if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ && $option =~ ^(|--check|--tarball|--no-test)$ && $# -le 2 ]]; then
  echo "Usage: ./dev release MAJOR.MINOR.PATCH [--check | --tarball | --no-test]" >&2
  exit 2
fi
step() { echo "== release $version: $*"; }

step "checks"
refused=0
refuse() {
  echo "release: $*" >&2
  refused=1
}
agrees() { # file, a script of sed that prints its version
  local found
  found=$(sed -n "$2" "$1")
  [ "$found" = "$version" ] || refuse "$1 has version '$found', not $version"
}
agrees CMakeLists.txt 's/^project(sidewinder VERSION \([^ ]*\) .*/\1/p'
agrees runtime/include/sidewinder/version.h 's/^#define SW_VERSION "\(.*\)"/\1/p'
agrees python/sidewinder/__init__.py 's/^__version__ = "\(.*\)"/\1/p' # pyproject.toml reads it there
agrees CITATION.cff 's/^version: //p'
agrees NEWS '/^[0-9]/{p;q}'
agrees packaging/changelog '1s/^sidewinder (\(.*\)-[0-9]*) .*/\1/p'
agrees editors/vscode/package.json 's/^ *"version": "\(.*\)",/\1/p'
changes=$(git status --porcelain)
[ -z "$changes" ] || refuse "commit or remove these changes first:"$'\n'"$changes"
[ $refused -eq 0 ] || exit 2
[ "$option" != --check ] || exit 0

commit=$(git rev-parse HEAD)
same() { # the tests, the archive and the packages are of one commit
  [ "$(git rev-parse HEAD)" = "$commit" ] && [ -z "$(git status --porcelain)" ] ||
    { echo "release: the sources have changed since the checks; start again" >&2 && exit 3; }
}
if [ -z "$option" ]; then
  ./dev test --all
  same
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=build/release-$version
rm -rf "$out"
mkdir -p "$out"
step "source archive"
git archive --prefix="sidewinder-$version/" "$commit" | gzip -9n >"$out/sidewinder-$version.tar.gz"
if [ "$option" != --tarball ]; then
  step "Debian packages and wheel"
  rm -rf build/packages
  ./dev package
  same
  cp build/packages/*"_$version-"*.deb build/packages/sidewinder-"$version"-*.whl "$out"
fi
(cd "$out" && sha256sum -- * >SHA256SUMS)
step "done: $out"
cat "$out/SHA256SUMS"
