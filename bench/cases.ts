import { descendantCases } from './cases/descendants';
import { mixedCases } from './cases/mixed';
import { pageCases } from './cases/pages';
import type { Inventory } from './cases/reads';
import { proposalCases } from './cases/proposals';
import { realPageCases } from './cases/real-pages';
import { searchCases } from './cases/search';
import { singleHostCases } from './cases/single-hosts';
import { sizeCases } from './cases/sizes';
import { statisticsCases } from './cases/statistics';
import { variableFilterCases } from './cases/variable-filters';
import { whereCases } from './cases/where';
import { writeCases } from './cases/writes';
import { FLEET_SIZES } from './fleet/dimensions';
import { ensureFleet, type Fleet } from './fleet/fleets';
import type { Case } from './run/case';
import type { BenchServer } from './run/database';
import { isSelected, type Options } from './run/options';
import { ensureRealFleet, REAL_FLEET, hasRealFleet } from './run/real-fleet';
import { copyFleet } from './run/scratch';
import type { Stage } from './run/stage';

/** The size that larger fleets are compared with. */
const [SMALL_SIZE] = FLEET_SIZES;

/** The cases of a run, and the parts that it leaves out. */
interface BenchPlan {
  readonly cases: readonly Case[];
  readonly leftOut: readonly string[];
}

/** The cases of a run, in the order of the result table. Creates the fleets that they need. */
export async function planCases(
  server: BenchServer,
  stage: Stage,
  options: Options,
  log: (sentence: string) => void,
): Promise<BenchPlan> {
  const leftOut: string[] = [];
  const fleet = await ensureFleet(server, options.size, log);
  const smallest = fleet.devices > SMALL_SIZE ? await ensureFleet(server, SMALL_SIZE, log) : undefined;
  const copy = once(async () => {
    log('copies the fleet, to write to');
    await stage.clear();
    return copyFleet(server, fleet);
  });
  const cases = [
    ...singleHostCases(fleet),
    ...pageCases(fleet),
    ...realPages(server, stage, log, leftOut),
    ...(await sizes(server, fleet, smallest, log, leftOut)),
    ...variableFilterCases(fleet, smallest, options.quick),
    ...whereCases(fleet, options.quick),
    ...descendantCases(fleet),
    ...statisticsCases(fleet),
    ...searchCases(fleet),
    ...writeCases(copy),
    ...proposalCases(copy),
    ...mixedCases(copy),
  ];
  return { cases: cases.filter(({ name }) => isSelected(name, options)), leftOut };
}

function realPages(
  server: BenchServer,
  stage: Stage,
  log: (sentence: string) => void,
  leftOut: string[],
): Case[] {
  if (hasRealFleet()) return realPageCases(once<Inventory>(() => ensureRealFleet(server, stage.tested, log)));
  leftOut.push(`the real fleet, which is not part of the project: there is no ${REAL_FLEET}.`);
  return [];
}

async function sizes(
  server: BenchServer,
  large: Fleet,
  small: Fleet | undefined,
  log: (sentence: string) => void,
  leftOut: string[],
): Promise<Case[]> {
  if (small) {
    const between = FLEET_SIZES.filter((size) => size > SMALL_SIZE && size < large.devices);
    const cases: Case[] = [];
    for (const size of between) cases.push(...sizeCases(await ensureFleet(server, size, log), small));
    return [...cases, ...sizeCases(large, small)];
  }
  leftOut.push(
    `the comparison with ${SMALL_SIZE.toLocaleString('en')} devices: the fleet has no more itself.`,
  );
  return [];
}

/** Runs the work at the first call only. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
