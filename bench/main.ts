import { descendantCases } from './cases/descendants';
import { pageCases } from './cases/pages';
import { singleHostCases } from './cases/single-hosts';
import { sizeCases } from './cases/sizes';
import { variableFilterCases } from './cases/variable-filters';
import { writeCases } from './cases/writes';
import { ensureFleet, type Fleet } from './fleet/fleets';
import type { Case } from './run/case';
import { openServer, type BenchServer } from './run/database';
import { measure } from './run/measure';
import { readOptions, USAGE, type Options } from './run/options';
import { copyFleet, dropCopy } from './run/scratch';
import { Stage } from './run/stage';

const say = (sentence: string): void => {
  process.stderr.write(`bench: ${sentence}\n`);
};

async function casesOf(server: BenchServer, stage: Stage, options: Options): Promise<Case[]> {
  const fleet = await ensureFleet(server, options.size, say);
  const sizes = options.size > SMALL_SIZE ? sizeCases(fleet, await ensureFleet(server, SMALL_SIZE, say)) : [];
  return [
    ...singleHostCases(fleet),
    ...pageCases(fleet),
    ...sizes,
    ...variableFilterCases(fleet, options.quick),
    ...descendantCases(fleet),
    ...writeCases(copyOnce(server, stage, fleet)),
  ].filter(({ name }) => options.filters.length === 0 || options.filters.some((word) => name.includes(word)));
}

/** The copy is made when the first case wants it, and serves them all. */
function copyOnce(server: BenchServer, stage: Stage, fleet: Fleet): () => Promise<Fleet> {
  let copy: Promise<Fleet> | undefined;
  return () =>
    (copy ??= (async () => {
      say('copies the fleet, to write to');
      await stage.clear();
      return copyFleet(server, fleet);
    })());
}

/** What a large fleet is compared to. */
const SMALL_SIZE = 10_000;

async function run(options: Options): Promise<void> {
  const server = await openServer();
  const stage = new Stage(server.postmaster, { folder: options.service, profiles: options.profile });
  try {
    for (const one of await casesOf(server, stage, options)) {
      const sides = await one.prepare(stage);
      const seconds = one.short === true ? options.seconds / 2 : options.seconds;
      const warmUp = one.short === true ? options.warmUp / 2 : options.warmUp;
      const { figures, ratio } = await measure<string>(
        { ...sides },
        { ...options, seconds, warmUp },
        { connections: one.connections, postmaster: stage.postmaster },
      );
      const { service, floor, reference } = figures;
      const f = (x?: number) => x?.toFixed(2);
      console.log(
        one.name.padEnd(60),
        `${f(service?.throughput)}/s p50 ${f(service?.p50)} p99 ${f(service?.p99)} node ${f(service?.nodeCpu)} pg ${f(service?.postgresCpu)} err ${service?.errors}`,
        `floor p50 ${f(floor?.p50)} node ${f(floor?.nodeCpu)} pg ${f(floor?.postgresCpu)}`,
        f(ratio('service', 'floor').throughput),
        reference ? f(ratio('service', 'reference').p50) : '',
      );
    }
  } finally {
    await stage.clear();
    await dropCopy(server);
    await server.close();
  }
}

const options = readOptions(process.argv.slice(2));
if (options === 'help') console.log(USAGE);
else
  run(options).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
