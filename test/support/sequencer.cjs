const { default: Sequencer } = require('@jest/test-sequencer');

/** The tiers whose files take longest or mostly wait. The others have many short files, with which all workers end together. */
const FIRST = ['faults', 'system', 'web'];

/** Starts the files of these tiers before all others. Within a tier, Jest's own order: what took longest, or is largest. */
module.exports = class TierSequencer extends Sequencer {
  sort(tests) {
    const rankOf = ({ context }) => {
      const rank = FIRST.indexOf(context.config.displayName?.name);
      return rank === -1 ? FIRST.length : rank;
    };
    return super.sort([...tests]).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
