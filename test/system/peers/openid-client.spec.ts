import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedService, startService, type OwnService } from '../../support/service';
import { describeWithPeers } from '../../support/external-programs';
import { sendRaw } from '../../support/http-exchange';
import type { Caller } from '../../support/caller';
import { OpenIdProvider } from '../../support/openid-provider';
import { OpenIdUser } from '../../support/openid-user';
import { Program } from '../../support/program';
import { environmentOf, MUSTER, temporaryFolder } from '../../support/shell';

jest.setTimeout(120_000);

const ROLES = JSON.stringify({
  readers: { fleet: [] },
  netops: { fleet: ['regions:write'], lab: ['admin'] },
});

interface Profile {
  readonly url: string;
  readonly token: string;
  readonly project: string;
  readonly oidc: {
    readonly issuer: string;
    readonly client_id: string;
    readonly refresh_token: string;
    readonly expires_at: number;
  };
}

const NOTHING = { MUSTER_URL: '', MUSTER_PROJECT: '', MUSTER_USER: '', MUSTER_TOKEN: '' };

describeWithPeers('muster login --oidc', ['openssl'], () => {
  let provider: OpenIdProvider;
  let app: OwnService;
  let fleet: Caller;
  /** The folder of the profiles. */
  let home: string;
  beforeAll(async () => {
    provider = await OpenIdProvider.start();
    provider.setAccounts({
      ann: { preferred_username: 'ann', groups: ['readers'] },
      bob: { preferred_username: 'bob', groups: ['netops'] },
      eve: { preferred_username: 'eve', groups: [] },
    });
    app = await startService({ ...provider.settings, OIDC_ROLES: ROLES });
    fleet = await app.project('fleet');
    await app.project('lab');
    home = temporaryFolder();
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  const file = () => join(home, '.config/muster/profiles.json');
  const profile = () => (JSON.parse(readFileSync(file(), 'utf8')) as { default: Profile }).default;
  const alterProfile = (oidc: Partial<Profile['oidc']>): void => {
    const saved = profile();
    writeFileSync(file(), JSON.stringify({ default: { ...saved, oidc: { ...saved.oidc, ...oidc } } }));
  };

  const start = (args: readonly string[]): Program =>
    new Program(
      spawn(process.execPath, [MUSTER, ...args], {
        env: {
          ...environmentOf(fleet),
          ...NOTHING,
          HOME: home,
          NODE_EXTRA_CA_CERTS: String(provider.settings['NODE_EXTRA_CA_CERTS']),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );

  async function run(args: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const program = start(args);
    return { code: await program.ended, stdout: program.lines.join('\n'), stderr: program.errorOutput };
  }

  /** Logs in: the program prints a URL, which the user opens. */
  async function login(deviceFlow: boolean, subject: string, args: readonly string[]) {
    const program = start(['login', '--oidc', '--url', app.url, ...args]);
    const url = await program.line((line) => /https:\S+/.exec(line)?.[0], 'a URL', program.errorLines);
    const page = await new OpenIdUser(provider, subject).open(url);
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining(deviceFlow ? 'was successful' : 'You can close this page') as string,
    ]);
    return { code: await program.ended, stderr: program.errorOutput };
  }

  describe.each([
    ['the device flow', true],
    ['a browser on this machine', false],
  ])('with %s', (_, deviceFlow) => {
    beforeAll(async () => {
      await provider.restart({ deviceFlow });
      home = temporaryFolder();
    });

    const loginAs = (subject: string, args: readonly string[] = []) => login(deviceFlow, subject, args);

    it('saves an access token, which later commands use', async () => {
      const { code, stderr } = await loginAs('ann');
      expect(stderr).toContain(
        `Logged in as ann at ${app.url}, in the project fleet. Saved in the profile "default"`,
      );
      expect(code).toBe(0);
      const { token, oidc, ...rest } = profile();
      expect(rest).toEqual({ url: app.url, project: fleet.projectId });
      expect(oidc).toMatchObject({ issuer: provider.issuer, client_id: 'muster-cli' });
      expect(oidc.refresh_token).not.toBe('');
      expect(stderr).not.toContain(token);
      const whoami = await run(['whoami', '-o', 'json']);
      expect(JSON.parse(whoami.stdout)).toMatchObject({ username: 'ann', roles: [], key_id: null });
      expect((await run(['profile', 'list', '-o', 'json'])).stdout).not.toContain(token.slice(0, 20));
    });

    it('renews the token when it expires', async () => {
      const before = profile();
      alterProfile({ expires_at: Date.now() + 10_000 });
      expect(await run(['whoami', '-o', 'name'])).toEqual({ code: 0, stdout: 'ann', stderr: '' });
      const after = profile();
      expect(after.token).not.toBe(before.token);
      expect(after.oidc.expires_at).toBeGreaterThan(Date.now() + 300_000);
      expect(after).toMatchObject({ url: app.url, project: fleet.projectId });
      expect((await run(['whoami', '-o', 'name'])).code).toBe(0);
      expect(profile()).toEqual(after);
    });

    // What was saved is used in the same way, whichever flow it is from.
    if (!deviceFlow) return;

    it('asks to log in again when the login has ended', async () => {
      const { refresh_token } = profile().oidc;
      alterProfile({ expires_at: 0, refresh_token: 'unknown' });
      expect(await run(['region', 'list'])).toEqual({
        code: 4,
        stdout: '',
        stderr: 'muster: The login has expired. Log in again with "muster login --oidc".',
      });
      alterProfile({ refresh_token });
    });

    it('says that the provider cannot be reached, if it is needed', async () => {
      const { expires_at } = profile().oidc;
      await provider.stop();
      const needed = await run(['region', 'list']);
      expect(needed).toMatchObject({ code: 5, stdout: '' });
      expect(needed.stderr).toContain(`The OpenID provider ${provider.issuer} cannot be used`);
      alterProfile({ expires_at: Date.now() + 600_000 });
      expect((await run(['region', 'list'])).code).toBe(0);
      await provider.start();
      alterProfile({ expires_at });
    });

    it('needs a project if there are several, and access to one', async () => {
      const several = await loginAs('bob');
      expect(several.code).toBe(4);
      expect(several.stderr).toContain(fleet.projectId);
      expect(several.stderr).toContain('--project');
      const { code, stderr } = await loginAs('bob', ['--project', fleet.projectId]);
      expect(stderr).toContain('Logged in as bob');
      expect(code).toBe(0);
      expect((await run(['region', 'create', 'north'])).code).toBe(0);
      const none = await loginAs('eve');
      expect(none.code).toBe(4);
      expect(none.stderr).toContain('gives access to no project');
    });

    it('is revoked by logout', async () => {
      const { oidc } = profile();
      expect(await run(['logout'])).toMatchObject({ code: 0, stderr: 'Deleted the profile "default".' });
      writeFileSync(
        file(),
        JSON.stringify({ default: { url: app.url, token: 'a.b.c', oidc: { ...oidc, expires_at: 0 } } }),
      );
      expect((await run(['region', 'list'])).stderr).toContain('The login has expired');
    });
  });

  it('ignores requests with another state, and says that the user has cancelled it', async () => {
    const program = start(['login', '--oidc', '--url', app.url]);
    const url = await program.line((line) => /https:\S+/.exec(line)?.[0], 'a URL', program.errorLines);
    const { searchParams } = new URL(url);
    const callback = searchParams.get('redirect_uri') ?? '';
    const answer = async (parameters: Record<string, string>) =>
      (await fetch(`${callback}?${new URLSearchParams(parameters).toString()}`)).status;
    expect(await answer({ code: 'x', iss: provider.issuer, state: 'other' })).toBe(404);
    expect(await answer({ error: 'access_denied', iss: provider.issuer })).toBe(404);
    expect((await sendRaw(`${new URL(callback).origin}//`)).status).toBe(404);
    const state = searchParams.get('state') ?? '';
    expect(await answer({ error: 'access_denied', iss: provider.issuer, state })).toBe(200);
    expect(await program.ended).toBe(4);
    expect(program.errorOutput).toContain(`The OpenID provider ${provider.issuer} answers access_denied.`);
  });

  it('excludes other credentials, and needs a service with a provider', async () => {
    for (const args of [['--token-stdin'], ['--token', 'x'], ['--user', 'x']])
      expect((await run(['login', '--oidc', '--url', app.url, ...args])).code).toBe(2);
    expect(await run(['login', '--oidc', '--url', sharedService().url])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('does not use OpenID') as string,
    });
  });
});
