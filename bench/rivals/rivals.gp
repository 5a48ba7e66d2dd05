# SPDX-License-Identifier: BSD-3-Clause
# Plots the data of rivals.py.  Run from the project's root:
#   gnuplot -e "folder='DIR'" bench/rivals/rivals.gp
# It writes DIR/rivals.svg, DIR/rivals_tolerance.svg and DIR/rivals_water.svg.
load "examples/style.gp"
set terminal svg size 980,1000 font "sans-serif,12" background "white"
set output folder."/rivals.svg"
file = folder."/ratios.dat"
stats file using 1 nooutput
set xlabel "in units of the step by hand: median, quartiles"
set logscale x
set format x "%g"
unset grid
set grid xtics lc rgb "#dddddd"
set yrange [STATS_max + 0.7:0.3]
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb grey
set key at screen 0.6,0.98 horizontal center Left reverse samplen 1
set lmargin 45
set tmargin 4
plot file using ($5 == 0 ? $2 : NaN):1:3:4:ytic(6) with xerrorbars pt 7 ps 0.6 lc rgb "#000000" title "by hand", \
     file using ($5 == 1 ? $2 : NaN):1:3:4:ytic(6) with xerrorbars pt 7 ps 0.6 lc rgb blue title "sidewinder", \
     file using ($5 == 2 ? $2 : NaN):1:3:4:ytic(6) with xerrorbars pt 7 ps 0.6 lc rgb red title "other programs"

reset
load "examples/style.gp"
set logscale xy
set format x "10^{%T}"
set format y "%g"
set xlabel "largest error of a squared bond length at the end"
set ylabel "ns per step"
water = folder."/tolerance_water.dat"
coil = folder."/tolerance_coil.dat"
# The curves are in the order of CURVES of rivals.py.  Dashed: mixed precision.

set terminal svg size 980,560 font "sans-serif,12" background "white"
set output folder."/rivals_tolerance.svg"
set xrange [1:1e-16]
set yrange [20:10000]
set bmargin 9
set key at graph 0.5,-0.2 top center Left reverse maxrows 3 samplen 2 font ",11"
array colour[6] = ["#000000", blue, red, red, orange, orange]
array dash[6] = [1, 1, 1, 2, 1, 2]
set multiplot layout 1,2
set title "iterations: a rigid water molecule"
plot for [i=1:6] water index i-1 using 1:2:3:4 with yerrorlines lc rgb colour[i] dt dash[i] pt 8-dash[i] ps 0.6 title columnheader(1)
set title "iterations: a node of a coil of 1000"
plot for [i=1:6] coil index i-1 using 1:2:3:4 with yerrorlines lc rgb colour[i] dt dash[i] pt 8-dash[i] ps 0.6 title columnheader(1)
unset multiplot

set terminal svg size 860,420 font "sans-serif,12" background "white"
set output folder."/rivals_water.svg"
set xrange [1e-3:1e-15]
set yrange [20:1000]
set bmargin -1
set key outside right top Left reverse maxrows 6
set title "methods for three bonds: a rigid water molecule"
array colour[6] = [blue, grey, purple, purple, green, red]
array dash[6] = [1, 1, 1, 2, 1, 1]
plot for [i=1:6] water index (i == 1 ? 1 : i+4) using 1:2:3:4 with yerrorlines lc rgb colour[i] dt dash[i] pt 8-dash[i] ps 0.6 title columnheader(1)
