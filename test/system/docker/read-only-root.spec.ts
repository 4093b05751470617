import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { asLines, sendImport } from '../../support/importing';
import { PROJECT } from '../../support/service';
import { ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/**
 * Runs a command with read-only file systems, like a container with `read_only: true`, except for those of the kernel. A
 * process has its own mounts in a namespace. The permissions of files would not stop root.
 */
const SCRIPT = `set -e
mount --make-rprivate /
while read -r _ path _; do
  case $path in /proc* | /sys* | /dev*) ;; *) mount -o remount,bind,ro "$path" ;; esac
done < /proc/self/mounts
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

  it('serves requests, imports among them', async () => {
    const env = {
      PATH: process.env.PATH,
      PORT: '0',
      SECRETS_KEY: 'A'.repeat(43) + '=',
      DATABASE_URL: database.url,
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
    const root = await service.root();
    const variables = { v: 'x'.repeat(500_000) };
    const lines = Array.from({ length: 8 }, (_, n) => ({ kind: 'region', name: `r${String(n)}`, variables }));
    const { body } = await sendImport(root, asLines(lines)).expect(200);
    expect(body).toMatchObject({ created: 8 });
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
