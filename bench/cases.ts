import { descendantCases } from './cases/descendants';
import { mixedCases } from './cases/mixed';
import { pageCases } from './cases/pages';
import type { Inventory } from './cases/reads';
import { realPageCases } from './cases/real-pages';
import { singleHostCases } from './cases/single-hosts';
import { sizeCases } from './cases/sizes';
import { variableFilterCases } from './cases/variable-filters';
import { writeCases } from './cases/writes';
import { FLEET_SIZES } from './fleet/dimensions';
import { ensureFleet, type Fleet } from './fleet/fleets';
import type { Case } from './run/case';
import type { BenchServer } from './run/database';
import type { Options } from './run/options';
import { ensureRealFleet, REAL_FLEET, hasRealFleet } from './run/real-fleet';
import { copyFleet } from './run/scratch';
import type { Stage } from './run/stage';

/** What larger fleets are compared to. */
const [SMALL_SIZE] = FLEET_SIZES;

/** What a run does, and what it leaves out. */
interface Programme {
  readonly cases: readonly Case[];
  readonly leftOut: readonly string[];
}

/** The cases of a run, in the order of the table that they answer; makes the fleets that they need. */
export async function casesOf(
  server: BenchServer,
  stage: Stage,
  options: Options,
  say: (sentence: string) => void,
): Promise<Programme> {
  const leftOut: string[] = [];
  const fleet = await ensureFleet(server, options.size, say);
  const copy = once(async () => {
    say('copies the fleet, to write to');
    await stage.clear();
    return copyFleet(server, fleet);
  });
  const cases = [
    ...singleHostCases(fleet),
    ...pageCases(fleet),
    ...realPages(server, stage, say, leftOut),
    ...(await sizes(server, fleet, say, leftOut)),
    ...variableFilterCases(fleet, options.quick),
    ...descendantCases(fleet),
    ...writeCases(copy),
    ...mixedCases(copy),
  ];
  const isAskedFor = ({ name }: Case) =>
    options.filters.length === 0 || options.filters.some((words) => name.includes(words));
  return { cases: cases.filter(isAskedFor), leftOut };
}

function realPages(
  server: BenchServer,
  stage: Stage,
  say: (sentence: string) => void,
  leftOut: string[],
): Case[] {
  if (hasRealFleet()) return realPageCases(once<Inventory>(() => ensureRealFleet(server, stage.tested, say)));
  leftOut.push(`the real fleet, which is not part of the project: there is no ${REAL_FLEET}.`);
  return [];
}

async function sizes(
  server: BenchServer,
  large: Fleet,
  say: (sentence: string) => void,
  leftOut: string[],
): Promise<Case[]> {
  if (large.devices > SMALL_SIZE) {
    const small = await ensureFleet(server, SMALL_SIZE, say);
    const between = FLEET_SIZES.filter((size) => size > SMALL_SIZE && size < large.devices);
    const cases: Case[] = [];
    for (const size of between) cases.push(...sizeCases(await ensureFleet(server, size, say), small));
    return [...cases, ...sizeCases(large, small)];
  }
  leftOut.push(
    `the comparison with ${SMALL_SIZE.toLocaleString('en')} devices: the fleet has no more itself.`,
  );
  return [];
}

/** Does the work when it is first asked for, and never again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
