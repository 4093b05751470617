/** The shells that names can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts ask. */
export const WORDS = 'completion-words';
/** Stands in place of words where files are meant: each shell knows best how to complete these. */
export const FILES = ':files';

/**
 * What a shell reads to complete `muster`: it asks `muster` itself, and nothing that is typed is ever evaluated. They
 * are written here because those of @pnpm/tabtab for fish run what stands between quotes in the line, and those for
 * bash leave IFS changed when the program is not there.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  // Without `mapfile`: macOS has a Bash 3.2. The line goes as it stands; how its words end is up to Readline.
  bash: `# muster: completion for bash. Put  source <(muster completion bash)  into ~/.bashrc
_muster() {
  local reply line="\${COMP_LINE:0:\${COMP_POINT:-0}}" IFS=' '
  [ -n "$line" ] || line="\${COMP_WORDS[*]:0:COMP_CWORD+1}"
  COMPREPLY=()
  while IFS= read -r reply; do
    if [ "$reply" = '${FILES}' ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r reply; do
        COMPREPLY+=("$reply")
      done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      return
    fi
    COMPREPLY+=("$reply")
  done < <(muster ${WORDS} bash -- "$line" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
}
complete -F _muster muster
`,
  zsh: `#compdef muster
# muster: completion for zsh. Put  source <(muster completion zsh)  behind compinit in ~/.zshrc
_muster() {
  local line value
  local -a lines items
  lines=("\${(@f)$(muster ${WORDS} zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  [[ -n "$lines[1]" ]] || return 1
  [[ "$PREFIX" == --*=* ]] && compset -P 1 '*='
  if [[ "$lines[1]" == '${FILES}' ]]; then
    _files
    return
  fi
  for line in "$lines[@]"; do
    value="\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}"
    items+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe muster items
}
if [[ "$zsh_eval_context[-1]" == loadautofunc ]]; then
  _muster "$@"
elif whence compdef >/dev/null; then
  compdef _muster muster
fi
`,
  fish: `# muster: completion for fish. muster completion fish > ~/.config/fish/completions/muster.fish
function __muster_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines (muster ${WORDS} fish -- $words[2..-1] "$current" 2>/dev/null </dev/null)
  if test "$lines[1]" = '${FILES}'
    __fish_complete_path "$current"
  else if test (count $lines) -gt 0
    printf '%s\\n' $lines
  end
end
complete -c muster -e
complete -c muster -f -a '(__muster_complete)'
`,
};
