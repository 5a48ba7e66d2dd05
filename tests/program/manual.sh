#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command has a manual page, which mandoc accepts, with a synopsis, files, exit codes and references.
# Usage: manual.sh GENERATOR FOLDER_OF_PAGES
set -uo pipefail
. tests/program/lib.sh
generator=$1
pages=$2
if ! command -v mandoc >/dev/null || [ ! -e "$pages/sidewinder.1.gz" ]; then
  echo "skipped: no mandoc or no help2man (Debian: mandoc, help2man)"
  exit 77
fi
# The commands, as the completions list them.
commands=$(sed -n 's/^_sidewinder_commands="\(.*\) help"/\1/p' packaging/completion.sh.in)
true_that 'there are commands' test -n "$commands"
for command in $commands; do
  page=$work/$command.1
  zcat "$pages/sidewinder-$command.1.gz" >"$page"
  expect 0 '' mandoc -T lint -W warning "$page"
  for section in NAME SYNOPSIS DESCRIPTION FILES "EXIT STATUS" "SEE ALSO"; do
    true_that "sidewinder-$command(1) has $section" grep -qE "^\.SH \"?$section" "$page"
  done
  true_that "sidewinder-$command(1) has a synopsis" test -n \
    "$(sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/p' "$page" | tr '\n' ' ' | grep "\.B sidewinder.*$command")"
  true_that "sidewinder-$command(1) has options" grep -q '^\\fB\\-\\-' "$page"
done
echo '.TH BROKEN' >"$work/broken.1"
echo '.XX' >>"$work/broken.1"
expect 3 'WARNING|ERROR' mandoc -T lint -W warning "$work/broken.1"
finish
