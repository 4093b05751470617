import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

type ProgramsModule = typeof import('./programs');

/**
 * One file with all modules of the programs and of their packages: a function, as Node makes one of each CommonJS module.
 * `scripts/bundle.mjs` writes it, in ASCII: Node keeps such a text outside of V8's heap, in one byte per character.
 */
const BUNDLE = join(__dirname, '../bundle/programs.js');
/**
 * The compiled functions of the bundle, for the version of Node.js that built it. Other versions compile it again. It is
 * written last, so it shows that the bundle is complete.
 */
const CODE_CACHE = join(__dirname, '../bundle/programs.cache');
/** The compiler writes it with every build. Packages and images do not have it. */
const BUILD_INFO = join(__dirname, '../.tsbuildinfo');

const requireFrom = createRequire(__filename);

/** Loads the programs from the bundle, in a third of the time. Without a bundle of this build, it loads the modules. */
export function loadPrograms(): ProgramsModule {
  const bundledAt = modifiedAt(CODE_CACHE);
  if (bundledAt === undefined || bundledAt < (modifiedAt(BUILD_INFO) ?? 0))
    return requireFrom('./programs.js') as ProgramsModule;
  return runBundle(compileBundle(readFileSync(CODE_CACHE)));
}

/** @param cachedData what `createCachedData` of an earlier compilation returned */
export function compileBundle(cachedData?: Buffer): Script {
  return new Script(readFileSync(BUNDLE, 'latin1'), {
    filename: BUNDLE,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Runs the bundle as a CommonJS module. @returns its exports */
export function runBundle(script: Script): ProgramsModule {
  const exported = {} as ProgramsModule;
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run(exported, createRequire(BUNDLE), BUNDLE, join(BUNDLE, '..'));
  return exported;
}

/** In milliseconds since 1970, or undefined if the file does not exist. */
const modifiedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
