#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What editors and shells are told of the language and the commands is what the programs know: the completions for bash and zsh, and
# the words that Vim and VS Code colour.
# Usage: editors.sh SIDEWINDER PROGRAM COMPLETION_OF_BASH COMPLETION_OF_ZSH
set -uo pipefail
. tests/program/lib.sh
sidewinder=$1
program=$2
. "$3"

# same NAME A B: two lists of words.
same() {
  local a b
  a=$(tr -s ' \n' '\n\n' <<<"$2" | sort -u)
  b=$(tr -s ' \n' '\n\n' <<<"$3" | sort -u)
  true_that "$1" test "$a" = "$b"
  [ "$a" = "$b" ] || diff <(echo "$a") <(echo "$b")
}
options_of() { "$@" --help | grep -oE '^ {2,6}(-[a-z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'; }

for command in check generate build plot report; do
  same "options of $command" "$(_sidewinder_options $command)" "$(options_of "$sidewinder" $command)"
done
for command in run ensemble merge verify converge advise lyapunov fibre info; do
  same "options of $command" "$(_sidewinder_options $command)" "$(options_of "$program" $command) --compile-limit --data --lowering --size"
done
# The help lists a command's own options before those that other commands have too.
"$program" run -h >"$work/help"
true_that "own options first" test "$(grep -n -- --checkpoint= "$work/help" | cut -d: -f1)" -lt "$(grep -n -- --adjoint= "$work/help" | cut -d: -f1)"
same "commands" "$_sidewinder_commands" "$("$sidewinder" --help | grep -oE '^  sidewinder [a-z]+ ' | awk '{print $2}')
  $("$sidewinder" --help | sed -n '/^  sidewinder run /,/^  sidewinder plot/p' | grep -oE '\b(ensemble|merge|verify|converge|advise|lyapunov|fibre|info)\b')"

complete_as() { # words, the last one of them incomplete
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _sidewinder
  echo "${COMPREPLY[@]}"
}
same "a command" "$(complete_as sidewinder ge)" generate
same "an option" "$(complete_as sidewinder generate --al)" --always-step
same "a method" "$(complete_as sidewinder run models/hopf.sw --method lo)" lobatto
same "a base method" "$(complete_as sidewinder run models/hopf.sw --base = gauss-)" "gauss-4 gauss-6"
same "a model" "$(complete_as sidewinder check models/hopf)" "models/hopf.sw models/hopf_free.sw"
for method in $(_sidewinder_values --method); do
  expect 0 '' "$program" run --steps 1 --method "$method" --help
done
same "methods" "$(_sidewinder_values --method)" "$(sed -n '/define SW_METHODS/,/^$/p' runtime/include/sidewinder/methods.h | grep -oE '"[a-z0-9-]+"' | tr -d '"')"

# zsh, with its lists of candidates printed.
if command -v zsh >/dev/null; then
  completion_of_zsh=$4
  expect 0 '' zsh -n "$completion_of_zsh"
  zsh_complete_as() { # words, the last one of them incomplete
    zsh -f -c 'file=$1; shift
      compadd() { shift; print -l -- ${(M)@:#$PREFIX*}; }
      compset() { PREFIX=${PREFIX#*=}; }
      _files() { print files $2; }
      words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; set --; . $file' - "$completion_of_zsh" "$@"
  }
  same "zsh: a command" "$(zsh_complete_as sidewinder ge)" generate
  same "zsh: an option" "$(zsh_complete_as sidewinder generate --al)" --always-step
  same "zsh: a method" "$(zsh_complete_as sidewinder run models/hopf.sw --method lo)" lobatto
  same "zsh: a base method" "$(zsh_complete_as sidewinder run models/hopf.sw --base=gauss-)" "gauss-4 gauss-6"
  same "zsh: a model" "$(zsh_complete_as sidewinder check models/hopf)" "files *.sw"
  same "zsh: options" "$(zsh_complete_as sidewinder run models/hopf.sw --)" "$(_sidewinder_options run)"
fi

# Words of the language.
words=$(sed -n '/keyword keywords/,/};/p' codegen/language/lexer.l | grep -oE '\{"[a-z]+"' | tr -d '{"')
vim=$(grep -E '^syntax keyword sw(Statement|Part|Operator|Constant) ' editors/vim/syntax/sidewinder.vim | cut -d' ' -f4-)
code=$(python3 - <<'END'
import json, re
grammar = json.load(open("editors/vscode/syntaxes/sidewinder.tmLanguage.json"))
for pattern in grammar["patterns"]:
    re.compile(pattern["match"])
    if pattern["name"].startswith(("keyword.control", "keyword.other", "keyword.operator.word", "constant.language")):
        print(*re.search(r"\((.*?)\)", pattern["match"])[1].split("|"))
END
)
same "words that Vim knows" "$vim" "$words"
same "words that VS Code knows" "$code" "$words"
for file in editors/vscode/*.json; do
  expect 0 '' python3 -m json.tool "$file"
done
for function in $(sed -n 's/^syntax keyword swFunction //p' editors/vim/syntax/sidewinder.vim); do
  arguments=$(case $function in atan2 | min | max) echo 'q/3, 2' ;; mod) echo '5, 2' ;; *) echo 'q/3' ;; esac)
  printf 'model one\ncoord q momentum p\nhamiltonian H = p^2/2 + %s(%s)\n' "$function" "$arguments" >"$work/one.sw"
  expect 0 '' "$sidewinder" check "$work/one.sw"
done
finish
