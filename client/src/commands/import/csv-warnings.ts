import { LIST_OR_OBJECT_HINT, isTextSample, unusualTypeText, type UnusualReason } from '@muster/api-types';
import { asObject, toNumber, withArticle } from '../../api/exact-json';
import { escapeControl } from '../../output/console';
import { pluralize } from '../../text';
import { positionText, type SourcePosition } from '../../files/source';

/**
 * A variable in a CSV file whose text became a number or boolean, or the other way round, or whose list or object a text, number or
 * boolean replaces. If both types are the same, it is a number that lost digits.
 */
interface TypeChange {
  readonly position: SourcePosition;
  /** The name of the device. */
  readonly name: string;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** New values of one type class in a column: the first one, and their number. */
interface TypeSample {
  /** Of the first such value. */
  readonly position: SourcePosition;
  readonly cell: string;
  /** Its type. */
  readonly type: string;
  readonly count: number;
}

/** A column of a variable with new values of another type than elsewhere: `6.8` is a number, and others are texts. */
interface UnusualType extends TypeSample {
  readonly key: string;
  /** Why texts are unusual, if not because of numbers or booleans. */
  readonly reason?: UnusualReason;
  /** The other new values of the column; absent if only others in the project have the other type. */
  readonly others?: TypeSample;
  /** Whether the counts are lower bounds: a part of the import did not report the column, which had no unusual type in it yet. */
  readonly isLowerBound?: boolean;
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
      .map(({ key, others, reason, ...values }) => ({
        key: String(key),
        ...(reason === 'invalid_json' || reason === 'arrays_or_objects_elsewhere' ? { reason } : {}),
        ...parseTypeSample(values, positionOf),
        ...(others === undefined ? {} : { others: parseTypeSample(asObject(others), positionOf) }),
      })),
    similarKeys: parseSimilarKeys(similarKeys),
  };
}

const parseTypeSample = (
  { line, cell, type, count }: Readonly<Record<string, unknown>>,
  positionOf: (line: number) => SourcePosition,
): TypeSample => ({
  position: positionOf(toNumber(line)),
  cell: String(cell),
  type: String(type),
  count: toNumber(count),
});

/** Merges the samples of a column in two parts of an import. The other type can be the unusual one in the second part. */
function mergeUnusualType(one: UnusualType, other: UnusualType): UnusualType {
  const { key, reason, others: oneOthers, isLowerBound, ...sample } = one;
  const { others: otherOthers, ...otherSample } = other;
  const samples = [otherSample, otherOthers ?? []]
    .flat()
    .map(({ position, cell, type, count }): TypeSample => ({ position, cell, type, count }));
  const merged = (values: TypeSample): TypeSample => ({
    ...values,
    count: values.count + (samples.find((more) => isTextSample(more) === isTextSample(values))?.count ?? 0),
  });
  const opposite = samples.find((more) => isTextSample(more) !== isTextSample(sample));
  const others = oneOthers ? merged(oneOthers) : opposite;
  return {
    key,
    ...(reason && { reason }),
    ...merged(sample),
    ...(others && { others }),
    ...(isLowerBound && { isLowerBound }),
  };
}

/** Merges the columns of two parts of an import. */
function mergeUnusualTypes(one: readonly UnusualType[], other: readonly UnusualType[]): UnusualType[] {
  const findIn = (columns: readonly UnusualType[], { key, reason }: UnusualType) =>
    columns.find((column) => column.key === key && column.reason === reason);
  return [
    ...one.map((column) => {
      const more = findIn(other, column);
      return more ? mergeUnusualType(column, more) : { ...column, isLowerBound: true };
    }),
    ...other.filter((column) => !findIn(one, column)).map((column) => ({ ...column, isLowerBound: true })),
  ];
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
      unusualTypes: mergeUnusualTypes(one.unusualTypes, other.unusualTypes),
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
    const change = `${isDryRun ? 'would change' : 'changed'} from ${withArticle(before)} to a ${after}`;
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
    ...typeHints(typeChanges.slice(0, maxShown)),
    ...columnWarnings(columns, maxShown).map((line) => `Warning: ${line}`),
    ...(ignoredEmptyCells > 0
      ? [
          `${pluralize(ignoredEmptyCells, 'empty cell')} ${isDryRun ? 'would change' : 'changed'} nothing: write (unset) to remove a value.`,
        ]
      : []),
  ];
}

/** How texts, lists and objects stay what they are, if some would not. */
function typeHints(typeChanges: readonly TypeChange[]): string[] {
  const keys = new Set(
    typeChanges.filter(({ before, after }) => before === 'string' && after !== before).map(({ key }) => key),
  );
  const names = [...keys].map((key) => `variables.${key}:text`);
  const hasDocuments = typeChanges.some(({ before }) => before === 'array' || before === 'object');
  return [
    ...(names.length === 0 ? [] : [escapeControl(`For texts, name the column ${names.join(', ')}.`)]),
    ...(hasDocuments ? [`${LIST_OR_OBJECT_HINT}.`] : []),
  ];
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

function unusualTypeLine({ key, reason, others, isLowerBound = false, ...sample }: UnusualType): string {
  const text = unusualTypeText<TypeSample>(sample, others, reason, {
    exampleOf: ({ cell, position }) => `${cell} (${positionText(position)})`,
    countOf: ({ count }) => `${isLowerBound ? 'at least ' : ''}${pluralize(count, 'value')}`,
  });
  const comparison = reason ? '' : ' A comparison finds either texts or numbers.';
  const hint =
    reason === 'arrays_or_objects_elsewhere'
      ? ''
      : ` If all are texts, name the column variables.${key}:text.`;
  return escapeControl(`variables.${key}: ${text}.${comparison}${hint}`);
}

const sampleMembers = ({ position, ...rest }: TypeSample): object => ({ ...position, ...rest });

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
  unusual_types: unusualTypes.map(({ key, reason, others, isLowerBound, position, cell, type, count }) => ({
    key,
    ...(reason && { reason }),
    ...sampleMembers({ position, cell, type, count }),
    ...(others && { others: sampleMembers(others) }),
    ...(isLowerBound && { is_lower_bound: true }),
  })),
  similar_keys: similarKeys.map(({ key, similarTo }) => ({ key, similar_to: similarTo })),
});
