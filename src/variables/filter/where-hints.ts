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

/** What other languages write before a path, and the operator that comes nearest. */
const PREFIXES: Readonly<Record<string, 'exists' | 'missing'>> = {
  ...{ no: 'missing', not: 'missing', without: 'missing', lacks: 'missing', missing: 'missing' },
  ...{ has: 'exists', with: 'exists', exists: 'exists' },
};

/** A path, and nothing else. */
const PATH = /^[^\s=!<>^~]+$/;

/** The rest of a path after its first key, and `exists` or `missing` after it: `not rack.row exists`. */
const PATH_AND_PRESENCE = /^((?:(?!\p{ID_Start})\S+)?)(?:\s*(exists|set|missing))?\s*$/iu;

/** The second word of an operator of other languages: `starts with`, `less than`, `equal to`. */
const SECOND_WORD = /^(?:with|to|than)\s+/i;

const SCALAR = /^(?:"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/su;
/** Quotes that are not those of JSON. */
const QUOTED = /^['‘’“”„«»`](.*)['‘’“”„«»`]$/su;
/** JSON's words, as other languages write them. */
const NULL = /^(?:null|none|nil|undefined)$/i;
const BOOLEAN = /^(?:true|false)$/i;

/** The entry of a table. What people write can be the name of a member of every object: `constructor`. */
const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

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

/** The beginning of a text, as a pattern of other languages: `^MX7`, `MX7%`, `MX7*`. */
const BEGINNING = /^"(?:\^(.+?)(?:\.[*+]?)?|([^%*^]+)[%*]+)"$/s;

/** A condition with an operand that may have the wildcards of other languages. */
function comparison(path: string, operator: string, operand: string): string {
  const isText = isTextOperator(operator);
  const scalar = asScalar(operand, isText);
  const [, anchored, before = anchored] = (isText && BEGINNING.exec(scalar)) || [];
  if (before !== undefined) return `${path} ^= "${before}"`;
  return `${path} ${operator} ${isText ? scalar.replace(/^"[%*]+/, '"').replace(/[%*]+"$/, '"') : scalar}`;
}

/** A number that may be meant as a version. */
const DECIMAL = /^\d+\.\d+$/;

/** A condition with an operand of which only the operator was wrong: a decimal may be the text of a version, too. */
function writeComparison(path: string, operator: string, operand: string): string {
  const form = comparison(path, operator, operand);
  const version = operand.trim();
  if (isTextOperator(operator) || !DECIMAL.test(version)) return write(form);
  return hint(`write ${path} ${operator} "${version}", or ${form} if the values are numbers`);
}

/** The hint for an unknown symbol. @param rest the text after it */
export function hintForSymbol(path: string, symbol: string, rest: string): string {
  const negated = symbol === '!' ? hintForNot(path, rest.trim()) : undefined;
  if (negated !== undefined) return negated;
  const operator = lookUp(SYMBOLS, symbol);
  if (operator === null) return ': there is no such operator, and no negation of ^= and ~=';
  return operator === undefined ? '' : writeComparison(path, operator, rest);
}

/** The hint for an unknown word. @param rest the text after it */
export function hintForWord(path: string, word: string, rest: string): string {
  const lower = word.toLowerCase();
  const presence = lookUp(PREFIXES, path.toLowerCase());
  const [, steps, operatorAfter] = (presence !== undefined && PATH_AND_PRESENCE.exec(rest)) || [];
  if (steps !== undefined && PATH.test(word + steps)) {
    const isNegated = (presence === 'missing') !== (operatorAfter?.toLowerCase() === 'missing');
    return write(`${word}${steps} ${isNegated ? 'missing' : 'exists'}`);
  }
  if (lower === 'in' || lower === 'exists' || lower === 'missing')
    return write(`${path} ${lower} ${rest}`.trim());
  if (lower === 'is') return write(hintForIs(path, rest.trim()));
  if (lower === 'not' || isNot(path)) return hintForNot(path, rest.trim());
  if (lower === 'between') return `: two conditions, with >= and <=, are a range`;
  const operator = lookUp(WORDS, lower);
  if (operator === undefined) return '';
  if (operator === 'exists' || operator === 'missing') return write(`${path} ${operator}`);
  return writeComparison(path, operator, rest.replace(SECOND_WORD, ''));
}

/** The nearest form of `<path> is <rest>`. */
function hintForIs(path: string, rest: string): string {
  const [, not, value = ''] = /^(not\s+)?(.*)$/is.exec(rest) ?? [];
  const lower = value.toLowerCase();
  const meaning = lookUp(WORDS, lower) ?? lower;
  if (meaning === 'exists' || meaning === 'missing')
    return `${path} ${(meaning === 'exists') === (not === undefined) ? 'exists' : 'missing'}`;
  const [operator, absence] = not === undefined ? ['=', 'missing'] : ['!=', 'exists'];
  return `${comparison(path, operator, value)}${lower === 'null' ? `, or ${path} ${absence}` : ''}`;
}

const isNot = (path: string): boolean => path.toLowerCase() === 'not';

/** The hint for `<path> not <rest>`. */
function hintForNot(path: string, rest: string): string {
  const lower = rest.toLowerCase();
  if (!isNot(path) && (lower === 'exists' || lower === 'set')) return write(`${path} missing`);
  if (!isNot(path) && (lower === 'missing' || lower === 'null')) return write(`${path} exists`);
  if (/^in\b/.test(lower)) return ': there is no "not in"; several conditions with != mean the same';
  return ': there is no "not"; negations are != and missing';
}

/** The hint for a condition that begins with `!`. @param rest the text from there */
export const hintForNegation = (rest: string): string => {
  const path = rest.slice(1).trim();
  return PATH.test(path) ? write(`${path} missing`) : ': there is no "!"; negations are != and missing';
};

/** The hint for an operand that is not a JSON scalar. @param before the condition before it, as it is written */
export function hintForOperand(path: string, operator: string, before: string, rest: string): string {
  const isText = isTextOperator(operator);
  if (rest === '') return hint(`for example ${path} ${operator} "text"`);
  if (rest.startsWith('[') && operator === '=') return write(`${path} in ${rest}`);
  if (rest.startsWith('[') || rest.startsWith('{'))
    return ': arrays and objects cannot be compared, but a path can lead into them';
  if (rest.startsWith('=')) return write(comparison(path, `${operator}=`, rest.slice(1)));
  if (operator === '=' && /^(?:exists|missing)\s*$/i.test(rest))
    return write(`${path} ${rest.trim().toLowerCase()}`);
  const number = isText ? undefined : numberOf(rest);
  return number === undefined
    ? wantsQuotes(rest, `${before}${asScalar(rest, isText)}`)
    : write(`${before}${number}`);
}

/** The hint for the values of `in` that are not a JSON array. */
export function hintForAlternatives(path: string, rest: string): string {
  const items = rest.trim().replace(/^[({]/, '').replace(/[)}]$/, '').split(',');
  return write(`${path} in [${items.map((item) => asScalar(item)).join(', ')}]`);
}

/** The hint for another separator than a comma. @param list the text from the bracket @param rest the text from the separator */
export const hintForSeparator = (path: string, list: string, rest: string): string =>
  /^[;|]/.test(rest) && /^\[[^"]*\]\s*$/.test(list)
    ? hintForAlternatives(path, list.trim().slice(1, -1).replace(/[;|]+/g, ','))
    : '';

/** The hint for one of the values of `in` that is not a JSON scalar. */
export function hintForAlternative(rest: string): string {
  const [text = ''] = /^[^,\]]*/.exec(rest) ?? [];
  if (text.trim() === '' || /^[[{]/.test(text)) return '';
  const number = numberOf(text.trim());
  return number === undefined ? wantsQuotes(text.trim(), asScalar(text)) : write(number);
}

/** The hint for a text without double quotes. */
function wantsQuotes(text: string, form: string): string {
  if (NULL.test(text) || BOOLEAN.test(text)) return write(form);
  const right = hint(form);
  return `: a text wants ${QUOTED.test(text) ? 'double quotes' : 'quotes'}${right}`;
}

/** A number as JSON that lacks digits beside its point, or has a plus sign: `.5`, `5.`, `+5`. Undefined for other texts. */
function numberOf(text: string): string | undefined {
  const [, minus = '', whole = '', fraction = ''] = /^(?:\+|(-))?(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole + fraction === '' || /^0\d/.test(whole)) return undefined;
  return `${minus}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The hint for a text after a whole condition. */
export function hintForRest(rest: string): string {
  if (/^(?:or\b|\|)/i.test(rest))
    return ': there is no "or"; several values of one path are written with in [ … ]';
  if (/^(?:and\b|[&,;])/i.test(rest)) return ': write each condition as a where of its own';
  return '';
}
