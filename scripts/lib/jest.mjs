import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOf } from './project.mjs';

/** Runs Jest. @returns its exit code */
export async function runJest(args) {
  const child = spawn(process.execPath, [fileOf('node_modules/jest/bin/jest.js'), ...args], {
    stdio: 'inherit',
  });
  // A terminal's Ctrl-C reaches Jest by itself; a signal to this process alone has to be passed on.
  const passOn = (signal) => child.kill(signal);
  process.on('SIGTERM', passOn).on('SIGINT', () => undefined);
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => settle(code ?? 1));
  });
}

/**
 * For a machine that nobody watches: files that fail are run once more, one after the other, when nothing else runs. Many
 * tests work with processes that die, networks that hang and deadlines; what fails only while three of them share two cores
 * is named, and does not stop everything. What fails alone, too, fails.
 * @returns the exit code
 */
export async function runJestTwice(args) {
  const first = await runNotingFailures(args);
  if (first.code === 0 || first.failed.length === 0) return first.code;
  console.error(`\nOnce more, alone:\n${first.failed.join('\n')}\n`);
  const second = await runNotingFailures(['--runInBand', ...first.failed]);
  const passed = first.failed.filter((file) => !second.failed.includes(file));
  if (second.code === 0 || passed.length > 0)
    console.error(`\nPassed only alone, which wants to be looked into:\n${passed.join('\n')}\n`);
  return second.code;
}

async function runNotingFailures(args) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-jest-'));
  try {
    const file = join(folder, 'results.json');
    const code = await runJest([...args, '--json', `--outputFile=${file}`]);
    return { code, failed: code === 0 ? [] : failuresOf(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** None where Jest itself has failed, which no second run mends. */
function failuresOf(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return JSON.parse(text)
    .testResults.filter(({ status }) => status === 'failed')
    .map(({ name }) => name);
}
