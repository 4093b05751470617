import { hostsOfLargestRegion, serviceSide, type KnownHost } from './cases/reads';
import { FLEET_SIZES } from './fleet/dimensions';
import { ensureFleet, type Fleet } from './fleet/fleets';
import { ALONE, BUSY } from './run/case';
import type { BenchServer } from './run/database';
import { measure } from './run/measure';
import type { Options } from './run/options';
import type { Stage } from './run/stage';

/** How fast an everyday question is answered, for a fleet of one size. */
export interface EverydayFigures {
  readonly question: string;
  readonly devices: number;
  /** Requests per second, with 16 connections. */
  readonly throughput: number;
  /** The median latency (ms), with one connection. */
  readonly p50: number;
}

/** The number of different hosts that the requests name. */
const SAMPLE = 64;

type PathsOf = (fleet: Fleet, hosts: readonly KnownHost[]) => readonly string[];

const filtered =
  (vars: (fleet: Fleet) => string): PathsOf =>
  (fleet) => [`/v1/hosts?limit=30&${new URLSearchParams({ vars: vars(fleet) }).toString()}`];

const QUESTIONS: Readonly<Record<string, PathsOf>> = {
  'one host with its resolved variables': (_, hosts) => hosts.map(({ id }) => `/v1/hosts/${String(id)}`),
  'why does it have these values?': (_, hosts) =>
    hosts.map(({ id }) => `/v1/hosts/${String(id)}/variables/explain`),
  'the host with this name': (_, hosts) => hosts.map(({ name }) => `/v1/hosts?name=${name}`),
  'the host with this address': (_, hosts) => hosts.map(({ address }) => `/v1/hosts?ip=${address}`),
  'the host with this serial number': filtered(({ samples }) => samples.vars['own, rare']),
  'a page of 30 hosts': (_, hosts) => hosts.map(({ id }) => `/v1/hosts?limit=30&marker=${String(id)}`),
  'a page of 1,000 hosts': (_, hosts) =>
    hosts.slice(0, SAMPLE / 2).map(({ id }) => `/v1/hosts?limit=1000&marker=${String(id)}`),
  '30 hosts of a cell': (_, hosts) =>
    hosts.filter(({ cell }) => cell !== null).map(({ cell }) => `/v1/hosts?limit=30&cell_id=${String(cell)}`),
  '30 hosts with a label': ({ samples }) => [`/v1/hosts?limit=30&label=${samples.label.frequent}`],
  '30 hosts that use this NTP server': filtered(
    ({ samples }) => samples.vars['overridden at every level: a value of cells'],
  ),
};

/** Measures the everyday questions on fleets of all sizes up to that of the run. */
export async function measureEveryday(
  server: BenchServer,
  stage: Stage,
  options: Options,
  log: (sentence: string) => void,
): Promise<EverydayFigures[]> {
  const found: EverydayFigures[] = [];
  const effort = { rounds: options.rounds, seconds: options.seconds / 2, warmUp: options.warmUp };
  const sizes = new Set([...FLEET_SIZES.filter((size) => size < options.size), options.size]);
  for (const devices of sizes) {
    const fleet = await ensureFleet(server, devices, log);
    const hosts = await hostsOfLargestRegion(stage, fleet, SAMPLE);
    for (const [question, pathsOf] of Object.entries(QUESTIONS)) {
      const service = await serviceSide(stage, fleet, pathsOf(fleet, hosts));
      const figuresWith = async (connections: number) => {
        const { figures } = await measure({ service }, effort, { connections, server: stage.server });
        if (!figures.service || figures.service.errors > 0) throw new Error(`errors in: ${question}`);
        return figures.service;
      };
      const { throughput } = await figuresWith(BUSY);
      const { p50 } = await figuresWith(ALONE);
      found.push({ question, devices, throughput, p50 });
      log(`${devices.toLocaleString('en')} devices: ${question}: ${p50.toFixed(2)} ms`);
    }
    await stage.clear();
  }
  return found;
}
