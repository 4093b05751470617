import fc from 'fast-check';
import { oneSeed } from './seeds';

// Not in a set-up of Jest: most test files need no properties, and the library takes a while to load for each.
fc.configureGlobal({ seed: oneSeed() });

/** All code points but surrogates, of which no character is one. */
const CHARACTERS = 0x110000 - 0x800;
const FIRST_SURROGATE = 0xd800;
/** fast-check tries the first and the last most often: punctuation, and control characters. */
const FIRST = ' '.charCodeAt(0);

/**
 * Any character, as a unit of `fc.string`. It is the unit `binary`, which takes a second and 100 MB to make: fast-check lists all
 * characters, to see whether a text that it tries, such as `__proto__`, consists of them.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: CHARACTERS - 1 }).map(
  (index) => {
    const at = (index + FIRST) % CHARACTERS;
    return String.fromCodePoint(at < FIRST_SURROGATE ? at : at + 0x800);
  },
  (text) => {
    const point = typeof text === 'string' && /^\P{Cs}$/u.test(text) ? (text.codePointAt(0) ?? 0) : undefined;
    if (point === undefined) throw new Error('no character');
    const at = point < FIRST_SURROGATE ? point : point - 0x800;
    return (at - FIRST + CHARACTERS) % CHARACTERS;
  },
);

/** fast-check with the seed of the run. A property that fails names it. */
export default fc;
