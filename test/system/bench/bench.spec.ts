import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../../../bench/report/results';
import { readOptions } from '../../../bench/run/options';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { PROJECT } from '../../support/service';
import { Program } from '../../support/program';

const SECONDS = 1000;

/** A case of each group. The first run makes the fleet, and the second one uses it. */
const FIRST_CASES = ['one host'];
const OTHER_CASES = [
  'page of 30 hosts',
  'vars, fleet: own, rare',
  'vars, small project: three, of three levels',
  'descendants, page of 30',
  'write: create a host',
  'mixed: 64 clients, 90 % reads',
];

/** A small fleet and short rounds: the figures do not measure the speed of Muster. */
const SHORT = ['--quick', '--fleet', '100', '--seconds', '0.02', '--rounds', '1', '--warm-up', '0.02'];

/** `npm run bench`, which compiles the benchmark. */
const COMPILE_AND_RUN = ['scripts/bench.mjs', '--as-built'];
/** The benchmark, compiled by an earlier run. */
const RUN = ['dist-bench/bench/main.js'];

async function bench(command: string[], dataDir: string, ...args: string[]): Promise<Program> {
  const program = new Program(
    spawn(process.execPath, [...command, ...SHORT, ...args], {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, BENCH_DATA_DIR: dataDir, MUSTER_REAL_FLEET: join(dataDir, 'none') },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  if ((await program.ended) !== 0) throw new Error(program.errorOutput);
  return program;
}

describe('npm run bench', () => {
  let dataDir: string;
  let out: string;
  let runs: Program[];
  let results: Results[];
  const cases = () => results.flatMap((run) => run.cases);

  beforeAll(async () => {
    dataDir = join(temporaryFolder(), 'fleets');
    out = temporaryFolder();
    const run = (command: string[], into: string, names: string[]) =>
      bench(command, dataDir, '--out', join(out, into), ...names.flatMap((name) => ['--case', name]));
    runs = [await run(COMPILE_AND_RUN, 'first', FIRST_CASES), await run(RUN, 'second', OTHER_CASES)];
    results = ['first', 'second'].map(
      (into) => JSON.parse(readFileSync(join(out, into, 'quick.json'), 'utf8')) as Results,
    );
  }, 500 * SECONDS);
  afterAll(cleanUp);

  it('measures every group of cases that needs no other fleet', () => {
    const groups = new Set(cases().map(({ group }) => group));
    expect([...groups]).toEqual([
      'One host, resolved variables',
      'Pages, resolved, small documents',
      'Variable filters, 100 devices',
      'Variable filters, 100 devices beside 100',
      'Below a parent with 10 descendants',
      'Writes, each with its change record',
      'Many clients',
    ]);
    for (const { leftOut } of results)
      expect(leftOut).toEqual([
        expect.stringContaining('the real fleet'),
        expect.stringContaining('the comparison with 10,000 devices'),
      ]);
  });

  it('gets a response to each request from the service and the floor', () => {
    for (const { name, figures } of cases())
      for (const side of [figures.service, figures.floor])
        expect({ name, errors: side?.errors, isAsked: (side?.requests ?? 0) > 0 }).toEqual({
          name,
          errors: 0,
          isAsked: true,
        });
  });

  it('compares each case with its bar in the table, the chart and the messages', () => {
    for (const [i, into] of ['first', 'second'].entries()) {
      const lines = runs[i]?.lines ?? [];
      const table = lines.join('\n');
      const chart = readFileSync(join(out, into, 'quick.svg'), 'utf8');
      const ofRun = results[i]?.cases ?? [];
      for (const { name, bar } of ofRun) {
        expect(bar).toMatch(/[≥≤]/);
        expect(table).toContain(name);
        expect(chart).toContain(name);
      }
      const missed = ofRun.filter(({ reached }) => !reached);
      expect(table).toContain(`${String(ofRun.length - missed.length)} of ${String(ofRun.length)} bars`);
      expect(lines.filter((line) => line.startsWith('MISSED: '))).toHaveLength(missed.length);
    }
  });

  it('reuses its fleet in the next run, which may select cases', () => {
    const makes = 'makes fleet_100';
    expect(runs.map(({ errorOutput }) => errorOutput.includes(makes))).toEqual([true, false]);
    expect(results.map((run) => run.cases.map(({ name }) => name))).toEqual([FIRST_CASES, OTHER_CASES]);
  });

  it('writes no files for selected cases by default', () => {
    expect(readOptions(['--case', 'one host'])).toMatchObject({ filters: ['one host'], out: undefined });
  });

  it('reports invalid options', async () => {
    await expect(bench(RUN, dataDir, '--rounds', 'many')).rejects.toThrow(
      '--rounds must be a number above 0',
    );
  });

  it.each([
    [['--hosts', '1000'], '--hosts needs --imports'],
    [['--imports', '--against', 'other'], '--against needs --hosts'],
    [['--postgres', 'postgres://127.0.0.1/'], '--postgres needs --imports'],
    [
      ['--imports', '--hosts', '1000', '--postgres', 'postgres://127.0.0.1/'],
      '--postgres is not for --hosts',
    ],
  ])('rejects options that would have no effect: %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
