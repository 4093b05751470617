/** How many characters a name in Muster has at most. */
const MAX_NAME_LENGTH = 255;

/**
 * A name as Muster accepts it: `_` replaces each control character and each invisible one, and outer spaces are removed. In
 * NetBox, names can contain them. The service has the same rule in `core/text.ts`.
 */
export function cleanName(name: string): string {
  const cleaned = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, '_')
    .trim();
  return cleaned === '' ? '_' : cleaned;
}

/** An object of NetBox that is named in Muster. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Names by ids, as Muster accepts them. Objects with the same name get their ids as a suffix. A name that is too long, such
 * as a path in a deep tree, keeps its end, with the id as a suffix.
 */
export function uniqueNames(objects: readonly Named[]): Map<string, string> {
  const ids = new Map<string, Set<string>>();
  const cleaned = objects.map(({ id, name }) => ({ id, name: cleanName(name) }));
  for (const { id, name } of cleaned) ids.set(name, (ids.get(name) ?? new Set()).add(id));
  return new Map(
    cleaned.map(({ id, name }) => {
      const suffix = ` (${id})`;
      const unique = ids.get(name)?.size === 1 ? name : `${name}${suffix}`;
      return [
        id,
        Array.from(unique).length > MAX_NAME_LENGTH ? `${endOf(name, suffix.length)}${suffix}` : unique,
      ];
    }),
  );
}

/** `…` and the end of a name. @param reserved how many characters of the maximum others need */
const endOf = (name: string, reserved: number): string =>
  `…${Array.from(name)
    .slice(1 + reserved - MAX_NAME_LENGTH)
    .join('')}`;
