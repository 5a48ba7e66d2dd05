# SPDX-License-Identifier: BSD-3-Clause
# A chain of 1000 nodes that swings: its shape at t = 0, 0.2, ..., 1.
# gnuplot -e "folder='DIR'" chain.gp reads DIR/chain.dat (demo.sh) and writes DIR/chain.svg
load "examples/style.gp"
set terminal svg size 720,430 font "sans-serif,14" background "white"
set output folder . "/chain.svg"
set title "RATTLE, N = 1000, h = 10^{-4}: hanging, the free end at speed 5"
set xlabel "x"
set ylabel "z"
set size ratio -1
set xrange [-0.6:1]
set yrange [-1.05:0.05]
set palette defined (0 blue, 1 red)
unset colorbox
plot for [i = 0:10:2] folder . "/chain.dat" index i every 5 using 1:2 with lines lw 1.5 \
  lc palette frac i/10.0 title sprintf("t = %.1f", i/10.0)
