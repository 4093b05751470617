/** The service's syntax of keys: Unicode identifiers with hyphens. */
const KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]{0,254}$/u;

export const isVariableKey = (key: string): boolean => KEY.test(key);

/** Why Muster does not accept a key of a variable; undefined if it does. */
export const variableKeyError = (key: string): string | undefined =>
  isVariableKey(key)
    ? undefined
    : `${JSON.stringify(key)} is not a key: up to 255 letters, digits, _ and -, not beginning with a digit or -`;

/** A key that is not imported. */
export interface RefusedKey {
  readonly key: string;
  readonly reason: string;
}

/** How keys of another program become keys of variables. */
export interface KeyMapping {
  /** Keys in Muster by keys in the other program. */
  readonly rename: ReadonlyMap<string, string>;
  /** What happens to keys that Muster does not accept: `replace` replaces their invalid characters by `_`. */
  readonly invalidKeys: 'skip' | 'replace';
}

/** The keys in Muster by keys in the other program, and the keys that are not imported. */
export interface MappedKeys {
  readonly keys: ReadonlyMap<string, string>;
  readonly refused: readonly RefusedKey[];
}

/** Maps keys. Of keys that would become the same, an unchanged one takes precedence. */
export function mapKeys(keys: Iterable<string>, { rename, invalidKeys }: KeyMapping): MappedKeys {
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
