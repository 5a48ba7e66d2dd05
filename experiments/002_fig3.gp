# SPDX-License-Identifier: BSD-3-Clause
# Paper 002, Figs. 3 and 4: errors and energy errors at t = 10.
load "examples/style.gp"
set terminal svg size 900,430 font "sans-serif,14" background "white"
set output folder . "/002_fig3.svg"
stiff = folder . "/002_fig3.dat"
soft = folder . "/002_fig3_soft.dat"
set multiplot layout 1,2
set logscale xy
set format y "10^{%T}"
set xlabel "h"
set key inside bottom right font ",11"
set xrange [0.002:0.2]
set ylabel "error"
set title "Fig. 3: error at t = 10"
plot stiff using 1:3 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red title "BDF2, {/Symbol k} = 1", \
     stiff using 1:2 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "RATTLE, {/Symbol k} = 1", \
     soft using 1:3 with linespoints pt 6 ps 0.6 dt 2 lc rgb red title "BDF2, {/Symbol k} = 0.2", \
     soft using 1:2 with linespoints pt 6 ps 0.6 dt 2 lc rgb blue title "RATTLE, {/Symbol k} = 0.2"
unset key
set ylabel "|H - H_0|"
set title "Fig. 4: |H - H_0| at t = 10"
plot stiff using 1:5 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red, \
     stiff using 1:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue, \
     soft using 1:5 with linespoints pt 6 ps 0.6 dt 2 lc rgb red, \
     soft using 1:4 with linespoints pt 6 ps 0.6 dt 2 lc rgb blue
unset multiplot
