# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests that type commands as a user does: `expect` runs one and looks at what it does.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# expect CODE PATTERN COMMAND...: the exit code, and an extended regular expression that standard output and
# standard error together must contain ('' for anything).
expect() {
  local code=$1 pattern=$2 actual
  shift 2
  "$@" >"$work/output" 2>&1 </dev/null
  actual=$?
  if [ "$actual" -ne "$code" ] || { [ -n "$pattern" ] && ! grep -qE -- "$pattern" "$work/output"; }; then
    echo "FAILED: $*"
    echo "  exit code $actual (wanted $code), wanted text: $pattern; it printed:"
    head -30 "$work/output" | sed 's/^/    /'
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

# true_that NAME CONDITION...: a condition that test(1) understands.
true_that() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "FAILED: $name ($*)"
    failed=$((failed + 1))
  fi
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# What stands before the order of the states in a row of `converge`; behind it are the orders of multipliers.
# shellcheck disable=SC2034
before_order='^[0-9.e-]+ +[0-9]+( +[0-9.e-]+){2} +'
