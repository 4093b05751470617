import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planCases } from './cases';
import { compareWithCitus } from './citus';
import { startUp } from './client/start-up';
import { measureEveryday } from './everyday';
import { ensureFleet } from './fleet/fleets';
import { measureImportRate } from './import-rate';
import { measureImports } from './imports';
import { chartOf } from './report/chart';
import { writeDocs } from './report/docs';
import { everydayChart, everydayTable } from './report/everyday';
import { jsonOf, resultOf, resultsOf, type CaseResult } from './report/results';
import { textTable } from './report/table';
import { verdictOn } from './report/verdict';
import type { Case } from './run/case';
import { openServer } from './run/database';
import { measure } from './run/measure';
import { isSelected, readOptions, USAGE, type Options } from './run/options';
import { dropCopy } from './run/scratch';
import { Stage } from './run/stage';

const log = (sentence: string): void => {
  process.stderr.write(`bench: ${sentence}\n`);
};

async function run(options: Options): Promise<void> {
  const server = await openServer();
  const stage = new Stage(server, { folder: options.service, profiles: options.profile });
  try {
    if (options.explorer) {
      const fleet = await ensureFleet(server, options.size, log);
      const service = await stage.service(fleet.databaseUrl);
      // The driver of the browser takes longer to load than all other packages of the benchmark.
      const { measureScrolling } = await import('./explorer/scrolling.js');
      await measureScrolling(service.url, fleet, (line) => {
        console.log(line);
      });
      return;
    }
    const { cases, leftOut } = await planCases(server, stage, options, log);
    const startedAt = performance.now();
    const everyday = isSelected('everyday questions', options)
      ? await measureEveryday(server, stage, options, log)
      : [];
    const results: CaseResult[] = [];
    const signals = watchSignals();
    for (const one of cases) {
      if (signals.received) throw new Interrupted();
      const result = await resultOn(one, stage, options);
      results.push(result);
      log(`${result.reached ? 'reached' : 'MISSED '} ${one.name}: ${result.value} (${result.bar})`);
    }
    const all = resultsOf(results, {
      options,
      postgres: server.version,
      startedAt,
      leftOut,
      everyday,
    });
    if (everyday.length > 0) process.stdout.write(`\n${everydayTable(everyday)}\n`);
    if (cases.length > 0) process.stdout.write(`\n${textTable(all)}\n`);
    if (options.out !== undefined) {
      mkdirSync(options.out, { recursive: true });
      const name = options.quick ? 'quick' : 'full';
      const { out } = options;
      const write = (file: string, text: string) => {
        writeFileSync(join(out, file), text);
        log(`wrote ${join(out, file)}`);
      };
      if (everyday.length > 0) write(`${name}-everyday.svg`, everydayChart(everyday));
      if (cases.length > 0) {
        write(`${name}.json`, jsonOf(all));
        write(`${name}.svg`, chartOf(all));
      }
    }
    if (options.writeDocs) writeDocs(all);
  } finally {
    await stage.clear();
    await dropCopy(server);
    await server.close();
  }
}

/** A signal has interrupted the run. */
class Interrupted extends Error {
  constructor() {
    super('bench: interrupted; nothing was written.');
  }
}

/**
 * The first signal stops the run after the current case, whose processes must be stopped. The second one exits at
 * once.
 */
function watchSignals(): { readonly received: boolean } {
  const signals = { received: false };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      signals.received = true;
      log('stops after this case');
    });
  return signals;
}

async function resultOn(one: Case, stage: Stage, options: Options): Promise<CaseResult> {
  const { observe, ...sides } = await one.prepare(stage);
  const { duration = 1 } = one;
  const effort = {
    rounds: options.rounds,
    seconds: options.seconds * duration,
    warmUp: options.warmUp * duration,
  };
  const load = { connections: one.connections, server: stage.server };
  const { figures, ratio } = await measure(sides, effort, load);
  const measured = {
    figures,
    toFloor: ratio('service', 'floor'),
    toReference: sides.reference && ratio('service', 'reference'),
    observed: (await observe?.()) ?? {},
  };
  return resultOf(one, measured, verdictOn(one, measured));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else if (options.client) console.log(startUp(options.service).join('\n'));
  else if (options.citus !== undefined) console.log(await compareWithCitus(options.citus, options, log));
  else if (options.imports && options.hosts !== undefined)
    console.log(await measureImportRate(options.hosts, options, log));
  else if (options.imports) console.log(await measureImports(options.postgres, options, log));
  else await run(options);
}

main().catch((error: unknown) => {
  // Usage errors are printed without a stack trace.
  console.error(error instanceof TypeError || isExpected(error) ? error.message : error);
  process.exitCode = 1;
});

function isExpected(error: unknown): error is Error {
  return error instanceof Interrupted || (error instanceof Error && error.name === 'StartupError');
}
