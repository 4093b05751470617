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

/** New values in the column of a variable, either texts, or numbers and booleans. */
interface ColumnValues {
  /** Of the first such value. */
  readonly position: SourcePosition;
  readonly cell: string;
  /** Its type. */
  readonly type: string;
  readonly count: number;
}

/** A column of a variable with new values of another type than elsewhere: `6.8` is a number, and others are texts. */
interface UnusualType extends ColumnValues {
  readonly key: string;
  /** The other new values of the column; absent if only others in the project have the other type. */
  readonly others?: ColumnValues;
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
      .map(({ key, others, ...values }) => ({
        key: String(key),
        ...parseColumnValues(values, positionOf),
        ...(others === undefined ? {} : { others: parseColumnValues(asObject(others), positionOf) }),
      })),
    similarKeys: parseSimilarKeys(similarKeys),
  };
}

const parseColumnValues = (
  { line, cell, type, count }: Readonly<Record<string, unknown>>,
  positionOf: (line: number) => SourcePosition,
): ColumnValues => ({
  position: positionOf(toNumber(line)),
  cell: String(cell),
  type: String(type),
  count: toNumber(count),
});

const isText = ({ type }: ColumnValues): boolean => type === 'string';

/** Adds the values of a column in another part of an import, in which the other ones of both types can be unusual. */
function addUnusualTypes({ others, ...one }: UnusualType, other: UnusualType | undefined): UnusualType {
  const more = [other ?? [], other?.others ?? []]
    .flat()
    .map(({ position, cell, type, count }): ColumnValues => ({ position, cell, type, count }));
  const added = (values: ColumnValues): ColumnValues => ({
    ...values,
    count: values.count + (more.find((part) => isText(part) === isText(values))?.count ?? 0),
  });
  const opposite = more.find((part) => isText(part) !== isText(one));
  const addedOthers = others ? added(others) : opposite;
  return { key: one.key, ...added(one), ...(addedOthers && { others: addedOthers }) };
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
      unusualTypes: [
        ...one.unusualTypes.map((column) =>
          addUnusualTypes(
            column,
            other.unusualTypes.find(({ key }) => key === column.key),
          ),
        ),
        ...other.unusualTypes.filter(({ key }) => one.unusualTypes.every((column) => column.key !== key)),
      ],
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

function unusualTypeLine({ key, others, ...values }: UnusualType): string {
  const otherTypes = isText(values) ? 'numbers or booleans' : 'texts';
  return escapeControl(
    `variables.${key}: ${valuesText(values)}, but ${others ? valuesText(others) : `others are ${otherTypes}`}. ` +
      `A comparison finds either texts or numbers. If all are texts, name the column variables.${key}:text.`,
  );
}

/** `3 values are texts, such as 6.10 (hosts.csv, line 3)` */
function valuesText(values: ColumnValues): string {
  const { position, cell, type, count } = values;
  const example = `${cell} (${positionText(position)})`;
  if (count === 1) return `${example} is a ${isText(values) ? 'text' : type}`;
  return `${String(count)} values are ${isText(values) ? 'texts' : 'numbers or booleans'}, such as ${example}`;
}

const valuesMembers = ({ position, ...rest }: ColumnValues): object => ({ ...position, ...rest });

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
  unusual_types: unusualTypes.map(({ others, ...values }) => ({
    ...valuesMembers(values),
    ...(others && { others: valuesMembers(others) }),
  })),
  similar_keys: similarKeys.map(({ key, similarTo }) => ({ key, similar_to: similarTo })),
});
