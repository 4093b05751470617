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
// Into dist, beside what was built from src: the benchmark uses parts of that. `npm run check` checks its types.
execFileSync(process.execPath, [fileOf('node_modules/typescript/bin/tsc'), '-p', fileOf('bench')], {
  stdio: ['ignore', 2, 2],
});
await import(pathToFileURL(fileOf('dist/bench/main.js')).href);
