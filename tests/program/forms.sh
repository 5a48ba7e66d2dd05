#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What inline sets, periodic indices, alternatives and partial sums cost and prove: counted in the generated C and
# read off the page, not timed.
# Usage: forms.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

model() { # NAME: the text is on standard input
  { echo "model $1"; cat; } >"$work/$1.sw"
}

body() { # NAME FUNCTION: the lines of one function of the generated C
  sed -n "/^static [a-z]* $2(/,/^}/p" "$work/$1.c"
}

# Partial sums: the code for a state is as long as the state, and looped it visits every term once.
model partial <<'END'
size N = 50
param a[j in 1 .. N] = 1/j
let before(i) = sum(j in 1 .. i-1: a[j])
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[i]^2)
init q[i in 1 .. N] = 3*before(i) + sqrt(1 + before(i))
init p[i in 1 .. N] = sum(j in 1 .. N where j >= i: a[j]^2)
END
sizes=()
for N in 100 200 400; do
  expect 0 'partial\.c' "$sw" generate "$work/partial.sw" --lowering unrolled --size N=$N -o "$work"
  sizes+=("$(body partial init_0 | wc -c)")
done
true_that 'an unrolled state is written in linear size' test "${sizes[2]}" -lt $((23 * sizes[1] / 10))
true_that 'and so from the first size on' test "${sizes[1]}" -lt $((23 * sizes[0] / 10))
expect 0 'partial\.c' "$sw" generate "$work/partial.sw" --lowering looped -o "$work"
true_that 'a looped one continues both sums' test "$(body partial init_0 | grep -c 'for (; j')" -eq 2
true_that 'and has no other loops but over its entries' test "$(body partial init_0 | grep -c 'for (long')" -eq 2
expect 0 'energy' "$sw" run "$work/partial.sw" --lowering looped --size N=300000 --step 0.01 --steps 1

# Alternatives: each has a loop that visits its own rounds only, and the checker does not try them one by one.
model near <<'END'
size N = 1000000
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2)
    + sum(i in 1 .. N, j in 1 .. N where j == i + 1 or j == i - 1: (q[i] - q[j])^2/4)
    + sum(i in 1 .. N where i == 1 or i == N: q[i]^2)
init q[i in 1 .. N] = 0
init p[i in 1 .. N] = if mod(i, 4) == 1 then 1 else 0
END
expect 0 'near\.c' "$sw" generate "$work/near.sw" -o "$work"
true_that 'neighbours are visited alone' test \
  "$(body near hamiltonian | grep -cE 'for \(long j = (i \+ 1; j <= smaller\(N, i \+ 1\)|larger\(1, i - 1\); j <= i - 1);')" -eq 2
true_that 'and so are the ends' test "$(body near hamiltonian | grep -cE 'for \(long i = (1; i <= smaller\(N, 1\)|larger\(1, N\); i <= N);')" -eq 2
expect 0 'energy' "$sw" run "$work/near.sw" --step 0.01 --steps 1

# Sharing: through mod it is found, and where there is none that is proved, whatever the sizes are.
model apart <<'END'
size N = 5
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[i]^2)
constraint c[i in 1 .. N]: q[mod(i, N) + 1]^2 + p[mod(i, N) + 1]^2 == 1
END
expect 0 'coisotropic +proved for all sizes' "$sw" check "$work/apart.sw" --lowering looped
model overlap <<'END'
size N = 5
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[i]^2)
constraint c[i in 1 .. N where mod(i, 2) == 0]: q[i]^2 + p[i]^2 == 1
constraint d[i in 1 .. N where mod(i, 2) == 1]: q[mod(i, N) + 1] + p[mod(i, N) + 1] == 0
END
expect 1 "constraints 'c' and 'd' can share" "$sw" check "$work/overlap.sw" --lowering looped
expect 1 'Refused' "$sw" check "$work/overlap.sw" --lowering unrolled
model neighbours <<'END'
size N = 5
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[i]^2)
constraint c[i in 1 .. N]: q[i] + p[mod(i, N) + 1] == 0
END
expect 1 "'q\[i\]' and 'q\[mod\(i,N\)\+1\]' may be the same" bash -c "'$sw' check '$work/neighbours.sw' --lowering looped | tr '\n' ' ' | tr -s ' '; exit \${PIPESTATUS[0]}"
expect 1 'Refused' "$sw" check "$work/neighbours.sw" --lowering unrolled
model filtered <<'END'
size N = 6
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[i]^2)
constraint c[i in 1 .. N where i == 1 or i == 3]: q[i]^2 + p[i]^2 == 1
constraint d[i in 1 .. N where not (i == 1 or i == 3)]: q[i]*p[i] + q[i] == 1
END
expect 0 'coisotropic +proved for all sizes' "$sw" check "$work/filtered.sw" --lowering looped
sed -e 's/^model.*/model unfiltered/' -e 's/not (i == 1 or i == 3)/i == 2 or i == 3/' "$work/filtered.sw" >"$work/unfiltered.sw"
expect 1 "constraints 'c' and 'd' can share" "$sw" check "$work/unfiltered.sw" --lowering looped

# Kinks and jumps that M meets are named.
model kink <<'END'
coord x momentum px
coord y momentum py
hamiltonian H = px^2/2 + py^2/2 + min(x, y)^3 + max(2*y, y^2)
constraint g: x == 0.5
invariant side = sign(y - 2)
init x = 0.5
init y = 1
init px = 0
init py = 1
END
page=$("$sw" check --ascii "$work/kink.sw" | tr '\n' ' ' | tr -s ' ')
for seam in 'min or max in H has no derivative where x - y = 0, which M meets' \
  'min or max in H has no derivative where y^2 - 2*y = 0, which M meets' \
  "sign in invariant 'side' jumps where y - 2 = 0, which M^H meets"; do
  true_that "the page says: $seam" test "${page/"$seam"/}" != "$page"
done

# Divisors of mod: refused where the model is read, and where a program gets other sizes.
model divisor <<'END'
size N = 6
size K = 2
coord q[1 .. N] momentum p
hamiltonian H = sum(i in 1 .. N: p[i]^2/2 + q[mod(i, N - 2*K) + 1]^2) + sum(i in 1 .. N where mod(i, K) == 0: q[i])
init q[i in 1 .. N] = 0
init p[i in 1 .. N] = 1
END
expect 0 '' "$sw" build "$work/divisor.sw" --lowering looped -o "$work/divisor"
expect 0 'energy' "$work/divisor" run --step 0.01 --steps 1
expect 2 'the divisor N-2\*K of mod in H is not positive at N = 6, K = 3' "$work/divisor" run --size K=3 --step 0.01 --steps 1
expect 2 'the divisor K of mod in a condition or the end of a sum is not positive at N = 6, K = 0' \
  "$work/divisor" run --size K=0 --step 0.01 --steps 1
for lowering in unrolled looped; do
  expect 2 'divisor\.sw:5:47: error: the divisor N-2\*K of mod is 0, and must be positive' \
    "$sw" check "$work/divisor.sw" --lowering $lowering --size K=3
done
finish
