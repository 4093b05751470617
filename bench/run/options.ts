import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '../../src/database/connection/connection';

/** How the benchmark is run. */
export interface Options {
  readonly quick: boolean;
  /** Only cases whose name holds one of these words. */
  readonly filters: readonly string[];
  /** The size of the fleet that stands for a large one. */
  readonly size: number;
  /** How long one round of one side takes, and how many there are. */
  readonly seconds: number;
  readonly rounds: number;
  /** Each side answers so long before anything counts: so much is needed until its code is compiled. */
  readonly warmUp: number;
  /** The folder for a CPU profile of the service. */
  readonly profile: string | undefined;
  /** Only the start of the client. */
  readonly client: boolean;
  readonly writeDocs: boolean;
  /** The folder of the Muster that is measured, which is built. */
  readonly service: string;
  /** Where the results go. */
  readonly out: string | undefined;
}

export const USAGE = `npm run bench -- [options]
  --quick           a fleet of 10,000 and short rounds: two minutes altogether
  --case <words>    only cases whose name holds this (may be given several times)
  --fleet <size>    the large fleet's devices (default 1000000)
  --seconds <n>     how long one round of one side takes (default 1; quick: 0.3)
  --rounds <n>      how often the sides take turns (default 5; quick: 3)
  --profile         writes CPU profiles of the service into bench/results/profiles (with few cases, best with --case)
  --out <folder>    where results go (default bench/results; with --case they are printed only)
  --write-docs      puts the table into docs/performance.md
  --client          times how long the client takes to start, and nothing else
  --as-built        measures dist as it is, without building it first
  --service <path>  measures the Muster that is built in another folder: of another commit, say`;

const QUICK = { size: 10_000, seconds: 0.3, rounds: 3, warmUp: 0.4 };
const FULL = { size: 1_000_000, seconds: 1, rounds: 5, warmUp: 1.5 };

/** @throws TypeError for arguments that are not as described */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      fleet: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      profile: { type: 'boolean', default: false },
      out: { type: 'string' },
      service: { type: 'string' },
      client: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
      // Known to scripts/bench.mjs, which builds.
      'as-built': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const usual = values.quick ? QUICK : FULL;
  const seconds = positive('seconds', values.seconds, usual.seconds);
  return {
    quick: values.quick,
    filters: values.case,
    size: positive('fleet', values.fleet, usual.size),
    seconds,
    rounds: positive('rounds', values.rounds, usual.rounds),
    warmUp: usual.warmUp * (seconds / usual.seconds),
    profile: values.profile ? 'bench/results/profiles' : undefined,
    service: resolve(values.service ?? projectDir()),
    client: values.client,
    writeDocs: values['write-docs'],
    out: values.out ?? (values.case.length > 0 ? undefined : 'bench/results'),
  };
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text.replaceAll(/[,_]/g, ''));
  if (number > 0 && Number.isFinite(number)) return number;
  throw new TypeError(`--${name} must be a number above 0, and is ${text}`);
}
