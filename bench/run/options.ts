import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '../../src/database/connection/connection';

/** The options of the benchmark. */
export interface Options {
  readonly quick: boolean;
  /** Only cases whose name contains one of these texts. */
  readonly filters: readonly string[];
  /** The size of the large fleet. */
  readonly size: number;
  /** The duration of one round of one side, and the number of rounds. */
  readonly seconds: number;
  readonly rounds: number;
  /** The duration of the warm-up of each side, until its code is compiled: as long in short rounds as in long ones. */
  readonly warmUp: number;
  /** The folder for a CPU profile of the service. */
  readonly profile: string | undefined;
  /** A database on the coordinator of a Citus cluster, to compare Citus with one server; undefined not to. */
  readonly citus: string | undefined;
  /** Whether to measure only the start of the client. */
  readonly client: boolean;
  /** Whether to measure only the list of devices in a browser. */
  readonly explorer: boolean;
  /** Whether to measure only imports into new databases. */
  readonly imports: boolean;
  /** The hosts of the import whose rate is measured; undefined to measure imports of several sizes instead. */
  readonly hosts: number | undefined;
  /** The folder of another built Muster that takes turns with the measured one; undefined: none. */
  readonly against: string | undefined;
  /** A database on the server to measure imports with, as a superuser; undefined: the embedded server. */
  readonly postgres: string | undefined;
  readonly writeDocs: boolean;
  /** The folder of the built Muster to measure. */
  readonly service: string;
  /** The folder for the results. */
  readonly out: string | undefined;
}

export const USAGE = `npm run bench -- [options]
  --quick           a fleet of 10,000 and short rounds: two minutes in total
  --case <text>     only cases whose name contains this (repeatable); "everyday": the comparison of the three sizes
  --fleet <size>    the large fleet's devices (default 1000000)
  --seconds <n>     the duration of one round of one side (default 1; quick: 0.3)
  --rounds <n>      the number of rounds (default 5; quick: 3)
  --warm-up <n>     the duration of the warm-up of each side (default 1.5; quick: 0.4)
  --profile         writes CPU profiles of the service into bench/results/profiles (with few cases, best with --case)
  --out <folder>    the folder for results (default bench/results; with --case they are only printed)
  --write-docs      writes the table into docs/performance.md
  --citus <url>     compares only one PostgreSQL with Citus: the URL of a database on the coordinator, as a superuser
  --client          measures only the start of the client
  --explorer        measures only scrolling through the list of devices in a browser: three minutes, after its fleet is created
  --imports         measures only imports into new databases, of 8,000 and 32,000 hosts: a minute (quick: a tenth of these)
  --hosts <n>       with --imports: measures instead the rate of one import of this many hosts, --rounds times into an empty
                    database, and into a copy of the large fleet
  --against <path>  with --hosts: the Muster built in another folder takes turns with the measured one
  --postgres <url>  with --imports and without --hosts: another PostgreSQL server than the embedded one, as a superuser
  --as-built        measures dist without building it first
  --service <path>  measures the Muster built in another folder, for example of another commit`;

/** Whether the filters select a case. */
export const isSelected = (name: string, { filters }: Options): boolean =>
  filters.length === 0 || filters.some((words) => name.includes(words));

const QUICK = { size: 10_000, seconds: 0.3, rounds: 3, warmUp: 0.4 };
const FULL = { size: 1_000_000, seconds: 1, rounds: 5, warmUp: 1.5 };

/** @throws TypeError for invalid arguments */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      fleet: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      'warm-up': { type: 'string' },
      profile: { type: 'boolean', default: false },
      out: { type: 'string' },
      service: { type: 'string' },
      citus: { type: 'string' },
      client: { type: 'boolean', default: false },
      explorer: { type: 'boolean', default: false },
      imports: { type: 'boolean', default: false },
      hosts: { type: 'string' },
      against: { type: 'string' },
      postgres: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      // Used by scripts/bench.mjs, which builds.
      'as-built': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  assertCombined(values);
  const defaults = values.quick ? QUICK : FULL;
  const seconds = positive('seconds', values.seconds, defaults.seconds);
  return {
    quick: values.quick,
    filters: values.case,
    size: positive('fleet', values.fleet, defaults.size),
    seconds,
    rounds: positive('rounds', values.rounds, defaults.rounds),
    warmUp: positive('warm-up', values['warm-up'], defaults.warmUp),
    profile: values.profile ? 'bench/results/profiles' : undefined,
    service: resolve(values.service ?? projectDir()),
    citus: values.citus,
    client: values.client,
    explorer: values.explorer,
    imports: values.imports,
    hosts: values.hosts === undefined ? undefined : positive('hosts', values.hosts, 0),
    against: values.against === undefined ? undefined : resolve(values.against),
    postgres: values.postgres,
    writeDocs: values['write-docs'],
    out: values.out ?? (values.case.length > 0 ? undefined : 'bench/results'),
  };
}

/** @throws TypeError for an option that would have no effect */
function assertCombined({
  imports,
  hosts,
  against,
  postgres,
}: {
  readonly imports: boolean;
  readonly hosts?: string;
  readonly against?: string;
  readonly postgres?: string;
}): void {
  if (hosts !== undefined && !imports) throw new TypeError('--hosts needs --imports');
  if (against !== undefined && hosts === undefined) throw new TypeError('--against needs --hosts');
  if (postgres !== undefined && !imports) throw new TypeError('--postgres needs --imports');
  if (postgres !== undefined && hosts !== undefined)
    throw new TypeError('--postgres is not for --hosts, which measures the embedded server');
}

function positive(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text.replaceAll(/[,_]/g, ''));
  if (number > 0 && Number.isFinite(number)) return number;
  throw new TypeError(`--${name} must be a number above 0, not ${text}`);
}
