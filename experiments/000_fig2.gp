# SPDX-License-Identifier: BSD-3-Clause
# Paper 000, Fig. 2: where SHAKE and RATTLE are on the fibres that they pass.
load "examples/style.gp"
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output folder . "/000_fig2.svg"
data = folder . "/000_fig2.dat"
set xlabel "step"
set ylabel "theta from z_k^-"
set key outside top center horizontal
set xrange [-0.5:19.5]
plot data using 1:3:(0):(-$3) with vectors nohead lw 1 lc rgb "gray" title "fibres", \
     data using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb blue title "z_k, on M^H", \
     data using 1:(0) with linespoints pt 7 ps 0.6 lw 2 lc rgb red title "z_k^-", \
     data using 1:3 with points pt 6 ps 0.8 lc rgb "black" title "z_k^+"
