import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileOf, PROJECT } from './project.mjs';

const JEST = fileOf('node_modules/jest/bin/jest.js');

/** Runs Jest. @returns its exit code */
export async function runJest(args) {
  const child = spawn(process.execPath, [JEST, ...args], { cwd: PROJECT, stdio: 'inherit' });
  // Ctrl-C in a terminal signals Jest directly; a signal sent to this process alone has to be forwarded.
  const forward = (signal) => child.kill(signal);
  const ignore = () => undefined;
  process.on('SIGTERM', forward).on('SIGINT', ignore);
  try {
    return await exitCodeOf(child);
  } finally {
    process.off('SIGTERM', forward).off('SIGINT', ignore);
  }
}

/**
 * Runs Jest, and in CI runs the files that failed once more, one after the other, and names them. This is an interim: a file
 * that fails only beside others is a defect, and the second run goes as soon as none is left.
 * @returns the exit code
 */
export async function runJestInCi(args) {
  const first = await runReportingFailures(args);
  if (first.code === 0 || first.failed.length === 0) return first.code;
  console.error(`\nFailed beside others, run again alone:\n${first.failed.join('\n')}\n`);
  const projects = args.slice(args.indexOf('--selectProjects'));
  return runJest(['--runInBand', '--runTestsByPath', ...first.failed, ...projects]);
}

async function runReportingFailures(args) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-jest-'));
  try {
    const file = join(folder, 'results.json');
    const code = await runJest(['--json', `--outputFile=${file}`, ...args]);
    if (code === 0 || !existsSync(file)) return { code, failed: [] };
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return { code, failed: testResults.filter(({ status }) => status === 'failed').map(({ name }) => name) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether Jest finds a test file for these arguments. */
export async function findsTests(args) {
  const child = spawn(process.execPath, [JEST, ...args, '--listTests'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [listed] = await Promise.all([text(child.stdout), exitCodeOf(child)]);
  return listed.includes('.spec.ts');
}

function exitCodeOf(child) {
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => settle(code ?? 1));
  });
}
