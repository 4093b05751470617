/**
 * Hints at the end of syntax errors of `where`: the nearest right form of what users of other languages write. A hint begins
 * with `: `; without a guess, it is empty.
 */

/** Longer forms are not repeated in a hint. */
export const MAX_HINT_LENGTH = 200;

/** The operators of other languages, and the one that comes nearest. Null: there is none. */
const SYMBOLS: Readonly<Record<string, string | null>> = {
  ...{ '==': '=', '===': '=', ':': '=', ':=': '=', '<>': '!=', '!==': '!=', '=!': '!=' },
  ...{ '=<': '<=', '=>': '>=', '=^': '^=', '^': '^=', '^~': '^=', '^@': '^=' },
  ...{ '~': '~=', '=~': '~=', '~*': '~=', '*=': '~=', '~~': '~=', '=*': '~=', '@>': '~=', '=%': '~=' },
  ...{ '$=': null, '!~': null, '!~=': null, '!^=': null, '!=~': null, '!*=': null },
};

/** The words of other languages, in lower case, and the operator that comes nearest. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ eq: '=', equals: '=', equal: '=', ne: '!=', neq: '!=' },
  ...{ lt: '<', le: '<=', lte: '<=', less: '<', older: '<', before: '<', under: '<', below: '<' },
  ...{ gt: '>', ge: '>=', gte: '>=', greater: '>', newer: '>', after: '>', over: '>', above: '>' },
  ...{ like: '~=', ilike: '~=', rlike: '~=', similar: '~=', contains: '~=', icontains: '~=', has: '~=' },
  ...{ includes: '~=', include: '~=', matches: '~=', match: '~=', regex: '~=', regexp: '~=' },
  ...{ startswith: '^=', starts_with: '^=', starts: '^=', start: '^=', prefix: '^=' },
  ...{ beginswith: '^=', begins_with: '^=', begins: '^=', begin: '^=' },
  ...{ exist: 'exists', set: 'exists', present: 'exists', defined: 'exists' },
  ...{ unset: 'missing', absent: 'missing', undefined: 'missing', empty: 'missing' },
};

/** The second word of an operator of other languages: `starts with`, `less than`, `equal to`. */
const SECOND_WORD = /^(?:with|to|than)\s+/i;

