#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The C of forces equals the table of witnesses, in both lowerings: the sum of the forces on each momentum, and its derivative.
# Usage: forces.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh

cat >"$work/compare.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sidewinder/witness.h"
#define GLUE(a, b) a##b
#define NAMED(a, b) GLUE(a, b)
extern const sw_model NAMED(sw_model_, NAME);
extern const sw_witness NAMED(sw_witness_of_, NAME);

static sw_places places_at(const sw_places *p, const long n[])
{
  sw_places found = *p;
  if (p->list) {
    found.n = (int)p->list(n, NULL, NULL);
    int *row = malloc(2 * sizeof(int) * (size_t)(found.n + 1));
    p->list(n, row, row + found.n);
    found.row = row;
    found.col = row + found.n;
  }
  return found;
}

int main(void)
{
  const sw_model *m = &NAMED(sw_model_, NAME);
  const sw_witness *w = &NAMED(sw_witness_of_, NAME);
  int compared = 0, faults = 0;
  for (int c = 0; c < w->n_cases; c++) {
    const sw_witness_case *at = &w->cases[c];
    const int d = at->nq;
    const sw_places target = places_at(&m->force_target, at->sizes);
    const sw_places jac = places_at(&m->force_jac.places, at->sizes);
    double *f = calloc((size_t)(d * (2 * d + 1)) + 1, sizeof *f);
    double *given = calloc((size_t)(target.n + jac.n) + 1, sizeof *given);
    for (int i = 0; i < at->n_points; i++) {
      const sw_witness_point *p = &at->points[i];
      for (int j = 0; j < p->n; j++) {
        const sw_witness_values *v = &p->values[j];
        const int is_jac = v->what == SW_WITNESS_FORCE_JAC;
        if ((!is_jac && v->what != SW_WITNESS_FORCE) || v->missing) {
          continue;
        }
        memset(f, 0, sizeof *f * (size_t)(d * (2 * d + 1)));
        (is_jac ? m->force_jac.values : m->force)(at->sizes, p->z, p->k, given);
        for (int e = 0; e < (is_jac ? jac.n : target.n); e++) {
          const int row = target.col[is_jac ? jac.row[e] : e];
          f[is_jac ? row * 2 * d + jac.col[e] : row] += given[e];
        }
        for (int e = 0; e < v->n; e++) {
          const sw_witness_entry *x = &v->entries[e];
          double *y = &f[is_jac ? x->row * 2 * d + x->col : x->row];
          faults += !(fabs(*y - x->value) <= 1e-14 * x->size);
          *y = 0;
          compared++;
        }
        for (int e = 0; e < (is_jac ? 2 * d * d : d); e++) { /* absent entries are 0 */
          faults += fabs(f[e]) > 1e-300;
        }
      }
    }
  }
  printf("%d compared, %d faults, kind %d\n", compared, faults, (int)m->structure.force);
  return faults > 0 || compared == 0;
}
END

# Forces that are a function of positions and the time, and friction of one strength on one momentum alone.
cat >"$work/pushed.sw" <<'END'
model pushed
set s = 1 .. 3
input u = 2
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2)
force wave[i in s] on p[i] = u*sin(t - q[i])
init q[i in s] = i
init p[i in s] = 0
END
cat >"$work/rough.sw" <<'END'
model rough
set s = 1 .. 3
param gamma = 0.5 in [0, inf)
coord q[s] momentum p
hamiltonian H = sum(i in s: p[i]^2/2 + q[i]^2/2)
force rough[i in s where i > 1] on p[i] = -gamma*p[i]*q[i]^2
force more on p[3] = -gamma*p[3] + q[1]
init q[i in s] = i
init p[i in s] = 0
END

check() { # model, kind
  local name
  name=$(basename "$1" .sw)
  for lowering in unrolled looped; do
    expect 0 '' "$sw" generate --witness -l $lowering "$1" -o "$work"
    expect 0 '' ${CC:-cc} -std=c99 -Iruntime/include -DNAME="$name" "$work/compare.c" "$work/$name.c" \
      "$work/$name.witness.c" -lm -o "$work/compare"
    expect 0 "kind $2\$" "$work/compare"
  done
}
check tests/models/motors.sw 0
check tests/models/damped_net.sw 2
check tests/models/dashpots.sw 0
check "$work/pushed.sw" 1
check "$work/rough.sw" 3

