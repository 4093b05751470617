#!/usr/bin/env node
import { run } from './admin/program';
import type { Terminal } from './admin/terminal';

/** `muster-admin`: started by being loaded. */
const terminal: Terminal = {
  environment: process.env,
  output: process.stdout,
  errors: process.stderr,
};

// Whoever reads the output may have seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void run(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
