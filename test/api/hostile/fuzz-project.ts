import type { Service } from '../../support/service';
import { aName, type Caller } from '../../support/caller';
import { asLines, sendImport } from '../../support/importing';
import { authHeaders } from '../../support/http-exchange';
import { ABSENT, ABSENT_PROJECT, fullProject, type Inventory, type Thing } from '../../support/two-projects';
import type { Operation } from './api';
import type { Reference } from './unserialized-json';
import type { State } from './state';
import { NAMES } from './value-generators';
import type { WireResponse, WireRequest } from './wire';

/** A caller that sends random requests. */
export interface Sender {
  readonly name: string;
  readonly headers: readonly (readonly [string, string])[];
}

const headersOf = (caller: Caller): [string, string][] => Object.entries(authHeaders(caller.credentials));

const COLLECTIONS = [
  ...['users', 'clouds', 'regions', 'cells', 'labels', 'hosts', 'network-devices', 'access-secrets'],
  ...['variable-definitions', 'audits', 'views', 'changes'],
] as const;

/** How many resources of each collection must exist for requests to use and delete. */
const MIN_RESOURCES = 3;

type Id = string | number;

/** The project of the random requests, and its current resources. */
export class World {
  private readonly own = new Map<string, Id[]>();
  /** Requests must not use these ids, because deleting them would lock out the senders. */
  private readonly protectedIds = new Set<Id>();
  private since = 0;
  /** Whether a test changed settings directly in the database. */
  tampered = false;

  private constructor(
    private readonly app: Service,
    /** Restores what requests break. No random request uses this caller. */
    readonly owner: Caller,
    private readonly foreign: Inventory,
    readonly senders: readonly Sender[],
    private readonly state: State,
  ) {}

