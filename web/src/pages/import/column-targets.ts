import { jsonText, parseJson } from '../../api/exact-json';
import { IGNORED } from './csv';

/** What a cell does to its device. */
export type CellMeaning =
  | { readonly does: 'nothing' }
  | { readonly does: 'unset' }
  | { readonly does: 'set'; readonly value: unknown };

const VARIABLE = 'variables.';

/** The cell that removes a value. */
const UNSET = '(unset)';

/** What a cell becomes in a column: variables are JSON, if the text is. See docs/api/export.md. */
export function meaningOf(target: string, cell: string): CellMeaning {
  const isVariable = target.startsWith(VARIABLE);
  if (isVariable ? cell === '' : cell.trim() === '') return { does: 'nothing' };
  if (cell === UNSET) return { does: 'unset' };
  if (!isVariable) return { does: 'set', value: cell.trim() };
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
  if (name === '' || name.startsWith(IGNORED)) return '';
  if (name.toLowerCase().startsWith(VARIABLE)) return VARIABLE + name.slice(VARIABLE.length);
  const key = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const member = members.find((one) => one === key || one === ALIASES[key]);
  return member ?? `${VARIABLE}${name.replaceAll(/\s+/g, '_')}`;
}

/** The guesses for all columns. Of several columns for one member, the first has it. */
export function guessTargets(names: readonly string[], members: readonly string[]): string[] {
  const targets = names.map((name) => guessTarget(name, members));
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
