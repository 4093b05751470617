import { isObject } from '../../../core/context/variable-key';
import { parseUuid } from '../../../core/parse-id';

/** A user or a project, as Keystone knows it. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly domain: { readonly id: string; readonly name: string };
}

/** A token for what somebody does in a project. */
export interface ScopedToken {
  readonly user: Known;
  /** Its id is a UUID, as projects have it here. */
  readonly project: Known;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A token that is valid, and for nothing that there is here. */
export interface OtherToken {
  /** What it is for, as the end of a sentence that begins with "it is". */
  readonly scope: string;
  readonly expiresAt: number;
}

export type KeystoneToken = ScopedToken | OtherToken;

/**
 * Parses Keystone's description of a valid token.
 * @returns undefined if it does not have the documented form
 */
export function parseToken(text: string): KeystoneToken | undefined {
  const answer = parseJson(text);
  const token = isObject(answer) && isObject(answer.token) ? answer.token : {};
  const { user, project, domain = project, system, roles = [], is_domain: isDomain = false } = token;
  const expiresAt = hasTexts(token, 'expires_at') ? parseTime(token.expires_at) : NaN;
  if (!isKnown(user) || Number.isNaN(expiresAt) || typeof isDomain !== 'boolean') return undefined;
  if (project !== undefined && !isKnown(project)) return undefined;
  if (!Array.isArray(roles) || !roles.every((role) => hasTexts(role, 'name'))) return undefined;
  const id = project && !isDomain ? parseUuid(project.id) : undefined;
  if (project && id !== undefined)
    return { user, project: { ...project, id }, roles: roles.map(({ name }) => name), expiresAt };
  if (system !== undefined) return { scope: 'for the whole system', expiresAt };
  return { scope: domain === undefined ? 'for nothing in particular' : 'for a domain', expiresAt };
}

const hasTexts = <K extends string>(value: unknown, ...names: K[]): value is Record<K, string> =>
  isObject(value) && names.every((name) => typeof value[name] === 'string' && value[name] !== '');

const isKnown = (value: unknown): value is Known =>
  hasTexts(value, 'id', 'name') && 'domain' in value && hasTexts(value.domain, 'id', 'name');

/** @returns NaN unless it is a time in UTC: Keystone uses no other time zone */
const parseTime = (text: string): number => (/^\d{4}-[-\d]+T[:\d.]+Z$/.test(text) ? Date.parse(text) : NaN);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports an answer that is not JSON as one of an unknown form.
    return undefined;
  }
}
