/** A schema or any other object inside one. */
type SchemaObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In-place applicators: their subschemas apply to the same value as the schema that contains them. */
const SINGLE_APPLICATORS = ['not', 'if', 'then', 'else'];
const LIST_APPLICATORS = ['allOf', 'anyOf', 'oneOf'];
const MAP_APPLICATORS = ['dependentSchemas', 'dependencies'];

/**
 * Whether a schema refers to itself for the same value, so that validation would never end. A reference for a member
 * or an item of the value is no cycle, because the depth of a value is finite. `$id` references are not followed.
 */
export function hasReferenceCycle(schema: unknown): boolean {
  const anchors = anchorsOf(schema);
  const visited = new Set<SchemaObject>();
  const path = new Set<SchemaObject>();
  const reachesItself = (part: SchemaObject): boolean => {
    if (path.has(part)) return true;
    if (visited.has(part)) return false;
    path.add(part);
    const isCyclic = subschemasForSameValue(part, schema, anchors).some(reachesItself);
    path.delete(part);
    visited.add(part);
    return isCyclic;
  };
  return objectsIn(schema).some(reachesItself);
}

function subschemasForSameValue(
  part: SchemaObject,
  root: unknown,
  anchors: ReadonlyMap<string, SchemaObject>,
): SchemaObject[] {
  const { $ref: reference } = part;
  return [
    typeof reference === 'string' ? resolveReference(reference, root, anchors) : undefined,
    ...SINGLE_APPLICATORS.map((keyword) => part[keyword]),
    ...[...LIST_APPLICATORS, ...MAP_APPLICATORS].flatMap((keyword) => membersOf(part[keyword])),
  ].filter(isObject);
}

const membersOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function objectsIn(value: unknown): SchemaObject[] {
  const nested = membersOf(value).flatMap(objectsIn);
  return isObject(value) ? [value, ...nested] : nested;
}

function anchorsOf(schema: unknown): ReadonlyMap<string, SchemaObject> {
  const named = objectsIn(schema).flatMap((part): [string, SchemaObject][] => {
    const { $anchor: anchor, $id: id } = part;
    if (typeof anchor === 'string') return [[`#${anchor}`, part]];
    return typeof id === 'string' && id.startsWith('#') ? [[id, part]] : [];
  });
  return new Map(named);
}

/** Resolves a `$ref` by its JSON pointer or its anchor; undefined if it has no target in the schema. */
function resolveReference(
  reference: string,
  root: unknown,
  anchors: ReadonlyMap<string, SchemaObject>,
): unknown {
  if (reference === '' || reference === '#') return root;
  if (!reference.startsWith('#/')) return anchors.get(reference);
  let target: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = decodePointer(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target =
      typeof target === 'object' && target !== null
        ? Object.getOwnPropertyDescriptor(target, name)?.value
        : undefined;
  }
  return target;
}

function decodePointer(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
