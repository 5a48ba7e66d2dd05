#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cache of programs: what is used again and what is not, who may write to it, damage, and what is left behind by
# processes that were interrupted or killed; and the words of $CC.
# Usage: cache.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
export XDG_CACHE_HOME=$work/cache
cache=$work/cache/sidewinder
run() { "$sw" run models/hopf.sw --steps 10; }
count() { find "$cache" -type f | wc -l; }
program() { find "$cache" -type f -name "$1-*"; }

# The name of a program ends with the digest of its bytes.
intact() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -c 1-32)" = "${1: -32}" ]; }

# A program is built once.
expect 0 'steps +10,' run
true_that 'one program in the cache' test "$(count)" -eq 1
true_that 'the cache is ours alone' test "$(stat -c %a "$cache")" = 700
built=$(stat -c %i "$(program hopf)")
expect 0 'steps +10,' run
true_that 'and it is used again' test "$(stat -c %i "$(program hopf)")" = "$built"
expect 3 'failed on the generated code' env CC=false "$sw" run models/pendulum.sw --steps 10
expect 0 'steps +10,' "$sw" run models/pendulum.sw --steps 10
true_that 'another model is another program' test "$(count)" -eq 2
true_that 'nothing else is left' test -z "$(ls "$cache" | grep -v -- '^\(hopf\|pendulum\)-')"

# A program that is cut short, or of which one byte is another, or that is something else, is built anew.
damaged() { # NAME COMMAND...: what is done to the program
  local name=$1 whole
  shift
  whole=$(program hopf)
  cp "$whole" "$work/whole"
  "$@" "$whole"
  true_that "$name: it is another one" test -n "$(cmp "$whole" "$work/whole" 2>&1)" -o -L "$whole" -o ! -x "$whole" \
    -o "$(stat -c %a "$whole")" != 700
  expect 0 'steps +10,' run
  true_that "$name: it is built anew" intact "$(program hopf)"
  true_that "$name: the damaged one is gone" test "$(program hopf | wc -l)" -eq 1
}
change_byte() {
  printf '\377' | dd of="$1" bs=1 seek=5000 conv=notrunc status=none
}
bewitched() {
  printf '#!/bin/sh\necho bewitched\n' >"$1"
}
linked() {
  cp "$1" "$work/other"
  ln -sf "$work/other" "$1"
}
damaged 'cut short' truncate -s 20000
damaged 'empty' truncate -s 0
damaged 'one byte' change_byte
damaged 'longer' sh -c 'echo >>"$0"'
damaged 'a script' bewitched
damaged 'not executable' chmod 600
damaged 'others can write to it' chmod 722
damaged 'a link' linked

# A damaged program is removed under the lock of the cache, so that nobody removes what another has just put in its place.
hopf=$(program hopf)
cp -p "$hopf" "$work/whole"
truncate -s 20000 "$hopf"
exec 3<"$cache"
flock 3
"$sw" run models/hopf.sw --steps 10 >/dev/null 3<&- &
job=$!
sleep 1
cp -p "$work/whole" "$work/again"
mv "$work/again" "$hopf" # as another process does
inode=$(stat -c %i "$hopf")
exec 3<&-
wait $job
true_that 'the program finds what another has put there' test $? -eq 0 -a "$(stat -c %i "$hopf")" = "$inode"

# Nobody else may be able to write to the cache, or to replace it.
unsafe() { # MODE FOLDER PATTERN
  local before
  before=$(stat -c %a "$2")
  chmod "$1" "$2"
  expect 3 "$3" run
  chmod "$before" "$2"
}
unsafe 777 "$cache" "the cache '$cache' is not safe: others can write to it; .* \(chmod go-w, or set XDG_CACHE_HOME\)"
unsafe 770 "$cache" 'others can write to it'
unsafe 702 "$cache" 'others can write to it'
unsafe 777 "$work/cache" "everybody can write to '$work/cache'; set XDG_CACHE_HOME"
expect 0 'steps +10,' run
if [ "$(id -u)" -eq 0 ]; then
  chown 12345 "$cache"
  expect 3 'it belongs to another user' run
  chown 0 "$cache"
