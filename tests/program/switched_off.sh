#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Terms of H that a parameter of 0 switches off: their loops are not gone through, unless their forces are undefined at some states, where
# steps fail in both lowerings.
# Usage: switched_off.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

write() { # NAME TERM: a model of oscillators with this term
  cat >"$work/$1.sw" <<END
model $1
size N = 6
set node = 1 .. N
param K = 0
param B = 0.5
coord q[node] momentum p
hamiltonian H = sum(i in node: p[i]^2/2 + q[i]^2/2) + $2
init q[i in node] = i
init p[i in node] = 0
END
}

skips() { # NAME: whether loops of the looped C depend on a parameter
  expect 0 '' "$sw" generate "$work/$1.sw" --lowering looped -o "$work/$1"
  grep -q 'if ([KB] != 0.0) {' "$work/$1/$1.c"
}

# They begin in the domain and leave it near t = pi/2, with forces of K times what is no number.
i=0
for term in 'K*sum(i in 2 .. N: q[i]*sqrt(q[i]))' 'K*sum(i in 2 .. N: asin(q[i]/8 - q[i-1]/8 - 0.95))'; do
  i=$((i + 1))
  write "edge$i" "$term"
  true_that "the forces of $term are always looked at" eval '! skips edge$i'
  for lowering in looped unrolled; do
    expect 3 'not finite near this state' "$sw" run "$work/edge$i.sw" --lowering "$lowering" --step 0.01 --steps 400 --quiet
  done
done

i=0
for term in 'K*sum(i in 1 .. N-1: 1/sqrt(0.1 + (q[i+1] - q[i])^2))' 'K^2*sum(i in node, j in node where i < j: 1/abs(q[i] - q[j]))' \
  'K*B*sum(i in 2 .. N: exp(q[i])*log(1 + q[i]^2)/N)'; do
  i=$((i + 1))
  write "whole$i" "$term"
  true_that "the forces of $term are left out where K is 0" skips "whole$i"
done
# A parameter in a divisor that may be 0, with which H is nowhere defined.
write divided 'K*sum(i in 2 .. N: q[i]^4)/B'
true_that 'divisors that may be 0 are looked at' eval '! skips divided'

finish
