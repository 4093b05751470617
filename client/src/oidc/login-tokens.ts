import type { Configuration, TokenEndpointResponse } from 'openid-client';
import { CliError, EXIT, usageError } from '../cli-error';
import { readProfiles, saveProfile, type OidcLogin, type Profile } from '../settings/profiles';

/** The OpenID provider of a service, and the client of this program there. */
export interface OidcClient {
  readonly issuer: string;
  readonly client_id: string;
}

type Library = typeof import('openid-client');

/** The library with the description of the provider. */
export interface Provider {
  readonly library: Library;
  readonly configuration: Configuration;
}

/** Reads the description of a provider. @throws CliError */
export async function connectProvider({ issuer, client_id }: OidcClient): Promise<Provider> {
  // Only these commands load the library.
  const library = await import('openid-client');
  if (!URL.canParse(issuer)) throw usageError(`The issuer ${JSON.stringify(issuer)} is not a URL.`);
  const configuration = await atProvider(issuer, () =>
    library.discovery(new URL(issuer), client_id, undefined, library.None()),
  );
  return { library, configuration };
}

/** Calls the provider. @throws CliError with what is wrong; nothing of it is secret */
export async function atProvider<T>(issuer: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client');
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
      throw new ProviderError(issuer, error.error, error.error_description);
    if (!(error instanceof Error)) throw error;
    const { cause } = error;
    const reason = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
    throw new CliError(`The OpenID provider ${issuer} cannot be used: ${reason}.`, EXIT.unavailable);
  }
}

/** The provider has rejected a request. */
export class ProviderError extends CliError {
  constructor(
    issuer: string,
    /** The code of OAuth: `access_denied`. */
    readonly code: string,
    description = '',
  ) {
    super(
      `The OpenID provider ${issuer} answers ${code}${description === '' ? '' : `: ${description}`}.`,
      EXIT.rejected,
    );
  }
}

/** A token is renewed this long before it expires, because requests take time. */
const RENEWAL_MARGIN_MS = 30_000;

/** The access token is used as the token of the profile. */
export interface LoginTokens {
  readonly token: string;
  readonly oidc: OidcLogin;
}

/**
 * What a profile stores of the provider's response.
 * @param former the refresh token that was used; a provider may not issue a new one
 * @throws CliError if the access token is not one that the service can check
 */
export function tokensOf(
  { issuer, client_id }: OidcClient,
  { access_token, refresh_token, expires_in }: TokenEndpointResponse,
  former?: string,
): LoginTokens {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(access_token))
    throw new CliError(
      `The access tokens of ${issuer} are no JSON Web Tokens, so Muster cannot check them. Use an API key.`,
      EXIT.rejected,
    );
  const refresh = refresh_token ?? former;
  return {
    token: access_token,
    oidc: {
      issuer,
      client_id,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      ...(expires_in === undefined ? {} : { expires_at: Date.now() + expires_in * 1000 }),
    },
  };
}

/** A profile that was saved by `muster login --oidc`. */
export type LoginProfile = Profile & LoginTokens;

/** Returns the access token of a profile for each request, and renews it before it expires. */
export function renewedToken(name: string, saved: LoginProfile): () => Promise<string> {
  let current: Promise<LoginProfile> = Promise.resolve(saved);
  return async () => {
    current = current.then((profile) => (isCurrent(profile) ? profile : renew(name, profile)));
    return (await current).token;
  };
}

const isCurrent = ({ oidc: { expires_at = Infinity } }: LoginProfile): boolean =>
  Date.now() < expires_at - RENEWAL_MARGIN_MS;

async function renew(name: string, profile: LoginProfile): Promise<LoginProfile> {
  const { oidc } = profile;
  const { refresh_token } = oidc;
  // The service says whether the token is still valid.
  if (refresh_token === undefined) return profile;
  try {
    const { library, configuration } = await connectProvider(oidc);
    const response = await atProvider(oidc.issuer, () =>
      library.refreshTokenGrant(configuration, refresh_token),
    );
    const renewed = { ...profile, ...tokensOf(oidc, response, refresh_token) };
    saveProfile(name, renewed);
    return renewed;
  } catch (error) {
    // Another process can have renewed the token at the same time.
    const latest = readProfiles().get(name);
    if (latest && isLogin(latest) && isCurrent(latest)) return latest;
    if (error instanceof ProviderError && error.code === 'invalid_grant')
      throw new CliError('The login has expired. Log in again with "muster login --oidc".', EXIT.rejected);
    throw error;
  }
}

/** Whether a profile was saved by `muster login --oidc`. */
export const isLogin = (profile: Profile): profile is LoginProfile =>
  profile.oidc !== undefined && profile.token !== undefined;

/** Revokes the login at the provider, if that offers it. @throws CliError */
export async function revokeLogin({ oidc }: LoginProfile): Promise<void> {
  const { issuer, refresh_token } = oidc;
  if (refresh_token === undefined) return;
  const { library, configuration } = await connectProvider(oidc);
  if (configuration.serverMetadata().revocation_endpoint === undefined) return;
  await atProvider(issuer, () => library.tokenRevocation(configuration, refresh_token));
}
