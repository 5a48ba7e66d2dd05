# SPDX-License-Identifier: BSD-3-Clause
# How rounding errors of the energy grow: root mean square over 64 trajectories, and the largest |g| so far.
# gnuplot -e "folder='DIR'" long_runs.gp reads DIR/compensated.dat of bench_compensated and writes DIR/long_runs.svg
load "examples/style.gp"
set terminal svg size 900,430 font "sans-serif,14" background "white"
set output folder . "/long_runs.svg"
data = folder . "/compensated.dat"
set multiplot layout 1,2
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "steps"
set yrange [1e-17:1e-8]
set key inside top left Left reverse samplen 2 font ",11"
array title[2] = ["pendulum, h = 0.05", "hopf, h = 0.02"]
do for [i=0:1] {
  set title title[i+1]
  stats data index i using 1:4 nooutput
  first = STATS_min_x
  level = STATS_min_y
  plot data index i using 1:2 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red title "energy", \
       data index i using 1:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "energy, compensated", \
       level*sqrt(x/first) with lines dt 2 lc rgb "#555555" title "slope 1/2 (Brouwer)", \
       data index i using 1:5 with linespoints pt 6 ps 0.5 lc rgb green title "max |g|, compensated"
}
unset multiplot
