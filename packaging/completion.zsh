# One completion for the word under the cursor. CURRENT and words are those of zsh's completion system.
_sidewinder() {
  local before=${words[CURRENT - 1]} command=${words[2]} values
  if [[ $PREFIX == --*=* ]]; then # --method=NAME
    before=${PREFIX%%=*}
    compset -P '*='
  fi
  if (( CURRENT == 2 )); then
    compadd -- ${=_sidewinder_commands} --help --version
  elif [[ $command == help ]]; then
    compadd -- ${=_sidewinder_commands}
  elif values=$(_sidewinder_values $before); then
    compadd -- ${=values}
  elif [[ $PREFIX == -* ]]; then
    compadd -- $(_sidewinder_options $command)
  elif [[ $before == --* && ! $before =~ ^--(json|quiet|no-events|input-linear)$ ]]; then
    _files
  else
    _files -g '*.sw'
  fi
}
_sidewinder "$@"
