import { deviceKinds, inventoryKinds } from '@muster/api-types';
import { kindWords } from '../../api/kinds';
import { isOfVariables, missingRight } from '../../api/rights';

type User = Parameters<typeof missingRight>[0];

const list = new Intl.ListFormat('en');
const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** What a user may not import, although a file can have it; undefined if there is no such thing. */
export function importRightsText(user: User): string | undefined {
  const missing = [...inventoryKinds, ...deviceKinds].filter(({ collection }) =>
    missingRight(user, { collection }),
  );
  if (missing.length === 0) return undefined;
  const roles = missing.map(({ collection }) => `${collection}:write`);
  const words = missing.map(({ collection }) => kindWords(collection));
  const variables = user.roles.filter(isOfVariables);
  const unless = variables.length === 0 ? '' : `, unless it only sets ${either.format(variables)}`;
  return `You do not have the ${roles.length === 1 ? 'role' : 'roles'} ${list.format(roles)}. A file with ${either.format(words)} can only be proposed${unless}.`;
}