fi
touch "$work/file"
expect 3 "cannot make the folder '$work/file/sidewinder', where programs are kept: .*; set XDG_CACHE_HOME" env XDG_CACHE_HOME="$work/file" "$sw" run models/hopf.sw
expect 0 '' env XDG_CACHE_HOME="$work/file" TMPDIR="$work" "$sw" build models/hopf.sw -o "$work/hopf"

# Without a home the cache is a private folder among the temporary files.
mkdir "$work/tmp"
homeless() { env -u HOME -u XDG_CACHE_HOME TMPDIR="$work/tmp" "$sw" run models/hopf.sw --steps 10; }
private=$work/tmp/sidewinder-cache-$(id -u)
expect 0 'steps +10,' homeless
true_that 'the folder is private' test "$(stat -c %a "$private")" = 700
true_that 'the program is in it' test "$(find "$private" -name 'hopf-*' -type f | wc -l)" -eq 1
expect 0 'steps +10,' homeless
chmod 770 "$private"
expect 3 'is not a folder of this user alone' homeless
rm -r "$private"

# Nor is a home made that is not there, which is said once.
gone() { env -u XDG_CACHE_HOME HOME="$work/gone/home" TMPDIR="$work/tmp" "$sw" run models/hopf.sw --steps 10; }
expect 0 "the home '$work/gone/home' is no folder; programs are kept in '$private'" gone
true_that 'it is not made' test ! -e "$work/gone"
gone >"$work/again" 2>&1
true_that 'it is said once' test "$(grep -c 'no folder' "$work/again")" -eq 0
rm -r "$private"
mkdir -m 700 "$work/elsewhere"
ln -s "$work/elsewhere" "$private"
expect 3 'is not a folder of this user alone' homeless

