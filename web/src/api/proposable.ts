import type { PlainRequest } from './request';

/** Only admins write these, and nobody can propose it: see docs/api/proposals.md. */
export const ADMIN_COLLECTIONS: ReadonlySet<string> = new Set([
  'projects',
  'users',
  'access-secrets',
  'variable-definitions',
]);

const SETTINGS = /^\/v1\/projects\/[^/]+\/settings$/;

/** Whether a write can be proposed instead of done. */
export function canBeProposed({ path }: Pick<PlainRequest, 'path'>): boolean {
  const [, , collection = ''] = path.split('/');
  return SETTINGS.test(path) || !(collection === 'session' || ADMIN_COLLECTIONS.has(collection));
}
