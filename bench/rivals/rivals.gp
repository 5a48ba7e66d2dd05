# SPDX-License-Identifier: BSD-3-Clause
# Plots the data of rivals.py.  Run from the project's root:
#   gnuplot -e "folder='DIR'" bench/rivals/rivals.gp
# It writes DIR/rivals.svg and DIR/rivals_tolerance.svg.
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
set terminal svg size 980,560 font "sans-serif,12" background "white"
set output folder."/rivals_tolerance.svg"
set logscale xy
set xrange [1:1e-16]
set yrange [2:10000]
set format x "10^{%T}"
set format y "%g"
set xlabel "largest error of a squared bond length at the end"
set key inside bottom left Left reverse samplen 2 font ",10"
water = folder."/tolerance_water.dat"
coil = folder."/tolerance_coil.dat"
set multiplot layout 1,2
# In the order of CURVES of rivals.py; dashed: mixed precision.
colour(i) = word(colours, i + 1)
dash(i) = int(word(dashes, i + 1))
set title "a step of a rigid water molecule, ns"
colours = "#000000 #888888 #3b82c4 #17becf #aec7e8 #cf5b5b #cf5b5b #d9812e #d9812e #9a6fc2 #9a6fc2 #3a9d6e #98df8a"
dashes = "1 1 1 1 1 1 2 1 2 1 2 1 1"
plot for [i=0:words(dashes)-1] water index i using 1:2:3:4 with yerrorlines lc rgb colour(i) dt dash(i) pt 8 - dash(i) ps 0.6 title columnheader(1)
set title "a step of a node of a coil of 1000, ns"
colours = "#000000 #3b82c4 #cf5b5b #cf5b5b #d9812e #d9812e"
dashes = "1 1 1 2 1 2"
plot for [i=0:words(dashes)-1] coil index i using 1:2:3:4 with yerrorlines lc rgb colour(i) dt dash(i) pt 8 - dash(i) ps 0.6 title columnheader(1)
unset multiplot
