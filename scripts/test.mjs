// `npm test`: installs and builds as `npm start` does (most tests run the built program), then runs Jest. `--with-peers`
// first installs the other programs that tests run. Other arguments are passed on to Jest.
import { runJest } from './lib/jest.mjs';
import { installPeers, reportMissingPeers } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';

process.env.NODE_ENV = 'test';
await orExplain(prepare);
const WITH_PEERS = '--with-peers';
const given = process.argv.slice(2).filter((argument) => argument !== WITH_PEERS);
if (process.argv.includes(WITH_PEERS)) await orExplain(installPeers);
process.exitCode = await runJest(given);
reportMissingPeers();
