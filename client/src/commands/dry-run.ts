import { asObject, exactJson, plainNumber } from '../api/exact-json';
import { type Format, printList, type Row, shownValue } from '../output/formats';

/** What a dry run tells of devices. */
export interface Impact {
  /** How many get another resolved value. */
  readonly devices: number;
  /** Of which variables. */
  readonly keys: readonly string[];
  /** A page of them. */
  readonly items: readonly Row[];
}

/** A variable that a device would resolve to something else: undefined where it is not set. */
interface Alteration {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reads the impact in an answer. */
export function impactOf(answer: unknown): Impact {
  const { devices, keys, items } = asObject(answer);
  return {
    devices: plainNumber(devices),
    keys: keys as string[],
    items: (items as unknown[]).map(asObject),
  };
}

/** What would become of devices, one variable after the other. */
export const alterationsOf = (items: readonly Row[]): Alteration[] =>
  items.flatMap(({ kind, name, changes }) =>
    Object.entries(asObject(changes)).map(([key, sides]) => {
      const { before, after } = asObject(sides) as { before?: unknown; after?: unknown };
      return { kind: String(kind), name: String(name), key, before, after };
    }),
  );

/** A member of something, before a change and after it: undefined where there is none. */
export interface AlteredMember {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that change with every change, or say nothing that others do not say. */
const BESIDE = new Set(['id', 'uuid', 'project_id', 'created_at', 'updated_at', 'version']);

/**
 * The members that differ between two sides of something. Of what came into being, or has gone, those that are not empty.
 * @param before null for what was not there
 * @param after null for what is there no more
 */
export function alteredMembers(before: unknown, after: unknown): AlteredMember[] {
  const [old, now] = [asObject(before ?? {}), asObject(after ?? {})];
  const isWhole = isNone(before) || isNone(after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((member) => !BESIDE.has(member) && textOf(old[member]) !== textOf(now[member]))
    .filter((member) => !isWhole || !isEmpty(old[member] ?? now[member]))
    .map((member) => ({ member, before: old[member], after: now[member] }));
}

const isNone = (side: unknown): boolean => side === null || side === undefined;
const isEmpty = (value: unknown): boolean => isNone(value) || value === '';
const textOf = (value: unknown): string => (value === undefined ? '' : exactJson.stringify(value));

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
