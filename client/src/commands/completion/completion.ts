import { Argument, Command } from 'commander';
import { EXIT } from '../../cli-error';
import { splitBashLine, splitWords, type Quote, type TypedLine } from './completion-context';
import { FILES, suggestionsFor, type Suggestion } from './suggestions';
import { print } from '../../output/console';

/** `muster completion` */
export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell to print a script for').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      await print(scripts[shell]);
    });
}

const HELP = `
For bash, in ~/.bashrc:             source <(muster completion bash)
For zsh, in ~/.zshrc, after compinit: source <(muster completion zsh)
For fish, once:                     muster completion fish > ~/.config/fish/completions/muster.fish`;

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts call. */
const WORDS_COMMAND = 'completion-words';

/**
 * The completion scripts, which call `muster` and never evaluate typed text. They are our own because the scripts of
 * @pnpm/tabtab execute quoted text in fish, and leave IFS changed in Bash if the program is missing.
 */
const scripts: Readonly<Record<Shell, string>> = {
  // Without `mapfile`, because macOS has Bash 3.2. Passes the unsplit line, because Readline splits words differently.
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
  done < <(muster ${WORDS_COMMAND} bash -- "$line" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
}
complete -F _muster muster
`,
  zsh: `#compdef muster
# muster: completion for zsh. Put  source <(muster completion zsh)  behind compinit in ~/.zshrc
_muster() {
  local line value
  local -a lines items
  lines=("\${(@f)$(muster ${WORDS_COMMAND} zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
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
  set -l lines (muster ${WORDS_COMMAND} fish -- $words[2..-1] "$current" 2>/dev/null </dev/null)
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

/** The command that completion scripts call. It prints suggestions only, and never fails. */
export function completionWordsCommand(): Command {
  return new Command(WORDS_COMMAND)
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .argument('[words...]')
    .action(async (shell: Shell, words: string[], _, command: Command) => {
      const typed = shell === 'bash' ? splitBashLine(words[0] ?? '', words[1] ?? '') : splitWords(words);
      if (!typed) return;
      const found = await suggestionsFor(rootCommand(command), typed.words, typed.current).catch(() => {
        // A missing key or an unavailable service must not print errors while the user is typing.
        return [];
      });
      if (found === FILES) await print(`${FILES}\n`);
      else
        await print(
          found
            .filter(isSingleLine)
            .flatMap((one) => shellText(shell, one, typed) ?? [])
            .map((text) => `${text}\n`)
            .join(''),
        );
      // A pending connection would keep the process alive.
      process.exit(EXIT.success);
    });
}

const rootCommand = (command: Command): Command => (command.parent ? rootCommand(command.parent) : command);

/** A name with control characters cannot be typed. */
const isSingleLine = ({ value }: Suggestion): boolean => !/\p{Cc}/u.test(value);

/** A suggestion in the syntax of a shell; undefined if it cannot be used at the cursor. */
function shellText(
  shell: Shell,
  { value, description = '' }: Suggestion,
  { current, keptLength, quote }: TypedLine,
): string | undefined {
  if (shell === 'bash') return bashText(value.slice(keptLength), quote);
  const help = description.replace(/\p{Cc}+/gu, ' ');
  // zsh keeps the part before the value itself.
  const word = shell === 'zsh' && current.startsWith('--') ? value.replace(/^--[^=]*=/, '') : value;
  return `${word}\t${help}`;
}

/** Readline inserts suggestions literally, so special characters are escaped. */
function bashText(text: string, quote: Quote): string | undefined {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '') return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&');
  // History expansion cannot be escaped within double quotes.
  return text.includes('!') ? undefined : text.replace(/[$`"\\]/g, '\\$&');
}
