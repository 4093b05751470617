import { isScalar, jsonText, parseJson } from '../../../api/exact-json';
import type { Locations } from '../../../api/locations';
import type { MemberDescription } from '../../../components/member-description';
import { becomesJson, isAmbiguousScalar, losesCharacters } from '../../../components/typed-text';
import type { Part } from './document-part';

/** What a text that was typed or pasted becomes. */
export type ReadText =
  | {
      readonly value: unknown;
      /** The value as a list shows it. */
      readonly text: string;
      /** What the user may not expect: a text instead of a number. */
      readonly note?: string;
    }
  | { readonly problem: string };

const parsed = (text: string): Part => (becomesJson(text) ? { value: parseJson(text) } : undefined);

/** What a value is, in words: `a number`. */
export function typeText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'boolean') return 'true or false';
  if (isScalar(value)) return 'a number';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Whether a text could be a number, true, false or null, or the text itself. */
export const isAmbiguous = (text: string): boolean => isAmbiguousScalar(text) || text.trim() === 'null';

/**
 * How a text that was typed or pasted is read. `text`: a number, true, false or null is a text. `typed`: it is the value that it
 * looks like.
 */
export type TypedFormat = 'text' | 'typed';

/** The format of a text that replaces a value: what was a text stays one. */
export const defaultFormat = (former: Part): TypedFormat =>
  typeof former?.value === 'string' ? 'text' : 'typed';

/**
 * Reads the value of a variable: JSON, or a bare text. What was a text stays one, unless the text is JSON in quotes or brackets.
 * @param former the value before
 */
export function readValue(text: string, former: Part, format = defaultFormat(former)): ReadText {
  const trimmed = text.trim();
  const isText = format === 'text';
  if (typeof former?.value === 'boolean' && !isText && /^(true|false)$/i.test(trimmed))
    return found(trimmed.toLowerCase() === 'true');
  // Also a number that would be a text if it were new: 1.0.
  if (former && !isText && trimmed === jsonText(former.value)) return found(former.value);
  const known = parsed(trimmed);
  if (known && !(isText && isAmbiguous(trimmed))) return found(known.value, noteOf(known.value, former));
  const isExpected = typeof former?.value === 'string' || isText;
  const reason = losesCharacters(trimmed) ? LOST_CHARACTERS : 'A text: it is not JSON.';
  return found(trimmed, noteOf(trimmed, former) ?? (isExpected ? undefined : reason));
}

const LOST_CHARACTERS = 'A text: a number would lose its last digits, or be written differently.';

const found = (value: unknown, note?: string): ReadText => ({
  value,
  text: typeof value === 'string' ? value : jsonText(value),
  ...(note === undefined ? {} : { note }),
});

function noteOf(value: unknown, former: Part): string | undefined {
  if (!former || former.value === null) return undefined;
  const [now, before] = [typeText(value), typeText(former.value)];
  return now === before ? undefined : `Now ${now}. It was ${before}.`;
}

/** A value as the text of an editor, which `readValue` reads back. */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return jsonText(value);
  const read = readValue(value, { value });
  return 'value' in read && read.value === value && value !== '' ? value : jsonText(value);
}

/** The locations of a project, and the region whose cells are meant. */
interface Context {
  readonly locations: Pick<Locations, 'regions' | 'cells'>;
  readonly region: number | undefined;
}

const TRUE = new Set(['true', 'yes', 'active', '1']);
const FALSE = new Set(['false', 'no', 'inactive', '0']);

/** Reads the value of a member: references by their names. */
export function readMember(member: MemberDescription, text: string, context: Context): ReadText {
  const { name, type, nullable = false, refersTo } = member;
  const trimmed = text.trim();
  if (trimmed === '' && type !== 'labels')
    return nullable ? { value: null, text: '' } : { problem: 'It cannot be empty.' };
  if (refersTo !== undefined) return readReference(refersTo, trimmed, context);
  switch (type) {
    case 'labels': {
      const labels = trimmed.split(',').map((label) => label.trim());
      const value = labels.filter((label) => label !== '').join(',');
      return { value, text: value.replaceAll(',', ', ') };
    }
    case 'boolean': {
      const word = trimmed.toLowerCase();
      if (!TRUE.has(word) && !FALSE.has(word)) return { problem: `${trimmed} is neither true nor false.` };
      const value = TRUE.has(word);
      return { value, text: name === 'active' ? (value ? 'active' : 'inactive') : String(value) };
    }
    case 'integer': {
      if (!/^-?\d{1,15}$/.test(trimmed)) return { problem: `${trimmed} is no whole number.` };
      return { value: Number(trimmed), text: trimmed };
    }
    default:
      return { value: trimmed, text: trimmed };
  }
}

function readReference(refersTo: string, text: string, { locations, region }: Context): ReadText {
  if (refersTo === 'region') {
    const one = locations.regions.find(({ name }) => name === text);
    return one ? { value: one.id, text } : { problem: `There is no region ${text}.` };
  }
  const inRegion = locations.regions.find(({ id }) => id === region)?.name ?? '';
  // Lists show a cell behind its region.
  const one = locations.cells.find(
    ({ name, region_id }) => region_id === region && (name === text || `${inRegion}/${name}` === text),
  );
  return one ? { value: one.id, text } : { problem: `There is no cell ${text} in the region.` };
}
