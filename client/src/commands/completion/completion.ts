import { Argument, Command } from 'commander';
import { print } from '../../output/console';
import { FILES, type Suggestion, suggestionsFor } from './suggestions';
import { EXIT } from '../../cli-error';
import { typedInBash, typedWords, type Quote, type Typed } from './completion-context';

/** `muster completion` */
export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'whose').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      await print(scripts[shell]);
    });
}

const HELP = `
For bash, in ~/.bashrc:             source <(muster completion bash)
For zsh, in ~/.zshrc, after compinit: source <(muster completion zsh)
For fish, once:                     muster completion fish > ~/.config/fish/completions/muster.fish`;

/** The shells that names can be completed in. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts ask. */
const WORDS = 'completion-words';
/**
 * What a shell reads to complete `muster`: it asks `muster` itself, and nothing that is typed is ever evaluated. They
 * are written here because those of @pnpm/tabtab for fish run what stands between quotes in the line, and those for
 * bash leave IFS changed when the program is not there.
 */
const scripts: Readonly<Record<Shell, string>> = {
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

/** What the scripts of shells ask when somebody presses a key. It says nothing but words, and never fails. */
export function completionWordsCommand(): Command {
  return new Command(WORDS)
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .argument('[words...]')
    .action(async (shell: Shell, words: string[], _, command: Command) => {
      const typed = shell === 'bash' ? typedInBash(words[0] ?? '', words[1] ?? '') : typedWords(words);
      if (!typed) return;
      const found = await suggestionsFor(rootOf(command), typed.words, typed.current).catch(() => {
        // Who presses a key has asked nothing: that nobody answers, or that there is no key, is no matter then.
        return [];
      });
      if (found === FILES) await print(`${FILES}\n`);
      else
        await print(
          found
            .filter(isOneLine)
            .flatMap((one) => textOf(shell, one, typed) ?? [])
            .map((text) => `${text}\n`)
            .join(''),
        );
      // A connection that is still being made would keep the program.
      process.exit(EXIT.done);
    });
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

/** A name with a line break or an escape in it cannot be typed. */
const isOneLine = ({ value }: Suggestion): boolean => !/\p{Cc}/u.test(value);

/** A suggestion as a shell takes it: the whole word, or what it replaces of it; undefined where it cannot stand. */
function textOf(
  shell: Shell,
  { value, description = '' }: Suggestion,
  { current, kept, quote }: Typed,
): string | undefined {
  if (shell === 'bash') return inBash(value.slice(kept), quote);
  const told = description.replace(/\p{Cc}+/gu, ' ');
  // zsh is told that what is in front of the value stays.
  const whole = shell === 'zsh' && current.startsWith('--') ? value.replace(/^--[^=]*=/, '') : value;
  return `${whole}\t${told}`;
}

/** Readline puts in what it is given as it stands, also between quotes: whatever Bash would obey there is escaped. */
function inBash(text: string, quote: Quote): string | undefined {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '') return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&');
  // Between double quotes nothing keeps the history from being put in place of it.
  return text.includes('!') ? undefined : text.replace(/[$`"\\]/g, '\\$&');
}
