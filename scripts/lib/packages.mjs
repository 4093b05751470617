import { readFileSync } from 'node:fs';
import { fileOf } from './project.mjs';
import { runNpm } from './run.mjs';

/**
 * Whether node_modules holds what package-lock.json names. npm itself notes in node_modules what it has put there,
 * as the last thing it does: comparing the two needs no mark of our own, sees an installation that was cut short,
 * and is content with a developer's own `npm install`.
 */
export function arePackagesInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  const locked = readPackages('package-lock.json');
  if (installed === undefined || locked === undefined) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path];
    // The lock file names the optional packages of all platforms; npm installs those of this one.
    if (found === undefined) return path === '' || wanted.optional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** Installs exactly what is locked, and what building needs too, whatever NODE_ENV says. */
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
