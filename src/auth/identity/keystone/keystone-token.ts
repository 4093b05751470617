import { isObject } from '../../../core/context/variable-keys';
import { toOneLine } from '../../../core/text';
import { parseUuid } from '../../../core/parameters';

/** A user or a project in Keystone. */
interface KeystoneEntity {
  readonly id: string;
  readonly name: string;
  readonly domain: { readonly id: string; readonly name: string };
}

/** A token with the scope of a project. */
export interface ScopedToken {
  readonly user: KeystoneEntity;
  /** The project. Its id is a UUID, as in Muster. */
  readonly project: KeystoneEntity;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A valid token without the scope of a project. */
export interface NonProjectToken {
  /** The scope, as the end of a sentence that starts with "it is". */
  readonly scope: string;
  readonly expiresAt: number;
}

export type KeystoneToken = ScopedToken | NonProjectToken;

/** The candidate names of a user or a project. Names in Muster are unique without a domain. */
export function candidateNames({ id, name, domain }: KeystoneEntity): readonly string[] {
  // Names in Keystone can contain anything.
  const shown = toOneLine(name);
  return [...(shown === '' ? [] : [shown]), `${shown}@${toOneLine(domain.name)}`, `${shown}@${id}`];
}

/**
 * Parses the response to the validation of a token.
 * @returns undefined if it does not have the documented format
 */
export function parseKeystoneToken(text: string): KeystoneToken | undefined {
  const response = parseJson(text);
  const token = isObject(response) && isObject(response.token) ? response.token : {};
  const { user, project, domain = project, system, roles = [], is_domain: isDomain = false } = token;
  const expiresAt = hasTexts(token, 'expires_at') ? parseTime(token.expires_at) : NaN;
  if (!isKeystoneEntity(user) || Number.isNaN(expiresAt) || typeof isDomain !== 'boolean') return undefined;
  if (project !== undefined && !isKeystoneEntity(project)) return undefined;
  if (!Array.isArray(roles) || !roles.every((role) => hasTexts(role, 'name'))) return undefined;
  const id = project && !isDomain ? parseUuid(project.id) : undefined;
  if (project && id !== undefined)
    return { user, project: { ...project, id }, roles: roles.map(({ name }) => name), expiresAt };
  if (system !== undefined) return { scope: 'for the whole system', expiresAt };
  return { scope: domain === undefined ? 'unscoped' : 'for a domain', expiresAt };
}

const hasTexts = <K extends string>(value: unknown, ...names: K[]): value is Record<K, string> =>
  isObject(value) && names.every((name) => typeof value[name] === 'string' && value[name] !== '');

const isKeystoneEntity = (value: unknown): value is KeystoneEntity =>
  hasTexts(value, 'id', 'name') && 'domain' in value && hasTexts(value.domain, 'id', 'name');

/** @returns NaN if the text is not a time in UTC, which is the only time zone that Keystone uses */
const parseTime = (text: string): number => (/^\d{4}-[-\d]+T[:\d.]+Z$/.test(text) ? Date.parse(text) : NaN);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports a response that is not JSON as one of an unknown format.
    return undefined;
  }
}
