# SPDX-License-Identifier: BSD-3-Clause
# What the figures of docs/experiments.md share.  Each script is run from the project's root, as
# gnuplot -e "folder='DIR'" experiments/NAME.gp, reads DIR/NAME.dat of the program `experiments` and writes DIR/NAME.svg.
set terminal svg size 760,420 font "sans-serif,14" background "white"
set grid lc rgb "#dddddd"
set key outside right top samplen 2
blue = "#1f77b4"
orange = "#ff7f0e"
green = "#2ca02c"
red = "#d62728"
purple = "#9467bd"
