# SPDX-License-Identifier: BSD-3-Clause
# What a step of RATTLE costs as models grow: time and memory per constraint.
# Without the water whose molecules interact, block 2: its steps cost as the square of its size.
# gnuplot -e "folder='DIR'" scaling.gp reads DIR/scaling.dat of bench_scaling and writes DIR/scaling.svg
load "examples/style.gp"
set terminal svg size 900,430 font "sans-serif,14" background "white"
set output folder . "/scaling.svg"
set datafile missing "nan"
data = folder . "/scaling.dat"
set multiplot layout 1,2
set logscale xy
set format x "10^{%T}"
set xlabel "constraints"
set xrange [50:2e6]

set ylabel "ns per constraint and step"
set yrange [10:1e5]
set key inside top left Left reverse samplen 1.5 width -3 maxrows 3 font ",11"
plot data index 0 using 2:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue title "chain", \
     data index 0 using 2:5 with linespoints pt 6 ps 0.6 dt 2 lc rgb blue title "chain, by hand", \
     data index 1 using 2:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb green title "water", \
     data index 1 using 2:5 with linespoints pt 6 ps 0.6 dt 2 lc rgb green title "water, by hand", \
     data index 3 using 2:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red title "net", \
     data index 4 using 2:4 with linespoints pt 7 ps 0.6 lw 1.5 lc rgb purple title "spin chain"

set ylabel "bytes per constraint at the peak"
set yrange [100:*]
unset key
plot data index 0 using 2:($7/$2) with linespoints pt 7 ps 0.6 lw 1.5 lc rgb blue, \
     data index 1 using 2:($7/$2) with linespoints pt 7 ps 0.6 lw 1.5 lc rgb green, \
     data index 3 using 2:($7/$2) with linespoints pt 7 ps 0.6 lw 1.5 lc rgb red, \
     data index 4 using 2:($7/$2) with linespoints pt 7 ps 0.6 lw 1.5 lc rgb purple
unset multiplot
