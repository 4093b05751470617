// `npm start`: installs and builds if necessary, and runs Muster in this process.
import { pathToFileURL } from 'node:url';
import { fileOf, orExplain } from './lib/project.mjs';
import { prepare } from './lib/prepare.mjs';

await orExplain(prepare);
// In this process, so that signals reach it directly.
await import(pathToFileURL(fileOf('dist/src/main.js')).href);
