// `npm start`: brings a clone to where it can run, and runs Muster in this process.
import { pathToFileURL } from 'node:url';
import { fileOf, orExplain } from './lib/project.mjs';
import { prepare } from './lib/prepare.mjs';

await orExplain(prepare);
// In this process, so that there is one to signal, and nothing in between to lose the signal.
await import(pathToFileURL(fileOf('dist/src/main.js')).href);
