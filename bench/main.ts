import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf } from './cases';
import { startUp } from './client/start-up';
import { chartOf } from './report/chart';
import { writeDocs } from './report/docs';
import { jsonOf, resultOf, resultsOf, type CaseResult } from './report/results';
import { textTable } from './report/table';
import { verdictOn } from './report/verdict';
import type { Case } from './run/case';
import { openServer } from './run/database';
import { measure } from './run/measure';
import { readOptions, USAGE, type Options } from './run/options';
import { dropCopy } from './run/scratch';
import { Stage } from './run/stage';

const say = (sentence: string): void => {
  process.stderr.write(`bench: ${sentence}\n`);
};

async function run(options: Options): Promise<void> {
  const server = await openServer();
  const stage = new Stage(server.postmaster, { folder: options.service, profiles: options.profile });
  try {
    const { cases, leftOut } = await casesOf(server, stage, options, say);
    const began = performance.now();
    const results: CaseResult[] = [];
    const interruption = interruptions();
    for (const one of cases) {
      if (interruption.came) throw new Interrupted();
      const result = await resultOn(one, stage, options);
      results.push(result);
      say(`${result.reached ? 'reached' : 'MISSED '} ${one.name}: ${result.value} (${result.bar})`);
    }
    const all = resultsOf(results, { options, postgres: server.version, began, leftOut });
    process.stdout.write(`\n${textTable(all)}\n`);
    if (options.out !== undefined) {
      mkdirSync(options.out, { recursive: true });
      const name = options.quick ? 'quick' : 'full';
      writeFileSync(join(options.out, `${name}.json`), jsonOf(all));
      writeFileSync(join(options.out, `${name}.svg`), chartOf(all));
      say(`wrote ${join(options.out, name)}.json and .svg`);
    }
    if (options.writeDocs) writeDocs(all);
  } finally {
    await stage.clear();
    await dropCopy(server);
    await server.close();
  }
}

/** Somebody does not want to wait for the end. */
class Interrupted extends Error {
  constructor() {
    super('bench: interrupted; nothing was written.');
  }
}

/** The first signal is waited for until the case is over: what serves it has to be ended. The second ends at once. */
function interruptions(): { readonly came: boolean } {
  const interruption = { came: false };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interruption.came = true;
      say('stops when this case is over');
    });
  return interruption;
}

async function resultOn(one: Case, stage: Stage, options: Options): Promise<CaseResult> {
  const { observe, ...sides } = await one.prepare(stage);
  const share = one.short === true ? 0.4 : 1;
  const effort = {
    rounds: options.rounds,
    seconds: options.seconds * share,
    warmUp: options.warmUp * share,
  };
  const load = { connections: one.connections, postmaster: stage.postmaster };
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
  else await run(options);
}

main().catch((error: unknown) => {
  // What a person got wrong is said in a sentence.
  console.error(error instanceof TypeError || isExpected(error) ? error.message : error);
  process.exitCode = 1;
});

function isExpected(error: unknown): error is Error {
  return error instanceof Interrupted || (error instanceof Error && error.name === 'StartupError');
}
