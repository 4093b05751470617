/** The prefix of escaped names in the escaping scheme of Prometheus. */
const ESCAPED_PREFIX = 'U__';

const sanitize = (name: string): string => name.replace(/[^A-Za-z0-9_]/gu, '_');

/** Escapes a name without collisions, by the `values` escaping scheme of Prometheus. */
function escapeName(name: string): string {
  const encoded = name.replace(/[^A-Za-z0-9]/gu, (character) =>
    character === '_' ? '__' : `_${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}_`,
  );
  return `${ESCAPED_PREFIX}${encoded}`;
}

/**
 * Converts names into valid suffixes of Prometheus label names. Invalid characters become `_`. Names that would collide
 * are escaped instead.
 */
export function metaNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const counts = new Map<string, number>();
  for (const name of distinct) counts.set(sanitize(name), (counts.get(sanitize(name)) ?? 0) + 1);
  return new Map(
    distinct.map((name) => {
      const sanitized = sanitize(name);
      const isAmbiguous = counts.get(sanitized) !== 1 || sanitized.startsWith(ESCAPED_PREFIX);
      return [name, isAmbiguous ? escapeName(name) : sanitized];
    }),
  );
}
