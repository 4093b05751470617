import type { Service } from './service';
import { aName, type Caller, type Resource } from './caller';

type Members = Readonly<Record<string, unknown>>;

/** A collection, for tests that apply to every collection. */
export interface CollectionCase {
  readonly collection: string;
  /** The kind in change records. */
  readonly kind: string;
  /** A caller with full permission, in a new project or in that of `inOneProject`. */
  readonly caller: (app: Pick<Service, 'root' | 'project'>) => Promise<Caller>;
  /** A body to create one, with only the required members. */
  readonly body: (caller: Caller) => Promise<Members>;
  /** The body of an update. */
  readonly change: () => Members;
  /** The member that must be unique. */
  readonly unique: string | undefined;
  /** A well-formed ID that does not exist. */
  readonly absentId: string;
  readonly carriesVariables: boolean;
}

const ofProject = async (app: Pick<Service, 'project'>) => app.project();
const inRegion = async (caller: Caller) => ({ region_id: (await caller.region()).id });

const defaults = { caller: ofProject, absentId: '987654321', carriesVariables: true };
const named = { unique: 'name', change: () => ({ name: aName('renamed') }) };
const device = {
  ...defaults,
  ...named,
  body: async (caller: Caller) => ({
    name: aName('device'),
    ip_address: '10.1.2.3',
    device_type: 'server',
    ...(await inRegion(caller)),
  }),
};

/** Every collection that is written over HTTP. */
export const collections: readonly CollectionCase[] = [
  {
    ...named,
    collection: 'projects',
    kind: 'project',
    // Root in a new project, which creates further projects.
    caller: async (app) => app.root.in((await app.project()).projectId),
    body: () => Promise.resolve({ name: aName('made-project') }),
    absentId: '00000000-0000-4000-8000-000000000000',
    carriesVariables: false,
  },
  {
    ...defaults,
    collection: 'users',
    kind: 'user',
    body: () => Promise.resolve({ username: aName('operator') }),
    change: () => ({ username: aName('renamed') }),
    unique: 'username',
  },
  {
    ...defaults,
    ...named,
    collection: 'clouds',
    kind: 'cloud',
    body: () => Promise.resolve({ name: aName('cloud') }),
    carriesVariables: false,
  },
  {
    ...defaults,
    ...named,
    collection: 'regions',
    kind: 'region',
    body: () => Promise.resolve({ name: aName('region') }),
  },
  {
    ...defaults,
    ...named,
    collection: 'cells',
    kind: 'cell',
    body: async (caller) => ({ name: aName('cell'), ...(await inRegion(caller)) }),
  },
  {
    ...defaults,
    collection: 'labels',
    kind: 'label',
    body: () => Promise.resolve({ label: aName('label') }),
    change: () => ({ label: aName('renamed') }),
    unique: 'label',
  },
  { ...device, collection: 'hosts', kind: 'host' },
  { ...device, collection: 'network-devices', kind: 'network-device' },
  {
    ...defaults,
    ...named,
    collection: 'audits',
    kind: 'audit',
    body: () => Promise.resolve({ name: aName('audit'), expectation: { vars: 'a:1' } }),
    carriesVariables: false,
  },
  {
    ...defaults,
    ...named,
    collection: 'views',
    kind: 'view',
    body: () => Promise.resolve({ name: aName('view'), address: '/devices?where=a+%3D+1' }),
    carriesVariables: false,
  },
  {
    ...defaults,
    collection: 'variable-definitions',
    kind: 'variable-definition',
    body: () => Promise.resolve({ key: aName('key'), schema: true }),
    change: () => ({ key: aName('renamed') }),
    unique: 'key',
    carriesVariables: false,
  },
  {
    ...defaults,
    collection: 'access-secrets',
    kind: 'access-secret',
    body: () => Promise.resolve({ cert: 'a certificate' }),
    change: () => ({ cert: 'another certificate' }),
    unique: undefined,
    carriesVariables: false,
  },
];

/** For `it.each`: the name of the collection, and the case. */
export const eachCollection = collections.map((one) => [one.collection, one] as const);
export const eachWith = (condition: (one: CollectionCase) => boolean) =>
  eachCollection.filter(([, one]) => condition(one));

/**
 * Collections that differ in more than their members: ids that are UUIDs, accounts, a level above devices, and devices. For the rules
 * whose code all collections share.
 */
export const someCollections = eachWith(({ collection }) =>
  ['projects', 'users', 'labels', 'hosts'].includes(collection),
);

/** A resource without some of its members. */
export const without = (resource: Members, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !names.includes(name)));

/** The service, with one project for all callers: for tests that share nothing else, because each makes its own resources. */
export function inOneProject(app: Service): Pick<Service, 'root' | 'project'> {
  let project: Promise<Caller> | undefined;
  return { root: app.root, project: () => (project ??= app.project()) };
}

/** Creates a resource of a collection, in a new project or in that of `inOneProject`. */
export async function makeOne(
  app: Pick<Service, 'root' | 'project'>,
  one: CollectionCase,
): Promise<{ caller: Caller; made: Resource; path: string }> {
  const caller = await one.caller(app);
  const { body } = await caller.post(`/v1/${one.collection}`, await one.body(caller)).expect(201);
  const made = body as Resource;
  return { caller, made, path: `/v1/${one.collection}/${String(made.id)}` };
}
