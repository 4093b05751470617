import { isOnCitus } from './test-database';

/** Declares a test. */
type Declare = (title: string, test: () => Promise<void>, timeout?: number) => void;

/**
 * Declares a test that needs a single server. On Citus it is skipped, and its title says why.
 * @param reason what the test does that Citus does not support; docs/scaling.md lists what that means for users
 */
export const itOnOneServer =
  (reason: string): Declare =>
  (title, test, timeout) => {
    if (isOnCitus()) it.skip(`${title} (not on Citus: ${reason})`, test, timeout);
    else it(title, test, timeout);
  };

/** Like `itOnOneServer`, for a group of tests. */
export const describeOnOneServer =
  (reason: string) =>
  (title: string, tests: () => void): void => {
    if (isOnCitus()) describe.skip(`${title} (not on Citus: ${reason})`, tests);
    else describe(title, tests);
  };
