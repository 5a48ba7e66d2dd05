#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Events on the command line: the table of crossings, stops, the summary, and options that do not apply.
# Usage: events.sh GENERATOR
set -uo pipefail
sw=$1
source tests/program/lib.sh
clocks=tests/models/clocks.sw
ringing=tests/models/ringing.sw

# Recorded events change no byte of the trajectory and of the saved state.
expect 0 'events +mark\.1 2, mark\.2 4, low\.2 3, top_of 4$' \
  "$sw" run $clocks --events "$work/e.csv" --out "$work/with.csv" --save-state "$work/with.npy"
expect 0 '' "$sw" run $clocks --no-events --out "$work/without.csv" --save-state "$work/without.npy"
expect 0 '' cmp "$work/with.csv" "$work/without.csv"
expect 0 '' cmp "$work/with.npy" "$work/without.npy"
expect 0 '^event,direction,step,t,q\.1\.x,' head -1 "$work/e.csv"
expect 0 '^mark\.2,1,5,0\.26137985219' sed -n 2p "$work/e.csv"
true_that 'one row per crossing' test "$(wc -l <"$work/e.csv")" -eq 14
expect 0 '"kind": "crossings"' cat "$work/e.csv.json"
# Both lowerings, both solvers, and the general names of instances.
for choice in '-l unrolled' '-l looped'; do
  # shellcheck disable=SC2086
  expect 0 'low\.2 3' "$sw" run $choice $clocks --solver kinsol --events "$work/other.csv" --columns t
  true_that "the same crossings ($choice)" test "$(cut -d, -f1-2 "$work/e.csv" | cksum)" = \
    "$(cut -d, -f1-2 "$work/other.csv" | cksum)"
done
expect 0 'low\.3 5' "$sw" run $clocks --size N=3
expect 0 'events  +mark\.1 mark\.2 low\.2 top_of end' "$sw" info $clocks

# Columns, formats and standard output.
expect 0 '' "$sw" run $clocks --events "$work/e.npy" --columns t,q --quiet
true_that 'a .npy file' test -s "$work/e.npy"
expect 0 '^top_of,-1,7\.8648' "$sw" run $clocks --events - --columns t --quiet
expect 2 'a \.xyz file has no column for the event' "$sw" run $clocks --events "$work/e.xyz"
true_that 'nothing is left' test ! -e "$work/e.xyz"

# A stop ends the run in the state at the event.
expect 0 'end has ended the run at t = 1\.26558162206395$' \
  "$sw" run $clocks --set ends=0.3 --out "$work/stop.csv" --checkpoint "$work/stop.ckpt" --every 10
expect 0 '^26,1\.2655816220639[0-9]*,0\.(3|29999999999999999|30000000000000004),' tail -1 "$work/stop.csv"
expect 0 '"stopped_by": "end"' "$sw" run $clocks --set ends=0.3 --json
expect 0 '^steps +200,' "$sw" run $clocks --set ends=0.3 --no-events
# The checkpoint of the end continues behind the event, and counts all crossings.
expect 0 'mark\.1 2, .*end 2$' "$sw" run $clocks --set ends=0.3 --out "$work/stop.csv" \
  --checkpoint "$work/stop.ckpt" --every 10 --resume "$work/stop.ckpt"

# Forces, and events in time.
expect 0 'bell has ended the run at t = 2\.5$' "$sw" run $ringing --set alarm=2.5
expect 0 'zero 1, small 1' "$sw" run $ringing --set level=0.9 --t-end 3.5

# The page of check.
expect 0 'events +mark\[i in hand\]: rising, recorded' "$sw" check $clocks
expect 0 '"stops": true' "$sw" check --json $clocks

