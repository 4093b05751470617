const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The tiers whose files take longest or mostly wait. The others have many short files, with which all workers end together. */
const FIRST = ['faults', 'system', 'web'];

/**
 * The longest files, longest first. Jest knows how long a file took only where it ran before, and in a fresh clone it goes by
 * the sizes of the files: these are short.
 */
const LONGEST = [
  'test/system/docs/contributing.spec.ts',
  'test/system/bench/bench.spec.ts',
  'test/system/faults/shutdown-under-load.spec.ts',
  'test/system/database/import-statistics.spec.ts',
];

/** Files that wait for programs which `npm test -- --with-peers` installs beside the first tests, the longest first. */
const WITH_PEERS = [
  'test/system/peers/ansible-collection.spec.ts',
  'test/system/clients/',
  'test/system/peers/',
  'test/system/deployment/rolling-restart.spec.ts',
  'test/system/database/citus.spec.ts',
];

/**
 * Starts the longest files, then the other files of long tiers, those that need installed programs last, and then the others.
 * Files that wait and files that compute are mixed. Within each group, it is Jest's own order: what took longest, or is largest.
 */
module.exports = class TierSequencer extends Sequencer {
  sort(tests) {
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]));
    const compare = ([a, b], [c, d]) => a - c || b - d;
    return super.sort([...tests]).sort((one, other) => compare(ranks.get(one), ranks.get(other)));
  }
};

function rankOf({ path, context: { config } }) {
  const file = relative(config.rootDir, path);
  const longest = LONGEST.indexOf(file);
  if (longest >= 0) return [0, longest];
  const withPeers = WITH_PEERS.findIndex((start) => file.startsWith(start));
  if (withPeers >= 0) return [2, withPeers];
  return FIRST.includes(config.displayName?.name) ? [1, 0] : [3, 0];
}
