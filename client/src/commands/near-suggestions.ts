import type { Command } from 'commander';
import { findClosest } from '../text';

/** What commander prints about an unknown option or command, with those that it takes for similar. */
const UNKNOWN =
  /^(error: unknown (?:option|command) '(--)?([^']+)')\n(?:\(Did you mean (?:one of )?(.+)\?\)\n)?$/;

/**
 * Corrects what commander prints about an unknown option or command: it suggests words that have only some letters in common (`--note`
 * for `--name`), and does not know that the command takes the value as an argument.
 * @param text any error of commander
 */
export function keepNearSuggestions(text: string, command: Command): string {
  const [, message, dashes = '', name, suggestions = ''] = UNKNOWN.exec(text) ?? [];
  if (message === undefined || name === undefined) return text;
  if (dashes !== '' && command.registeredArguments.some((argument) => argument.name() === name))
    return `${message}: it is an argument.\nUsage: ${pathOf(command)} ${command.usage()}\n`;
  const similar = suggestions.split(', ').map((word) => word.slice(dashes.length));
  const closest = findClosest(name, similar) ?? similar.find((word) => isAbbreviation(name, word));
  return closest === undefined ? `${message}\n` : `${message}\n(Did you mean ${dashes}${closest}?)\n`;
}

/** Whether a word begins with the same letter, and has the other letters in the same order: `ls` and `list`. */
function isAbbreviation(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at++;
  return at === letters.length && word.startsWith(letters.charAt(0));
}

/** `muster host create` */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
