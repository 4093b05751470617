// `npm run muster-admin`: the admin command of the build. It builds nothing itself: a deployment is administered
// with the program that it runs.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const PROGRAM = fileOf('dist/src/cli.js');

await orExplain(() => {
  if (existsSync(PROGRAM) && existsSync(fileOf('node_modules'))) return;
  throw new Failure('Muster is not built yet: run "npm start" once, or "npm ci" and "npm run build".');
});
// What commander calls the program by, and takes its arguments after.
process.argv[1] = PROGRAM;
await import(pathToFileURL(PROGRAM).href);
