import { spawn } from 'node:child_process';
import { cleanUp } from '../embedded/processes';
import { Program } from '../../support/program';
import { PROJECT, sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';

const app = sharedService();
afterAll(async () => {
  await cleanUp();
});

/** How long (ms) a run may take. Its output says how far it came. */
const TIMEOUT = 50_000;

/** Runs `npm run demo`. @returns its exit code or signal, and its output */
async function demo(
  environment: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ ending: unknown; output: string }> {
  const program = new Program(
    spawn(process.execPath, ['scripts/demo.mjs', ...args], {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, ...environment },
    }),
  );
  const timer = setTimeout(() => {
    program.kill('SIGKILL');
  }, TIMEOUT);
  const ending = await program.ended;
  clearTimeout(timer);
  return { ending, output: [...program.lines, ...program.errorLines].join('\n') };
}

const settings = ({ url, credentials: { project, user, token } }: Caller) => ({
  MUSTER_URL: url,
  MUSTER_PROJECT: project,
  MUSTER_USER: user,
  MUSTER_TOKEN: token,
});

// The tests run concurrently, each in its own project.

const hostsOf = async (caller: Caller) =>
  (await caller.get('/v1/hosts?fields=name').expect(200)).body as { name: string }[];

it.concurrent('npm run demo reports missing variables in one sentence', async () => {
  const { ending, output } = await demo({ MUSTER_USER: 'root' });
  expect(ending).toBe(1);
  expect(output).toMatch(/^Please set MUSTER_PROJECT, MUSTER_TOKEN in the environment: .*$/);
});

it.concurrent('npm run demo reports an unreachable service in one sentence', async () => {
  const { ending, output } = await demo({ ...settings(app.root), MUSTER_URL: 'http://127.0.0.1:9' });
  expect(ending).toBe(1);
  expect(output).toMatch(/^Cannot connect to Muster at http:\/\/127\.0\.0\.1:9 .*$/);
});

it.concurrent("npm run demo shows the service's error message", async () => {
  const reader = await (await app.project()).user();
  const { ending, output } = await demo(settings(reader));
  expect(ending).toBe(1);
  expect(output).toMatch(/^POST \/v1\/clouds was answered with 403: \S.*$/);
});

it.concurrent('npm run demo loads the fleet once, and later only what is missing of it', async () => {
  const admin = await app.project();
  expect(await demo(settings(admin))).toMatchObject({
    ending: 0,
    output: expect.stringContaining('25 hosts') as string,
  });
  const changes = (await admin.get('/v1/changes?limit=10000').expect(200)).text;
  expect(await demo(settings(admin))).toEqual({
    ending: 0,
    output: 'The demo is loaded already: nothing was made.',
  });
  expect((await admin.get('/v1/changes?limit=10000').expect(200)).text).toBe(changes);

  const [host] = (await admin.get('/v1/hosts?name=buoy-3').expect(200)).body as { id: number }[];
  await admin.delete(`/v1/hosts/${String(host?.id)}`).expect(204);
  expect(await demo(settings(admin))).toMatchObject({
    output: expect.stringMatching(/^The demo is loaded: 1 host\.$/m) as string,
  });
  expect(await hostsOf(admin)).toHaveLength(25);
});

it.concurrent('npm run demo changes nothing if one of its names is in use', async () => {
  const admin = await app.project();
  await admin.networkDevice({ name: 'web-1' });
  const { ending, output } = await demo(settings(admin));
  expect(ending).toBe(1);
  expect(output).toContain('there is web-1 already');
  expect(await hostsOf(admin)).toEqual([]);
  expect((await admin.get('/v1/clouds').expect(200)).body).toEqual([]);
});

it.concurrent('npm run demo -- --hosts loads a large fleet, too, once', async () => {
  const admin = await app.project();
  expect(await demo(settings(admin), ['--hosts', '400'])).toMatchObject({
    ending: 0,
    output: expect.stringContaining('A fleet with 400 hosts is loaded.') as string,
  });
  const count = async () =>
    ((await admin.get('/v1/devices/counts?kind=host').expect(200)).body as { devices: number }).devices;
  expect(await count()).toBe(425);
  expect(await demo(settings(admin), ['--hosts', '400'])).toMatchObject({ ending: 0 });
  expect(await count()).toBe(425);
});

it.concurrent('npm run demo rejects other options in one sentence', async () => {
  for (const args of [['--hosts', 'many'], ['--hosts', '3000000'], ['--devices', '3'], ['more']]) {
    const { ending, output } = await demo(settings(app.root), args);
    expect([args, ending, output]).toEqual([args, 1, expect.stringMatching(/^[^\n]*--hosts[^\n]*$/)]);
  }
});
