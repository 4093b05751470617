import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { awaitInstallation } from './external-programs';
import { PROJECT } from './service';

/** Where `scripts/lib/client-generators.mjs` installs generators. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'muster-tests/client-generators');

/** The folder of a tour, with the pins of its generator. */
export const folderOf = (name: string): string => join(PROJECT, 'test/system/clients', name);

/** A generator in the version that the tour pins, and an empty folder for what it generates. */
export class ClientGenerator {
  /** The folder with what the registry of the language installs. */
  readonly installed: string;
  /** The folder in which commands run. */
  readonly folder = mkdtempSync(join(tmpdir(), 'muster-client-'));

  constructor(readonly name: string) {
    this.installed = join(CACHE, name);
  }

  /**
   * Runs a command in the folder.
   * @returns what it printed
   * @throws Error with all of its output, if it fails
   */
  run(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const { PATH = '', HOME = '' } = process.env;
    const env = { HOME, PATH: join(this.installed, 'bin') + delimiter + PATH, ...environment };
    return new Promise<string>((resolve, reject) => {
      execFile(
        program,
        args,
        { cwd: this.folder, env, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => {
          if (error)
            reject(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`));
          else resolve(stdout);
        },
      );
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Tests with the generator whose pins are in this folder. If it is not installed, they are skipped. */
export function describeWithGenerator(name: string, pins: readonly string[], tests: () => void): void {
  if (isInstalled(name, pins)) describe(`the client in ${name}`, tests);
  else
    describe.skip(`the client in ${name} (its generator is not installed: npm test -- --with-peers)`, tests);
}

/** The folder with the programs of an installed generator; undefined if the pinned versions are not installed. */
export const installedPrograms = (name: string, pins: readonly string[]): string | undefined =>
  isInstalled(name, pins) ? join(CACHE, name, 'bin') : undefined;

/** Whether the versions that are pinned today are installed. */
function isInstalled(name: string, pins: readonly string[]): boolean {
  awaitInstallation([name]);
  const isCurrent = (pin: string) => {
    const copy = join(CACHE, name, pin);
    return existsSync(copy) && readFileSync(copy).equals(readFileSync(join(folderOf(name), pin)));
  };
  return existsSync(join(CACHE, name, 'installed')) && pins.every(isCurrent);
}
