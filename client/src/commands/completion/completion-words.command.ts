import { Argument, Command } from 'commander';
import { print } from '../../output/streams';
import { EXIT } from '../../failures';
import { FILES, SHELLS, WORDS, type Shell } from './scripts';
import { suggestionsFor, type Suggestion } from './suggestions';
import { typedInBash, typedWords, type Quote, type Typed } from './typed-line';

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
