import { createHash } from 'node:crypto';

/**
 * The seed of this run: `SEED` in the environment, which jest.config.cjs sets and prints. All random data of a run derives
 * from it, so the printed seed repeats the run.
 */
function runSeed(): number {
  const seed = Number(process.env['SEED']);
  if (!Number.isSafeInteger(seed)) throw new Error('SEED is not set: run the tests with jest.config.cjs');
  return seed;
}

/** A seed for one use of random data. @param use a name: different uses get different seeds in the same run */
export const seedOf = (use: string): number =>
  createHash('sha256')
    .update(`${String(runSeed())} ${use}`)
    .digest()
    .readUInt32BE() % 1e9;

/** Seeds for a test that repeats itself with other data. With the default seed of a run: 1, 2, 3 … */
export const seeds = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => runSeed() + i);

/** The seed of a test that needs only one. */
export const oneSeed = (): number => runSeed();

/** The seed of runs that select none: see jest.config.cjs. */
const DEFAULT_SEED = 1;

/**
 * How often a random test repeats itself. With the default seed, each run has the same data: `few` rounds have each kind of it. A run
 * with another seed looks for defects that nobody knows yet.
 */
export const rounds = (few: number, many: number): number => (runSeed() === DEFAULT_SEED ? few : many);
