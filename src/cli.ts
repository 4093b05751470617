#!/usr/bin/env node
import { run } from './admin/program';
import type { Terminal } from './admin/terminal';

/** `muster-admin`: started by being loaded. */
const terminal: Terminal = {
  environment: process.env,
  // Only when it is asked for: Node opens it then.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  interruption() {
    const controller = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        controller.abort();
      });
    return controller.signal;
  },
};

// Whoever reads the output may have seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void run(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
