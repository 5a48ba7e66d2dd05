# SPDX-License-Identifier: BSD-3-Clause
# The colours of all pictures: `plot`, the figures and the animation of a report, the gallery and the experiments.
# They are legible on light and dark backgrounds.
colours = "#3b82c4 #d9812e #3a9d6e #9a6fc2 #cf5b5b #7f8a96"
do for [i = 1:words(colours)] { set linetype i lc rgb word(colours, i) }
set grid lc rgb "#dddddd"
