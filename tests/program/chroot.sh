#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages, installed by apt in a minimal Debian of their own (mmdebstrap) with what they depend on and nothing that they only
# recommend, used there by an ordinary user, and purged.  Needs root and Debian's archive; without these it is skipped (exit code 77).
# Usage: chroot.sh BUILD
set -uo pipefail
build=$1

skip() {
  echo "not tried: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root may change the root folder'
unshare --mount true 2>/dev/null || skip 'no file system may be mounted here'
for tool in mmdebstrap dpkg-scanpackages; do
  command -v $tool >/dev/null || skip "$tool is not there (Debian: mmdebstrap, dpkg-dev)"
done
# The packages depend on libraries of the release that they were made in.
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mmdebstrap --simulate --variant=minbase "$suite" /dev/null >/dev/null 2>&1 || skip "apt finds no archive of Debian '$suite'"

. tests/program/lib.sh
root=$work/root
expect 0 'libsidewinder-dev_' cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages"
(cd "$work/packages" && dpkg-scanpackages . >Packages 2>/dev/null)
echo "deb [trusted=yes] copy://$work/packages ./" >"$work/own.list"
expect 0 '' mmdebstrap --variant=minbase --include=sidewinder,python3-sidewinder \
  --setup-hook="cp '$work/own.list' \"\$1/etc/apt/sources.list.d/own.list\"" "$suite" "$root"

# in_root COMMAND...: as a user who may write to /home/user alone.
in_root() {
  unshare --mount --pid --fork --kill-child chroot "$root" /bin/sh -c \
    'mount -t proc proc /proc && exec setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all \
       env -i PATH=/usr/bin:/bin HOME=/home/user LC_ALL=C.UTF-8 /bin/sh -c "cd && $*"' - "$@"
}
install -d -o 1000 -g 1000 "$root/home/user"
models=/usr/share/sidewinder/models

for package in sidewinder libsidewinder-dev libsidewinder0.1 python3-sidewinder; do
  expect 0 '^install ok installed$' chroot "$root" dpkg-query -W -f '${Status}\n' $package
done
for package in gnuplot-nox libhdf5-dev; do
  true_that "$package, which is recommended, is not there" \
    test "$(chroot "$root" dpkg-query -W -f '${db:Status-Status}' $package 2>/dev/null)" != installed
done
expect 0 '^1000$' in_root 'id -u'
expect 0 'SHAKE and RATTLE apply' in_root "sidewinder check $models/hopf.sw"
expect 0 'steps +10' in_root "sidewinder run $models/hopf.sw --steps 10 --out t.csv"
expect 0 '^[0-9]+ passed, 0 failed' in_root "sidewinder verify $models/hopf.sw"
expect 2 'HDF5 is not there|HDF5 was not there' in_root "sidewinder run $models/hopf.sw --steps 10 --out t.h5"
expect 0 '' in_root "sidewinder build $models/pendulum.sw -o pendulum"
expect 0 'steps +1000' in_root "./pendulum run --steps 1000"
expect 3 'gnuplot' in_root "sidewinder plot t.csv"
in_root 'cat >small.c' <<'END'
#include <stdio.h>
#include "hopf.h"
#include "sidewinder/sim.h"
int main(void)
{
  sw_sim *sim = NULL;
  int status = sw_sim_create(&sw_model_hopf, NULL, &sim);
  status = status == SW_OK ? sw_sim_run(sim, 0.05, 10, NULL, NULL) : status;
  printf("status %d, t = %g\n", status, status == SW_OK ? sw_sim_time(sim) : 0.0);
  sw_sim_free(&sim);
  return status;
}
END
expect 0 '' in_root "sidewinder generate $models/hopf.sw -o ."
expect 0 '' in_root 'cc -O2 -ffp-contract=off small.c hopf.c -lsidewinder -lm -o small'
expect 0 '^status 0, t = 0.5$' in_root ./small
in_root 'cat >small.py' <<'END'
import sidewinder
sim = sidewinder.Model("/usr/share/sidewinder/models/hopf.sw").sim()
rows, written = sim.run(10), sidewinder.read("t.csv")
print((rows == written).all(), sidewinder.__file__, "".join(written.metadata["text"]) == open("/usr/share/sidewinder/models/hopf.sw").read())
END
expect 0 '^True /usr/lib/python3/dist-packages/sidewinder/__init__.py True$' in_root 'python3 small.py'

# Installed files are as they were packed, and nothing of them stays behind.
expect 0 '' chroot "$root" dpkg --verify sidewinder libsidewinder-dev libsidewinder0.1 python3-sidewinder
true_that "dpkg finds no fault: $(cat "$work/output")" test ! -s "$work/output"
expect 0 '' chroot "$root" dpkg --purge python3-sidewinder sidewinder libsidewinder-dev libsidewinder0.1
true_that "nothing is left: $(find "$root" -xdev -path "$root/home" -prune -o -iname '*sidewinder*' -print | head -3)" \
  test -z "$(find "$root" -xdev -path "$root/home" -prune -o -iname '*sidewinder*' -print | grep -v '/var/lib/apt/lists/')"
finish
