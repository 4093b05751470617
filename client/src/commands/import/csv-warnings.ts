import { asObject, toNumber } from '../../api/exact-json';
import { escapeControl } from '../../output/console';
import { pluralize } from '../../text';
import { positionText, type SourcePosition } from '../../files/source';

/**
 * A variable in a CSV file whose text became a number or boolean, or the other way round. If both types are the same, it is a
 * number that lost digits.
 */
interface TypeChange {
  readonly position: SourcePosition;
  /** The name of the device. */
  readonly name: string;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** Likely mistakes in a CSV file: ignored empty cells and changed types. */
export interface CsvWarnings {
  /** The number of empty cells where devices have values. */
  readonly ignoredEmptyCells: number;
  readonly typeChangesTotal: number;
  /** The first of them. */
  readonly typeChanges: readonly TypeChange[];
}

/** How many changes of types are kept, as in one response. */
const MAX_TYPE_CHANGES = 100;

/** Reads the warnings in a summary; undefined if the import was not a CSV file. */
export function parseCsvWarnings(
  {
    ignored_empty_cells: ignoredEmptyCells,
    type_changes_total: typeChangesTotal,
    type_changes: typeChanges,
  }: Readonly<Record<string, unknown>>,
  positionOf: (line: number) => SourcePosition,
): CsvWarnings | undefined {
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

/** Adds the warnings of two parts of an import. */
export function addCsvWarnings(
  one: CsvWarnings | undefined,
  other: CsvWarnings | undefined,
): { readonly csvWarnings?: CsvWarnings } {
  if (!one) return other ? { csvWarnings: other } : {};
  if (!other) return { csvWarnings: one };
  return {
    csvWarnings: {
      ignoredEmptyCells: one.ignoredEmptyCells + other.ignoredEmptyCells,
      typeChangesTotal: one.typeChangesTotal + other.typeChangesTotal,
      typeChanges: [...one.typeChanges, ...other.typeChanges].slice(0, MAX_TYPE_CHANGES),
    },
  };
}

/** The warnings as messages. At most `maxShown` changes of types are listed. */
export function csvWarningLines(
  { ignoredEmptyCells, typeChangesTotal, typeChanges }: CsvWarnings,
  isDryRun: boolean,
  maxShown: number,
): string[] {
  const shown = typeChanges.slice(0, maxShown).map(({ position, name, key, before, after }) => {
    const change = `${isDryRun ? 'would change' : 'changed'} from a ${before} to a ${after}`;
    const loss = `${isDryRun ? 'would lose' : 'lost'} digits of its number`;
    return escapeControl(`  ${positionText(position)}: ${name}: ${key} ${before === after ? loss : change}`);
  });
  const omitted = typeChangesTotal - shown.length;
  return [
    ...(typeChangesTotal > 0
      ? [
          `Warning: the types or digits of ${pluralize(typeChangesTotal, 'value')} ${isDryRun ? 'would change' : 'changed'}:`,
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

/** The warnings as members of the JSON output. */
export const csvWarningMembers = ({
  ignoredEmptyCells,
  typeChangesTotal,
  typeChanges,
}: CsvWarnings): object => ({
  ignored_empty_cells: ignoredEmptyCells,
  type_changes_total: typeChangesTotal,
  type_changes: typeChanges.map(({ position, ...rest }) => ({ ...position, ...rest })),
});
