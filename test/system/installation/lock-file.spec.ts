import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Names = Readonly<Record<string, string>>;

/** An entry of package-lock.json. */
interface LockedPackage {
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
}

const file = resolve(__dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

/** Whether a package is in the nearest `node_modules`, searched upwards as Node does. */
function isLocked(name: string, from: string): boolean {
  if (Object.hasOwn(packages, join(from, 'node_modules', name))) return true;
  if (from === '') return false;
  return isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

describe('package-lock.json', () => {
  // npm install can write a lock without the packages of other platforms. npm ci then fails on a fresh clone.
  it('has an entry for every dependency, also of other platforms', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(name, path))
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
