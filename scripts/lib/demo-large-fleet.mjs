// The fleet of `npm run demo -- --hosts <number>`: large and varied enough to judge lists, distributions and filters. The
// same number always makes the same fleet.

/** Region names with the number of devices in a hundred that they have. */
const SITES = [
  ['ams1', 17, 'eu'],
  ['ams2', 12, 'eu'],
  ['fra1', 15, 'eu'],
  ['lon1', 11, 'eu'],
  ['waw1', 4, 'eu'],
  ['iad1', 14, 'us'],
  ['pdx1', 9, 'us'],
  ['gru1', 5, 'us'],
  ['sin1', 8, 'ap'],
  ['nrt1', 5, 'ap'],
];

/** Labels of hosts: the share of hosts in a hundred, and the variables of the label. */
const ROLES = [
  ['role:web', 26, { monitoring: { interval: 15, checks: ['http', 'tls'] }, http_port: 443 }],
  ['role:compute', 34, { cpu_governor: 'performance', monitoring: { interval: 60 } }],
  [
    'role:database',
    12,
    { monitoring: { interval: 15, checks: ['postgresql'] }, huge_pages: true, swappiness: 1 },
  ],
  ['role:cache', 9, { monitoring: { interval: 30 }, swappiness: 0 }],
  ['role:storage', 12, { scheduler: 'mq-deadline', monitoring: { interval: 60, checks: ['smart'] } }],
  ['role:build', 7, { ephemeral: true }],
];

const TIERS = [
  ['tier:production', 70, { patch_window: 'Sun 02:00', backup: { keep_days: 35 } }],
  ['tier:staging', 20, { patch_window: 'Wed 10:00', backup: { keep_days: 7 } }],
  ['tier:lab', 10, { patch_window: null }],
];

const KERNELS = [
  ['6.8.0-45', 60],
  ['6.8.0-31', 25],
  ['6.1.0-26', 12],
  ['5.15.0-119', 3],
];

const MODELS = [
  ['R660', 45],
  ['R760', 25],
  ['DL360 Gen11', 20],
  ['SYS-1029P', 10],
];

const HOSTS_PER_CELL = 160;

/** A pseudo-random number from 0 to 1 for each call (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of weighted options: `[option, weight, …]`. */
function pick(random, options) {
  const total = options.reduce((sum, [, weight]) => sum + weight, 0);
  let rest = random() * total;
  return options.find(([, weight]) => (rest -= weight) < 0) ?? options[0];
}

const twoDigits = (n) => String(n).padStart(2, '0');

/**
 * The lines of an import: labels, regions, cells, network devices, hosts.
 * @param count the number of hosts
 */
export function* largeFleet(count) {
  const random = randomNumbers(20_000);
  for (const [label, , variables] of [...ROLES, ...TIERS]) yield { kind: 'label', label, variables };
  for (const [index, [site, share, continent]] of SITES.entries())
    yield* siteLines({ site, index, continent, count: Math.round((count * share) / 100), random });
}

function* siteLines({ site, index, continent, count, random }) {
  const net = 20 + index;
  yield {
    kind: 'region',
    name: site,
    labels: [`continent:${continent}`],
    variables: {
      domain: `${site}.example.net`,
      ntp_servers: [`10.${net}.0.1`, `10.${net}.0.2`],
      dns: { search: [`${site}.example.net`], servers: [`10.${net}.0.53`] },
      kernel: index % 4 === 3 ? '6.1.0-26' : '6.8.0-45',
      timezone:
        continent === 'us' ? 'America/New_York' : continent === 'ap' ? 'Asia/Singapore' : 'Europe/Amsterdam',
      ...(continent === 'eu' ? { data_protection: 'gdpr' } : {}),
    },
  };
  yield {
    ...networkDevice(`${site}-core-1`, site, `10.${net}.255.1`, 'router', 'MX480', '23.2R2'),
    variables: { 'bgp-asn': 64_600 + index },
  };
  const cells = Math.max(1, Math.ceil(count / HOSTS_PER_CELL));
  for (let cell = 0; cell < cells; cell++) {
    const inCell = Math.floor(count / cells) + (cell < count % cells ? 1 : 0);
    yield* cellLines({ site, net, cell, count: inCell, random });
  }
}

