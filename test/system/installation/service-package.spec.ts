import { spawn } from 'node:child_process';
import { PROJECT } from '../../support/service';
import { ended } from '../../support/shell';

it('the package of the service contains the launcher of the embedded PostgreSQL, but not PostgreSQL', async () => {
  const { stdout } = await ended(spawn('npm', ['pack', '--dry-run', '--json'], { cwd: PROJECT }));
  // npm 11 prints an array, newer versions an object by name.
  const [{ files }] = Object.values(JSON.parse(stdout) as object) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  const packages = files.map(({ path }) => path).filter((path) => path.startsWith('node_modules/'));
  expect(packages).toContain('node_modules/@muster/embedded-postgres/dist/index.js');
  expect(packages.filter((path) => !path.startsWith('node_modules/@muster/embedded-postgres/'))).toEqual([]);
});
