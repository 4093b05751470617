import type { BenchProject, Fleet } from '../fleet/fleets';
import { ALONE, type Case } from '../run/case';
import type { BenchRequest, Side } from '../run/load';
import type { Stage } from '../run/stage';
import { reads, serviceSide } from './reads';
import { nextMarker } from './writes';

/** The number of open proposals in each project. */
const OPEN = 1_000;

const GROUP = 'Proposals';
const LIST = `/v1/proposals?state=open&limit=${String(OPEN)}`;

/** Proposals: their previews against dry runs of the same writes, and their list. */
export function proposalCases(copy: () => Promise<Fleet>): Case[] {
  const preview = (name: string, key: string): Case => ({
    name: `proposal: preview of ${name}`,
    group: GROUP,
    bar: { of: 'reference', max: 1.2 },
    connections: ALONE,
    floor: 'node:http',
    reference: 'its dry run',
    prepare: async (stage) => {
      const fleet = await copy();
      const service = await serviceSide(stage, fleet, []);
      const write = {
        method: 'PUT',
        path: `/v1/regions/${String(fleet.samples.region.large)}/variables`,
        body: JSON.stringify({ [key]: nextMarker() }),
      } as const;
      const { id } = await propose(service, write);
      const sides = await reads(stage, fleet, 'http', [`/v1/proposals/${String(id)}/preview`]);
      const dryRun: BenchRequest = { ...write, path: `${write.path}?dry_run=true` };
      return { ...sides, reference: { ...service, requests: [dryRun] } };
    },
  });
  const list = (name: string, bar: Case['bar'], reference?: string): Case => ({
    name: `proposal: list of ${OPEN.toLocaleString('en')}${name}`,
    group: GROUP,
    bar,
    connections: ALONE,
    floor: 'node:http',
    ...(reference === undefined ? {} : { reference }),
    prepare: async (stage) => {
      const fleet = await copy();
      await ensureOpenProposals(stage, fleet, fleet);
      const sides = await reads(stage, fleet, 'http', [LIST]);
      if (reference === undefined) return sides;
      const small = { ...fleet.small, databaseUrl: fleet.databaseUrl };
      await ensureOpenProposals(stage, fleet, small);
      return { ...sides, reference: await serviceSide(stage, small, [LIST]) };
    },
  });
  return [
    preview('a variable of the largest region', 'dns_domain'),
    preview('a variable of the largest region, which others override', 'ntp_server'),
    list('', { of: 'latency', p50: 20, p99: 60 }),
    list(
      ' against that of a project of 100 devices',
      { of: 'reference', max: 1.2 },
      'the same of 100 devices',
    ),
  ];
}

/** Proposes a write. */
async function propose(
  { url, headers }: Side,
  { path, ...write }: BenchRequest,
): Promise<{ readonly id: number }> {
  const response = await fetch(`${url}${path}?propose=benchmark`, { ...write, headers });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`${path} failed with ${String(response.status)}: ${text}`);
  return JSON.parse(text) as { readonly id: number };
}

/** Makes the open proposals of a project: one through the service, whose rows are then copied. */
async function ensureOpenProposals(
  stage: Stage,
  { databaseUrl }: Fleet,
  { credentials, samples }: Pick<BenchProject, 'credentials' | 'samples'>,
): Promise<void> {
  const [open] = await stage.rows<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::integer AS count FROM proposals WHERE project_id = $1 AND state = 'open'`,
    [credentials.project],
  );
  const missing = OPEN - (open?.count ?? 0);
  if (missing <= 0) return;
  const service = await serviceSide(stage, { databaseUrl, credentials }, []);
  const { id } = await propose(service, {
    method: 'PUT',
    path: `/v1/regions/${String(samples.region.large)}/variables`,
    body: JSON.stringify({ dns_domain: nextMarker() }),
  });
  await stage.rows(
    databaseUrl,
    `WITH copies AS (
       INSERT INTO proposals (project_id, title, state, revision, reason, author_id, author_username, resources, keys,
         operations_total, approvals_required, bytes, secret)
       SELECT p.project_id, p.title || ' ' || n, p.state, p.revision, p.reason, p.author_id, p.author_username, p.resources,
         p.keys, p.operations_total, p.approvals_required, p.bytes, p.secret
       FROM proposals p, generate_series(1, $3::integer - 1) n
       WHERE p.project_id = $1 AND p.id = $2
       RETURNING project_id, id
     )
     INSERT INTO proposal_revisions (project_id, proposal_id, revision, operations, operations_total, new_ids, base_at, author_sees)
     SELECT c.project_id, c.id, r.revision, r.operations, r.operations_total, r.new_ids, r.base_at, r.author_sees
     FROM copies c JOIN proposal_revisions r ON r.project_id = c.project_id AND r.proposal_id = $2`,
    [credentials.project, id, missing],
  );
}
