# SPDX-License-Identifier: BSD-3-Clause
# Paper 000, Fig. 1: a step of SHAKE and of RATTLE of the pendulum.
load "examples/style.gp"
set terminal svg size 620,520 font "sans-serif,14" background "white"
set output folder . "/000_fig1.svg"
data = folder . "/000_fig1.dat"
set size ratio -1
set xrange [0.3:1.3]
set yrange [-1.1:-0.2]
set xtics 0.2
set ytics 0.2
set xlabel "x"
set ylabel "y"
set key inside right bottom samplen 2
set arrow 1 from 0.3,-0.4 to 0.6,-0.8 nohead lc rgb "gray"
set parametric
set trange [-pi/2:0]
plot cos(t), sin(t) with lines lw 1 lc rgb "gray" title "circle", \
     data index 0 using 1:2 with lines lw 2 lc rgb "black" title "free fall", \
     data index 1 using 1:2:($3*0.4):($4*0.4) with vectors lw 2 lc rgb red title "momenta of z_0 and z_1^-", \
     data index 2 using 1:2:($3*0.4):($4*0.4) with vectors lw 2 lc rgb blue title "after the kicks, of z_0^+ and z_1"
