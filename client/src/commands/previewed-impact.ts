import { asObject, plainNumber } from '../api/exact-json';
import { printList, type Format, type Row } from '../output/output';
import { alterationsOf, impactOf, type Impact } from './impact';
import { shownValue } from './vars/shown-values';

/** What a write would do, as a dry run tells it. */
export interface Preview extends Impact {
  /** As the API has it. */
  readonly body: Row;
  /** Of the resource itself: the keys that get another value, or lose theirs. */
  readonly changed: readonly string[];
  /** The version that the resource had. */
  readonly version: number;
}

/** So many devices are shown. */
export const SHOWN_DEVICES = 30;

/** Reads what a dry run has answered. */
export function previewOf(answer: unknown): Preview {
  const body = asObject(answer);
  const [object] = (asObject(body['change'])['objects'] as unknown[]).map(asObject);
  if (!object) throw new TypeError('the server previewed a change of nothing');
  return {
    body,
    ...impactOf(body['impact']),
    changed: Object.keys(asObject(object['variables'] ?? {})),
    version: plainNumber(asObject(object['before'])['version']),
  };
}

/** Prints which devices get other values of what: a line for each variable of each. */
export const printImpact = (format: Format, { items }: Impact): Promise<void> =>
  printList(format, rowsOf(format, items), {
    names: ['device', 'key', 'before', 'after'],
    name: 'device',
  });

async function* rowsOf(format: Format, items: readonly Row[]): AsyncGenerator<Row> {
  for (const { name, key, before, after } of alterationsOf(items))
    yield await Promise.resolve({
      device: name,
      key,
      before: shownValue(format, before),
      after: shownValue(format, after),
    });
}
