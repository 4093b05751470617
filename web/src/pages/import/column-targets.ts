import { jsonText, parseJson } from '../../api/exact-json';
import { becomesJson, becomesJsonInTexts, UNSET_CELL, type ColumnType } from '../../components/typed-text';
import { IGNORED } from './csv';

/** What a cell does to its device. */
export type CellMeaning =
  | { readonly does: 'nothing' }
  | { readonly does: 'unset' }
  | { readonly does: 'set'; readonly value: unknown };

const VARIABLE = 'variables.';
/** What the name of a column ends with whose numbers and booleans are texts. */
const TEXT = ':text';

/** Whether a column can have a type: those of variables, of which the others are ignored or have that of their member. */
export const isVariableTarget = (target: string): boolean => target.startsWith(VARIABLE);

export const variableTarget = (key: string): string => VARIABLE + key;

/** The key of the variable that a column becomes. */
export const keyOf = (target: string): string => target.slice(VARIABLE.length);

/** The name of a column for the service. */
export const columnNameOf = (target: string, kind: ColumnType['kind']): string =>
  isVariableTarget(target) && kind === 'text' ? target + TEXT : target;

/** Whether the table itself says that a column has texts. */
export const isTextColumnName = (name: string): boolean => name.endsWith(TEXT);

/** What a user entered that a column becomes: `variables.a:text` also says its type. */
export function enteredTarget(text: string): { readonly target: string; readonly kind?: ColumnType['kind'] } {
  const target = text.trim();
  return isVariableTarget(target) && isTextColumnName(target)
    ? { target: target.slice(0, -TEXT.length), kind: 'text' }
    : { target };
}

/** What a cell becomes in a column: variables are JSON, if the text is and the column has not texts. See docs/api/export.md. */
export function meaningOf(target: string, cell: string, kind: ColumnType['kind']): CellMeaning {
  const isVariable = isVariableTarget(target);
  if (isVariable ? cell === '' : cell.trim() === '') return { does: 'nothing' };
  if (cell === UNSET_CELL) return { does: 'unset' };
  if (!isVariable) return { does: 'set', value: cell.trim() };
  if (!(kind === 'text' ? becomesJsonInTexts : becomesJson)(cell)) return { does: 'set', value: cell };
  try {
    return { does: 'set', value: parseJson(cell) };
  } catch {
    return { does: 'set', value: cell };
  }
}

/** Names that spreadsheets have for members. */
const ALIASES: Readonly<Record<string, string>> = {
  hostname: 'name',
  host: 'name',
  device: 'name',
  ip: 'ip_address',
  address: 'ip_address',
  type: 'device_type',
  site: 'region',
  datacenter: 'region',
  rack: 'cell',
  tags: 'labels',
  label: 'labels',
  notes: 'note',
};

/**
 * What a column most likely becomes: the member with its name, else a variable.
 * @param members those that a table can have
 * @returns an empty text for a column without a name
 */
export function guessTarget(name: string, members: readonly string[]): string {
  if (isTextColumnName(name)) return guessTarget(name.slice(0, -TEXT.length), members);
  if (name === '' || name.startsWith(IGNORED)) return '';
  if (name.toLowerCase().startsWith(VARIABLE)) return VARIABLE + name.slice(VARIABLE.length);
  const key = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const member = members.find((one) => one === key || one === ALIASES[key]);
  return member ?? `${VARIABLE}${name.replaceAll(/\s+/g, '_')}`;
}

/**
 * The same for names that differ only in case, spaces, hyphens and underscores. The service has another rule for the keys that it
 * warns of: `name_skeleton` in similar-keys.ts.
 */
const normalizedName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/**
 * The guesses for all columns. Of several columns for one member, the first has it.
 * @param keys those of variables that are in use: a column whose name is one of them, written in another way, becomes it
 */
export function guessTargets(
  names: readonly string[],
  members: readonly string[],
  keys: readonly string[] = [],
): string[] {
  const own = names.map((name) => guessTarget(name, members));
  const [ownTargets, known] = [new Set(own), new Set(keys)];
  // Of keys that differ in this only, the first one.
  const byName = new Map(keys.toReversed().map((key) => [normalizedName(key), key]));
  const similar = own.map((target) => {
    const key =
      isVariableTarget(target) && !known.has(keyOf(target)) && byName.get(normalizedName(keyOf(target)));
    return key ? variableTarget(key) : target;
  });
  const targets = similar.map((target, i) => {
    const exactTarget = own[i] ?? '';
    const isOfOther = ownTargets.has(target) || similar.indexOf(target) !== i;
    return target !== exactTarget && isOfOther ? exactTarget : target;
  });
  return targets.map((target, i) => (targets.indexOf(target) === i ? target : ''));
}

/** What is wrong with the targets of columns; undefined if nothing is. */
export function targetsProblem(targets: readonly string[], members: readonly string[]): string | undefined {
  const used = targets.filter((target) => target !== '');
  const twice = used.find((target, i) => used.indexOf(target) !== i);
  if (twice !== undefined) return `Two columns become ${twice}.`;
  const unknown = used.find((target) => !members.includes(target) && !target.startsWith(VARIABLE));
  if (unknown !== undefined)
    return `There is no member ${jsonText(unknown)}. For a variable, enter ${VARIABLE}${unknown}.`;
  return used.includes('name') ? undefined : 'Choose the column with the name of the device.';
}
