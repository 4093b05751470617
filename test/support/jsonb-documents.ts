import type { Json } from './jsonb-text';
import fc, { anyCharacter } from './property-testing';

const strings = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }).map((text) => text.replaceAll('\u0000', '')),
  // Characters that are hard for a JSON scanner.
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'u', '\n', 'é'),
    maxLength: 8,
  }),
);

const numbers = fc.oneof(
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.tuple(fc.integer(), fc.stringMatching(/^\d{1,30}$/)).map(([whole, rest]) => `${String(whole)}.${rest}`),
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false),
    strings,
    numbers.map((number) => ({ number })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(strings, tie('value')), { maxLength: 4 }).map((members) => new Map(members)),
  ),
}));

/** Any object that `jsonb` can hold. */
export const documents: fc.Arbitrary<ReadonlyMap<string, Json>> = fc
  .array(fc.tuple(strings, value), { maxLength: 6 })
  .map((members) => new Map(members));
