import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PROJECT } from '../../support/service';

/** Runs a script, and parses what it prints as JSON. */
const run = (script: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { PATH: process.env.PATH } }),
  );

const folder = mkdtempSync(join(tmpdir(), 'muster-bundle-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A build with a bundle that says which of both was loaded. */
function aBuild(): string {
  const dist = mkdtempSync(join(folder, 'dist-'));
  for (const folder of ['src', 'bundle']) mkdirSync(join(dist, folder), { recursive: true });
  copyFileSync(join(PROJECT, 'dist/src/bundle.js'), join(dist, 'src/bundle.js'));
  writeFileSync(join(dist, 'src/programs.js'), `exports.programs = 'modules';`);
  writeFileSync(join(dist, 'bundle/programs.js'), `(function (exports) { exports.programs = 'bundle'; })`);
  writeFileSync(join(dist, 'bundle/programs.cache'), 'of another version of Node.js');
  return dist;
}

const loadedFrom = (dist: string): unknown =>
  run(`console.log(JSON.stringify(require('${dist}/src/bundle.js').loadPrograms().programs))`);

describe('the bundle of the programs', () => {
  it('contains all modules and packages, each once', () => {
    const loaded = run(`
      const { loadPrograms } = require('${PROJECT}/dist/src/bundle.js');
      Promise.all(Object.values(loadPrograms().programs).map((load) => load()))
        .then(() => console.log(JSON.stringify(Object.keys(require.cache))));
    `) as string[];
    const others = loaded
      .map((file) => relative(PROJECT, file))
      .filter((file) => !file.startsWith('packages/embedded-postgres/'));
    expect(others).toEqual(['dist/src/bundle.js']);
  });

  it('is compiled already for the version of Node.js that built it', () => {
    const rejected = run(`
      const { compileBundle } = require('${PROJECT}/dist/src/bundle.js');
      const cache = require('node:fs').readFileSync('${PROJECT}/dist/bundle/programs.cache');
      console.log(JSON.stringify(compileBundle(cache).cachedDataRejected));
    `);
    expect(rejected).toBe(false);
  });

  it('is read as Latin-1, and has no other characters than ASCII', () => {
    expect(/[^\0-\x7F]/.exec(readFileSync(join(PROJECT, 'dist/bundle/programs.js'), 'latin1'))).toBeNull();
  });

  it('runs on other versions of Node.js, too', () => {
    expect(loadedFrom(aBuild())).toBe('bundle');
  });

  it('is not used if it was not written completely', () => {
    const dist = aBuild();
    rmSync(join(dist, 'bundle/programs.cache'));
    expect(loadedFrom(dist)).toBe('modules');
  });

  it('is not used after a build without one', () => {
    const dist = aBuild();
    const info = join(dist, '.tsbuildinfo');
    writeFileSync(info, '');
    utimesSync(info, new Date(0), new Date(0));
    expect(loadedFrom(dist)).toBe('bundle');
    utimesSync(info, Date.now() / 1000, Date.now() / 1000 + 10);
    expect(loadedFrom(dist)).toBe('modules');
  });
});
