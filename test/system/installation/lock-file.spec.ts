import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Names = Readonly<Record<string, string>>;

/** What package-lock.json says of one installed package. */
interface LockedPackage {
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
}

const file = resolve(__dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

/** Where Node, and so npm, finds a package: in the nearest `node_modules` on the way up. */
function isLocked(name: string, from: string): boolean {
  if (Object.hasOwn(packages, join(from, 'node_modules', name))) return true;
  if (from === '') return false;
  return isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

describe('package-lock.json', () => {
  // npm install is content with a lock that lacks other systems' packages, where they cannot be had; npm ci is not,
  // and then a fresh clone cannot be installed.
  it('has an entry for every package that another one names, those of other systems included', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(name, path))
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
