import { canonicalJson, toMembers } from '../../../api/exact-json';
import type { Setting } from '../../../hoist/fewest-settings';
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
 * one that sets the key. `findFewestSettings` uses it to choose among equally few settings.
 * @param contexts in the order in which NetBox applies them
 */
export function preferredLevels(
  contexts: readonly ConfigContext[],
  key: string,
): (value: string) => Setting['level'] | undefined {
  const setting = contexts.filter(({ data }) => data.has(key));
  return (value) => (setting.findLast(({ data }) => data.get(key) === value) ?? setting.at(-1))?.level;
}
