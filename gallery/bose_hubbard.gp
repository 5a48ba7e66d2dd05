# SPDX-License-Identifier: BSD-3-Clause
# The imbalance of two wells below and above the threshold.
load "gallery/style.gp"
set title "Bosons in two wells: to and fro, or trapped by themselves"
set xlabel "time, in 1/(2 J)"
set ylabel "imbalance of the wells"
set bmargin at screen 0.33
set key at screen 0.52,0.07 center center horizontal maxcols 2
set yrange [-0.7:0.7]
U = "8 9.9 10.1 12"
array colour[4] = [blue, green, orange, red]
plot for [i = 0:3] data index i using 1:2 with lines lw 1.8 lc rgb colour[i + 1] title "U/(2 J) = " . word(U, i + 1)
