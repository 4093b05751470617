import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { asLines, sendImport } from '../../support/importing';
import { PROJECT } from '../../support/service';
import { ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** Where the writable file system is mounted. */
const WRITABLE = '/mnt';

/**
 * Runs a command with read-only file systems, like a container with `read_only: true`, except for those of the kernel and a
 * small one in memory. A process has its own mounts in a namespace. The permissions of files would not stop root.
 */
const SCRIPT = `set -e
mount --make-rprivate /
while read -r _ path _; do
  case $path in /proc* | /sys* | /dev*) ;; *) mount -o remount,bind,ro "$path" ;; esac
done < /proc/self/mounts
mount -t tmpfs -o size=1m tmpfs ${WRITABLE}
exec "$@"`;
const NAMESPACE = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
  'sh',
  '-c',
  SCRIPT,
  'sh',
];

const isPossible = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;
const describeReadOnly = isPossible ? describe : describe.skip;
const reason = isPossible ? '' : ' (not possible: unshare --mount, or its mounts, are not permitted)';

describeReadOnly(`a service with a read-only root file system${reason}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  let service: ServiceProcess;
  afterEach(() => service.kill('SIGKILL'));

  function start(temporaryFolder: string): ServiceProcess {
    const env = {
      PATH: process.env.PATH,
      PORT: '0',
      SECRETS_KEY: 'A'.repeat(43) + '=',
      DATABASE_URL: database.url,
      TMPDIR: temporaryFolder,
    };
    const command = [process.execPath, join(PROJECT, 'dist/src/main.js')];
    service = new ServiceProcess(
      spawn('unshare', [...NAMESPACE, ...command], {
        cwd: '/',
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    );
    return service;
  }

  it('does not start if the temporary folder is not writable, and says so', async () => {
    expect(await start('/tmp').refusal()).toMatch(
      /^muster: The temporary folder \/tmp is on a read-only file system \(EROFS\)\. Imports need it: mount a volume there/,
    );
    expect(await start('/nowhere').refusal()).toMatch(/The temporary folder \/nowhere does not exist/);
  });

  it('imports with a writable temporary folder, and responds with 503 that names it when it is full', async () => {
    const root = await start(WRITABLE).root();
    const region = { kind: 'region', name: 'r1' };
    await sendImport(root, asLines([region])).expect(200);
    const lines = asLines(
      Array.from({ length: 8 }, (_, n) => ({
        ...region,
        name: `big-${String(n)}`,
        variables: { v: 'x'.repeat(500_000) },
      })),
    );
    const { body, headers } = await sendImport(root, lines).expect(503);
    expect(body).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`The temporary folder ${WRITABLE} of the service is full (ENOSPC)`),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // The space is free again.
    await sendImport(root, asLines([{ ...region, note: 'later' }])).expect(200);
    const { body: regions } = await root.get('/v1/regions?fields=name').expect(200);
    expect(regions).toEqual([{ name: 'r1' }]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
