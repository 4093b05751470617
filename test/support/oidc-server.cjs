// A certified OpenID provider for tests. It prints its port, and exits with the process that started it.
const { readFileSync } = require('node:fs');
const { createServer } = require('node:https');
const { Provider } = require('oidc-provider');

const { port, cert, key, jwks, accounts, audience, deviceFlow } = JSON.parse(process.env.PROVIDER);

/** The claims of a user, which tests change in the file. */
const claimsOf = (sub) => ({ ...JSON.parse(readFileSync(accounts, 'utf8'))[sub], sub });

const server = createServer({ cert, key });
server.listen(port, '127.0.0.1', () => {
  const provider = new Provider(`https://127.0.0.1:${String(server.address().port)}`, {
    jwks,
    findAccount: (_, sub) => ({
      accountId: sub,
      // Some providers have only the subject in ID tokens.
      claims: (use) => (use === 'id_token' && sub.startsWith('thin') ? { sub } : claimsOf(sub)),
    }),
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    clients: [
      {
        client_id: 'muster',
        client_secret: 'a secret: with / special % characters',
        redirect_uris: ['https://muster.example/v1/session/oidc/callback'],
        post_logout_redirect_uris: ['https://muster.example/'],
      },
      {
        client_id: 'muster-cli',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: [
          'authorization_code',
          'refresh_token',
          ...(deviceFlow ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
        ],
      },
    ],
    features: {
      deviceFlow: { enabled: deviceFlow },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      // Access tokens of the command line are JSON Web Tokens for Muster; those of browsers are for the provider itself.
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, client) => (client.clientId === 'muster-cli' ? audience : []),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid profile email',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 3600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_, token) => {
      const { preferred_username, groups } = claimsOf(token.accountId);
      return { preferred_username, groups };
    },
    pkce: { required: () => true },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 600, AccessToken: 600 },
  });
  // The port of the service is not known when the provider starts.
  provider.Client.prototype.redirectUriAllowed = (uri) => /^http:\/\/127\.0\.0\.1:\d+\//.test(uri);
  provider.Client.prototype.postLogoutRedirectUriAllowed = (uri) => /^http:\/\/127\.0\.0\.1:\d+\/$/.test(uri);
  // The default interval of polling is five seconds.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'device_authorization') ctx.body = { ...ctx.body, interval: 0.1 };
  });
  server.on('request', provider.callback());
  process.stdout.write(`port: ${String(server.address().port)}\n`);
});

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
