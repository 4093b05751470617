/** Letters of other scripts, and the Latin letters and signs that look like them. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ['аеорсухіјѕһԁ', 'aeopcyxijshd'],
    ['АВЕКМНОРСТУХІЈЅ', 'ABEKMHOPCTYXIJS'],
    ['οιν', 'oiv'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['‐‑‒–—−’ʼ', "------''"],
  ].flatMap(([others = '', latin = '']) =>
    Array.from(others).map((other, i) => [other, latin.charAt(i)] as const),
  ),
);

const withoutLookAlikes = (text: string): string =>
  Array.from(text, (character) => LOOK_ALIKES.get(character) ?? character).join('');

const capitalized = (text: string): string => {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('');
};

/**
 * The usual spellings of other names that people take for this one: in lower case, in upper case and capitalized; with
 * composed and decomposed accents; with compatibility forms, and with the most common Cyrillic and Greek letters that look
 * like Latin ones, replaced. They are few, so that an index of names finds them: two for a plain name in lower case. Not
 * included are mixed cases, and replacing Latin letters.
 */
export function similarSpellings(name: string): string[] {
  const spellings = new Set<string>();
  for (const base of new Set([name, withoutLookAlikes(name.normalize('NFKC'))])) {
    const lower = base.toLowerCase();
    for (const spelling of [base, lower, base.toUpperCase(), capitalized(lower)])
      for (const form of ['NFC', 'NFD']) spellings.add(spelling.normalize(form));
  }
  spellings.delete(name);
  return [...spellings];
}
