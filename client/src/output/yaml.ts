import { Schema, stringify, type Scalar, type ScalarTag } from 'yaml';
import { isLosslessNumber } from '../api/exact-json';
import { escapeControlInJson, hasControlCharactersInJson } from './console';

/** Writes a number with every digit, and an exponent so that YAML 1.1 does not read a text: `1.e+3`. */
const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: (text) => text,
  stringify: ({ value }: Scalar) =>
    String(value)
      .replace(/^(-?\d+)(?=e)/i, '$1.')
      .replace(/(e)(?=\d)/i, '$1+'),
};

/** Writes strings with control characters as JSON: YAML has escapes in double quotes only. */
const escapedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && hasControlCharactersInJson(value),
  resolve: (text) => text,
  stringify: ({ value }: Scalar) => escapeControlInJson(JSON.stringify(value)),
};

/** Quotes a single `=`, which has a meaning of its own in YAML 1.1. */
const bareEqualsSign: ScalarTag = {
  tag: 'tag:yaml.org,2002:value',
  default: true,
  test: /^=$/,
  resolve: (text) => text,
};

/** Created once, because that takes most of the time of a small document. */
const schema = new Schema({
  schema: 'core',
  customTags: (tags) => [exactNumber, escapedText, bareEqualsSign, ...tags],
  // Quotes strings that YAML 1.1 would not read as strings: `yes`, `0123`, `1:30`.
  compat: 'yaml-1.1',
});

/** A value as a YAML document. */
export const toYaml = (value: unknown): string =>
  stringify(value, { schema, lineWidth: 0, aliasDuplicateObjects: false });
