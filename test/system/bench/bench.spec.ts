import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../../../bench/report/results';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { PROJECT } from '../../support/service';
import { Program } from '../../support/program';

const SECONDS = 1000;

/** One or two cases of each group. */
const CASES = [
  'one host',
  'page of 30 hosts',
  'own, rare',
  'three, of three levels',
  'descendants, page of 30',
  'write: create a host',
  'mixed: 64 clients',
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
  let first: Program;
  let results: Results;

  beforeAll(async () => {
    dataDir = join(temporaryFolder(), 'fleets');
    out = join(temporaryFolder(), 'results');
    first = await bench(COMPILE_AND_RUN, dataDir, '--out', out, ...CASES.flatMap((name) => ['--case', name]));
    results = JSON.parse(readFileSync(join(out, 'quick.json'), 'utf8')) as Results;
  }, 300 * SECONDS);
  afterAll(cleanUp);

  it('measures every group of cases that needs no other fleet', () => {
    const groups = new Set(results.cases.map(({ group }) => group));
    expect([...groups]).toEqual([
      'One host, resolved variables',
      'Pages, resolved, small documents',
      'Variable filters, 100 devices',
      'Variable filters, 100 devices beside 100',
      'Below a parent with 10 descendants',
      'Writes, each with its change record',
      'Many clients',
    ]);
    expect(results.leftOut).toEqual([
      expect.stringContaining('the real fleet'),
      expect.stringContaining('the comparison with 10,000 devices'),
    ]);
  });

  it('gets a response to each request from the service and the floor', () => {
    for (const { name, figures } of results.cases)
      for (const side of [figures.service, figures.floor])
        expect({ name, errors: side?.errors, isAsked: (side?.requests ?? 0) > 0 }).toEqual({
          name,
          errors: 0,
          isAsked: true,
        });
  });

  it('compares each case with its bar in the table, the chart and the messages', () => {
    const table = first.lines.join('\n');
    const chart = readFileSync(join(out, 'quick.svg'), 'utf8');
    for (const { name, bar } of results.cases) {
      expect(bar).toMatch(/[≥≤]/);
      expect(table).toContain(name);
      expect(chart).toContain(name);
    }
    const missed = results.cases.filter(({ reached }) => !reached);
    expect(table).toContain(
      `${String(results.cases.length - missed.length)} of ${String(results.cases.length)} bars`,
    );
    expect(first.lines.filter((line) => line.startsWith('MISSED: '))).toHaveLength(missed.length);
  });

  it(
    'reuses its fleet in the next run, which may select cases',
    async () => {
      // One service serves both cases.
      const again = await bench(RUN, dataDir, '--case', 'one host', '--case', 'page of 30 hosts');
      expect(first.errorOutput).toContain('makes fleet_100');
      expect(again.errorOutput).not.toContain('makes fleet_100');
      expect(again.lines.filter((line) => /^(one host|page of 30 hosts) /.test(line))).toHaveLength(2);
      expect(again.errorOutput).not.toContain('wrote');
    },
    120 * SECONDS,
  );

  it('reports invalid options', async () => {
    await expect(bench(RUN, dataDir, '--rounds', 'many')).rejects.toThrow(
      '--rounds must be a number above 0',
    );
  });
});
