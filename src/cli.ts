#!/usr/bin/env node
import { run } from './admin/program';
import type { Terminal } from './admin/terminal';

/** The entry point of `muster-admin`. */
const terminal: Terminal = {
  environment: process.env,
  output: process.stdout,
  errors: process.stderr,
};

// The reader can close the pipe early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void run(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
