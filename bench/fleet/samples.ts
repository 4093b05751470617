import type { Client } from 'pg';
import type { Dimensions } from './dimensions';
import { treeTop } from './load';

/** Sample values of one fleet for requests. Filters are texts for `vars`. */
export interface Samples {
  /** An ordinary host with small documents, in the middle of the fleet. */
  readonly host: { readonly id: number; readonly name: string; readonly address: string };
  readonly networkDevice: { readonly id: number };
  readonly label: { readonly frequent: string; readonly rare: string };
  readonly cell: { readonly large: number };
  readonly region: { readonly large: number; readonly small: number };
  readonly cloud: number;
  /** A network in CIDR form with a few hundred devices (or all). */
  readonly network: string;
  readonly deviceType: { readonly frequent: string; readonly rare: string };
  /** The device with the most descendants, and their number. */
  readonly tree: { readonly id: number; readonly descendants: number };
  /** Host IDs to use as markers: early, in the middle, and before the last page of 30. */
  readonly marker: { readonly early: number; readonly middle: number; readonly last: number };
  /** Markers for lists sorted by name. */
  readonly nameMarker: { readonly middle: number; readonly last: number };
  readonly vars: Readonly<Record<VarsCase, string>>;
  /** The conditions of each case of `where`. */
  readonly where: Readonly<Record<WhereCase, readonly string[]>>;
}

/** The `vars` filters, by how a device gets the value. */
export type VarsCase = keyof typeof VARS;
/** The `where` conditions, by who sets the key and how many values it has. */
export type WhereCase = keyof typeof WHERE;

const serialFilter = (n: number) => `serial:"S${String(n).padStart(7, '0')}"`;

/** What filters are made of. */
interface FilterValues {
  /** The number of an ordinary host, and its owner. */
  readonly n: number;
  readonly owner: string;
  /** The most frequent gateway: one of a hundred. */
  readonly gateway: string;
  /** A filter by an own value that 1,700 to 3,300 devices have, in a fleet of 10,000 and in one of a million. */
  readonly ownValueOfThousands: string;
}

/** Filter texts. In a fleet of any size, as many devices match as fill a page, unless the name says that few do. */
const VARS = {
  'own, rare': ({ n }: FilterValues) => serialFilter(n),
  'own, frequent': () => 'os:"debian-12"',
  'own, at one in three hundred': () => 'role:"role-7"',
  'own, at the last devices only': () => 'os:"debian-13"',
  'own, nested': ({ n }: FilterValues) => `asset.batch:${Math.floor(n / 10)}`,
  'own, in an array': () => 'tags:"t7"',
  'own, of a rack': ({ owner }: FilterValues) => `owner:"${owner}"`,
  'own, a number': () => 'cores:16',
  'own, a number written otherwise': () => 'cores:16.0',
  'inherited from the largest region': () => 'dns_domain:"dns-0"',
  'inherited from a small region': () => 'dns_domain:"dns-4"',
  'inherited from every region': () => 'site:"everywhere"',
  'inherited from cells': ({ gateway }: FilterValues) => `gateway:"${gateway}"`,
  'inherited from labels': () => 'tier:5',
  'overridden at every level: a value of all': () => 'ntp_server:"ntp-1"',
  'overridden at every level: a value of regions': () => 'ntp_server:"ntp-2"',
  'overridden at every level: a value of cells': () => 'ntp_server:"ntp-cell"',
  'overridden at every level: a value of labels': () => 'ntp_server:"ntp-label"',
  'overridden at every level: a value of devices': () => 'ntp_server:"ntp-own"',
  'inherited, but nearly always overridden': () => 'mtu:9000',
  'the value that overrides': () => 'mtu:1500',
  'two, both frequent': () => 'os:"debian-12",ntp_server:"ntp-1"',
  'two, one of them rare': ({ n }: FilterValues) => `site:"everywhere",${serialFilter(n)}`,
  // About 40 devices match both, and about 6 all three.
  'two, together rare': ({ ownValueOfThousands, gateway }: FilterValues) =>
    `${ownValueOfThousands},gateway:"${gateway}"`,
  'two that exclude each other': () => 'os:"debian-12",os:"debian-13"',
  'three, of three levels': () => 'os:"debian-12",tier:5,dns_domain:"dns-0"',
  'three, together rare': ({ ownValueOfThousands, gateway }: FilterValues) =>
    `${ownValueOfThousands},tier:5,gateway:"${gateway}"`,
  'no match: no such value': () => 'os:"plan-9"',
  'no match: no such value at any level': () => 'ntp_server:"nobody\'s"',
  'no match: no such variable': () => 'unheard_of:1',
  'any key': ({ n }: FilterValues) => `asset.*:${n % 1000}`,
  'any key, no match': () => 'asset.*:"nothing"',
  'every element': () => 'tags[*]:"t7"',
} as const;

const serial = (n: number, digits: number) => `S${String(n).padStart(7, '0')}`.slice(0, digits + 1);

/** Conditions of a request. @param n the number of an ordinary host */
type Conditions = (n: number, devices: number) => readonly string[];

