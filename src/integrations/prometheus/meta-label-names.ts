/** What Prometheus' own scheme for names that it could not take begins with. */
const ESCAPED = 'U__';

const replaced = (name: string): string => name.replace(/[^A-Za-z0-9_]/gu, '_');

/** Every name spelt so that no other is: by the scheme with which Prometheus escapes values. */
function escaped(name: string): string {
  const spelt = name.replace(/[^A-Za-z0-9]/gu, (sign) =>
    sign === '_' ? '__' : `_${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}_`,
  );
  return `${ESCAPED}${spelt}`;
}

/**
 * Names that labels of Prometheus can end with. What may not be in one becomes `_`. Where two would become the same,
 * neither does: both are spelt out.
 */
export function metaNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const bearers = new Map<string, number>();
  for (const name of distinct) bearers.set(replaced(name), (bearers.get(replaced(name)) ?? 0) + 1);
  return new Map(
    distinct.map((name) => {
      const plain = replaced(name);
      const isAmbiguous = bearers.get(plain) !== 1 || plain.startsWith(ESCAPED);
      return [name, isAmbiguous ? escaped(name) : plain];
    }),
  );
}
