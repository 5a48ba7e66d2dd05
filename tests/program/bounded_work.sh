#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Proofs are given up before they take long, and what is cheap to prove is still proved.
# Usage: bounded_work.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
# At most 30 seconds of the processor, so that a busy machine does not matter.
bounded() {
  (ulimit -t 30 && exec "$@")
}

# {I,H} over a common denominator has 4^16 terms and more; this took minutes.
cat >"$work/rational.sw" <<'END'
model rational "Invariants that are sums of rational functions"
set few = 1 .. 4
coord u[few] momentum v
coord r[few] momentum w
let part(i, j) = (1/(1 + (u[i] - j*u[1])^2))/(2 + w[j]^2)
hamiltonian H = sum(i in few: v[i]^2/2 + w[i]^2/2 + u[i]^2 + r[i]^2)
    + sum(i in few: r[i]/(2 + v[i]^2)) + r[1]/(3 + v[2]^2)
invariant kept[k in few] = sum(i in few, j in few: part(i, j)/(k + 1))
invariant energy = H
END
expect 0 'kept\.4: is none' bounded "$sw" check "$work/rational.sw"
expect 0 'energy: proved' bounded "$sw" check "$work/rational.sw"

# The bracket of two constraints has such a denominator, too: it is not multiplied out to see that it is not 0.
sed -e '/^invariant/d' -e 's/^model rational/model brackets/' "$work/rational.sw" >"$work/brackets.sw"
cat >>"$work/brackets.sw" <<'END'
constraint one: sum(i in few, j in few: part(i, j)) == 1
constraint two: sum(i in few: r[i]/(2 + v[i]^2)) == 1
END
expect 1 "constraints 'one' and 'two' are second class" bounded "$sw" check "$work/brackets.sw"

# {I,H} = 0 only over a common denominator.
cat >"$work/ratio.sw" <<'END'
model ratio "A rational function of the angular momentum"
coord x momentum px  coord y momentum py
hamiltonian H = (px^2 + py^2)/2 + (x^2 + y^2)/2
let L = x*py - y*px
invariant spin = L/(1 + L^2) + 1/(2 + L^2)
END
expect 0 'spin: proved' bounded "$sw" check "$work/ratio.sw"

# A tree of 2^16 parts.
{
  echo 'model doubled'
  echo 'coord q momentum p'
  echo 'hamiltonian H = p^2/2 + q^2/2'
  echo 'let a1(x) = sin(x) + x*cos(x)'
  for n in $(seq 2 16); do
    echo "let a$n(x) = sin(a$((n - 1))(x)) + a$((n - 1))(x)*cos(x)"
  done
  echo 'invariant much = a16(q)'
  echo 'invariant energy = H'
} >"$work/doubled.sw"
expect 0 'much: is none' bounded "$sw" check "$work/doubled.sw"
expect 0 'energy: proved' bounded "$sw" check "$work/doubled.sw"

# Many invariants share what may be spent.
cat >"$work/many.sw" <<'END'
model many
set few = 1 .. 3
set lot = 1 .. 300
coord u[few] momentum v
hamiltonian H = sum(i in few: v[i]^2/2 + u[i]^2) + u[1]/(2 + v[2]^2)
invariant kept[k in lot] = sum(i in few, j in few: 1/((k + (u[i] - j*u[1])^2)*(2 + v[j]^2)))
END
expect 0 'kept\.300: not proved' bounded "$sw" check "$work/many.sw"

# A sum over a fixed set that is too long to unroll is tried once, not at every size of a smaller sibling.
cat >"$work/coulomb.sw" <<'END'
model coulomb
set a = 1 .. 40
set few = 1 .. 3
coord x[few] momentum p
let distance(i, j, k) = sqrt((x[1] - i)^2 + (x[2] - j)^2 + (x[3] - k)^2)
hamiltonian H = sum(i in few: p[i]^2/2) + sum(i in a, j in a, k in a: 1/distance(i, j, k))
END
# Seconds of the processor.
seconds_of() {
  local TIMEFORMAT=%0U
  { time "$@" >"$work/timed" 2>&1; } 2>&1
}
seconds=$(seconds_of "$sw" check --lowering looped "$work/coulomb.sw")
most=4
[[ ${SW_BUILD_FLAGS:-} == *sanitize* ]] && most=40
true_that "a fixed sum takes $seconds s" test "$seconds" -lt $most
expect 2 'coulomb.sw:6:43: error: the derivatives of this formula would be too large' \
  bounded "$sw" check --lowering unrolled "$work/coulomb.sw"