# A compilation that is interrupted leaves nothing behind, and ends by the signal; one that is killed leaves a folder
# in the cache, which the next command removes, but not one in which a compiler is still at work.
cat >"$work/slow" <<'END'
#!/usr/bin/env bash
while [ $# -gt 1 ]; do
  [ "$1" = -o ] && echo half >"$2"
  shift
done
mktemp >/dev/null
grep '^SigBlk' /proc/self/status >"$STARTED.new"
mv "$STARTED.new" "$STARTED"
exec sleep "$SLOW"
END
chmod +x "$work/slow"
mkdir "$work/temporary" "$work/target"
blocked_here=$(grep '^SigBlk' /proc/self/status)
start_slow() { # SECONDS COMMAND...: in the background, up to where the compiler is at work
  rm -f "$work/started"
  # A background job of a script ignores SIGINT, which the program that env starts does not.
  env --default-signal=HUP,INT,TERM SLOW="$1" STARTED="$work/started" TMPDIR="$work/temporary" CC="$work/slow" \
    "$sw" "${@:2}" 2>"$work/output" &
  job=$!
  for _ in $(seq 100); do
    [ -e "$work/started" ] && break
    sleep 0.1
  done
}
folders() { find "$cache" -name 'build-*' | wc -l; }
for signal in HUP INT TERM; do
  start_slow 1 build models/hopf.sw -o "$work/target/hopf"
  true_that 'there is a folder while the compiler runs' test "$(folders)" -eq 1
  true_that 'what the compiler makes is in it' test "$(find "$cache"/build-* -type f | wc -l)" -eq 7
  kill -s $signal $job
  wait $job 2>/dev/null
  code=$?
  true_that "ended by SIG$signal" test $code -eq $((128 + $(kill -l $signal)))
  true_that "SIG$signal leaves no folder" test "$(folders)" -eq 0
  true_that "SIG$signal leaves no temporary file" test -z "$(ls "$work/temporary")"
  true_that "SIG$signal leaves no part of a program" test -z "$(ls "$work/target")"
  true_that 'the compiler has the signal mask of its caller' test "$(cat "$work/started")" = "$blocked_here"
done
for command in "build models/hopf.sw -o $work/target/hopf" 'run models/hopf_free.sw'; do
  # shellcheck disable=SC2086
  start_slow 20 $command
  compiler=$(cat /proc/$job/task/$job/children)
  expect 0 'steps +10,' run
  true_that 'a folder in which somebody works is left alone' test "$(folders)" -eq 1
  kill -KILL $job
  wait $job 2>/dev/null
  kill $compiler
  true_that 'a process that is killed leaves a folder' test "$(folders)" -eq 1
  expect 0 'steps +10,' run
  true_that 'which the next command removes' test "$(folders)" -eq 0
  true_that 'nothing is among the temporary files' test -z "$(ls "$work/temporary")"
  true_that 'no part of a program is left' test -z "$(ls "$work/target")"
done

# Eight at once: each builds for itself, or finds what another has built.
rm -r "$cache"
jobs=()
for _ in 1 2 3 4 5 6 7 8; do
  "$sw" run models/hopf_free.sw --steps 5 --quiet >>"$work/together" 2>&1 &
  jobs+=($!)
done
for job in "${jobs[@]}"; do
  wait "$job"
  true_that 'each of eight at once' test $? -eq 0
done
true_that 'nothing was said' test ! -s "$work/together"
true_that 'programs and nothing else' test "$(find "$cache" -mindepth 1 | grep -vc /hopf_free-)" -eq 0
for made in $(program hopf_free); do
  true_that 'a program that is intact' intact "$made"
done

# Every word of $CC reaches the compiler, in its order; a level of optimisation there is the only one.
cat >"$work/cc" <<'END'
#!/usr/bin/env bash
printf '%s\n' "$@" >"$WORDS"
exec gcc "$@"
END
chmod +x "$work/cc"
words() { # CC: what the compiler is given, up to what is always there
  env CC="$1" WORDS="$work/words" "$sw" build models/hopf.sw --no-lanes -o "$work/hopf" &&
    sed '/^-ffp-contract=off$/q' "$work/words" | tr '\n' ' '
}
expect 0 '^-std=c99 -O2 -ffp-contract=off $' words "$work/cc"
expect 0 '^-O3 -std=c99 -ffp-contract=off $' words "$work/cc -O3"
expect 0 '^-O3 -g -DX=1 -std=c99 -ffp-contract=off $' words "  $work/cc   -O3 -g"$'\t'"-DX=1 "
expect 0 '^-std=gnu11 -O2 -ffp-contract=off $' words "$work/cc -std=gnu11"
expect 0 "^-DA='b' -DC=\"d\" -std=c99" words "$work/cc -DA='b' -DC=\"d\""
many=$(seq -f '-DW%g' 200 | tr '\n' ' ')
expect 0 "^${many}-std=c99 -O2 -ffp-contract=off \$" words "$work/cc $many"
expect 0 '' env CC='env LANG=C gcc -O1' "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
expect 0 '' env CC=' ' "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"

# Other flags are other programs.
rm -r "$cache"
expect 0 'steps +10,' env CC=gcc "$sw" run models/hopf.sw --steps 10
expect 0 'steps +10,' env CC='gcc -O3' "$sw" run models/hopf.sw --steps 10
true_that 'two programs' test "$(count)" -eq 2

# Flags that change the arithmetic are refused by name, in $CC or in what stands behind it.
for flag in -ffast-math -Ofast -funsafe-math-optimizations -ffinite-math-only -fassociative-math -freciprocal-math \
  -fno-signed-zeros -fsingle-precision-constant -ffp-contract=fast -ffp-contract=on -ffp-model=fast -mfpmath=387 \
  -mfpmath=sse+387 -mrecip -mrecip=all -fno-honor-nans -fapprox-func -fdenormal-fp-math=positive-zero; do
  expect 2 "CC has '${flag//+/\\+}', under which .*; leave it out" env CC="gcc -O2 $flag" "$sw" run models/hopf.sw
done
expect 2 "CC has '-Ofast'" env CC='gcc -Ofast' "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
for flag in -ffast-math -ffinite-math-only -funsafe-math-optimizations; do
  printf '#!/bin/sh\nexec gcc %s "$@"\n' $flag >"$work/hidden"
  chmod +x "$work/hidden"
  expect 3 'leave out -ffast-math' env CC="$work/hidden" "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
done
printf -- '-Ofast\n' >"$work/flags"
for word in "@$work/flags" "-specs=$work/flags" "--specs=$work/flags" "--config=$work/flags"; do
  expect 2 'CC has .*, under which flags come from a file' env CC="gcc -O2 $word" "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
done
# No product and sum are fused, whatever the processor can do.  The models are those for which gcc 12 does it.
if gcc -march=haswell -E -x c /dev/null >"$work/output" 2>&1 && command -v objdump >/dev/null; then
  for model in hopf hoop two_constraints chain; do
    expect 0 '' env CC='gcc -O3 -march=haswell' "$sw" build models/$model.sw -o "$work/fused"
    # The library that it links was compiled without fused operations, too.
    true_that "$model: nothing is fused" test "$(objdump -d "$work/fused" | grep -cE 'vfn?m(add|sub)')" -eq 0
  done
fi
for flag in -march=native -fno-fast-math -ffp-contract=off -fno-math-errno -g3 -mfpmath=sse; do
  expect 0 '' env CC="gcc $flag" "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
done

# What is waited for is said on a terminal, and there alone.
on_terminal() { script -qec "$*" /dev/null </dev/null; }
rm -r "$cache"
expect 0 'compiling hopf\.c \.\.\.' on_terminal "$sw run models/hopf.sw --steps 10"
expect 0 'steps' on_terminal "$sw run models/hopf.sw --steps 10"
true_that 'nothing is compiled the second time' test -z "$(grep compiling "$work/output")"
expect 0 'compiling hopf\.c \.\.\.' on_terminal "$sw build models/hopf.sw -o $work/hopf"
expect 0 '' "$sw" build models/hopf.sw -o "$work/hopf"
true_that 'no terminal, no word' test ! -s "$work/output"
# A shared object of a model and a file of the user's: kept, too, and not for another file; or put where it is asked for.
printf '%s\n' '#include "sidewinder/sim.h"' 'const char *name_of(void) { return SW_MODEL.name; }' \
  'const char *base_of(void) { return SW_STEPPER.base; }' \
  'int lanes_of(void) { const sw_stepper *const all[] = SW_STEPPER_LANES; return (int)(sizeof all / sizeof *all) - 1; }' \
  'int can(sw_sim **sim) { return sw_sim_create(&SW_MODEL, 0, sim); }' >"$work/own.c"
ask() { # FILE
  python3 -c 'import ctypes, sys
own = ctypes.CDLL(sys.argv[1])
own.name_of.restype = own.base_of.restype = ctypes.c_char_p
print(own.name_of(), own.base_of(), own.lanes_of(), own.can(ctypes.byref(ctypes.c_void_p())))' "$1"
}
if [[ ${SW_BUILD_FLAGS:-} == *sanitize* ]]; then
  echo 'not tried with sanitizers, which Python does not load: shared objects'
else
  before=$(count)
  expect 0 "^$cache/hopf-" "$sw" build models/hopf.sw --shared="$work/own.c" --base gauss-4
  kept=$(<"$work/output")
  expect 0 "^b'hopf' b'gauss-4' 2 0$" ask "$kept"
  expect 0 "^$kept$" "$sw" build models/hopf.sw --shared "$work/own.c" --base gauss-4
  true_that 'one file more' test "$(count)" -eq $((before + 1))
  echo '/* another file */' >>"$work/own.c"
  expect 0 '' "$sw" build models/hopf.sw --shared="$work/own.c" --base gauss-4 -o "$work/own.so"
  true_that 'nothing is printed, and nothing kept' test ! -s "$work/output" -a "$(count)" -eq $((before + 1))
  expect 0 "^b'hopf' b'gauss-4' 2 0$" ask "$work/own.so"
  expect 0 "^$cache/hopf-" "$sw" build models/hopf.sw --shared="$work/own.c" --base gauss-4
  true_that 'another file is another object' test "$(<"$work/output")" != "$kept"
  echo 'int wrong(' >>"$work/own.c"
  expect 3 "own.c:7.*error" "$sw" build models/hopf.sw --shared="$work/own.c"
fi
expect 3 "cannot read '$work/none.c'" "$sw" build models/hopf.sw --shared="$work/none.c"
expect 2 '[-]o is missing' "$sw" build models/hopf.sw
finish
