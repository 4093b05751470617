/** The same for everybody, so that a shared page looks the same. */
const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as people do: `rack-2` comes before `rack-10`. */
export const inNaturalOrder = (a: string, b: string): number => collator.compare(a, b);
