# SPDX-License-Identifier: BSD-3-Clause
# What the pictures of the gallery share.  `./dev gallery` runs gnuplot -e "folder='DIR'; name='NAME'" gallery/NAME.gp, which reads
# DIR/NAME.dat and writes DIR/NAME.svg.
load "examples/style.gp"
set encoding utf8
set terminal svg size 600,420 font "sans-serif,15" background "white"
set output folder . "/" . name . ".svg"
data = folder . "/" . name . ".dat"
grey = "#888888"
set border lc rgb grey
set tics textcolor rgb "black"
set cbtics textcolor rgb "black"
