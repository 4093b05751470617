import type { Environment } from '../../../config/environment';
import { parseUuid } from '../../../core/parse-id';

/** A domain of Keystone's, by what is known of it. */
export type DomainReference = { readonly id: string } | { readonly name: string };

/** Where Keystone is, as whom the service asks it, and what it says is taken for. */
export interface KeystoneSettings {
  /** With the version, without a slash at its end: `https://keystone:5000/v3`. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  readonly userDomain: DomainReference;
  readonly project: string;
  readonly projectDomain: DomainReference;
  /** For how long an answer about a token counts, in milliseconds. */
  readonly cacheMs: number;
  /** For how long an answer is waited for, in milliseconds. */
  readonly patienceMs: number;
  /** Whose admins are root. */
  readonly adminProject: string;
  readonly adminProjectDomain: DomainReference;
  /** What roles of Keystone's are here, by their names in lower case. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** In Nest's container: a `KeystoneSettings`. */
export const KEYSTONE = Symbol('Keystone');

/** Ids of Keystone's own making. */
const ID = /^[0-9a-f]{32}$/;

/** 32 hexadecimal digits are an id, and so is that of the first domain, whose name is `Default`; the rest are names. */
const domain = (text: string): DomainReference =>
  text === 'default' || ID.test(text) ? { id: text } : { name: text };

/** Whether a text names this project: by its id if it looks like one, else by its name. */
export const isNamed = (
  text: string,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => (ID.test(text) ? parseUuid(text) === id : text === name);

/** Whether it is this domain. */
export const isDomain = (
  reference: DomainReference,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => ('id' in reference ? reference.id === id : reference.name === name);

/** @returns undefined where Keystone does not vouch for callers */
export function keystoneSettings(environment: Environment): KeystoneSettings | undefined {
  const { KEYSTONE_AUTH_URL: url, KEYSTONE_USERNAME: username, KEYSTONE_PASSWORD: password } = environment;
  if (environment.IDENTITY !== 'keystone') return undefined;
  if (url === undefined || username === undefined || password === undefined)
    throw new Error('the environment was not checked: IDENTITY=keystone lacks what it needs');
  return {
    url: new URL(url.replace(/\/*(v3\/*)?$/, '/v3')),
    username,
    password,
    userDomain: domain(environment.KEYSTONE_USER_DOMAIN),
    project: environment.KEYSTONE_PROJECT,
    projectDomain: domain(environment.KEYSTONE_PROJECT_DOMAIN),
    cacheMs: environment.KEYSTONE_CACHE_SECONDS * 1000,
    patienceMs: environment.KEYSTONE_TIMEOUT_SECONDS * 1000,
    adminProject: environment.KEYSTONE_ADMIN_PROJECT,
    adminProjectDomain: domain(environment.KEYSTONE_ADMIN_PROJECT_DOMAIN),
    roles: new Map(Object.entries(environment.KEYSTONE_ROLES ?? {})),
  };
}