function* cellLines({ site, net, cell, count, random }) {
  const name = `hall-${1 + Math.floor(cell / 8)}-row-${twoDigits(1 + (cell % 8))}`;
  const where = { region: site, cell: name };
  yield {
    kind: 'cell',
    region: site,
    name,
    variables: {
      power_feed: cell % 2 === 0 ? 'A' : 'B',
      // Some rows are new, and have their own time servers and kernel.
      ...(random() < 0.15 ? { ntp_servers: [`10.${net}.${cell}.123`] } : {}),
      ...(random() < 0.1 ? { kernel: '6.12.0-3' } : {}),
    },
  };
  const switches = [1, 2].map((n) => `${site}-${name}-sw${n}`);
  for (const [i, switchName] of switches.entries())
    yield {
      ...networkDevice(
        switchName,
        site,
        `10.${net}.254.${1 + ((cell * 2 + i) % 250)}`,
        'switch',
        'QFX5120',
        '21.4R3',
      ),
      cell: name,
      parent: `${site}-core-1`,
      vlans: [100, { id: 200 + (cell % 50), name: 'storage' }],
    };
  for (let n = 0; n < count; n++) yield hostLine({ where, net, cell, n, parent: switches[n % 2], random });
}

const networkDevice = (name, region, ip_address, device_type, model_name, os_version) => ({
  kind: 'network-device',
  ...{ name, region, ip_address, device_type, model_name, os_version },
});

function hostLine({ where, net, cell, n, parent, random }) {
  const [role] = pick(random, ROLES);
  const [tier] = pick(random, TIERS);
  const short = role.slice('role:'.length, 'role:'.length + 4);
  const variables = {
    serial: `${where.region.toUpperCase()}-${twoDigits(cell)}${String(n).padStart(4, '0')}`,
    hardware: { model: pick(random, MODELS)[0], memory_gib: [64, 128, 256, 512][Math.floor(random() * 4)] },
    // Single hosts differ from their region.
    ...(random() < 0.06 ? { kernel: pick(random, KERNELS)[0] } : {}),
    ...(random() < 0.01 ? { ntp_servers: ['192.0.2.123'] } : {}),
    ...(random() < 0.01 ? { monitoring: null } : {}),
  };
  return {
    kind: 'host',
    name: `${short}-${where.region}-${String(cell).padStart(3, '0')}-${String(n).padStart(3, '0')}`,
    ...where,
    parent,
    ip_address: `10.${net}.${cell % 250}.${1 + (n % 253)}`,
    device_type: 'server',
    active: random() >= 0.03,
    labels: [role, tier],
    variables,
    ...(random() < 0.005 ? { note: 'Waiting for a replacement of its power supply.' } : {}),
  };
}

/** Later changes, so that there is a history to look at: each with its reason. */
export const laterChanges = [
  {
    method: 'PUT',
    path: '/v1/hosts/variables?label=role:cache&label=tier:staging',
    reason: 'CHG-2001: newer kernel for the caches in staging',
    variables: { kernel: '6.12.0-3' },
  },
  {
    method: 'PUT',
    path: '/v1/labels/variables?label=role:web',
    reason: 'CHG-2007: check certificates more often',
    variables: { monitoring: { interval: 10, checks: ['http', 'tls'] } },
  },
  {
    method: 'PUT',
    path: '/v1/regions/variables?name=waw1',
    reason: 'CHG-2012: third time server',
    variables: { ntp_servers: ['10.24.0.1', '10.24.0.2', '10.24.0.3'] },
  },
];

/** Definitions and audits, some of which fail. */
export const definitions = [
  {
    key: 'ntp_servers',
    description: 'The time servers, nearest first.',
    schema: { type: 'array', items: { type: 'string', format: 'ipv4' }, minItems: 1 },
  },
  {
    key: 'http_port',
    description: 'The port of the web server.',
    schema: { type: 'integer', minimum: 1, maximum: 65_535 },
  },
];
export const audits = [
  { name: 'kernel-current', kind: 'host', expectation: { vars: 'kernel:"6.8.0-45"' } },
  {
    name: 'two-time-servers',
    description: 'Every host has at least two time servers.',
    kind: 'host',
    expectation: { key: 'ntp_servers', schema: { type: 'array', minItems: 2 } },
  },
  {
    name: 'monitored',
    expectation: { key: 'monitoring', schema: { type: 'object', required: ['interval'] } },
  },
];
