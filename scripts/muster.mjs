// `npm run -s muster -- …`: runs the built command-line client. It does not build, because a program may read its
// output.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const PROGRAM = fileOf('client/dist/cli.js');

await orExplain(() => {
  if (existsSync(PROGRAM) && existsSync(fileOf('node_modules'))) return;
  throw new Failure('Muster is not built yet: run "npm start" once, or "npm ci" and "npm run build".');
});
// Commander reads the program name and arguments from here.
process.argv[1] = PROGRAM;
// File names are relative to the folder where npm was called.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import(pathToFileURL(PROGRAM).href);
