# SPDX-License-Identifier: BSD-3-Clause
# Paper 004: errors at t = 1 on the spherical pendulum, of the two biases.
load "examples/style.gp"
set terminal svg size 900,430 font "sans-serif,14" background "white"
set output folder . "/004_orders.svg"
set multiplot layout 1,2 title "Errors at t = 1 of variational integrators of methods of order r"
set xlabel "h"
set ylabel "error of q"
set logscale xy
set xrange [0.01:0.13]
set yrange [1e-11:0.1]
set format y "10^{%T}"
array colour[4] = [orange, green, red, blue]
data = folder . "/004_orders.dat"
unset key
set title "bias (-1/2,1/2)"
plot for [r = 1:4] data using 1:1+r with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour[r]
set key inside bottom right
set title "bias (0,1)"
plot for [r = 1:4] data using 1:5+r with linespoints pt 7 ps 0.6 lw 1.5 lc rgb colour[r] title sprintf("r = %d", r)
unset multiplot
