import { canonicalJson, toMembers } from '../../../api/exact-json';
import type { Setting } from '../../../placement/place-key';
import type { Mapping } from './mapping';
import { listOf, textOf, type Members } from './answers';

/** A config context: the level that it is assigned to, and its values as canonical JSON. */
export interface ConfigContext {
  readonly name: string;
  readonly isActive: boolean;
  readonly level: Setting['level'];
  readonly data: ReadonlyMap<string, string>;
}

/** Reads a config context. Its values are only used to choose a level: see `preferredLevels`. */
export const readContext = (item: Members, mapping: Mapping): ConfigContext => ({
  name: textOf(item['name']) ?? '',
  isActive: item['is_active'] !== false,
  level: levelOf(item, mapping),
  data: new Map([...(toMembers(item['data']) ?? [])].map(([key, value]) => [key, canonicalJson(value)])),
});

/** Assignments that neither regions nor cells stand for. */
const DEVICE_ASSIGNMENTS = [
  ...['device_types', 'roles', 'platforms', 'cluster_types', 'cluster_groups', 'clusters'],
  ...['tenant_groups', 'tenants', 'tags'],
];

/** The level of an assignment: of several, the narrowest. */
function levelOf(context: Members, { regions, cells }: Mapping): Setting['level'] {
  const isAssigned = (member: string): boolean => listOf(context[member]).length > 0;
  if (DEVICE_ASSIGNMENTS.some(isAssigned)) return 'device';
  if (isAssigned('locations')) return cells.from === 'location' || cells.from === 'rack' ? 'cell' : 'device';
  if (isAssigned('sites') && regions.from !== 'site') return cells.from === 'none' ? 'device' : 'cell';
  return 'region';
}

/**
 * The level that a value is assigned to in NetBox: that of the last context that sets exactly this value, else of the last
 * one that sets the key. Placement uses it to choose among equally few settings.
 * @param contexts in the order in which NetBox applies them
 */
export function preferredLevels(
  contexts: readonly ConfigContext[],
  key: string,
): (value: string) => Setting['level'] | undefined {
  const setting = contexts.filter(({ data }) => data.has(key));
  return (value) => (setting.findLast(({ data }) => data.get(key) === value) ?? setting.at(-1))?.level;
}

const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]{0,254}$/u;

/** Why Muster does not accept a key of a variable; undefined if it does. */
export const variableKeyError = (key: string): string | undefined =>
  KEY.test(key)
    ? undefined
    : `${JSON.stringify(key)} is not a key: up to 255 letters, digits, _ and -, not beginning with a digit or -`;

/** A key that is not imported. */
export interface RefusedKey {
  readonly key: string;
  readonly reason: string;
}

/** The keys in Muster by keys in NetBox, and the keys that are not imported. */
export interface MappedKeys {
  readonly keys: ReadonlyMap<string, string>;
  readonly refused: readonly RefusedKey[];
}

/** Maps the keys of config contexts. Of keys that would become the same, an unchanged one takes precedence. */
export function mapContextKeys(
  keys: Iterable<string>,
  { rename, invalidKeys }: Pick<Mapping['contexts'], 'rename' | 'invalidKeys'>,
): MappedKeys {
  const mapped = new Map<string, string>();
  const refused: RefusedKey[] = [];
  const owners = new Map<string, string>();
  const targetOf = (key: string): string => {
    const renamed = rename.get(key) ?? key;
    return invalidKeys === 'replace' && variableKeyError(renamed) !== undefined
      ? replaceInvalid(renamed)
      : renamed;
  };
  const targets = [...keys].sort().map((key) => ({ key, target: targetOf(key) }));
  const isUnchanged = ({ key, target }: { key: string; target: string }): boolean => key === target;
  for (const { key, target } of [
    ...targets.filter(isUnchanged),
    ...targets.filter((one) => !isUnchanged(one)),
  ]) {
    const owner = owners.get(target);
    const reason =
      owner === undefined
        ? variableKeyError(target)
        : `it would become ${target}, as ${JSON.stringify(owner)} does`;
    if (reason !== undefined) {
      refused.push({ key, reason });
      continue;
    }
    owners.set(target, key);
    mapped.set(key, target);
  }
  return { keys: mapped, refused };
}

/** Replaces each character that a key must not contain by `_`. */
export function replaceInvalid(key: string): string {
  const replaced = key.replaceAll(/[^\p{ID_Continue}-]/gu, '_');
  return /^[\p{ID_Start}_]/u.test(replaced) ? replaced : `_${replaced}`;
}
