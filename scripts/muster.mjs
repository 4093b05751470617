// `npm run -s muster -- …`: the command-line client of the build. It builds nothing itself: what it is asked for may be
// read by a program.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const PROGRAM = fileOf('client/dist/cli.js');

await orExplain(() => {
  if (existsSync(PROGRAM) && existsSync(fileOf('node_modules'))) return;
  throw new Failure('Muster is not built yet: run "npm start" once, or "npm ci" and "npm run build".');
});
// What commander calls the program by, and takes its arguments after.
process.argv[1] = PROGRAM;
// Files are named from where npm was called, not from the project's folder.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import(pathToFileURL(PROGRAM).href);
