/** What each shell runs on Tab. The words come from `tildone __complete`, so that a script never goes stale. */
export const COMPLETION_SCRIPTS = {
  bash: `# tildone completion for bash. In ~/.bashrc:  eval "$(tildone completion bash)"
_tildone() {
  local cur=\${COMP_WORDS[COMP_CWORD]} value says
  COMPREPLY=()
  while IFS=$'\\t' read -r value says; do
    if [[ $value == :files ]]; then
      compopt -o filenames
      while read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$cur")
    elif [[ -n $value ]]; then
      COMPREPLY+=("$value")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tildone tildone`,

  zsh: `#compdef tildone
# tildone completion for zsh. In ~/.zshrc, after compinit:  eval "$(tildone completion zsh)"
_tildone() {
  local -a lines values
  local line value
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    value="\${line%%$'\\t'*}"
    if [[ $value == :files ]]; then
      _files
      return
    elif [[ -n $value ]]; then
      values+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  _describe -V tildone values
}
if [[ "\${funcstack[1]}" == _tildone ]]; then _tildone "$@"; else compdef _tildone tildone; fi`,

  fish: `# tildone completion for fish:  tildone completion fish > ~/.config/fish/completions/tildone.fish
function __tildone_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($before[1] __complete $before[2..-1] "$current" 2>/dev/null)
  for line in $lines
    if string match -q ':files*' -- $line
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c tildone -e
complete -c tildone -f -k -a '(__tildone_complete)'`,
} as const;

export type Shell = keyof typeof COMPLETION_SCRIPTS;
