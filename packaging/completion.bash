_sidewinder() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
  COMPREPLY=()
  [ "$word" = = ] && word=
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$_sidewinder_commands --help --version" -- "$word")
  elif [ "$command" = help ]; then
    mapfile -t COMPREPLY < <(compgen -W "$_sidewinder_commands" -- "$word")
  elif values=$(_sidewinder_values "$before"); then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_sidewinder_options "$command")" -- "$word")
  elif [[ $before == --* && ! $before =~ ^--(json|quiet|no-events|input-linear)$ ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -X '!*.sw' -- "$word"; compgen -d -S / -- "$word")
  fi
}
complete -o filenames -F _sidewinder sidewinder
