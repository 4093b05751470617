import type { Environment } from '../../../config/environment';
import { parseUuid } from '../../../core/parameters';
import { type Principal, isMappableRole } from '../../../core/context/request-context';
import type { ScopedToken } from './keystone-token';

/** A Keystone domain, referenced by its id or its name. */
export type DomainReference = { readonly id: string } | { readonly name: string };

/** The connection to Keystone, the credentials of the service, and the mapping of roles. */
export interface KeystoneSettings {
  /** The URL with the version, without a trailing slash: `https://keystone:5000/v3`. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  readonly userDomain: DomainReference;
  readonly project: string;
  readonly projectDomain: DomainReference;
  /** The time in milliseconds after which a cached token is validated again. */
  readonly cacheMs: number;
  /** The timeout of requests to Keystone, in milliseconds. */
  readonly timeoutMs: number;
  /** The project whose admins are root. */
  readonly adminProject: string;
  readonly adminProjectDomain: DomainReference;
  /** The roles in Muster by the lower-case names of Keystone roles. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** The injection token of `KeystoneSettings`. */
export const KEYSTONE_SETTINGS = Symbol('Keystone');

/** Ids that Keystone generates. */
const ID_PATTERN = /^[0-9a-f]{32}$/;

/** 32 hexadecimal digits are an id, and so is `default`, the id of the first domain. Any other text is a name. */
const parseDomain = (text: string): DomainReference =>
  text === 'default' || ID_PATTERN.test(text) ? { id: text } : { name: text };

/** Whether a text is the id of a project, if it has the format of an id, or else its name. */
export const matchesProject = (
  text: string,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => (ID_PATTERN.test(text) ? parseUuid(text) === id : text === name);

export const matchesDomain = (
  reference: DomainReference,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => ('id' in reference ? reference.id === id : reference.name === name);

/** @returns undefined if the service does not use Keystone */
export function parseKeystoneSettings(environment: Environment): KeystoneSettings | undefined {
  const { KEYSTONE_AUTH_URL: url, KEYSTONE_USERNAME: username, KEYSTONE_PASSWORD: password } = environment;
  if (environment.IDENTITY !== 'keystone') return undefined;
  if (url === undefined || username === undefined || password === undefined)
    throw new Error('the environment was not validated: IDENTITY=keystone requires the settings of Keystone');
  return {
    url: new URL(url.replace(/\/*(v3\/*)?$/, '/v3')),
    username,
    password,
    userDomain: parseDomain(environment.KEYSTONE_USER_DOMAIN),
    project: environment.KEYSTONE_PROJECT,
    projectDomain: parseDomain(environment.KEYSTONE_PROJECT_DOMAIN),
    cacheMs: environment.KEYSTONE_CACHE_SECONDS * 1000,
    timeoutMs: environment.KEYSTONE_TIMEOUT_SECONDS * 1000,
    adminProject: environment.KEYSTONE_ADMIN_PROJECT,
    adminProjectDomain: parseDomain(environment.KEYSTONE_ADMIN_PROJECT_DOMAIN),
    roles: new Map(Object.entries(environment.KEYSTONE_ROLES ?? {})),
  };
}

/** The permissions of a token. */
type Permissions = Pick<Principal, 'isAdmin' | 'isRoot' | 'roles'>;

/** This role is not a role in Muster. It makes the user an admin of the project of the token. */
const ADMIN = 'admin';

/**
 * Default roles of Keystone, which most users have. They are ignored, because Muster would read them as roles for
 * variables with these keys.
 */
const DEFAULT_ROLES = new Set(['reader', 'member', 'manager', 'service']);

/**
 * Maps the roles of a token to permissions in Muster. First, the settings map roles. Then `admin` makes the user an
 * admin of the project, or root in the configured admin project. Other valid roles of Muster are kept.
 */
export function mapKeystoneRoles(
  { project, roles }: Pick<ScopedToken, 'project' | 'roles'>,
  settings: Pick<KeystoneSettings, 'adminProject' | 'adminProjectDomain' | 'roles'>,
): Permissions {
  const mappedRoles = roles.flatMap((role) => {
    // Keystone policies also ignore the case of roles.
    const name = role.toLowerCase();
    const mapped = settings.roles.get(name);
    if (mapped) return mapped;
    if (name === ADMIN) return [ADMIN];
    return DEFAULT_ROLES.has(name) ? [] : [role];
  });
  const isAdmin = mappedRoles.includes(ADMIN);
  return {
    isAdmin,
    isRoot:
      isAdmin &&
      matchesProject(settings.adminProject, project) &&
      matchesDomain(settings.adminProjectDomain, project.domain),
    roles: [...new Set(mappedRoles)].filter((role) => role !== ADMIN && isMappableRole(role)),
  };
}
