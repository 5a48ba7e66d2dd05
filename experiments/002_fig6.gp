# SPDX-License-Identifier: BSD-3-Clause
# Paper 002, Figs. 6 and 7: the motion of the first atom of seven, and the energy.
load "examples/style.gp"
set terminal svg size 900,430 font "sans-serif,14" background "white"
set output folder . "/002_fig6.svg"
data = folder . "/002_fig6.dat"
set multiplot layout 1,2
set title "Fig. 6: the first atom, t = 0 to 200"
set xlabel "x"
set ylabel "y"
set size ratio -1
unset key
plot data index 0 using 2:3 with lines lw 0.7 lc rgb blue, \
     data index 1 using 2:3 with lines lw 1 lc rgb red
set title "Fig. 7: H"
set size noratio
set xlabel "t"
set ylabel "H"
set key inside center right
set xtics 50
set yrange [-1.26:-1.18]
plot data index 0 using 1:4 with lines lw 0.7 lc rgb blue title "RATTLE", \
     data index 1 using 1:4 with lines lw 1 lc rgb red title "BDF2"
unset multiplot
