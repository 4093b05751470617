import { toOneLine } from '../../../core/text';
import { isObject } from '../../../core/context/variable-keys';
import type { OidcSettings } from './oidc-settings';
import type { Principal } from '../../../core/context/request-context';
import type { OidcAssertion, OidcSession } from '../../../http/request-state';

/** Claims of a token whose issuer, audience and signature were checked. */
export type Claims = Readonly<Record<string, unknown>>;

/** Such a name fits into a name of Muster, also together with the subject. */
const MAX_NAME_LENGTH = 127;

/**
 * The user whom claims describe, without names if they contain none.
 * @returns undefined if the subject is not one that the standard allows
 */
export function parseUser(
  claims: Claims,
  { usernameClaim, rolesClaim }: Pick<OidcSettings, 'usernameClaim' | 'rolesClaim'>,
): OidcAssertion | undefined {
  const { iss, sub } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub))
    return undefined;
  const name = nameOf(claimOf(claims, usernameClaim));
  return {
    subject: `${iss} ${sub}`,
    names: name === undefined ? [] : [name, `${name}@${sub.slice(0, MAX_NAME_LENGTH).trim()}`],
    values: isTrustworthy(claims, rolesClaim) ? texts(claimOf(claims, rolesClaim)) : [],
  };
}

/** Whether the issuer of an assertion is the configured one. Issuers are compared as URLs, as at discovery. */
export function isFromIssuer({ subject }: OidcAssertion, issuer: string): boolean {
  const asserted = subject.slice(0, subject.indexOf(' '));
  return URL.canParse(asserted) && new URL(asserted).href === new URL(issuer).href;
}

/** Whether the claims contain what `OIDC_ROLES` maps. */
export const hasRoles = (claims: Claims, { rolesClaim }: Pick<OidcSettings, 'rolesClaim'>): boolean =>
  claimOf(claims, rolesClaim) !== undefined;

/** The claim with this name, which can contain dots, or else a member of an object in a claim: `realm_access.roles`. */
function claimOf(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    );
}

/** Users of some providers can enter any address, as long as it is not verified. */
const isTrustworthy = (claims: Claims, claim: string): boolean =>
  claim !== 'email' || claims['email_verified'] === true;

/**
 * The name in a claim, without outer white space and invisible characters. It may be the name of another user then, and the
 * user gets the second candidate. Undefined if the claim contains no name.
 */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed() || /\p{Cc}/u.test(value)) return undefined;
  const name = toOneLine(value);
  return name !== '' && name.length <= MAX_NAME_LENGTH ? name : undefined;
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/** These words are not roles in Muster. They make a user an admin of the project, or a root user. */
const ADMIN = 'admin';
const ROOT = 'root';

/** The permissions of a user in a project. A user who is root in one project is root. */
export function grantedPermissions(
  grants: OidcSession['grants'],
  projectId: string,
): Pick<Principal, 'isAdmin' | 'isRoot' | 'roles'> {
  const roles = grants[projectId] ?? [];
  const isRoot = Object.values(grants).some((words) => words.includes(ROOT));
  return {
    isAdmin: isRoot || roles.includes(ADMIN),
    isRoot,
    roles: roles.filter((role) => role !== ADMIN && role !== ROOT),
  };
}
