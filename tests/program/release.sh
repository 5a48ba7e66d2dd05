#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cheap parts of a release, in a repository with a copy of this folder: what is refused, and a source archive that depends on
# the commit alone.
# Usage: release.sh
set -uo pipefail
. tests/program/lib.sh
mkdir "$work/copy"
git ls-files -z 2>/dev/null | xargs -0r cp -P --parents -t "$work/copy" 2>/dev/null
if [ ! -e "$work/copy/NEWS" ]; then
  echo "skipped: this folder is no repository of git"
  exit 77
fi
cd "$work/copy" || exit
commit() { git add -A && git -c user.name=tester -c user.email=tester@localhost commit -qm "$1"; }
expect 0 '' git init -q
expect 0 '' commit "Copy"
version=$(sed -n 's/^#define SW_VERSION "\(.*\)"/\1/p' runtime/include/sidewinder/version.h)
archive=build/release-$version/sidewinder-$version.tar.gz

expect 0 '== release' packaging/release.sh "$version" --check
expect 2 '^Usage' packaging/release.sh
expect 2 '^Usage' packaging/release.sh next
expect 2 '^Usage' packaging/release.sh "$version" --dry
expect 0 '  sidewinder-[0-9.]+\.tar\.gz$' packaging/release.sh "$version" --tarball
cp "$archive" "$work/first"
touch README.md
expect 0 '' packaging/release.sh "$version" --tarball
true_that "the same bytes again" cmp "$work/first" "$archive"
expect 0 "$version.tar.gz: OK" env -C "$(dirname "$archive")" sha256sum --check SHA256SUMS
true_that "what the archive holds" test "$(tar -tzf "$archive" | grep -v '/$' | wc -l)" = "$(git ls-files | wc -l)"

# A version that only some files have, in each of those that name one.
expect 2 "^release: NEWS has version '$version', not 9.9.9" packaging/release.sh 9.9.9 --check
files=$(grep -oE "^release: [^ ]+ has version" "$work/output" | cut -d' ' -f2)
true_that "several files name the version" test "$(wc -w <<<"$files")" -ge 7
for file in $files; do
  sed -i "0,/$version/s//9.9.9/" "$file"
  expect 2 "^release: $file has version '9.9.9', not $version" packaging/release.sh "$version" --check
  git checkout -q "$file"
done
touch new_file
expect 2 'commit or remove these changes first:' packaging/release.sh "$version" --check
expect 2 '\?\? new_file' packaging/release.sh "$version" --check
finish
