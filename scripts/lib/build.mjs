import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf } from './project.mjs';
import { runNpm } from './run.mjs';

/** The inputs of the build. */
const INPUTS = [
  'client/package.json',
  'client/src',
  'client/tsconfig.json',
  'ormconfig.ts',
  'package-lock.json',
  'packages/api-types/package.json',
  'packages/api-types/src',
  'packages/api-types/tsconfig.json',
  'packages/embedded-postgres/package.json',
  'packages/embedded-postgres/src',
  'packages/embedded-postgres/tsconfig.json',
  'scripts/bundle.mjs',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
  'web/index.html',
  'web/package.json',
  'web/src',
  'web/tsconfig.json',
  'web/vite.config.ts',
];
const RESULTS = [
  'dist/src/main.js',
  'dist/bundle/programs.cache',
  'dist/ormconfig.js',
  'client/dist/cli.js',
  'dist/web/index.html',
  'packages/embedded-postgres/dist/index.js',
];
/** The folders that a compiler writes, and the sources of each. A folder within another one comes first. */
const OUTPUTS = [
  ['client/dist/node_modules/@muster/api-types', 'packages/api-types/src'],
  ['dist/src', 'src'],
  ['client/dist', 'client/src'],
  ['packages/embedded-postgres/dist', 'packages/embedded-postgres/src'],
];
/** Contains the hash of the inputs of the last build. */
const MARK = 'dist/.built-from';

/** Whether dist and client/dist contain the build of the current sources. */
export function isBuilt() {
  return readMark() === hashOfInputs() && RESULTS.every((name) => existsSync(fileOf(name)));
}

/** Builds the service into dist, the browser application into dist/web, and the packages into their own dist. */
export async function build() {
  console.error('Building…');
  const hash = hashOfInputs();
  // The compiler skips files that its build info lists. Without a completed build, the build info may be wrong.
  if (readMark() === undefined || !RESULTS.every((name) => existsSync(fileOf(name)))) {
    rmSync(fileOf('dist/.tsbuildinfo'), { force: true });
    for (const [output] of OUTPUTS) rmSync(fileOf(output), { recursive: true, force: true });
  }
  rmSync(fileOf(MARK), { force: true });
  removeStaleOutput();
  await runNpm(['run', '--silent', 'build']);
  writeFileSync(fileOf(MARK), hash);
}

/** Builds only the service, for a program that reads it. The other results stay outdated, and so does the mark. */
export async function buildService() {
  const mark = readMark();
  if (mark === undefined) return build();
  console.error('Building the service…');
  // Until this build is complete, there is no mark: see `build`.
  rmSync(fileOf(MARK));
  removeStaleOutput();
  await runNpm(['run', '--silent', 'build:service']);
  writeFileSync(fileOf(MARK), mark);
}

/** Removes the output of sources that were moved or deleted: a compiler leaves it, and it would still run. */
function removeStaleOutput() {
  for (const [output] of OUTPUTS) {
    for (const file of filesIn(output)) {
      const [folder, sources] = OUTPUTS.find(([one]) => file.startsWith(`${one}/`));
      const source = `${sources}${file.slice(folder.length).replace(/\.(d\.ts|js|js\.map)$/, '.ts')}`;
      if (!existsSync(fileOf(source))) rmSync(fileOf(file));
    }
  }
}

function readMark() {
  try {
    return readFileSync(fileOf(MARK), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A hash of the contents, because modification times change without changes of content and vice versa. */
function hashOfInputs() {
  const hash = createHash('sha256');
  for (const name of INPUTS) {
    for (const file of filesIn(name))
      hash
        .update(`${file}\0`)
        .update(readFileSync(fileOf(file)))
        .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(name) {
  let entries;
  try {
    entries = readdirSync(fileOf(name), { withFileTypes: true, recursive: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [name];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(fileOf('').length))
    .sort();
}
