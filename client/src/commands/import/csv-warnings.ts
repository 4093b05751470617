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

/** A column of a variable with a new value of another type than elsewhere: `6.8` is a number, and others are texts. */
interface UnusualType {
  /** Of the first such value. */
  readonly position: SourcePosition;
  readonly key: string;
  readonly cell: string;
  /** Its type. */
  readonly type: string;
}

/** A column of a variable that is set nowhere, and whose key is easily mistaken for another one. */
interface SimilarKey {
  readonly key: string;
  readonly similarTo: string;
}

/**
 * Likely mistakes in a CSV file: ignored empty cells, changed types, columns of another type than elsewhere, and those of variables
 * that are easily mistaken for others.
 */
export interface CsvWarnings {
  /** The number of empty cells where devices have values. */
  readonly ignoredEmptyCells: number;
  readonly typeChangesTotal: number;
  /** The first of them. */
  readonly typeChanges: readonly TypeChange[];
  readonly unusualTypes: readonly UnusualType[];
  readonly similarKeys: readonly SimilarKey[];
}

/** How many changes of types are kept, as in one response. */
const MAX_TYPE_CHANGES = 100;

/** Reads the keys in a response that are easily mistaken for others; none if the import was not a CSV file. */
export const parseSimilarKeys = (similarKeys: unknown): readonly SimilarKey[] =>
  (Array.isArray(similarKeys) ? similarKeys : [])
    .map(asObject)
    .map(({ key, similar_to: similarTo }) => ({ key: String(key), similarTo: String(similarTo) }));

/** Reads the warnings in a summary; undefined if the import was not a CSV file. */
export function parseCsvWarnings(
  {
    ignored_empty_cells: ignoredEmptyCells,
    type_changes_total: typeChangesTotal,
    type_changes: typeChanges,
    unusual_types: unusualTypes,
    similar_keys: similarKeys,
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
    unusualTypes: (Array.isArray(unusualTypes) ? unusualTypes : [])
      .map(asObject)
      .map(({ line, key, cell, type }) => ({
        position: positionOf(toNumber(line)),
        key: String(key),
        cell: String(cell),
        type: String(type),
      })),
    similarKeys: parseSimilarKeys(similarKeys),
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
      unusualTypes: [...one.unusualTypes, ...other.unusualTypes].filter(
        ({ key }, i, all) => all.findIndex((column) => column.key === key) === i,
      ),
      similarKeys: [...one.similarKeys, ...other.similarKeys].filter(
        ({ key }, i, all) => all.findIndex((column) => column.key === key) === i,
      ),
    },
  };
}

/** The warnings as messages. At most `maxShown` changes of types are listed. */
export function csvWarningLines(
  { ignoredEmptyCells, typeChangesTotal, typeChanges, ...columns }: CsvWarnings,
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
    ...textColumnsHint(typeChanges.slice(0, maxShown)),
    ...columnWarnings(columns, maxShown).map((line) => `Warning: ${line}`),
    ...(ignoredEmptyCells > 0
      ? [
          `${pluralize(ignoredEmptyCells, 'empty cell')} ${isDryRun ? 'would change' : 'changed'} nothing: write (unset) to remove a value.`,
        ]
      : []),
  ];
}

/** How texts stay texts, if some would not. */
function textColumnsHint(typeChanges: readonly TypeChange[]): string[] {
  const keys = new Set(
    typeChanges.filter(({ before, after }) => before === 'string' && after !== before).map(({ key }) => key),
  );
  const names = [...keys].map((key) => `variables.${key}:text`);
  return names.length === 0 ? [] : [escapeControl(`For texts, name the column ${names.join(', ')}.`)];
}

/** The columns with values of another type than elsewhere, and those whose keys are easily mistaken for others, as sentences. */
export const columnWarnings = (
  { unusualTypes, similarKeys }: Pick<CsvWarnings, 'unusualTypes' | 'similarKeys'>,
  maxShown: number,
): string[] => [
  ...similarKeys.slice(0, maxShown).map(similarKeyLine),
  ...(similarKeys.length > maxShown
    ? [`${String(similarKeys.length - maxShown)} more keys are easily mistaken for others.`]
    : []),
  ...unusualTypes.slice(0, maxShown).map(unusualTypeLine),
  ...(unusualTypes.length > maxShown
    ? [`${String(unusualTypes.length - maxShown)} more columns have values of another type than others.`]
    : []),
];

const similarKeyLine = ({ key, similarTo }: SimilarKey): string =>
  escapeControl(
    `variables.${key} would be a new variable. Did you mean ${similarTo}? Then name the column variables.${similarTo}.`,
  );

function unusualTypeLine({ position, key, cell, type }: UnusualType): string {
  const value = `variables.${key}: ${cell} (${positionText(position)})`;
  return escapeControl(
    type === 'string'
      ? `${value} is a text, but others are numbers or booleans.`
      : `${value} is a ${type}, but others are texts. If it is a text, name the column variables.${key}:text.`,
  );
}

/** The warnings as members of the JSON output. */
export const csvWarningMembers = ({
  ignoredEmptyCells,
  typeChangesTotal,
  typeChanges,
  unusualTypes,
  similarKeys,
}: CsvWarnings): object => ({
  ignored_empty_cells: ignoredEmptyCells,
  type_changes_total: typeChangesTotal,
  type_changes: typeChanges.map(({ position, ...rest }) => ({ ...position, ...rest })),
  unusual_types: unusualTypes.map(({ position, ...rest }) => ({ ...position, ...rest })),
  similar_keys: similarKeys.map(({ key, similarTo }) => ({ key, similar_to: similarTo })),
});
