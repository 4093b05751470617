import type { PlainRequest } from './request';

/** Nobody can propose writes of these: see docs/api/proposals.md. */
const NOT_PROPOSABLE = ['projects', 'users', 'access-secrets', 'variable-definitions', 'session'];

/** Only admins write these. */
export const ADMIN_COLLECTIONS: ReadonlySet<string> = new Set([
  'projects',
  'project-settings',
  'users',
  'access-secrets',
  'variable-definitions',
]);

const SETTINGS = /^\/v1\/projects\/[^/]+\/settings$/;

/** Whether a write can be proposed instead of done. */
export function canBeProposed({ path }: Pick<PlainRequest, 'path'>): boolean {
  const [, , collection = ''] = path.split('/');
  return SETTINGS.test(path) || !NOT_PROPOSABLE.includes(collection);
}
