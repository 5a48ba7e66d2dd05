#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A generated file exports one symbol, sw_model_<name> or sw_stepper_<name>, and nothing that can be written to; the runtime exports
# sw_ names only and has no data that changes, and as a shared library those that its headers declare.  (memset is how gcc writes a loop that sets zeros.)
# Usage: exported_symbols.sh BUILD
set -euo pipefail
build=$1
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for source in generated/*.c; do
  name=$(basename "$source" .c)
  ${CC:-cc} -std=c99 -O2 -fno-pic -ffp-contract=off -Iruntime/include -c "$source" -o "$work/$name.o"
  exported=$(nm --extern-only --defined-only "$work/$name.o" | awk '{print $3}')
  case $name in
    *_step) wanted=sw_stepper_${name%_step} ;;
    *) wanted=sw_model_$name ;;
  esac
  if [ "$exported" != "$wanted" ]; then
    echo "$source exports: $exported"
    status=1
  fi
  writable=$(nm "$work/$name.o" | awk '$2 ~ /^[bBcCsS]$/ || ($2 ~ /^[dD]$/) {print $3}')
  if [ -n "$writable" ]; then
    echo "$source has writable data: $writable"
    status=1
  fi
  foreign=$(nm --undefined-only "$work/$name.o" | awk '{print $2}' |
    grep -vxE 'memset|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|log|sqrt|fabs|pow|sincos|_GLOBAL_OFFSET_TABLE_' || true)
  if [ -n "$foreign" ]; then
    echo "$source needs more than libm: $foreign"
    status=1
  fi
done

library=$(find "$build" -maxdepth 3 -name libsidewinder.a | head -1)
strange=$(nm --extern-only --defined-only "$library" 2>/dev/null |
  awk 'NF == 3 && $3 !~ /^(sw_|__asan|__ubsan|__odr_asan|_sub_I|__gcov)/ {print $3}')
if [ -n "$strange" ]; then
  echo "the runtime exports names without sw_: $strange"
  status=1
fi

nm --extern-only --defined-only "$library" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u >"$work/defined"
sed -E '/^( \*|\/\*)/d' runtime/include/sidewinder/*.h | grep -oE '\bsw_[a-z0-9_]+' | sort -u >"$work/named"
comm -12 "$work/defined" "$work/named" >"$work/public"
nm -D --defined-only "$(find "$build" -maxdepth 3 -name libsidewinder.so | head -1)" |
  sed -n 's/.* \(sw_.*\)@@SIDEWINDER_0.1$/\1/p' | sort -u >"$work/shared"
if ! diff "$work/public" "$work/shared" >"$work/differ"; then
  echo "the headers (<) and runtime/sidewinder.map (>) differ:"
  cat "$work/differ"
  status=1
fi
# Only asked of a build without instruments, which add tables of their own.
nm "$library" >"$work/names" 2>/dev/null
if grep -qE '__asan_|__gcov_' "$work/names"; then
  echo 'not looked for in a build with instruments: data of the runtime that changes'
else
  # What a signal handler sets can only be static (program/interrupt.h).
  changing=$(objdump -t "$library" | grep -E ' O \.(data|bss)[[:space:]]|\*COM\*' | awk '{print $NF}' |
    grep -vx sw_caught_signal || true)
  if [ -n "$changing" ]; then
    echo "the runtime has data in writable sections: $changing"
    status=1
  fi
fi
echo "examined $(ls generated/*.c | wc -l) generated files and $(basename "$library")"
exit $status
