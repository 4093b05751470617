import { Visibility } from '../core/context/variable-keys';
import { splitJsonArray, splitJsonObject } from '../core/json/json-text';

/** Everything in a text that can be the key of a variable. */
const WORDS = /[\p{ID_Start}_][\p{ID_Continue}-]*/gu;

/** Everything in the text of operations, with its escapes, that can be the key of a variable. */
function* wordsOf(text: string): Generator<string> {
  // Whatever is escaped how often: too much is decoded rather than too little.
  const decoded = text
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+[bfnrt]/g, ' ')
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escaped) =>
      Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
    );
  for (const one of [decoded, text]) for (const [word] of one.matchAll(WORDS)) yield word;
}

/** Whether operations name a variable that is hidden from somebody. @param operations JSON text */
export function namesHidden(operations: string, visibility: Visibility): boolean {
  if (visibility.seesEverything) return false;
  for (const word of wordsOf(operations)) if (!visibility.sees(word)) return true;
  return false;
}

/** The words in operations that are private variables of the project. @param hidden its private keys and prefixes */
export function privateWords(operations: string, hidden: readonly string[]): string[] {
  if (hidden.length === 0) return [];
  const nobody = new Visibility(hidden, []);
  const words = new Set<string>();
  for (const word of wordsOf(operations)) if (!nobody.sees(word)) words.add(word);
  return [...words];
}

/**
 * The operations of a proposal as somebody may see them. An operation that may name a hidden variable, in its path, its
 * filters or its body, is shown without these. A value that is the same as a hidden key hides its operation, too.
 * @param operations an array, as JSON text
 * @returns the same
 */
export function visibleOperations(operations: string, visibility: Visibility): string {
  if (visibility.seesEverything) return operations;
  const shown = splitJsonArray(operations).map((text) => {
    if (!namesHidden(text, visibility)) return text.trim();
    const members = splitJsonObject(text);
    return `{"id":${members.get('id') ?? 'null'},"method":${members.get('method') ?? 'null'},"path":null,"body":null,"hidden":true}`;
  });
  return `[${shown.join(',')}]`;
}