  /** Every kind of caller in a project, weighted by permissions. */
  static async ofProject(app: Service, state: State, foreign: Inventory): Promise<World> {
    const { admin: owner } = await fullProject(app, 'own');
    const [admin, writer, narrow, reader] = [
      await owner.user({ username: aName('admin'), is_admin: true }),
      await owner.user({ username: aName('writer'), roles: ['*:write', '*'] }),
      await owner.user({ username: aName('narrow'), roles: ['hosts:write', 'hw_*'] }),
      await owner.user({ username: aName('reader') }),
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
    return World.made(app, state, owner, foreign, senders);
  }

  /** Root in a project of its own. It can access everything, so isolation of other projects is not tested. */
  static async ofRoot(app: Service, state: State): Promise<World> {
    const { admin: owner, inventory } = await fullProject(app, 'rooted');
    const root = await app.root.user({ username: aName('root'), is_root: true });
    const sender = { name: 'root', headers: headersOf(root.in(owner.projectId)) };
    return World.made(app, state, owner, inventory, [[1, sender]]);
  }

  private static async made(
    app: Service,
    state: State,
    owner: Caller,
    foreign: Inventory,
    senders: [number, Sender][],
  ) {
    const all = senders.flatMap(([weight, sender]) => Array.from({ length: weight }, () => sender));
    const world = new World(app, owner, foreign, all, state);
    for (const { id } of await world.listed('users')) world.protectedIds.add(id);
    world.since = Number((await world.listed('changes')).at(0)?.id ?? 0);
    await world.renew();
    return world;
  }

  /** The current id of a reference. */
  resolve = ({ collection, whose, index }: Reference): Id => {
    const real = collection === 'region' ? 'regions' : collection === 'devices' ? 'hosts' : collection;
    const known = real === 'any' ? (COLLECTIONS[index % COLLECTIONS.length] ?? 'hosts') : real;
    if (known === 'projects')
      return whose === 'own'
        ? this.owner.projectId
        : whose === 'foreign'
          ? String(this.foreign['projects']?.id)
          : ABSENT_PROJECT;
    const own = this.own.get(known) ?? [];
    if (whose === 'own' && own.length > 0) return own[index % own.length] ?? ABSENT;
    return whose === 'absent' ? ABSENT : (this.foreign[known]?.id ?? ABSENT);
  };

  /** Reads which resources exist, and creates missing ones. */
  async renew(): Promise<void> {
    await this.resetSettings();
    await this.createNamedResources();
    for (const collection of COLLECTIONS) {
      const ids = (await this.listed(collection))
        .map(({ id }) => id)
        .filter((id) => !this.isProtected(collection, id));
      this.own.set(collection, ids);
      if (collection !== 'changes')
        while (ids.length < MIN_RESOURCES) ids.push((await this.make(collection)).id);
    }
  }

  /** Updates the known resources after a request. */
  async learn(operation: Operation | undefined, sent: WireRequest, response: WireResponse): Promise<void> {
    if (
      operation?.path === '/v1/projects/{id}/settings' &&
      operation.method === 'PUT' &&
      response.status === 200
    )
      await this.resetSettings();
    if (operation?.method === 'DELETE' && response.status === 204 && /\/\{id\}$/.test(operation.path)) {
      const [, collection = '', id = ''] = /\/v1\/+([\w-]+)\/+([^/?#]+)/.exec(sent.path) ?? [];
      const left = this.own.get(collection)?.filter((one) => String(one) !== id) ?? [];
      this.own.set(collection, left);
      if (left.length < MIN_RESOURCES && this.own.has(collection))
        left.push((await this.make(collection)).id);
    }
  }

  /** Creates the resources that imports refer to by name, unless they exist. */
  private async createNamedResources(): Promise<void> {
    const [region, cell, cloud, device] = [NAMES.region[0], NAMES.cell[0], NAMES.cloud[0], NAMES.parent[0]];
    const lines = [
      { kind: 'cloud', name: cloud },
      { kind: 'region', name: region },
      { kind: 'cell', name: cell, region },
      { kind: 'network-device', name: device, region, ip_address: '10.0.0.1', device_type: 'switch' },
    ];
    await sendImport(this.owner, asLines(lines), '?mode=partial').expect(200);
  }

  private isProtected(collection: string, id: Id): boolean {
    return collection === 'users'
      ? this.protectedIds.has(id)
      : collection === 'changes' && Number(id) <= this.since;
  }

  private async listed(collection: string): Promise<Thing[]> {
    const path = `/v1/${collection}?project_id=${this.owner.projectId}&fields=id&sort_dir=desc&limit=20`;
    return (await this.app.root.get(path).expect(200)).body as Thing[];
  }

  /** Resets required reasons and private keys, because most requests would be rejected otherwise. */
  private async resetSettings(): Promise<void> {
    const path = `/v1/projects/${this.owner.projectId}/settings`;
    const { change_reason: required } = (await this.owner.get(path).expect(200)).body as {
      change_reason: { pattern: string | null } | null;
    };
    for (const reason of ['CHG-1042', 'a', required?.pattern ?? '']) {
      const sent = Buffer.from(reason)
        .toString('latin1')
        .replace(/[^\x20-\xff]/g, '');
      const response = await this.owner.put(
        path,
        { change_reason: null, private: [], unique_addresses: false, restricts_readers: false },
        { 'X-Change-Reason': sent },
      );
      if (response.status === 200) return;
    }
    // No reason matches the pattern, so all further writes would be rejected.
    await this.state.withoutSettings(this.owner.projectId, this.app);
    this.tampered = true;
  }

  private async make(collection: string): Promise<Thing> {
    const name = aName('made');
    const location = {
      region_id: this.own.get('regions')?.[0],
      ip_address: '10.0.0.1',
      device_type: 'server',
    };
    const bodies: Readonly<Record<string, object>> = {
      users: { username: name },
      labels: { label: name },
      cells: { name, region_id: location.region_id },
      hosts: { name, ...location },
      'network-devices': { name, ...location },
      'access-secrets': { cert: name },
      'variable-definitions': { key: name, schema: true },
      audits: { name, expectation: { vars: 'a:1' } },
      views: { name, address: '/devices' },
    };
    // A concurrent request may have changed the settings again.
    for (let left = 10; ; left--) {
      const response = await this.owner.post(`/v1/${collection}`, bodies[collection] ?? { name });
      if (response.status === 201) return response.body as Thing;
      if (left === 0) throw new Error(`${collection}: ${String(response.status)} ${response.text}`);
      await this.resetSettings();
    }
  }
}
