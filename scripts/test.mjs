// `npm test`: installs and builds as `npm start` does (most tests run the built program), then runs Jest. `--with-peers`
// installs the other programs that tests run as well. Other arguments are passed on to Jest.
import { runJest } from './lib/jest.mjs';
import { installPeers, reportMissingPeers } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';

process.env.NODE_ENV = 'test';
const WITH_PEERS = '--with-peers';
const given = process.argv.slice(2).filter((argument) => argument !== WITH_PEERS);
// At the same time: both wait for registries.
const preparations = process.argv.includes(WITH_PEERS) ? [prepare, installPeers] : [prepare];
await orExplain(() => Promise.all(preparations.map((start) => start())));
process.exitCode = await runJest(given);
reportMissingPeers();
