import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TokenEndpointResponse } from 'openid-client';
import { CliError, EXIT } from '../cli-error';
import { printStatus } from '../output/console';
import {
  atProvider,
  connectProvider,
  ProviderError,
  type OidcClient,
  type Provider,
  tokensOf,
  type LoginTokens,
} from './login-tokens';

/** What the service says about its OpenID provider. */
export interface OidcOffer extends OidcClient {
  readonly scope: string;
}

/** The time to log in with the browser, in milliseconds. */
const BROWSER_TIMEOUT_MS = 600_000;

/** This scope asks for a refresh token, which outlives the session of the browser. */
const OFFLINE = 'offline_access';

/** How the provider says that this client may not use the device flow. */
const NO_DEVICE_FLOW: ReadonlySet<string> = new Set(['unauthorized_client', 'unsupported_grant_type']);

/**
 * Logs in at the provider: with a code on any device, if the provider supports that; else with a browser on this
 * machine, which is sent back to a port of this program.
 * @throws CliError
 */
export async function logIn(offer: OidcOffer): Promise<LoginTokens> {
  const provider = await connectProvider(offer);
  const { device_authorization_endpoint, scopes_supported = [] } = provider.configuration.serverMetadata();
  const scope = scopes_supported.includes(OFFLINE) ? `${offer.scope} ${OFFLINE}` : offer.scope;
  const tokens =
    (device_authorization_endpoint === undefined
      ? undefined
      : await logInWithDevice(provider, { ...offer, scope })) ??
    (await logInWithBrowser(provider, { ...offer, scope }));
  return tokensOf(offer, tokens);
}

/** The device flow (RFC 8628). @returns undefined if the client may not use it */
async function logInWithDevice(
  { library, configuration }: Provider,
  { issuer, scope }: OidcOffer,
): Promise<TokenEndpointResponse | undefined> {
  return atProvider(issuer, async () => {
    const started = await library.initiateDeviceAuthorization(configuration, { scope });
    const { verification_uri, verification_uri_complete, user_code } = started;
    printStatus(
      `Open ${verification_uri_complete ?? verification_uri} in a browser, and confirm the code ${user_code}.`,
    );
    return library.pollDeviceAuthorizationGrant(configuration, started);
  }).catch((error: unknown) => {
    if (error instanceof ProviderError && NO_DEVICE_FLOW.has(error.code)) return undefined;
    throw error;
  });
}

/** The authorization code flow with PKCE and a redirect to a port of this machine (RFC 8252). */
async function logInWithBrowser(
  { library, configuration }: Provider,
  { issuer, scope }: OidcOffer,
): Promise<TokenEndpointResponse> {
  const [state, codeVerifier] = [library.randomState(), library.randomPKCECodeVerifier()];
  const callback = await listenForCallback(state);
  try {
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: callback.url,
      scope,
      state,
      code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // The standard requires that the user consents to a refresh token.
      ...(scope.includes(OFFLINE) ? { prompt: 'consent' } : {}),
    });
    printStatus('Open this URL in a browser on this machine:', url.href);
    const received = await callback.received;
    return await atProvider(issuer, () =>
      library.authorizationCodeGrant(configuration, received, {
        expectedState: state,
        pkceCodeVerifier: codeVerifier,
      }),
    );
  } finally {
    callback.close();
  }
}

interface Callback {
  readonly url: string;
  /** The URL to which the browser was sent back. */
  readonly received: Promise<URL>;
  close(): void;
}

/** Listens on a free port. Requests with another state are ignored, because any page and program can send them. */
async function listenForCallback(state: string): Promise<Callback> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  let timer: NodeJS.Timeout | undefined;
  const received = new Promise<URL>((resolve, reject) => {
    timer = setTimeout(() => {
      reject(new CliError('Nobody has logged in within ten minutes.', EXIT.rejected));
    }, BROWSER_TIMEOUT_MS);
    server.on('request', ({ url: target = '/' }, response) => {
      const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
      const isCallback = url?.pathname === '/callback' && url.searchParams.get('state') === state;
      response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' });
      response.end(isCallback ? 'Return to the terminal. You can close this page.\n' : 'Not found.\n');
      if (isCallback) resolve(url);
    });
  });
  const close = (): void => {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  };
  return { url: `${origin}/callback`, received, close };
}
