# SPDX-License-Identifier: BSD-3-Clause
# What the figures of docs/experiments.md share.  Each script is run from the project's root, as
# gnuplot -e "folder='DIR'" experiments/NAME.gp, reads DIR/NAME.dat of the program `experiments` and writes DIR/NAME.svg.
set terminal svg size 760,420 font "sans-serif,14" background "white"
load "codegen/report/web/style.gp"
set key outside right top samplen 2
blue = word(colours, 1)
orange = word(colours, 2)
green = word(colours, 3)
purple = word(colours, 4)
red = word(colours, 5)