const SCALAR = /^(?:"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/su;
/** Quotes that are not those of JSON. */
const QUOTED = /^['‘’“”„«»`](.*)['‘’“”„«»`]$/su;
/** JSON's words, as other languages write them. */
const NULL = /^(?:null|none|nil|undefined)$/i;
const BOOLEAN = /^(?:true|false)$/i;

const hint = (text: string): string => (text.length > MAX_HINT_LENGTH ? '' : `: ${text}`);

const write = (form: string): string => hint(`write ${form}`);

const isTextOperator = (operator: string): boolean => operator === '^=' || operator === '~=';

/** An operand, as JSON. */
function asScalar(text: string, isText = false): string {
  const trimmed = text.trim();
  if (trimmed === '') return '"text"';
  if (!isText && NULL.test(trimmed)) return 'null';
  if (!isText && BOOLEAN.test(trimmed)) return trimmed.toLowerCase();
  if (SCALAR.test(trimmed) && (!isText || trimmed.startsWith('"'))) return trimmed;
  return JSON.stringify(QUOTED.exec(trimmed)?.[1] ?? trimmed);
}

/** A condition with an operand that may have the wildcards of other languages. */
function comparison(path: string, operator: string, operand: string): string {
  const isText = isTextOperator(operator);
  const scalar = asScalar(operand, isText);
  return `${path} ${operator} ${isText ? scalar.replace(/^"[%*]+/, '"').replace(/[%*]+"$/, '"') : scalar}`;
}

/** The hint for an unknown symbol. @param rest the text after it */
export function hintForSymbol(path: string, symbol: string, rest: string): string {
  const negated = symbol === '!' ? hintForNot(path, rest.trim()) : undefined;
  if (negated !== undefined) return negated;
  const operator = SYMBOLS[symbol];
  if (operator === null) return ': there is no such operator, and no negation of ^= and ~=';
  return operator === undefined ? '' : write(comparison(path, operator, rest));
}

/** The hint for an unknown word. @param rest the text after it */
export function hintForWord(path: string, word: string, rest: string): string {
  const lower = word.toLowerCase();
  if (lower === 'in' || lower === 'exists' || lower === 'missing')
    return write(`${path} ${lower} ${rest}`.trim());
  if (lower === 'is') return write(hintForIs(path, rest.trim()));
  if (lower === 'not' || path === 'not') return hintForNot(path, rest.trim());
  if (lower === 'between') return `: two conditions, with >= and <=, are a range`;
  const operator = WORDS[lower];
  if (operator === undefined) return '';
  if (operator === 'exists' || operator === 'missing') return write(`${path} ${operator}`);
  return write(comparison(path, operator, rest.replace(SECOND_WORD, '')));
}

/** The nearest form of `<path> is <rest>`. */
function hintForIs(path: string, rest: string): string {
  const [, not, value = ''] = /^(not\s+)?(.*)$/is.exec(rest) ?? [];
  const lower = value.toLowerCase();
  const meaning = WORDS[lower] ?? lower;
  if (meaning === 'exists' || meaning === 'missing')
    return `${path} ${(meaning === 'exists') === (not === undefined) ? 'exists' : 'missing'}`;
  const [operator, absence] = not === undefined ? ['=', 'missing'] : ['!=', 'exists'];
  return `${comparison(path, operator, value)}${lower === 'null' ? `, or ${path} ${absence}` : ''}`;
}

/** The hint for `<path> not <rest>`. */
function hintForNot(path: string, rest: string): string {
  const lower = rest.toLowerCase();
  if (path !== 'not' && (lower === 'exists' || lower === 'set')) return write(`${path} missing`);
  if (path !== 'not' && (lower === 'missing' || lower === 'null')) return write(`${path} exists`);
  if (/^in\b/.test(lower)) return ': there is no "not in"; several conditions with != mean the same';
  return ': there is no "not"; negations are != and missing';
}

/** The hint for an operand that is not a JSON scalar. @param before the condition before it, as it is written */
export function hintForOperand(path: string, operator: string, before: string, rest: string): string {
  const isText = isTextOperator(operator);
  if (rest === '') return hint(`for example ${path} ${operator} "text"`);
  if (rest.startsWith('[') && operator === '=') return write(`${path} in ${rest}`);
  if (rest.startsWith('[') || rest.startsWith('{'))
    return ': arrays and objects cannot be compared, but a path can lead into them';
  if (rest.startsWith('=')) return write(comparison(path, `${operator}=`, rest.slice(1)));
  return wantsQuotes(rest, `${before}${asScalar(rest, isText)}`);
}

/** The hint for the values of `in` that are not a JSON array. */
export function hintForAlternatives(path: string, rest: string): string {
  const items = rest.trim().replace(/^\(/, '').replace(/\)$/, '').split(',');
  return write(`${path} in [${items.map((item) => asScalar(item)).join(', ')}]`);
}

/** The hint for one of the values of `in` that is not a JSON scalar. */
export function hintForAlternative(rest: string): string {
  const [text = ''] = /^[^,\]]*/.exec(rest) ?? [];
  return text.trim() === '' || /^[[{]/.test(text) ? '' : wantsQuotes(text.trim(), asScalar(text));
}

/** The hint for a text without double quotes. */
function wantsQuotes(text: string, form: string): string {
  if (NULL.test(text) || BOOLEAN.test(text)) return write(form);
  const right = hint(form);
  return `: a text wants ${QUOTED.test(text) ? 'double quotes' : 'quotes'}${right}`;
}

/** The hint for a text after a whole condition. */
export function hintForRest(rest: string): string {
  if (/^(?:or\b|\|)/i.test(rest))
    return ': there is no "or"; several values of one path are written with in [ … ]';
  if (/^(?:and\b|[&,;])/i.test(rest)) return ': each condition is a parameter of its own: where=…&where=…';
  return '';
}
