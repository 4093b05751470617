/** A schema, or any other object that stands in one. */
type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose schemas are about the same value as the schema that they stand in: one, a list, or one by name. */
const ABOUT_THE_SAME = ['not', 'if', 'then', 'else'];
const LISTS_ABOUT_THE_SAME = ['allOf', 'anyOf', 'oneOf'];
const NAMED_ABOUT_THE_SAME = ['dependentSchemas', 'dependencies'];

/**
 * Whether some part of a schema refers to itself about the same value, so that no value that comes to it can ever be
 * checked. References about what is within a value are none of these: a value has an end. References by `$id` are not
 * followed.
 */
export function hasRing(schema: unknown): boolean {
  const anchors = anchorsOf(schema);
  const ended = new Set<Members>();
  const under = new Set<Members>();
  const leadsRound = (part: Members): boolean => {
    if (under.has(part)) return true;
    if (ended.has(part)) return false;
    under.add(part);
    const round = sameValueParts(part, schema, anchors).some(leadsRound);
    under.delete(part);
    ended.add(part);
    return round;
  };
  return objectsIn(schema).some(leadsRound);
}

function sameValueParts(part: Members, root: unknown, anchors: ReadonlyMap<string, Members>): Members[] {
  const { $ref: reference } = part;
  return [
    typeof reference === 'string' ? referred(reference, root, anchors) : undefined,
    ...ABOUT_THE_SAME.map((keyword) => part[keyword]),
    ...[...LISTS_ABOUT_THE_SAME, ...NAMED_ABOUT_THE_SAME].flatMap((keyword) => membersOf(part[keyword])),
  ].filter(isObject);
}

const membersOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function objectsIn(value: unknown): Members[] {
  const within = membersOf(value).flatMap(objectsIn);
  return isObject(value) ? [value, ...within] : within;
}

function anchorsOf(schema: unknown): ReadonlyMap<string, Members> {
  const named = objectsIn(schema).flatMap((part): [string, Members][] => {
    const { $anchor: anchor, $id: id } = part;
    if (typeof anchor === 'string') return [[`#${anchor}`, part]];
    return typeof id === 'string' && id.startsWith('#') ? [[id, part]] : [];
  });
  return new Map(named);
}

/** What a `$ref` leads to: a place by its JSON pointer, or what has a name; undefined for what is not found so. */
function referred(reference: string, root: unknown, anchors: ReadonlyMap<string, Members>): unknown {
  if (reference === '' || reference === '#') return root;
  if (!reference.startsWith('#/')) return anchors.get(reference);
  let at: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, name)?.value : undefined;
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
