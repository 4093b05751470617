import { Schema, stringify, type Scalar, type ScalarTag } from 'yaml';
import { isLosslessNumber } from '../api/exact-json';
import { escaped, hasLeftByJson } from './console';

/** A number is written as it came, with every digit. */
const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: (text) => text,
  stringify: ({ value }: Scalar) => String(value),
};

/** What a terminal obeys is escaped, which YAML has in double quotes alone: there it reads what JSON writes. */
const escapedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && hasLeftByJson(value),
  resolve: (text) => text,
  stringify: ({ value }: Scalar) => escaped(JSON.stringify(value)),
};

/** Readers of YAML 1.1 take a bare `=` for something of its own. */
const bareEqualsSign: ScalarTag = {
  tag: 'tag:yaml.org,2002:value',
  default: true,
  test: /^=$/,
  resolve: (text) => text,
};

/** Made once: it is what takes most of the time of a small document. */
const schema = new Schema({
  schema: 'core',
  customTags: (tags) => [exactNumber, escapedText, bareEqualsSign, ...tags],
  // What readers of YAML 1.1 would not take for a text (`yes`, `0123`, `1:30`) is quoted as well.
  compat: 'yaml-1.1',
});

/** A value as a YAML document. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { schema, lineWidth: 0, aliasDuplicateObjects: false });
