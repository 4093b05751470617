/**
 * Seeds of tests with random data: 1, 2, 3 … by default. The environment variable SEED replaces them by other ones in
 * each run (`SEED=random`) or by one that a failure has named (`SEED=123`). A test shows its seed in its name or in the
 * message of its failure.
 */
export function seeds(count: number): readonly number[] {
  const { SEED } = process.env;
  if (SEED === undefined || SEED === '') return Array.from({ length: count }, (_, i) => i + 1);
  if (SEED === 'random') return Array.from({ length: count }, () => Math.floor(Math.random() * 1e9));
  if (!/^\d{1,9}$/.test(SEED)) throw new Error(`SEED must be "random" or a number below 10^9: ${SEED}`);
  return [Number(SEED)];
}

/** The seed of a test that needs only one. */
export function oneSeed(): number {
  const [seed] = seeds(1);
  if (seed === undefined) throw new Error('there is no seed');
  return seed;
}
