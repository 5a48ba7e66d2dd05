# SPDX-License-Identifier: BSD-3-Clause
# The style of all figures, which is that of `sidewinder plot` and `report`.  Scripts load it from the project's root; each names its
# size, output, titles and axes.
set terminal svg size 760,420 font "sans-serif,14" background "white"
set border 3
set tics nomirror out scale 0.6
load "codegen/report/web/style.gp"
set key outside right top samplen 2
blue = word(colours, 1)
orange = word(colours, 2)
green = word(colours, 3)
purple = word(colours, 4)
red = word(colours, 5)
grey = word(colours, 6)
