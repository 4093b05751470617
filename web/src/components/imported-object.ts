import type { components } from '@muster/api-types';
import { jsonText } from '../api/exact-json';
import { isObject } from './is-object';

/** What an import would change of a resource. */
export type ImportedObject = components['schemas']['ChangedObject'];

/** What a line of an import changes, as an object of a change; undefined if it changes nothing, or is no result of a line. */
export function importedObject(result: unknown): ImportedObject | undefined {
  if (!isObject(result) || !isObject(result['after'])) return undefined;
  const { line, kind, id, name, after } = result;
  const before = isObject(result['before']) ? result['before'] : null;
  return {
    kind: String(kind),
    // Of a new resource, none is known.
    id: typeof id === 'number' ? id : -Number(line),
    name: String(name),
    action: before ? 'update' : 'create',
    before: before && membersOf(before),
    after: membersOf(after),
    variables: changedVariables(before, after),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** What the title of a resource says, and its variables, which are shown apart. */
const NO_MEMBERS = new Set(['kind', 'label', 'variables']);

/** The members of a line as changes have them: labels are a text. */
const membersOf = (line: Members): Members =>
  Object.fromEntries(
    Object.entries(line)
      .filter(([name]) => !NO_MEMBERS.has(name))
      .map(([name, value]) => [name, name === 'labels' && Array.isArray(value) ? value.join(',') : value]),
  );

function changedVariables(before: Members | null, after: Members): ImportedObject['variables'] {
  const [old, now] = [variablesOf(before), variablesOf(after)];
  const sides = (key: string) => ({
    ...(Object.hasOwn(old, key) ? { before: old[key] } : {}),
    ...(Object.hasOwn(now, key) ? { after: now[key] } : {}),
  });
  return Object.fromEntries(
    Object.keys({ ...old, ...now })
      .filter((key) => jsonText(old[key]) !== jsonText(now[key]))
      .map((key) => [key, sides(key)]),
  );
}

/** The own variables of a line of an export. */
const variablesOf = (line: Members | null): Members =>
  line && isObject(line['variables']) ? line['variables'] : {};
