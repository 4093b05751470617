const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The tiers whose files take longest or mostly wait. The others have many short files, with which all workers end together. */
const FIRST = ['faults', 'system', 'web'];

/**
 * The longest files, longest first. Jest knows how long a file took only where it ran before, and in a fresh clone it goes by
 * the sizes of the files: these are short.
 */
const LONGEST = [
  'test/system/clients/generated-clients.spec.ts',
  'test/system/docs/contributing.spec.ts',
  'test/system/faults/service-killed.spec.ts',
  'test/system/bench/bench.spec.ts',
  'test/system/database/import-statistics.spec.ts',
];

/**
 * Starts the longest files before all others, then the tiers in their order. Within a tier, Jest's own order: what took
 * longest, or is largest.
 */
module.exports = class TierSequencer extends Sequencer {
  sort(tests) {
    const placeIn = (list, entry) => (list.includes(entry) ? list.indexOf(entry) : list.length);
    const rankOf = ({ path, context: { config } }) => [
      placeIn(LONGEST, relative(config.rootDir, path)),
      placeIn(FIRST, config.displayName?.name),
    ];
    const compare = ([a, b], [c, d]) => a - c || b - d;
    return super.sort([...tests]).sort((one, other) => compare(rankOf(one), rankOf(other)));
  }
};
