import { createMembers } from '@muster/api-types/create-members';
import { defaultKind, deviceCollections } from '../../api/kinds';
import { guessTargets } from './column-targets';

const membersOf = (collections: readonly string[]): readonly string[] => [
  ...new Set([
    'kind',
    ...collections
      .flatMap((collection) => createMembers[collection] ?? [])
      .filter(({ name, refersTo }) => name !== 'variables' && refersTo !== 'access-secret')
      .map(({ name, refersTo }) => (refersTo === undefined ? name : name.replace(/_id$/, ''))),
  ]),
];

/** Of all kinds. */
const ALL = membersOf(deviceCollections);
const DEFAULT = membersOf([defaultKind.collection]);

/**
 * The members that the columns of a table can become, by the names that imports have for them. A table without a column for the
 * kind has devices of the default kind only.
 * @param targets what the columns become
 */
export const tableMembers = (targets: readonly string[]): readonly string[] =>
  targets.includes('kind') ? ALL : DEFAULT;

/** What the columns of a table most likely become; see `guessTargets`. */
export const guessTableTargets = (names: readonly string[]): string[] =>
  guessTargets(names, tableMembers(guessTargets(names, ALL)));
