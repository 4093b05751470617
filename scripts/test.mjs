// `npm test`: installs and builds as `npm start` does (most tests run the built program), then runs Jest. `--with-peers`
// installs the other programs that tests run as well, beside the build and the tests. Other arguments are passed on to Jest.
import { runJest } from './lib/jest.mjs';
import { reportMissingPeers, withPeersBeside } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';

process.env.NODE_ENV = 'test';
const WITH_PEERS = '--with-peers';
const given = process.argv.slice(2).filter((argument) => argument !== WITH_PEERS);

async function test(environment = {}) {
  await prepare();
  Object.assign(process.env, environment);
  process.exitCode = await runJest(given);
}

await orExplain(() => (process.argv.includes(WITH_PEERS) ? withPeersBeside(test) : test()));
reportMissingPeers();
