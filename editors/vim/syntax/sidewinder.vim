" SPDX-License-Identifier: BSD-3-Clause
" Vim syntax of sidewinder's model files, docs/language.md.
if exists("b:current_syntax")
  finish
endif

syntax keyword swStatement model size set param coord algebraic let hamiltonian lagrangian constraint observe invariant force input event bath init run
syntax keyword swPart velocity momentum where in bracket multiplier impulse
syntax keyword swOperator sum product and or not if then else
syntax keyword swConstant pi inf
syntax keyword swFunction sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max mod
syntax match swNumber "\<\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\>"
syntax region swTitle start=+"+ end=+"+ oneline
syntax match swComment "#.*$" contains=swTodo,@Spell
syntax keyword swTodo contained TODO FIXME

highlight default link swStatement Statement
highlight default link swPart Keyword
highlight default link swOperator Operator
highlight default link swConstant Constant
highlight default link swFunction Function
highlight default link swNumber Number
highlight default link swTitle String
highlight default link swComment Comment
highlight default link swTodo Todo
setlocal commentstring=#\ %s

let b:current_syntax = "sidewinder"
