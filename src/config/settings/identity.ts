import { oneOf, optional } from './types';

/** Who vouches for callers. */
export const identitySettings = {
  /** `local`: API keys in Muster's own database; `keystone`: tokens of an OpenStack Keystone. */
  IDENTITY: optional(oneOf('local', 'keystone').default('local')),
};