/** Conditions, from the number of an ordinary host and the number of devices. */
const WHERE = {
  'levels, text of cells': () => ['gateway ^= "gw-7"'],
  'levels, text of regions': () => ['dns_domain > "dns-3"'],
  'levels, number of labels': () => ['tier >= 5'],
  'levels, no match': () => ['gateway > "gx"'],
  'few values, frequent': () => ['os >= "debian-12"'],
  'few values, at the last devices only': () => ['os >= "debian-13"'],
  'few values, a number': () => ['cores > 48'],
  'few values, in': () => ['os in ["debian-9","debian-10"]'],
  'few values, rare': () => ['role > "role-297"'],
  'few values, no match': () => ['cores > 64'],
  'overridden at every level': () => ['ntp_server != "ntp-1"'],
  'a value each, frequent prefix': () => ['serial ^= "S0"'],
  'a value each, frequent comparison': () => ['serial >= "S0"'],
  'a value each, frequent part': () => ['serial ~= "s00"'],
  'a value each, rare prefix': (n: number) => [`serial ^= "${serial(n, 6)}"`],
  'a value each, prefix of a thousandth': (n: number) => [`serial ^= "${serial(n, 4)}"`],
  'a value each, rare comparison': (_: number, devices: number) => [`serial > "${serial(devices - 50, 7)}"`],
  'a value each, rare part': (n: number) => [`serial ~= "${serial(n, 7).slice(2)}"`],
  'exists, all': () => ['serial exists'],
  'exists, one in 33': () => ['bond exists'],
  'exists, by levels': () => ['tier exists'],
  'missing, by levels': () => ['tier missing'],
  'missing, one in 20': () => ['cores missing'],
  'missing, no such variable': () => ['unheard_of missing'],
  'not equal': () => ['os != "debian-12"'],
  'two, frequent': () => ['os >= "debian-12"', 'owner < "team-300"'],
  'two, together rare': (n: number) => ['os != "debian-12"', `serial ^= "${serial(n, 4)}"`],
} as const satisfies Readonly<Record<string, Conditions>>;

const mapValues = <K extends string, V, R>(
  object: Readonly<Record<K, V>>,
  map: (value: V) => R,
): Record<K, R> =>
  Object.fromEntries(Object.entries<V>(object).map(([name, value]) => [name, map(value)])) as Record<K, R>;

/** Looks up the values. @param project the ID of the fleet's project */
export async function samplesOf(
  client: Client,
  project: string,
  { devices, rack, descendants }: Dimensions,
): Promise<Samples> {
  const one = async <T>(text: string, values: readonly unknown[] = []): Promise<T> => {
    const { rows } = await client.query<{ found: T }>(text, [project, ...values]);
    if (!rows[0]) throw new Error(`no rows for: ${text}`);
    return rows[0].found;
  };
  const first = await one<number>(`SELECT min(id)::integer AS found FROM devices WHERE project_id = $1`);
  // Not a switch, not in the tree, and without a large document.
  const place = Math.floor((devices * 0.3) / rack) * rack + 3;
  const { owner, ...host } = await one<Samples['host'] & { readonly owner: string }>(
    `SELECT json_build_object('id', id, 'name', name, 'address', host(ip_address), 'owner', variables ->> 'owner') AS found
     FROM devices WHERE project_id = $1 AND id = $2`,
    [first + place],
  );
  const gateway = await one<string>(
    `SELECT c.variables ->> 'gateway' AS found
     FROM (SELECT cell_id, count(*) AS devices FROM devices WHERE project_id = $1 GROUP BY cell_id) d
     JOIN cells c ON c.project_id = $1 AND c.id = d.cell_id GROUP BY 1 ORDER BY sum(d.devices) DESC, 1 LIMIT 1`,
  );
  const ownValueOfThousands = devices < 1_000_000 ? 'cores:32' : 'role:"role-7"';
  const level = (table: string, column: string, value: string) =>
    one<number>(`SELECT id::integer AS found FROM ${table} WHERE project_id = $1 AND ${column} = $2`, [
      value,
    ]);
  const inOrder = (order: string, offset: number) =>
    one<number>(
      `SELECT id::integer AS found FROM devices WHERE project_id = $1 AND kind = 'host' ORDER BY ${order} OFFSET $2 LIMIT 1`,
      [offset],
    );
  return {
    host,
    networkDevice: { id: first + place - 3 },
    label: { frequent: 'label-000', rare: devices > 1000 ? 'label-190' : 'label-009' },
    cell: {
      large: await one(
        `SELECT cell_id::integer AS found FROM devices WHERE project_id = $1 AND cell_id IS NOT NULL
         GROUP BY cell_id ORDER BY count(*) DESC, cell_id LIMIT 1`,
      ),
    },
    region: {
      large: await level('regions', 'name', 'region-00'),
      small: await level('regions', 'name', 'region-04'),
    },
    cloud: await level('clouds', 'name', 'cloud-1'),
    network: '10.0.1.0/24',
    deviceType: { frequent: 'server', rare: 'gpu' },
    tree: { id: first + treeTop(devices), descendants },
    marker: {
      early: await inOrder('id', devices > 1000 ? 1000 : 10),
      middle: await inOrder('id', Math.floor(devices / 2)),
      last: await inOrder('id DESC', 30),
    },
    nameMarker: {
      middle: await inOrder('name', Math.floor(devices / 2)),
      last: await inOrder('name DESC', 30),
    },
    vars: mapValues<VarsCase, (values: FilterValues) => string, string>(VARS, (text) =>
      text({ n: place, owner, gateway, ownValueOfThousands }),
    ),
    where: mapValues<WhereCase, Conditions, readonly string[]>(WHERE, (conditions) =>
      conditions(place, devices),
    ),
  };
}
