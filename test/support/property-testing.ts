import fc from 'fast-check';
import { oneSeed } from './seeds';

// Not in a set-up of Jest: most test files need no properties, and the library takes a while to load for each.
fc.configureGlobal({ seed: oneSeed() });

/** fast-check with the seed of the run. A property that fails names it. */
export default fc;
