/**
 * Seeds of what a test does at random: other ones in each run, or the one of a run that failed, as `TEST_SEED` names it.
 * Whoever takes them says in the test's name, or in what it fails with, which it was.
 */
export function seeds(count: number): readonly number[] {
  const given = process.env['TEST_SEED'];
  if (given === undefined) return Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 31));
  if (!/^\d{1,10}$/.test(given)) throw new Error(`TEST_SEED is no seed: ${given}`);
  return [Number(given)];
}
