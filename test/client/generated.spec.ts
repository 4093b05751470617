import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from '../support/service';

it('the generated client matches the OpenAPI description of the service', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PROJECT, 'scripts/generate-client.mjs'), '--check'],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 60_000);
