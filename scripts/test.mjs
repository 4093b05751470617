// `npm test`: installs and builds as `npm start` does (some tests run the built program), and runs Jest with the
// arguments given.
import { pathToFileURL } from 'node:url';
import { fileOf, orExplain } from './lib/project.mjs';
import { installPeers } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';

process.env.NODE_ENV = 'test';
await orExplain(prepare);
installPeers();
// Jest reads process.argv itself, and sets the exit code.
await import(pathToFileURL(fileOf('node_modules/jest/bin/jest.js')).href);
