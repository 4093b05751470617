import type { Response } from 'supertest';
import type { Operation } from '../support/batches';
import { hostBody } from '../support/batches';
import type { Caller, Resource } from '../support/caller';
import { amend, applyProposal, previewProposal, propose, review, showProposal } from '../support/proposals';
import { Dice } from '../support/random-changes';
import { oneSeed, rounds } from '../support/seeds';
import { sharedService } from '../support/service';

jest.setTimeout(240_000);

const STEPS = rounds(30, 50);
const KEYS = ['a', 'b'] as const;
const [REGIONS, HOSTS] = [2, 3];

type Variables = Readonly<Record<string, number>>;

/** The inventory, naively. */
interface World {
  readonly regions: readonly Variables[];
  readonly hosts: readonly { readonly region: number; readonly own: Variables }[];
}

/** One write, naively. */
type Write =
  | { readonly kind: 'region' | 'host'; readonly index: number; readonly key: string; readonly value: number }
  | { readonly kind: 'move'; readonly index: number; readonly region: number };

function written({ regions, hosts }: World, write: Write): World {
  const at = <T>(list: readonly T[], index: number, change: (one: T) => T) =>
    list.map((one, i) => (i === index ? change(one) : one));
  if (write.kind === 'move')
    return { regions, hosts: at(hosts, write.index, (host) => ({ ...host, region: write.region })) };
  const { kind, index, key, value } = write;
  return kind === 'region'
    ? { regions: at(regions, index, (variables) => ({ ...variables, [key]: value })), hosts }
    : { regions, hosts: at(hosts, index, ({ region, own }) => ({ region, own: { ...own, [key]: value } })) };
}

/** Every member and variable of a world, and every resolved variable, by name. */
function facts({ regions, hosts }: World, resolved: boolean): Map<string, number | undefined> {
  const found = new Map<string, number | undefined>();
  for (const key of KEYS) {
    for (const [i, region] of regions.entries()) found.set(`region ${String(i)} ${key}`, region[key]);
    for (const [i, { own, region }] of hosts.entries()) {
      found.set(`host ${String(i)} ${key}`, own[key]);
      if (resolved) found.set(`resolved ${String(i)} ${key}`, own[key] ?? regions[region]?.[key]);
    }
  }
  for (const [i, { region }] of hosts.entries()) found.set(`host ${String(i)} region`, region);
  return found;
}

/** What writes do, as a text: equal effects have equal texts. */
function effectOf(
  world: World,
  writes: readonly Write[],
): { readonly text: string; readonly names: string[] } {
  const [before, after] = [facts(world, true), facts(writes.reduce(written, world), true)];
  const names = [...before.keys()].filter((name) => before.get(name) !== after.get(name));
  return { names, text: JSON.stringify(names.map((name) => [name, before.get(name), after.get(name)])) };
}

/** Whether one of the writes changes something, even if a later one undoes it. */
function changesSomething(world: World, [first, ...others]: readonly Write[]): boolean {
  if (!first) return false;
  return effectOf(world, [first]).names.length > 0 || changesSomething(written(world, first), others);
}

/** A proposal, naively. */
interface Proposed {
  readonly id: number;
  readonly author: number;
  writes: readonly Write[];
  base: World;
  revision: number;
  state: 'undecided' | 'done';
  /** The latest review of each user for the present revision. */
  reviews: Map<number, { readonly approves: boolean; readonly effect: string }>;
}

/** What a proposal writes and others have changed since its base. */
function conflictsOf(world: World, { writes, base }: Proposed): string[] {
  const [then, now, after] = [base, world, writes.reduce(written, world)].map((one) => facts(one, false));
  return [...now!.keys()].filter(
    (name) => now!.get(name) !== after!.get(name) && then!.get(name) !== now!.get(name),
  );
}

