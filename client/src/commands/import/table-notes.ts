import { asObject, toNumber } from '../../api/exact-json';
import { escapeControl, pluralize } from '../../output/console';
import { positionText, type SourcePosition } from './source';

/** A variable of a table whose text became a number or boolean, or the other way round. */
interface TypeChange {
  readonly position: SourcePosition;
  /** The name of the device. */
  readonly name: string;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** What a table does that the user may not have meant. */
export interface TableNotes {
  /** The number of empty cells where devices have values. */
  readonly ignoredEmptyCells: number;
  readonly typeChangesTotal: number;
  /** The first of them. */
  readonly typeChanges: readonly TypeChange[];
}

/** How many changes of types are kept, as in one response. */
const MAX_TYPE_CHANGES = 100;

/** Reads the notes in a summary; undefined if the import was no table. */
export function parseTableNotes(
  {
    ignored_empty_cells: ignoredEmptyCells,
    type_changes_total: typeChangesTotal,
    type_changes: typeChanges,
  }: Readonly<Record<string, unknown>>,
  positionOf: (line: number) => SourcePosition,
): TableNotes | undefined {
  if (ignoredEmptyCells === undefined || typeChangesTotal === undefined || !Array.isArray(typeChanges))
    return undefined;
  return {
    ignoredEmptyCells: toNumber(ignoredEmptyCells),
    typeChangesTotal: toNumber(typeChangesTotal),
    typeChanges: typeChanges.map(asObject).map(({ line, name, key, before, after }) => ({
      position: positionOf(toNumber(line)),
      name: String(name),
      key: String(key),
      before: String(before),
      after: String(after),
    })),
  };
}

/** Adds the notes of two parts of an import. */
export function addTableNotes(
  one: TableNotes | undefined,
  other: TableNotes | undefined,
): { readonly tableNotes?: TableNotes } {
  if (!one) return other ? { tableNotes: other } : {};
  if (!other) return { tableNotes: one };
  return {
    tableNotes: {
      ignoredEmptyCells: one.ignoredEmptyCells + other.ignoredEmptyCells,
      typeChangesTotal: one.typeChangesTotal + other.typeChangesTotal,
      typeChanges: [...one.typeChanges, ...other.typeChanges].slice(0, MAX_TYPE_CHANGES),
    },
  };
}

/** The notes as messages. At most `maxShown` changes of types are listed. */
export function tableNoteLines(
  { ignoredEmptyCells, typeChangesTotal, typeChanges }: TableNotes,
  isDryRun: boolean,
  maxShown: number,
): string[] {
  const shown = typeChanges
    .slice(0, maxShown)
    .map(({ position, name, key, before, after }) =>
      escapeControl(
        `  ${positionText(position)}: ${name}: ${key} ${isDryRun ? 'would change' : 'changed'} from a ${before} to a ${after}`,
      ),
    );
  const omitted = typeChangesTotal - shown.length;
  return [
    ...(typeChangesTotal > 0
      ? [
          `Warning: the types of ${pluralize(typeChangesTotal, 'value')} ${isDryRun ? 'would change' : 'changed'}:`,
        ]
      : []),
    ...shown,
    ...(omitted > 0 ? [`  and ${String(omitted)} more`] : []),
    ...(ignoredEmptyCells > 0
      ? [
          `${pluralize(ignoredEmptyCells, 'empty cell')} ${isDryRun ? 'would change' : 'changed'} nothing: write (unset) to remove a value.`,
        ]
      : []),
  ];
}

/** The notes as members of the JSON output. */
export const tableNoteMembers = ({
  ignoredEmptyCells,
  typeChangesTotal,
  typeChanges,
}: TableNotes): object => ({
  ignored_empty_cells: ignoredEmptyCells,
  type_changes_total: typeChangesTotal,
  type_changes: typeChanges.map(({ position, ...rest }) => ({ ...position, ...rest })),
});
