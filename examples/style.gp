# SPDX-License-Identifier: BSD-3-Clause
# The style of all figures, which is that of `sidewinder plot` and `report`.  Scripts load it from the project's root; each names its
# size, output, titles and axes.
set terminal svg size 760,420 font "sans-serif,14" background "white"
set border 3
set tics nomirror out scale 0.6
set grid lc rgb "#dddddd"
set key outside right top samplen 2
blue = "#3b82c4"
orange = "#d9812e"
green = "#3a9d6e"
purple = "#9a6fc2"
red = "#cf5b5b"
grey = "#7f8a96"
array six[6] = [blue, orange, green, purple, red, grey]
do for [i = 1:6] { set linetype i lc rgb six[i] }