# A table k[i,j]: what a step needs of what is found once for each value, and not for each pair of values; this took 37 s.
cat >"$work/table.sw" <<'END'
model table
set s = 1 .. 80
param k[i in s, j in s] = 1/(i+j)
coord x[s] momentum y
hamiltonian H = sum(i in s: y[i]^2/2) + sum(i in s, j in s: k[i,j]*x[i]*x[j])
constraint c: sum(i in s: x[i]^2) == 1
END
seconds=$(seconds_of "$sw" check "$work/table.sw")
true_that "a table of 80 x 80 takes $seconds s" test "$seconds" -lt $most

# Constraints on q and on p for each of 1000 nodes: neither the model at its own sizes nor larger examples take long; this took minutes.
cat >"$work/pairs.sw" <<'END'
model pairs
size N = 1000
set s = 1 .. N
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2)
constraint c[i in s]: q[i] == 1
constraint d[i in 20 .. N]: p[i] == 0
init q[i in s] = 1
init p[i in s] = 0
END
expect 1 "at N = 24: the constraints 'c\[20\]' and 'd\[20\]' are second class" "$sw" check "$work/pairs.sw"
seconds=$(seconds_of "$sw" check "$work/pairs.sw")
true_that "constraints on q and p take $seconds s" test "$seconds" -lt $((2 * most))

printf '#!/bin/sh\n: >"%s"\nsleep "${SLEEP:-30}"\nexec cc "$@"\n' "$work/started" >"$work/cc_slow"
chmod +x "$work/cc_slow"

# A compiler that takes a minute is reported, and not before: here a minute of a clock that goes 20 times as fast.
export XDG_CACHE_HOME="$work/cache"
mkdir "$XDG_CACHE_HOME"
cat >"$work/clock.c" <<'END'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
  const long status = syscall(SYS_clock_gettime, id, t);
  const long nanoseconds = 20 * t->tv_nsec;
  t->tv_sec = 20 * t->tv_sec + nanoseconds / 1000000000;
  t->tv_nsec = nanoseconds % 1000000000;
  return (int)status;
}
END
expect 0 '' cc -D_GNU_SOURCE -shared -fPIC -o "$work/clock.so" "$work/clock.c"
expect 0 'has been compiling hopf.c and hopf_step.c \([0-9]+ kB\) for' \
  env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$work/clock.so" SLEEP=3.5 CC="$work/cc_slow" \
  "$sw" build models/hopf.sw --no-lanes -o "$work/hopf"
reported=$(sed -n 's/.*has been compiling.* for \([0-9]*\) s.*/\1/p' "$work/output" | head -1)
true_that "the first report is after ${reported:-0} s" test "${reported:-0}" -ge 60 -a "${reported:-0}" -lt 80
true_that 'and ends well' test -x "$work/hopf"

# It can be bounded, and interrupted by a signal to the command alone.  The compiler ends, and nothing is left.
export XDG_CACHE_HOME="$work/interrupted"
mkdir "$XDG_CACHE_HOME"
expect 3 "interrupted the C compiler '.*cc_slow' after 1 s \(--compile-limit\), while it was compiling pendulum.c and" \
  env CC="$work/cc_slow" "$sw" run models/pendulum.sw --compile-limit 1
expect 3 'interrupted the C compiler' env CC="$work/cc_slow" "$sw" build models/pendulum.sw --compile-limit=1 -o "$work/p"
expect 2 "--compile-limit wants seconds, an integer from 1, not '0'" "$sw" run models/pendulum.sw --compile-limit 0
for signal in INT TERM HUP; do
  code=$((128 + $(kill -l $signal)))
  rm -f "$work/started"
  env --default-signal=$signal CC="$work/cc_slow" "$sw" build models/pendulum.sw -o "$work/p" 2>"$work/errors" &
  while [ ! -e "$work/started" ] && kill -0 $! 2>/dev/null; do sleep 0.05; done
  kill -s $signal $!
  wait $! 2>/dev/null
  true_that "$signal ends a compilation with $code" test $? -eq $code
  true_that "$signal is not blamed on the compiler" grep -q 'interrupted while the C compiler' "$work/errors"
done
true_that "nothing is left" test -z "$(find "$XDG_CACHE_HOME" -type f; find "$XDG_CACHE_HOME" -name 'build-*')"
true_that "no program is left" test ! -e "$work/p"
unset XDG_CACHE_HOME

# A compiler that is interrupted has not failed on the code; one that fails has.
for signal in INT TERM HUP; do
  printf '#!/bin/sh\nkill -%s $$\n' $signal >"$work/cc_$signal"
  chmod +x "$work/cc_$signal"
  expect 3 "interrupted while the C compiler '.*cc_$signal' was running" \
    env CC="$work/cc_$signal" "$sw" build models/pendulum.sw -o "$work/pendulum"
done
printf '#!/bin/sh\nexit 1\n' >"$work/cc_fails"
chmod +x "$work/cc_fails"
expect 3 "the C compiler '.*cc_fails' failed on the generated code" \
  env CC="$work/cc_fails" "$sw" build models/pendulum.sw -o "$work/pendulum"
finish
