import { z } from 'zod';
import { isRole } from '../../core/context/role';
import { integer, oneOf, optional } from './setting-parsers';

/** Of 256 roles for each of 256: what is longer was not meant. */
const MOST_ROLES = 256;

const NO_ROLES =
  'must be JSON such as {"member": ["*:write"]}: for roles of Keystone\'s, the roles that they are here';

/** The names of roles are the same in any case, as for Keystone's own policies. */
const roles = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      // What is told is what the setting is to look like, not where the text stops looking so.
      context.addIssue({ code: 'custom', message: NO_ROLES });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string(),
      z
        .array(
          z.string(NO_ROLES).refine(isRole, 'holds what is neither admin nor a role as users have them'),
          {
            error: NO_ROLES,
          },
        )
        .max(MOST_ROLES),
      NO_ROLES,
    ),
  )
  .transform((mapping) =>
    Object.fromEntries(Object.entries(mapping).map(([role, of]) => [role.toLowerCase(), of])),
  );

const keystoneUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' })
  .refine((text) => {
    // What is no URL at all is told above: zod goes on to look at it nevertheless.
    if (!URL.canParse(text)) return true;
    const { username, password, search, hash } = new URL(text);
    return [username, password, search, hash].every((part) => part === '');
  }, 'must be a URL without a user, a query or a fragment');

/** Who vouches for callers. */
export const identitySettings = {
  /** `local`: API keys in Muster's own database; `keystone`: tokens of an OpenStack Keystone. Unless said, `local`. */
  IDENTITY: optional(oneOf('local', 'keystone').optional()),
  /** With or without `/v3` at its end. */
  KEYSTONE_AUTH_URL: optional(keystoneUrl.optional()),
  /** The service's own user, who asks Keystone about tokens … */
  KEYSTONE_USERNAME: optional(z.string().optional()),
  KEYSTONE_PASSWORD: optional(z.string().optional()),
  KEYSTONE_USER_DOMAIN: optional(z.string().default('default')),
  /** … and the project in which that user may. */
  KEYSTONE_PROJECT: optional(z.string().default('service')),
  KEYSTONE_PROJECT_DOMAIN: optional(z.string().default('default')),
  /** How long it takes at most until a token that was revoked ends here; 0 asks each time. */
  KEYSTONE_CACHE_SECONDS: optional(integer(0, 3600).default(30)),
  KEYSTONE_TIMEOUT_SECONDS: optional(integer(1, 60).default(5)),
  /** Whose admins are root. */
  KEYSTONE_ADMIN_PROJECT: optional(z.string().default('admin')),
  KEYSTONE_ADMIN_PROJECT_DOMAIN: optional(z.string().default('default')),
  KEYSTONE_ROLES: optional(roles.optional()),
};

const NEEDED = ['KEYSTONE_AUTH_URL', 'KEYSTONE_USERNAME', 'KEYSTONE_PASSWORD'] as const;

/** What nobody sets who does not mean Keystone. */
const MEANT = [...NEEDED, 'KEYSTONE_ROLES'] as const;

type IdentitySettings = { readonly IDENTITY?: string | undefined } & {
  readonly [Setting in (typeof MEANT)[number]]?: unknown;
};

/** Says of each setting that is missing that it is; and of those that would do nothing, because IDENTITY was forgotten. */
export function requireKeystone(settings: IdentitySettings, context: z.RefinementCtx): void {
  const { IDENTITY } = settings;
  const refuse = (names: readonly (typeof MEANT)[number][], message: string) => {
    for (const name of names) context.addIssue({ code: 'custom', path: [name], message });
  };
  if (IDENTITY === 'keystone')
    refuse(
      NEEDED.filter((name) => settings[name] === undefined),
      'is needed where IDENTITY is keystone',
    );
  if (IDENTITY === undefined)
    refuse(
      MEANT.filter((name) => settings[name] !== undefined),
      'needs IDENTITY=keystone (or IDENTITY=local, to be left alone)',
    );
}
