# SPDX-License-Identifier: BSD-3-Clause
# R reads what `run` writes as it is, and `run` reads what R writes.
# Usage: Rscript reads.R PROGRAMS
programs <- normalizePath(commandArgs(trailingOnly = TRUE)[1])
setwd(tempdir())
run <- function(...) {
  stopifnot(system2(file.path(programs, "chain"), c("run", "--quiet", "--size", "N=3", ...)) == 0)
}
run("--steps", "4", "--every", "1", "--out", "t.csv", "--columns", "step,t,q,tension,impulse")
t <- read.csv("t.csv")
stopifnot(names(t)[1:3] == c("step", "t", "q.1.x"), nrow(t) == 5, sapply(t, is.numeric),
          is.finite(t$tension.1), is.nan(t[1, ncol(t)]), is.finite(t[2:5, ncol(t)]))
write.csv(data.frame(mass = c(1, 2, 3)), "m.csv", row.names = FALSE, quote = FALSE)
run("--steps", "1", "--set", "m=@m.csv")
cat("R", as.character(getRversion()), "reads and is read\n")
