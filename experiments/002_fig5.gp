# SPDX-License-Identifier: BSD-3-Clause
# Paper 002, Fig. 5: energy over time.
load "examples/style.gp"
set output folder . "/002_fig5.svg"
set title "H - H_0 of six nodes, h = 0.01, {/Symbol k} = 1"
set ylabel "H - H_0"
set xlabel "t"
data = folder . "/002_fig5.dat"
plot data index 0 using 1:2 with lines lw 1.2 lc rgb blue title "RATTLE", \
     data index 1 using 1:2 with lines lw 1.2 lc rgb red title "BDF2"
