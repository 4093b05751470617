#!/usr/bin/env node
import type { Terminal } from './admin/terminal';
import { loadPrograms } from './bundle';

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

void loadPrograms()
  .programs.admin()
  .then(({ run }) => run(process.argv.slice(2), terminal))
  .then((code) => {
    process.exitCode = code;
  });
