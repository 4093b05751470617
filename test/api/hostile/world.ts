import type { Service } from '../../support/service';
import { aName, type Caller } from '../../support/caller';
import { asLines, sendImport } from '../../support/importing';
import { authHeaders } from '../../support/http-exchange';
import { ABSENT, ABSENT_PROJECT, fullProject, type Inventory, type Thing } from '../../support/two-projects';
import type { Operation } from './api';
import type { Reference } from './json-tree';
import type { State } from './state';
import { NAMES } from './values';
import type { Answer, Sent } from './wire';

/** Somebody who sends requests. */
export interface Sender {
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
}

const headersOf = (caller: Caller): [string, string][] => Object.entries(authHeaders(caller.credentials));

const COLLECTIONS = [
  ...['users', 'clouds', 'regions', 'cells', 'labels', 'hosts', 'network-devices', 'access-secrets'],
  ...['variable-definitions', 'audits', 'changes'],
] as const;

/** So many of each kind are there to be asked for, and to be destroyed. */
const ENOUGH = 3;

type Id = string | number;

/** The project that requests are sent in, and what is there, as it comes and goes. */
export class World {
  private readonly own = new Map<string, Id[]>();
  /** No request may name these: they would end those who send them. */
  private readonly kept = new Set<Id>();
  private since = 0;
  /** Whether settings were altered behind the service's back. */
  tampered = false;

  private constructor(
    private readonly app: Service,
    /** Who puts right what requests have put wrong. No request is sent as this one. */
    readonly keeper: Caller,
    private readonly foreign: Inventory,
    readonly senders: readonly Sender[],
    private readonly state: State,
  ) {}

  /** Everybody who can ask in a project: those who may more come more often. */
  static async ofProject(app: Service, state: State, foreign: Inventory): Promise<World> {
    const { admin: keeper } = await fullProject(app, 'own');
    const [admin, writer, narrow, reader] = [
      await keeper.user({ username: aName('admin'), is_admin: true }),
      await keeper.user({ username: aName('writer'), roles: ['*:write', '*'] }),
      await keeper.user({ username: aName('narrow'), roles: ['hosts:write', 'hw_*'] }),
      await keeper.user({ username: aName('reader') }),
    ];
    const { token } = admin.credentials;
    const senders: [number, Sender][] = [
      [9, { name: 'admin', headers: headersOf(admin) }],
      [3, { name: 'writer', headers: headersOf(writer) }],
      [2, { name: 'narrow', headers: headersOf(narrow) }],
      [2, { name: 'reader', headers: headersOf(reader) }],
      [1, { name: 'admin by Bearer', headers: [['Authorization', `Bearer ${token}`]] }],
      [1, { name: 'nobody', headers: [] }],
      [1, { name: 'wrong key', headers: headersOf(admin.as({ ...admin.credentials, token: `${token}x` })) }],
      [1, { name: 'admin elsewhere', headers: headersOf(admin.in(String(foreign['projects']?.id))) }],
    ];
    return World.made(app, state, keeper, foreign, senders);
  }

  /** Root, in a project of its own; it may everything everywhere, so it is asked about nothing of others. */
  static async ofRoot(app: Service, state: State): Promise<World> {
    const { admin: keeper, inventory } = await fullProject(app, 'rooted');
    const root = await app.root.user({ username: aName('root'), is_root: true });
    const sender = { name: 'root', headers: headersOf(root.in(keeper.projectId)) };
    return World.made(app, state, keeper, inventory, [[1, sender]]);
  }

  private static async made(
    app: Service,
    state: State,
    keeper: Caller,
    foreign: Inventory,
    senders: [number, Sender][],
  ) {
    const all = senders.flatMap(([weight, sender]) => Array.from({ length: weight }, () => sender));
    const world = new World(app, keeper, foreign, all, state);
    for (const { id } of await world.listed('users')) world.kept.add(id);
    world.since = Number((await world.listed('changes')).at(0)?.id ?? 0);
    await world.renew();
    return world;
  }

  /** The id that a reference names by now. */
  resolve = ({ collection, whose, index }: Reference): Id => {
    const real = collection === 'region' ? 'regions' : collection === 'devices' ? 'hosts' : collection;
    const known = real === 'any' ? (COLLECTIONS[index % COLLECTIONS.length] ?? 'hosts') : real;
    if (known === 'projects')
      return whose === 'own'
        ? this.keeper.projectId
        : whose === 'foreign'
          ? String(this.foreign['projects']?.id)
          : ABSENT_PROJECT;
    const own = this.own.get(known) ?? [];
    if (whose === 'own' && own.length > 0) return own[index % own.length] ?? ABSENT;
    return whose === 'absent' ? ABSENT : (this.foreign[known]?.id ?? ABSENT);
  };