# Rows at given times: parts of steps that disturb nothing.
expect 0 '' "$sw" run $ringing --no-events --out "$work/all.csv" --save-state "$work/all.npy" --quiet
expect 0 '' "$sw" run $ringing --no-events --at 0,0.05,0.5,1.25,30 --out "$work/at.csv" --save-state "$work/at.npy" --quiet
expect 0 '' cmp "$work/all.npy" "$work/at.npy"
expect 0 '^0,0\.0500000000000000*[0-9]*,' sed -n 3p "$work/at.csv"
expect 0 '^12,1\.25,' sed -n 5p "$work/at.csv"
expect 0 '"at": true' cat "$work/at.csv.json"
true_that 'five rows' test "$(wc -l <"$work/at.csv")" -eq 6
true_that 'a row at the end of a step' test "$(sed -n 4p "$work/at.csv")" = "$(sed -n 7p "$work/all.csv")"
# The row at 1.25 is that of a run whose last step is shorter.
printf '# times\n0.05, 1.25\n7\n' >"$work/times"
expect 0 '' "$sw" run $ringing --no-events --at "@$work/times" --out "$work/file.csv" --quiet
true_that 'the same row' test "$(sed -n 3p "$work/file.csv")" = "$(sed -n 5p "$work/at.csv")"
expect 0 '' "$sw" run $ringing --no-events --steps 12 --save-state "$work/twelve.npy" --quiet
expect 0 '' "$sw" run $ringing --no-events --init-file "$work/twelve.npy" --step 0.05 --steps 1 --out "$work/short.csv" --quiet
true_that 'the same state' test "$(tail -1 "$work/short.csv" | cut -d, -f3 | cut -c-16)" = "$(sed -n 5p "$work/at.csv" | cut -d, -f3 | cut -c-16)"
expect 0 '' "$sw" run $ringing --no-events --step -0.1 --steps 20 --at -0.25,-1.3 --out "$work/back.csv" --quiet
expect 0 '^13,-1\.3' tail -1 "$work/back.csv"
# A stop discards the times after it in the step.
expect 0 'small has ended' "$sw" run $ringing --set level=0.9 --at 1,1.85,1.86 --out "$work/at.csv"
expect 0 '^18,1\.85' tail -1 "$work/at.csv"
expect 2 '0\.2[0]*[0-9]* does not come after 0\.5' "$sw" run $ringing --at 0.5,0.2 --out "$work/no.csv"
expect 2 '31 is not within the run' "$sw" run $ringing --at 31 --out "$work/no.csv"
expect 2 "'x' is not a number" "$sw" run $ringing --at 1,x --out "$work/no.csv"
expect 2 'has no times' "$sw" run $ringing --at , --out "$work/no.csv"
expect 3 'cannot be read' "$sw" run $ringing --at "@$work/nosuch" --out "$work/no.csv"
expect 2 'needs --out' "$sw" run $ringing --at 1
expect 2 'exclude each other' "$sw" run $ringing --at 1 --every 7 --out "$work/no.csv"
expect 2 'exclude each other' "$sw" run $ringing --at 1 --checkpoint "$work/c" --out "$work/no.csv"
expect 2 'half a step earlier' "$sw" run models/pendulum.sw --method leapfrog --at 1 --out "$work/no.csv"
expect 0 '' "$sw" run models/pendulum.sw --method variational --base explicit-midpoint --at 1.234 --out "$work/v.csv" --quiet

# Other commands ignore events.
expect 0 'order' "$sw" converge $clocks --set ends=0.3 --t-end 2

# What does not apply is refused.
expect 2 'the model has no events' "$sw" run models/pendulum.sw --events "$work/no.csv"
expect 2 'the model has no events' "$sw" run models/pendulum.sw --no-events
expect 2 'exclude each other' "$sw" run $clocks --events "$work/no.csv" --no-events
expect 2 'excludes --checkpoint' "$sw" run $clocks --events "$work/no.csv" --checkpoint "$work/c"
expect 2 'excludes --project-output' "$sw" run $clocks --method shake --events "$work/no.csv" --project-output --out "$work/o.csv"
expect 2 'cannot both go to standard output' "$sw" run $clocks --events - --out -
expect 2 'needs a previous step of the same size.*--no-events' "$sw" run $clocks --method bdf2
expect 2 'half a step earlier' "$sw" run $clocks --method leapfrog
expect 0 '' "$sw" run $clocks --method bdf2 --no-events
expect 2 'same file' "$sw" run $clocks --events "$work/o.csv" --out "$work/o.csv"
true_that 'no file of a refused run' test ! -e "$work/no.csv"
finish
