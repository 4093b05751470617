/** A Muster label as the name and value of a Prometheus label. */
export interface LabelPair {
  readonly name: string;
  readonly value: string;
}

/** The value of a label without a `key:value` form. */
const DEFAULT_VALUE = 'true';

/** Splits a label `key:value`. Any other label becomes a name with the value `true`. */
export function labelPair(label: string): LabelPair {
  const colon = label.indexOf(':');
  return colon > 0 && colon < label.length - 1
    ? { name: label.slice(0, colon), value: label.slice(colon + 1) }
    : { name: label, value: DEFAULT_VALUE };
}
