# SPDX-License-Identifier: BSD-3-Clause
# Plots errors against time from the data of bench_precision, for six of its methods.  Run from the project's root:
#   gnuplot -e "folder='DIR'; model='NAME'" bench/precision.gp
# It writes DIR/work_NAME.svg.
load "examples/style.gp"
set terminal svg size 900,470 font "sans-serif,14" background "white"
set output folder."/work_".model.".svg"
file = folder."/".model.".dat"
array name[6] = ["rattle verlet", "rattle suzuki-4", "rattle kahan-li-8", "lobatto-6", "shake", "IDA"]
if (model eq "pendulum") { name[5] = "CVODE, angle" }
# The number of the block of a name; -1 if the model does not accept the method.
block(name) = int(system(sprintf("grep '^\"' %s | grep -nxF '\"%s\"' | cut -d: -f1 | grep . || echo 0", file, name))) - 1
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set yrange [1e-14:1]
set xlabel "processor time / s"
set tmargin at screen 0.93
set bmargin at screen 0.14
set multiplot
array left[3] = [0, 0.11, 0.50]
do for [column = 2:3] {
  set lmargin at screen left[column]
  set rmargin at screen left[column] + 0.27
  set ylabel (column == 2 ? model.": error of the positions at the end" : model.": largest error of H")
  if (column == 2) { unset key } else { set key at screen 0.99,0.92 top right samplen 1.5 }
  plot for [i = 1:6] block(name[i]) >= 0 ? file : "/dev/null" index (block(name[i]) >= 0 ? block(name[i]) : 0) \
    using 1:column with linespoints pt 7 ps 0.5 lw 1.5 lc i title (block(name[i]) >= 0 ? name[i] : "")
}
unset multiplot