  /** Finds out what is there, and makes what there is too little of. */
  async renew(): Promise<void> {
    await this.openSettings();
    await this.nameAll();
    for (const collection of COLLECTIONS) {
      const ids = (await this.listed(collection))
        .map(({ id }) => id)
        .filter((id) => !this.isKept(collection, id));
      this.own.set(collection, ids);
      if (collection !== 'changes') while (ids.length < ENOUGH) ids.push((await this.make(collection)).id);
    }
  }

  /** Sees what a request has come to. */
  async learn(operation: Operation | undefined, sent: Sent, answer: Answer): Promise<void> {
    if (
      operation?.path === '/v1/projects/{id}/settings' &&
      operation.method === 'PUT' &&
      answer.status === 200
    )
      await this.openSettings();
    if (operation?.method === 'DELETE' && answer.status === 204 && /\/\{id\}$/.test(operation.path)) {
      const [, collection = '', id = ''] = /\/v1\/+([\w-]+)\/+([^/?#]+)/.exec(sent.path) ?? [];
      const left = this.own.get(collection)?.filter((one) => String(one) !== id) ?? [];
      this.own.set(collection, left);
      if (left.length < ENOUGH && this.own.has(collection)) left.push((await this.make(collection)).id);
    }
  }

  /** What imports refer to by name. What is there already stays. */
  private async nameAll(): Promise<void> {
    const [region, cell, cloud, device] = [NAMES.region[0], NAMES.cell[0], NAMES.cloud[0], NAMES.parent[0]];
    const lines = [
      { kind: 'cloud', name: cloud },
      { kind: 'region', name: region },
      { kind: 'cell', name: cell, region },
      { kind: 'network-device', name: device, region, ip_address: '10.0.0.1', device_type: 'switch' },
    ];
    await sendImport(this.keeper, asLines(lines), '?mode=partial').expect(200);
  }

  private isKept(collection: string, id: Id): boolean {
    return collection === 'users' ? this.kept.has(id) : collection === 'changes' && Number(id) <= this.since;
  }

  private async listed(collection: string): Promise<Thing[]> {
    const path = `/v1/${collection}?project_id=${this.keeper.projectId}&fields=id&sort_dir=desc&limit=20`;
    return (await this.app.root.get(path).expect(200)).body as Thing[];
  }

  /** What a project demands and hides, it does not any more: else little would be tried. */
  private async openSettings(): Promise<void> {
    const path = `/v1/projects/${this.keeper.projectId}/settings`;
    const { change_reason: demanded } = (await this.keeper.get(path).expect(200)).body as {
      change_reason: { pattern: string | null } | null;
    };
    for (const reason of ['CHG-1042', 'a', demanded?.pattern ?? '']) {
      const sent = Buffer.from(reason)
        .toString('latin1')
        .replace(/[^\x20-\xff]/g, '');
      const answer = await this.keeper.put(
        path,
        { change_reason: null, private: [] },
        { 'X-Change-Reason': sent },
      );
      if (answer.status === 200) return;
    }
    // Nobody can give a reason that this project takes: the tests that follow would be refused throughout.
    await this.state.withoutSettings(this.keeper.projectId, this.app);
    this.tampered = true;
  }

  private async make(collection: string): Promise<Thing> {
    const name = aName('made');
    const place = { region_id: this.own.get('regions')?.[0], ip_address: '10.0.0.1', device_type: 'server' };
    const bodies: Readonly<Record<string, object>> = {
      users: { username: name },
      labels: { label: name },
      cells: { name, region_id: place.region_id },
      hosts: { name, ...place },
      'network-devices': { name, ...place },
      'access-secrets': { cert: name },
      'variable-definitions': { key: name, schema: true },
      audits: { name, expectation: { vars: 'a:1' } },
    };
    // Somebody else may have demanded something anew meanwhile.
    for (let left = 10; ; left--) {
      const answer = await this.keeper.post(`/v1/${collection}`, bodies[collection] ?? { name });
      if (answer.status === 201) return answer.body as Thing;
      if (left === 0) throw new Error(`${collection}: ${String(answer.status)} ${answer.text}`);
      await this.openSettings();
    }
  }
}
