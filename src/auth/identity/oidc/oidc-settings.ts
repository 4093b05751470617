import type { Environment } from '../../../config/environment';
import { usesProvider } from '../../../config/setting-decorators';

/** The connection to an OpenID provider, and what its claims mean. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The client of the command line. */
  readonly cliClientId: string;
  /** The name on sign-in pages. */
  readonly name: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** The audience of access tokens. */
  readonly audience: string;
  /** The name of a claim, or names separated by dots. */
  readonly rolesClaim: string;
  readonly usernameClaim: string;
  /** The roles by value of the claim and by project, which is a name or an id. */
  readonly roles: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}

/** The injection token of `OidcSettings`. */
export const OIDC_SETTINGS = Symbol('OpenID Connect');

/** @returns undefined if the service does not use OpenID Connect */
export function parseOidcSettings(environment: Environment): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ROLES: roles } = environment;
  if (!usesProvider(environment, 'oidc')) return undefined;
  if (issuer === undefined || clientId === undefined || roles === undefined)
    throw new Error('the environment was not validated: IDENTITY=oidc requires the settings of the provider');
  return {
    issuer,
    clientId,
    clientSecret: environment.OIDC_CLIENT_SECRET,
    cliClientId: environment.OIDC_CLI_CLIENT_ID ?? clientId,
    name: environment.OIDC_NAME,
    scopes: environment.OIDC_SCOPES,
    audience: environment.OIDC_AUDIENCE ?? clientId,
    rolesClaim: environment.OIDC_ROLES_CLAIM,
    usernameClaim: environment.OIDC_USERNAME_CLAIM,
    roles: new Map(Object.entries(roles)),
  };
}
