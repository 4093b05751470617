import { jsonText, parseJson } from '../../../api/exact-json';
import { LEAVES_CELL } from '../../../components/device-location';
import type { ListRow } from '../../../components/member-columns';
import { memberTitle } from '../../../components/member-title';
import { variableOf } from '../../../components/variable-column';
import { partOf, type VariablePath } from '../../../components/variable-path';
import { changed, misfitText } from './batch-operations';
import { cellKey, changesOf, isWithin, type CellEdit } from './cell-edit';
import type { LevelOption } from './cell-levels';
import { readMember, readValue, type ReadText, type TypedFormat } from './cell-text';
import { deviceOf, levelsOfCell, memberOf, resolvedPart, type CellContext } from './cell-value';
import { canHavePart } from './document-part';

/** The result of writing a text into a cell. */
export type WrittenCell =
  | {
      /** Undefined if the cell has the value already. */
      readonly edit: CellEdit | undefined;
      readonly note?: string;
    }
  | { readonly problem: string };

/** Why a cell cannot be edited; undefined if it can. */
export function readOnlyReason(context: CellContext, row: ListRow, column: string): string | undefined {
  const path = variableOf(column);
  if (!path) return memberOf(context.kind, column) ? undefined : `${memberTitle(column)} is set by Muster.`;
  const [own] = levelsOfCell(context, row, column);
  return own?.id === undefined ? undefined : targetOf(context, row, path, { ...own, id: own.id }).problem;
}

/** A level whose id is known. */
type KnownLevel = LevelOption & { readonly id: number };

/** How the text of a variable is read: `json` is the JSON of the value. */
export type CellFormat = 'json' | TypedFormat;

interface Choices {
  /** The level that was chosen. By default the device; a value that it has already is no edit then. */
  readonly level?: KnownLevel | undefined;
  /** By default `text` if the value before is a text, else `typed`. */
  readonly format?: CellFormat | undefined;
}

/** Writes a text into a cell. An empty text unsets a variable. */
export function writeCell(
  context: CellContext,
  row: ListRow,
  column: string,
  text: string,
  { level, format }: Choices = {},
): WrittenCell {
  const path = variableOf(column);
  if (!path) return writeMember(context, row, column, text);
  const [own] = levelsOfCell(context, row, column);
  const target = level ?? own;
  if (target?.id === undefined) return { problem: 'Choose a level.' };
  const { change, set, problem } = targetOf(context, row, path, { ...target, id: target.id });
  if (problem !== undefined) return { problem };
  const device = deviceOf(context, row);
  const resolved = resolvedPart(row, column);
  if (text.trim() === '') {
    if (set) return { edit: { device, column, change: { ...change, value: undefined } } };
    const source = row.explain?.[path.key]?.source;
    return level || !resolved || !source
      ? { edit: undefined }
      : {
          edit: undefined,
          note: `It has no own value: this one is that of the ${source.kind} ${source.name}.`,
        };
  }
  const read: ReadText =
    format === 'json' ? { value: parseJson(text), text } : readValue(text, resolved, format);
  if ('problem' in read) return read;
  const former = level ? set : resolved;
  if (former && jsonText(former.value) === jsonText(read.value)) return { edit: undefined };
  const edit = { device, column, change: { ...change, value: { value: read.value } } };
  return read.note === undefined ? { edit } : { edit, note: read.note };
}

/**
 * What a variable, or a part of one, is written into: what its owner sets, after the edits of the values around the part. What is
 * edited already was read then, and is written only if it is the same still: further edits of it belong to that reading.
 */
function targetOf({ edits }: CellContext, row: ListRow, path: VariablePath, level: KnownLevel) {
  const { kind, collection, id, name, own } = level;
  const owner = { kind, collection, id, name };
  const pending = changesOf(edits, owner, path.key);
  // A level belongs to many devices: only a device gets a copy of what it inherits.
  const isCopied = level.level === 'device' && !own.current;
  const { base, inherited } = pending[0] ?? {
    base: own,
    inherited: isCopied ? row.explain?.[path.key] : undefined,
  };
  const around = pending.filter(
    ({ path: { steps } }) => steps.length < path.steps.length && isWithin(path.steps, steps),
  );
  const document = changed(around, base.current ?? inherited).document;
  const owned = base.current || around.length > 0 ? document : undefined;
  return {
    change: { type: 'variable', owner, path, base, inherited } as const,
    /** What the owner sets itself of the part. */
    set: owned && partOf(owned.value, path.steps),
    problem: canHavePart(document, path.steps) ? undefined : misfitText(path, owner),
  };
}

function writeMember(context: CellContext, row: ListRow, column: string, text: string): WrittenCell {
  const { kind, locations, edits } = context;
  const member = memberOf(kind, column);
  if (!member) return { problem: `${memberTitle(column)} is set by Muster.` };
  const edited = edits.get(cellKey(row.id, 'region_id'))?.change;
  const chosen = edited?.type === 'member' ? edited.value : row.region_id;
  const region = typeof chosen === 'number' ? chosen : undefined;
  const read = readMember(member, text, { locations, region });
  if ('problem' in read) return read;
  const former: unknown = new Map<string, unknown>(Object.entries(row)).get(column);
  const isSame = (value: unknown) => jsonText(value) === jsonText(read.value);
  // A text that is missing is null, or empty.
  if (isSame(former ?? null)) return { edit: undefined };
  const pending = edits.get(cellKey(row.id, column))?.change;
  const change = {
    type: 'member',
    member: column,
    version: versionOf(context, row),
    base: pending?.type === 'member' ? pending.base : (former ?? null),
    value: read.value,
    text: read.text,
  } as const;
  const edit = { device: deviceOf(context, row), column, change };
  return column === 'region_id' && typeof row.cell_id === 'number' ? { edit, note: LEAVES_CELL } : { edit };
}

/** The version of a device that its members are written to: that of the reading before the first edit. */
function versionOf({ kind, edits }: CellContext, row: ListRow): number {
  for (const { device, change } of edits.values())
    if (change.type === 'member' && device.id === row.id && device.kind === kind.kind) return change.version;
  return row.version ?? 0;
}
