// `npm test`: installs and builds as `npm start` does (most tests run the built program), then runs Jest three times: the
// tiers that share one service, the system tier, and the fault tests, which kill and starve processes. `--with-peers` first
// installs the other programs that tests run. Other arguments are passed on to Jest; with patterns of file names, only the
// tiers that have such files run.
import { findsTests, runJest } from './lib/jest.mjs';
import { installPeers, reportMissingPeers } from './lib/peers.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';

const RUNS = [
  { name: 'unit, api, client and web', args: ['--selectProjects', 'unit', 'api', 'client', 'web'] },
  { name: 'system', args: ['--selectProjects', 'system'] },
  { name: 'faults', args: ['--selectProjects', 'faults', '--maxWorkers=2'] },
];

process.env.NODE_ENV = 'test';
await orExplain(prepare);
const WITH_PEERS = '--with-peers';
const given = process.argv.slice(2).filter((argument) => argument !== WITH_PEERS);
if (process.argv.includes(WITH_PEERS)) await orExplain(installPeers);
const summary = [];
for (const { name, args } of RUNS) {
  // --selectProjects comes last: it takes every word that follows it.
  const all = [...given, ...args];
  if (given.length > 0 && !(await findsTests(all))) continue;
  const began = Date.now();
  const code = await runJest(all);
  const seconds = Math.round((Date.now() - began) / 1000);
  summary.push(`${name}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  if (code !== 0) process.exitCode = code;
}
if (summary.length === 0) {
  console.error(`No test file matches ${given.join(' ')}`);
  process.exitCode = 1;
}
reportMissingPeers();
for (const line of summary) console.error(line);
