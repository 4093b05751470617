// `npm run muster-admin`: runs the built admin command. It does not build, because a deployment must be administered
// with the program that it runs.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const PROGRAM = fileOf('dist/src/cli.js');

await orExplain(() => {
  if (existsSync(PROGRAM) && existsSync(fileOf('node_modules'))) return;
  throw new Failure('Muster is not built yet: run "npm start" once, or "npm ci" and "npm run build".');
});
// Commander reads the program name and arguments from here.
process.argv[1] = PROGRAM;
await import(pathToFileURL(PROGRAM).href);
