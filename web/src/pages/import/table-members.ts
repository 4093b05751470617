import { createMembers, type CreateMember } from '@muster/api-types/create-members';
import { defaultKind, deviceCollections } from '../../api/kinds';
import { guessTargets } from './column-targets';

/** The name of a member in imports, where others are named instead of given by their ids. */
const importedName = ({ name, refersTo }: CreateMember): string =>
  refersTo === undefined ? name : name.replace(/_id$/, '');

/** The members that a device of the default kind needs. */
const NEEDED: readonly string[] = (createMembers[defaultKind.collection] ?? [])
  .filter(({ required = false }) => required)
  .map(importedName);

/** Whether new devices need a member. */
export const isNeeded = (member: string): boolean => NEEDED.includes(member);

/** The members that new devices need, and that the columns of a table do not become. */
export const neededMembers = (targets: readonly string[]): readonly string[] =>
  NEEDED.filter((member) => !targets.includes(member));

const membersOf = (collections: readonly string[]): readonly string[] => [
  ...new Set([
    'kind',
    ...collections
      .flatMap((collection) => createMembers[collection] ?? [])
      .filter(({ name, refersTo }) => name !== 'variables' && refersTo !== 'access-secret')
      .map(importedName),
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
export const guessTableTargets = (names: readonly string[], keys: readonly string[]): string[] =>
  guessTargets(names, tableMembers(guessTargets(names, ALL)), keys);