# What can only take energy from the system is proved to.
expect 0 'brake: its power is never positive, proved' "$sw" check tests/models/motors.sw
expect 0 'motor_x: the sign of its power is not proved' "$sw" check tests/models/motors.sw
expect 0 '"passive": true' "$sw" check --json tests/models/damped_net.sw

# The page has the forces as the file gives them, with their momenta, and for an unrolled model each value.
expect 0 'brake\[i in joint, k in xy\] on p\[i,k\]: -gamma\*p\[i,k\]/m\[i\]' "$sw" check tests/models/motors.sw
expect 0 'motor_x = .torque q\[1,y\]' "$sw" check tests/models/motors.sw
expect 0 'drawn\[i in 1 \.\. N-1\] on p\[i\+1,x\]: -0\.01' "$sw" check --lowering looped tests/models/damped_net.sw
expect 0 'torque +0\.5  in \[-10, 10\]  \(input\)' "$sw" info tests/models/motors.sw
expect 0 '' "$sw" report tests/models/motors.sw --steps 20 -o "$work/motors.html"
true_that 'a report has the forces' grep -q 'Forces, added to the rates of change of momenta' "$work/motors.html"

# The page and the report of a run also have inputs with bounds, events and the heat bath.
forces=examples/forces
expect 0 '^ *torque in \[-3, 3\]' "$sw" check $forces/swing_up.sw
expect 0 '^ *wind in \(-inf, inf\)' "$sw" check tests/models/motors.sw
expect 0 '^ *top: q\[y\] == 0\.999\*length' "$sw" check $forces/swing_up.sw
expect 0 '^ *gamma = gamma\[i\]   \(i in bead, a in ax\)' "$sw" check --ascii tests/models/bath_chain.sw
reports() { # PAGE NAME VALUE
  true_that "$1 reports $2" grep -qE "<th[^>]*>$2</th><td>$3</td>" "$work/$1"
}
expect 0 '' "$sw" report $forces/swing_up.sw --input $forces/swing_up.csv -o "$work/swing_up.html"
reports swing_up.html 'work of the forces' '21\.3435'
reports swing_up.html 'crossings of turning' 2
reports swing_up.html 'ended by the event' top
reports swing_up.html 'largest change of H minus the work' '5\.92e-03'
expect 0 '' "$sw" report $forces/warm_bead.sw --seed 3 --steps 1000 -o "$work/warm_bead.html"
reports warm_bead.html seed 3
reports warm_bead.html 'mean kinetic temperature' "$("$sw" run $forces/warm_bead.sw --seed 3 --steps 1000 | sed -n 's/.*temperature //p')"
true_that 'and the bath' grep -q 'Heat bath, included by the method baoab' "$work/warm_bead.html"

# Multipliers are those of the motion with forces: on the unit circle, |p|^2 + q.F = 2 lambda with q.F = 4 - spin.
cat >"$work/radial.sw" <<'END'
model radial
set xy = {x, y}
input spin = 3
coord q[xy] momentum p
hamiltonian H = sum(k in xy: p[k]^2)/2
constraint rod: sum(k in xy: q[k]^2) == 1
force out[k in xy] on p[k] = 4*q[k]
force turn_x on p[x] = -spin*p[y]
force turn_y on p[y] = spin*p[x]
init q[k in xy] = if k == x then 0 else -1
init p[k in xy] = if k == x then 1 else 0
run method = rattle, base = verlet, step = 0.01, t_end = 1
END
for spin in 3 1; do
  "$sw" run "$work/radial.sw" --set spin=$spin --out "$work/radial.csv" --columns multiplier --quiet
  true_that "the multiplier at spin $spin" awk -v spin=$spin 'NR > 1 && ($1 - (5 - spin)/2)^2 > 1e-24 {wrong = 1}
    END {exit wrong || NR != 102}' "$work/radial.csv"
done

# `force` and `input` are names except at the beginning of a statement.
cat >"$work/names.sw" <<'END'
model names
param force = 2
param input = 1
coord q momentum p
hamiltonian H = p^2/2 + force*q^2
  + input*q
force pull on p = force
init q = 1
init p = 0
END
expect 0 '' "$sw" check "$work/names.sw"

# The examples. The generated step of the truss, with forces or without, takes 0.3 iterations per solve more than the general one.
for example in driven_double_pendulum driven_linkage rubbing_sphere; do
  expect 0 ' 0 failed' "$sw" verify examples/forces/$example.sw
done
expect 0 ' 0 failed' "$sw" verify examples/forces/damped_truss.sw --only witness
finish
