import { readFileSync } from 'node:fs';
import { fileOf } from './project.mjs';
import { runNpm } from './run.mjs';

/**
 * Whether node_modules contains the packages of package-lock.json. npm writes node_modules/.package-lock.json as its
 * last step, so the comparison detects an interrupted installation, and accepts a developer's own `npm install`.
 */
export function arePackagesInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  const locked = readPackages('package-lock.json');
  if (installed === undefined || locked === undefined) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path];
    // The lock file lists the optional packages of all platforms, but npm installs only those of this one.
    if (found === undefined) return path === '' || wanted.optional === true;
    // npm links the commands of a workspace only when it installs.
    const hasCommands = JSON.stringify(found.bin) === JSON.stringify(wanted.bin);
    return found.version === wanted.version && found.integrity === wanted.integrity && hasCommands;
  });
}

/** Installs exactly the locked packages, including development packages with any NODE_ENV. */
export async function installPackages() {
  console.error('Installing packages…');
  await runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
}

function readPackages(name) {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
