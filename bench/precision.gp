# SPDX-License-Identifier: BSD-3-Clause
# Plots errors against time from the data of bench_precision.  Run from the project's root:
#   gnuplot -e "folder='DIR'; model='NAME'" bench/precision.gp
# It writes DIR/work_NAME.svg.
set terminal svg size 980,470 font "sans-serif,13" background "white"
set output folder."/work_".model.".svg"
file = folder."/".model.".dat"
stats file using 1:2 nooutput
set grid lc rgb "#dddddd"
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set yrange [1e-14:1]
colours = "#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #17becf #bcbd22 #393b79 #ad494a #31a354 #756bb1 #636363 #000000 #969696"
set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.12
set label 1 model.": errors against processor time in seconds" at screen 0.07,0.96
set key off
set lmargin at screen 0.07
set rmargin at screen 0.41
set title "positions at the end"
plot for [i=0:STATS_blocks-2] file index i using 1:2 with linespoints lc rgb word(colours, i % 16 + 1) pt (i % 13) + 1 ps 0.5 title columnheader(1)
unset label 1
set key at screen 0.995,0.86 top right samplen 1.5
set lmargin at screen 0.46
set rmargin at screen 0.79
set title "H on the way"
plot for [i=0:STATS_blocks-2] file index i using 1:3 with linespoints lc rgb word(colours, i % 16 + 1) pt (i % 13) + 1 ps 0.5 title columnheader(1)
unset multiplot
