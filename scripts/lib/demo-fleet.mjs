// The example fleet of `npm run demo`. It is small, and contains an example of every rule of the inventory.

export const cloud = { name: 'demo', note: 'What "npm run demo" has made belongs to this cloud.' };

/** The broadest level: variables of everything in the region, unless a narrower level overrides them. */
export const regions = [
  {
    name: 'north',
    labels: ['site:headquarters'],
    variables: {
      domain: 'north.example.net',
      ntp_servers: ['10.1.0.1', '10.1.0.2'],
      backup_server: 'backup.north.example.net',
      kernel: '6.8',
      console: { baud: 115200, parity: 'none' },
    },
  },
  {
    name: 'south',
    variables: {
      domain: 'south.example.net',
      ntp_servers: ['10.2.0.1'],
      backup_server: 'backup.south.example.net',
      kernel: '6.8',
      console: { baud: 9600, parity: 'none' },
    },
  },
  {
    name: 'coast',
    variables: { domain: 'coast.example.net', ntp_servers: ['10.3.0.1'], kernel: '6.1' },
  },
];

export const cells = [
  { region: 'north', name: 'rack-a', variables: { power_feed: 'A' } },
  // Overrides the region's time servers: a list is replaced, not merged.
  { region: 'north', name: 'rack-b', variables: { power_feed: 'B', ntp_servers: ['10.1.9.1'] } },
  // A cell's name is unique in its region, not in the project.
  { region: 'south', name: 'rack-a', labels: ['cage'], variables: { power_feed: 'A' } },
];

/** "compute" and "web" both set `monitoring`: for devices with both, the alphabetically later label wins. */
export const labels = [
  { label: 'compute', variables: { monitoring: { interval: 60 }, cpu_governor: 'performance' } },
  { label: 'web', variables: { monitoring: { interval: 15 }, http_port: 443 } },
  { label: 'database', variables: { monitoring: { interval: 30 }, huge_pages: true } },
];

/** Parents first. The parent of a switch is the core of its region, and switches are the parents of hosts. */
export const networkDevices = [
  {
    region: 'north',
    name: 'north-core',
    ip_address: '10.1.255.1',
    device_type: 'router',
    model_name: 'MX204',
    os_version: '22.4R3',
    variables: { 'bgp-asn': 64512 },
  },
  ...['a', 'b'].map((rack, i) => ({
    region: 'north',
    cell: `rack-${rack}`,
    parent: 'north-core',
    name: `north-switch-${rack}`,
    ip_address: `10.1.255.${11 + i}`,
    device_type: 'switch',
    model_name: 'QFX5120',
    os_version: '21.4R3',
    vlans: [100, { id: 200, name: 'storage' }],
  })),
  {
    region: 'south',
    name: 'south-core',
    ip_address: '10.2.255.1',
    device_type: 'router',
    model_name: 'MX204',
    os_version: '22.4R3',
  },
  {
    region: 'south',
    cell: 'rack-a',
    parent: 'south-core',
    name: 'south-switch-a',
    ip_address: '10.2.255.11',
    device_type: 'switch',
    model_name: 'QFX5120',
    os_version: '21.4R3',
    vlans: [100],
  },
];

const several = (count, make) => Array.from({ length: count }, (_, i) => make(i + 1));

export const hosts = [
  ...several(6, (n) => ({
    region: 'north',
    cell: n <= 4 ? 'rack-a' : 'rack-b',
    parent: n <= 4 ? 'north-switch-a' : 'north-switch-b',
    name: `web-${n}`,
    ip_address: `10.1.1.${n}`,
    device_type: 'server',
    labels: ['compute', 'web'],
    ...webOverrides(n),
  })),
  ...several(5, (n) => ({
    region: 'north',
    cell: 'rack-b',
    parent: 'north-switch-b',
    name: `worker-${n}`,
    ip_address: `10.1.2.${n}`,
    device_type: 'server',
    labels: ['compute'],
    ...(n === 5 ? { active: false, note: 'Switched off until its power supply is replaced.' } : {}),
  })),
  ...several(3, (n) => ({
    region: 'north',
    cell: 'rack-b',
    parent: 'north-switch-b',
    name: `db-${n}`,
    ip_address: `10.1.3.${n}`,
    device_type: 'server',
    labels: ['database'],
  })),
  ...several(6, (n) => ({
    region: 'south',
    cell: 'rack-a',
    parent: 'south-switch-a',
    name: `south-web-${n}`,
    ip_address: `10.2.1.${n}`,
    device_type: 'server',
    labels: ['web'],
  })),
  ...several(2, (n) => ({
    region: 'south',
    parent: 'south-core',
    name: `south-db-${n}`,
    ip_address: `10.2.3.${n}`,
    device_type: 'server',
    labels: ['database'],
  })),
  // In a region without cells, with IPv6 addresses.
  ...several(3, (n) => ({
    region: 'coast',
    name: `buoy-${n}`,
    ip_address: `2001:db8:3::${n}`,
    device_type: 'sensor',
  })),
];

/** Variables of single hosts: the narrowest level, which overrides all others. */
function webOverrides(n) {
  if (n === 1) return { variables: { kernel: '6.12' } };
  // `null` is a value: it overrides the region's server.
  if (n === 2) return { variables: { backup_server: null } };
  return {};
}

/** JSON text, because JavaScript numbers would lose digits. The service keeps them all. */
export const exactNumbers = {
  host: 'db-1',
  variables: '{"serial": 90071992547409931234, "price": 1299.90}',
};

export const secret = {
  host: 'db-1',
  cert: '-----BEGIN CERTIFICATE-----\nmade up, and encrypted at rest all the same\n-----END CERTIFICATE-----\n',
};

/** May write hosts, and variables at any level whose keys begin with ntp_. */
export const user = { username: 'demo-operator', roles: ['hosts:write', 'ntp_*'] };
export const userVariables = { pager: '+44 20 7946 0000' };
