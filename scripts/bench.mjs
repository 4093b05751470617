// `npm run bench`: installs and builds as `npm start` does, compiles the benchmark, and runs it in this process.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';
import { prepare } from './lib/prepare.mjs';

await orExplain(async () => {
  // With --as-built, the existing build is measured while its sources may change.
  if (!process.argv.includes('--as-built')) await prepare();
  else if (!existsSync(fileOf('dist/src/main.js')))
    throw new Failure('Muster is not built yet: omit --as-built.');
});
// Compiled with the parts of src that it uses, outside dist, which stays unchanged. `npm run check` checks types.
execFileSync(
  process.execPath,
  [fileOf('node_modules/typescript7/bin/tsc'), '--singleThreaded', '-p', fileOf('bench')],
  {
    stdio: ['ignore', 2, 2],
  },
);
await import(pathToFileURL(fileOf('dist-bench/bench/main.js')).href);
