#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The format and the habits that clang-format 14 and clang-tidy 14 can see, and the order of rooms that
# docs/architecture.md states.
# Usage: lint.sh BUILD [--deep]
# --deep: with clang's static analyzer, which takes several times as long as all the rest (Annex K functions, which
# glibc has not, and va_list, where version 14 gives false alarms, left out).
set -uo pipefail
build=$1
status=0
checks=()
if [ "${2:-}" = --deep ]; then
  analyzer='clang-analyzer-*,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling'
  checks=("-checks=$analyzer,-clang-analyzer-optin.performance.Padding,-clang-analyzer-valist.Uninitialized")
fi
mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cpp' | grep -vE '^(generated|tests/models)/')
clang-format --dry-run --Werror "${sources[@]}" || status=1
for root in codegen runtime; do
  python3 tests/structure/structure.py docs/architecture.md $root runtime/include || status=1
done
# The C++ first, as its files take the longest.
mapfile -t units < <(git ls-files 'codegen/*.cpp' && git ls-files 'codegen/*.c' 'runtime/*.c')
printf '%s\0' "${units[@]}" |
  xargs -0 -n 2 -P "$(nproc)" clang-tidy --quiet -p "$build" "${checks[@]}" 2>/dev/null || status=1
[ $status -eq 0 ] && echo "lint: nothing to say about ${#sources[@]} files"
exit $status