describe('random proposals, amendments, writes, reviews and applies', () => {
  const app = sharedService();

  it('do what a naive model does', async () => {
    const dice = new Dice(oneSeed());
    const admin = await app.project();
    const regions: Resource[] = [];
    const hosts: Resource[] = [];
    for (let i = 0; i < REGIONS; i++) regions.push(await admin.region({ variables: { a: i, b: 9 } }));
    for (let i = 0; i < HOSTS; i++)
      hosts.push(
        (await admin.post('/v1/hosts', hostBody({ region_id: regions[0]!.id })).expect(201)).body as Resource,
      );
    const rules = { approvals: [{ keys: ['a'], approvals: 2 }] };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, rules).expect(200);
    const users: Caller[] = [await admin.user()];
    for (let i = 0; i < 4; i++) users.push(await admin.user({ roles: ['*:write'] }));
    /** The first user has no role. */
    const mayWrite = (user: number) => user > 0;
    let world: World = {
      regions: regions.map((_, i) => ({ a: i, b: 9 })),
      hosts: hosts.map(() => ({ region: 0, own: {} })),
    };
    const proposals: Proposed[] = [];
    const counts = { applied: 0, conflicts: 0, changed: 0, missing: 0, refused: 0 };

    const anyWrite = (): Write => {
      const kind = dice.oneOf(['region', 'region', 'host', 'move'] as const);
      return kind === 'move'
        ? { kind, index: dice.below(HOSTS), region: dice.below(REGIONS) }
        : {
            kind,
            index: dice.below(kind === 'region' ? REGIONS : HOSTS),
            key: dice.oneOf(KEYS),
            value: dice.below(4),
          };
    };
    const operationOf = (write: Write): Operation =>
      write.kind === 'move'
        ? {
            method: 'PUT',
            path: `/v1/hosts/${String(hosts[write.index]!.id)}`,
            body: { region_id: regions[write.region]!.id },
          }
        : {
            method: 'PUT',
            path: `/v1/${write.kind}s/${String((write.kind === 'region' ? regions : hosts)[write.index]!.id)}/variables`,
            body: { [write.key]: write.value },
          };
    const anyWrites = () => (dice.below(10) < 3 ? [anyWrite(), anyWrite()] : [anyWrite()]);
    const meetsRule = (names: readonly string[]) => names.some((name) => name.endsWith(' a'));
    const recordsOf = async () =>
      (
        (await admin.get('/v1/changes?limit=10000').expect(200)).body as { objects: { kind: string }[] }[]
      ).filter(({ objects }) => objects.some(({ kind }) => kind !== 'proposal')).length;
    const readWorld = async (): Promise<World> => {
      const listed = async (collection: string) =>
        (await admin.get(`/v1/${collection}?resolved-values=false`).expect(200)).body as Resource[];
      return {
        regions: (await listed('regions')).map(({ variables }) => variables as Variables),
        hosts: (await listed('hosts')).map(({ variables, region_id: region }) => ({
          region: regions.findIndex(({ id }) => id === region),
          own: variables as Variables,
        })),
      };
    };
    const failed = (response: Response, step: number, expected: unknown) => {
      expect([step, response.status, response.text, expected]).toEqual([step, 'as expected', '', expected]);
    };
    const expectCode = (response: Response, step: number, status: number, code?: string) => {
      const { code: actual } = response.body as { code?: string };
      if (response.status !== status || (code !== undefined && actual !== code))
        failed(response, step, [status, code]);
    };

    const anyProposal = () => dice.oneOf(proposals.slice(-4));
    const steps: Record<string, (step: number, of?: Proposed) => Promise<void>> = {
      propose: async () => {
        const [author, writes] = [dice.below(users.length), anyWrites()];
        const { id } = await propose(users[author]!, writes.map(operationOf));
        proposals.push({
          id,
          author,
          writes,
          base: world,
          revision: 1,
          state: 'undecided',
          reviews: new Map(),
        });
      },
      amend: async (step) => {
        const proposal = anyProposal();
        const [writes, rebase] = [anyWrites(), dice.below(2) === 0];
        const body = { operations: writes.map(operationOf), ...(rebase ? { rebase } : {}) };
        const response = await amend(users[proposal.author]!, proposal, body);
        expectCode(response, step, proposal.state === 'done' ? 409 : 200);
        if (proposal.state === 'done') return;
        Object.assign(proposal, { writes, revision: proposal.revision + 1, reviews: new Map() });
        if (rebase) proposal.base = world;
      },
      write: async (step) => {
        const write = anyWrite();
        const { names } = effectOf(world, [write]);
        const overrides = dice.below(2) === 0;
        const { method, path, body } = operationOf(write);
        const headers = overrides ? { 'X-Change-Override': 'in a test' } : {};
        const response = await admin.send(method === 'PUT' ? 'put' : 'post', path, body, headers);
        const isRefused = meetsRule(names) && !overrides;
        expectCode(response, step, isRefused ? 403 : 200, isRefused ? 'approval_required' : undefined);
        if (isRefused) counts.refused += 1;
        else world = written(world, write);
      },
      review: async (step, proposal = anyProposal()) => {
        const user = dice.below(users.length);
        const reviewer = users[user]!;
        const { revision, impact_digest } = await previewProposal(reviewer, proposal);
        const approves = dice.below(20) < 17;
        const body = {
          verdict: approves ? 'approve' : 'reject',
          revision,
          impact_digest: impact_digest ?? '-',
        };
        const response = await review(reviewer, proposal, body);
        const hasConflicts = conflictsOf(world, proposal).length > 0;
        const isDone = proposal.state === 'done';
        if (user === proposal.author || (!isDone && !mayWrite(user))) expectCode(response, step, 403);
        else if (isDone || (approves && hasConflicts)) expectCode(response, step, 409);
        else {
          expectCode(response, step, 201);
          proposal.reviews.set(user, { approves, effect: effectOf(world, proposal.writes).text });
        }
      },
      apply: async (step, proposal = anyProposal()) => {
        const user = dice.below(users.length);
        const before = await recordsOf();
        const responses = await Promise.all([
          applyProposal(users[user]!, proposal),
          ...(dice.below(10) < 3 ? [applyProposal(users[user]!, proposal)] : []),
        ]);
        const { text, names } = effectOf(world, proposal.writes);
        const isRecorded = changesSomething(world, proposal.writes);
        const reviews = [...proposal.reviews.values()];
        const approvals = reviews.filter(({ approves }) => approves);
        const counting = approvals.filter(({ effect }) => effect === text).length;
        const conflicts = conflictsOf(world, proposal);
        const required = meetsRule(names) ? 2 : 1;
        const isRejected = reviews.length > approvals.length;
        const [first] = responses.toSorted((one, other) => one.status - other.status) as [Response];
        if (proposal.state === 'done' || isRejected) expectCode(first, step, 409, 'conflict');
        else if (!mayWrite(user)) expectCode(first, step, 403);
        else if (conflicts.length > 0) {
          expectCode(first, step, 409, 'conflict');
          counts.conflicts += 1;
        } else if (counting >= required) {
          expectCode(first, step, 200);
          for (const other of responses.filter((one) => one !== first)) expectCode(other, step, 409);
          world = proposal.writes.reduce(written, world);
          proposal.state = 'done';
          counts.applied += 1;
        } else {
          const isStale = approvals.length > counting;
          expectCode(first, step, 409, isStale ? 'impact_changed' : 'approval_missing');
          counts[isStale ? 'changed' : 'missing'] += 1;
        }
        const writes = first.status === 200 && isRecorded ? 1 : 0;
        expect([step, await recordsOf()]).toEqual([step, before + writes]);
        expect([step, await readWorld()]).toEqual([step, world]);
      },
    };
    // Several reviews of one proposal, so that some get as many approvals as they need.
    steps['settle'] = async (step) => {
      const proposal = anyProposal();
      for (let i = 0; i < 4; i++) await steps['review']!(step, proposal);
      for (let i = dice.below(4); i > 0; i--) await steps['write']!(step);
      await steps['apply']!(step, proposal);
    };
    const names = ['propose', 'amend', 'write', 'write', 'review', 'apply', 'settle', 'settle', 'settle'];
    for (let step = 0; step < STEPS; step++)
      await steps[proposals.length < 2 ? 'propose' : dice.oneOf(names)]!(step);
    for (const proposal of proposals)
      if (proposal.state === 'done') expect((await showProposal(admin, proposal)).state).toBe('applied');
    expect(await readWorld()).toEqual(world);
    // Most outcomes occur.
    expect(counts.applied).toBeGreaterThan(0);
    expect(Object.values(counts).filter((count) => count > 0).length).toBeGreaterThan(2);
  });
});
