// `npm test`: installs and builds as `npm start` does (some tests run the built program), and runs Jest with the
// arguments given.
import { installPeers } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';
import { runJest, runJestTwice } from './lib/jest.mjs';

process.env.NODE_ENV = 'test';
await orExplain(prepare);
installPeers();
const args = process.argv.slice(2);
process.exitCode = await (process.env.CI === undefined ? runJest(args) : runJestTwice(args));
