/** Values of a column that are texts, or that are numbers or booleans: the type of the first one, and their number. */
interface TypeSample {
  readonly type: string;
  readonly count: number;
}

/** Why texts are unusual, if not because of numbers or booleans. */
export type UnusualReason = 'invalid_json' | 'arrays_or_objects_elsewhere';

/** How the values of a sample are shown. */
interface Format<S extends TypeSample> {
  /** The first value. */
  readonly exampleOf: (sample: S) => string;
  /** The number of values, with their noun. */
  readonly countOf: (sample: S) => string;
}

export const isTextSample = ({ type }: TypeSample): boolean => type === 'string';

/**
 * The beginning of a sentence: `3 values are texts, such as 6.10, but 6.8 is a number`.
 * Texts instead of lists or objects end with what to write.
 * @param others undefined if only others in the project have the other type
 */
export function unusualTypeText<S extends TypeSample>(
  sample: S,
  others: S | undefined,
  reason: UnusualReason | undefined,
  { exampleOf, countOf }: Format<S>,
): string {
  const valuesText = (values: S): string =>
    values.count === 1
      ? `${exampleOf(values)} is a ${isTextSample(values) ? 'text' : values.type}`
      : `${countOf(values)} are ${typesText(isTextSample(values))}, such as ${exampleOf(values)}`;
  if (reason === 'invalid_json')
    return `${valuesText(sample)}, because ${sample.count === 1 ? 'it is' : 'they are'} not valid JSON. ${LIST_OR_OBJECT_HINT}`;
  if (reason) return `${valuesText(sample)}, but others are lists or objects. ${LIST_OR_OBJECT_HINT}`;
  const othersText = others ? valuesText(others) : `others are ${typesText(!isTextSample(sample))}`;
  return `${valuesText(sample)}, but ${othersText}`;
}

/** How lists and objects are written in a table. The beginning of a sentence. */
export const LIST_OR_OBJECT_HINT = 'Write a list or object as JSON: ["a", "b"]';

const typesText = (areTexts: boolean): string => (areTexts ? 'texts' : 'numbers or booleans');
