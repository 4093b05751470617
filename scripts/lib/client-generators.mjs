import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileOf } from './project.mjs';
import { runProgram } from './run.mjs';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';

/**
 * The generators of clients that tests run, and the newest Ansible that Debian's Python runs, by the folder in test/system/clients that has their pins: the programs that
 * they need, the files with the pinned versions, and the commands that install these into a folder, with their environment.
 */
const GENERATORS = {
  python: {
    programs: ['python3'],
    pins: ['requirements.txt'],
    commands: virtualEnvironment,
  },
  ansible: {
    programs: ['python3'],
    pins: ['requirements.txt'],
    commands: virtualEnvironment,
  },
  'python-openapi-generator': {
    programs: ['python3', 'java'],
    pins: ['requirements.txt'],
    commands: virtualEnvironment,
  },
  java: {
    programs: ['javac', 'mvn'],
    pins: ['pom.xml'],
    commands: (into) => [
      [
        'mvn',
        '-q',
        '-B',
        'dependency:copy-dependencies',
        `-DoutputDirectory=${into}`,
        '-DincludeScope=runtime',
      ],
    ],
    // The compiler, and the collector, of Java that need the least time of the processors for a program that runs for seconds.
    environment: { MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' },
  },
  go: {
    programs: ['go'],
    pins: ['go.mod', 'go.sum'],
    // Go keeps modules, and what it has compiled, in caches of its own. The second command compiles the generator, and the
    // standard library with the options of the test: without optimization, C and HTTP/2, that takes less time of the
    // processors.
    commands: (into) => [
      ['go', 'mod', 'download'],
      [
        'go',
        'build',
        '-trimpath',
        '-tags=nethttpomithttp2',
        '-gcflags=all=-N -l -dwarf=false',
        '-ldflags=-s -w',
        '-o',
        `${into}/bin/`,
        OAPI_CODEGEN,
      ],
    ],
    environment: { CGO_ENABLED: '0' },
  },
  typescript: {
    programs: ['npm'],
    pins: ['package.json', 'package-lock.json'],
    commands: (into) => [['npm', 'ci', '--prefix', into, '--ignore-scripts', '--silent']],
  },
};

/**
 * A pip of its own costs an environment four seconds of CPU time, so the pip of the Python installs into it, if it can. Tests import
 * a small part of what it installs: Python compiles that on first use.
 */
function virtualEnvironment(into) {
  const install = ['install', '--quiet', '--no-input', '--no-compile', '-r', 'requirements.txt'];
  if (!canInstallElsewhere())
    return [
      ['python3', '-m', 'venv', into],
      [join(into, 'bin/pip'), ...install],
    ];
  return [
    ['python3', '-m', 'venv', '--without-pip', into],
    ['python3', '-m', 'pip', '--python', join(into, 'bin/python'), ...install],
  ];
}

/** Whether Python has a pip with the option --python, once it is known. */
let hasElsewhere;

/** Debian's pip has no option --python. */
function canInstallElsewhere() {
  hasElsewhere ??= isPipNewEnough();
  return hasElsewhere;
}

function isPipNewEnough() {
  const { stdout, status } = spawnSync('python3', ['-m', 'pip', '--version'], { encoding: 'utf8' });
  const [, major, minor] = /^pip (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return status === 0 && (Number(major) > 22 || (Number(major) === 22 && Number(minor) >= 3));
}

/** The folder of installed generators, outside of the checkout. `test/support/client-generators.ts` looks there, too. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'muster-tests/client-generators');

/** The generators whose pinned versions are not installed, with the programs that each needs. */
export const missingGenerators = () =>
  Object.entries(GENERATORS)
    .filter(([name]) => !isInstalled(name))
    .map(([name, { programs }]) => ({ name, programs }));

/**
 * Installs the pinned version of a generator, and of what its clients import, from the registry of its language.
 * @throws Error if a program is missing or a command fails
 */
export async function installGenerator(name) {
  const { pins, commands, environment } = GENERATORS[name];
  const into = join(CACHE, name);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const cwd = pinsOf(name);
  for (const pin of pins) writeFileSync(join(into, pin), readFileSync(join(cwd, pin)));
  for (const [program, ...args] of commands(into))
    await runProgram(program, args, { cwd, env: { ...process.env, ...environment } });
  writeFileSync(join(into, 'installed'), '');
}

/** Whether the installation of the versions that are pinned today was completed. */
function isInstalled(name) {
  const into = join(CACHE, name);
  const isCurrent = (pin) =>
    existsSync(join(into, pin)) &&
    readFileSync(join(into, pin)).equals(readFileSync(join(pinsOf(name), pin)));
  return existsSync(join(into, 'installed')) && GENERATORS[name].pins.every(isCurrent);
}

const pinsOf = (name) => fileOf(`test/system/clients/${name}`);
