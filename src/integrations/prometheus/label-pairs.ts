/** A label of ours as Prometheus has labels. */
export interface LabelPair {
  readonly name: string;
  readonly value: string;
}

/** What a label says that is no pair of a key and a value. */
const PRESENT = 'true';

/** A label `key:value` as a pair; another one is its own name. */
export function labelPair(label: string): LabelPair {
  const colon = label.indexOf(':');
  return colon > 0 && colon < label.length - 1
    ? { name: label.slice(0, colon), value: label.slice(colon + 1) }
    : { name: label, value: PRESENT };
}
