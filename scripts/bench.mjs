// `npm run bench`: installs and builds as `npm start` does, compiles the benchmark, and runs it in this process.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';
import { prepare } from './lib/prepare.mjs';

await orExplain(async () => {
  // What is measured may be meant to stay as it is while its sources are worked on.
  if (!process.argv.includes('--as-built')) await prepare();
  else if (!existsSync(fileOf('dist/src/main.js')))
    throw new Failure('Nothing is built yet: leave out --as-built.');
});
// With the parts of src that it uses, and apart from dist, which stays as it was built. `npm run check` checks types.
execFileSync(process.execPath, [fileOf('node_modules/typescript/bin/tsc'), '-p', fileOf('bench')], {
  stdio: ['ignore', 2, 2],
});
await import(pathToFileURL(fileOf('dist-bench/bench/main.js')).href);
