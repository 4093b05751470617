/**
 * The variables of a fleet as SQL. Every level sets its own keys, and there are keys for each way in which a device
 * gets a value:
 *
 * | Key          | Set by                                                                           |
 * | ------------ | -------------------------------------------------------------------------------- |
 * | `serial`     | every device, each its own                                                       |
 * | `os`         | every device: six in ten the same, the last fiftieth `debian-13`                 |
 * | `dns_domain` | every region, each its own                                                       |
 * | `site`       | every region, all the same                                                       |
 * | `gateway`    | every cell, ten of them the same                                                 |
 * | `tier`       | every fifth label                                                                |
 * | `ntp_server` | every region, every tenth cell and label, every twentieth device; `ntp-1` at all |
 * | `zone`       | every region, every tenth cell and label                                         |
 * | `mtu`        | every region, and nearly every device, which overrides it                        |
 */

/** Functions of the loading session. */
export const FUNCTIONS = [
  // A number from 0 to 1 that is the same in every run.
  `CREATE FUNCTION pg_temp.chance(n bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE
    RETURN (hashint8extended(n, salt) & 2147483647)::float8 / 2147483648`,
  // A document of about this many bytes, which do not compress well.
  `CREATE FUNCTION pg_temp.filling(seed text, bytes float8) RETURNS jsonb LANGUAGE sql IMMUTABLE
    RETURN (SELECT COALESCE(jsonb_object_agg('setting_' || k, md5(seed || k)), '{}')
      FROM generate_series(1, (bytes / 50)::integer) k)`,
  // The same with many keys, each with a value of about 500 bytes.
  `CREATE FUNCTION pg_temp.profiles(seed text, bytes float8) RETURNS jsonb LANGUAGE sql IMMUTABLE
    RETURN (SELECT COALESCE(jsonb_object_agg('profile_' || k, pg_temp.filling(seed || k, 500)), '{}')
      FROM generate_series(1, (bytes / 550)::integer) k)`,
];

/** Of the region number `i`; the smallest regions have the largest documents, up to 70 kB. */
export const regionDocument = (regions: number) => `
  jsonb_build_object('site', 'everywhere', 'dns_domain', 'dns-' || i, 'ntp_server', 'ntp-' || i % 4, 'mtu', 9000,
    'zone', 'zone-' || i % 4) || pg_temp.profiles('region' || i, 200 * power(350, i::float8 / ${regions - 1}))`;

/** Of the cell number `j`. */
export const CELL_DOCUMENT = `
  jsonb_build_object('gateway', 'gw-' || j % 100, 'power', jsonb_build_object('feed', j % 2, 'watts', 5000 + j % 7))
    || CASE WHEN j % 10 <> 0 THEN '{}' ELSE '{"zone": "zone-cell"}' END::jsonb
    || CASE WHEN j % 10 <> 0 THEN '{}' WHEN j % 50 = 0 THEN '{"ntp_server": "ntp-1"}'
      ELSE '{"ntp_server": "ntp-cell"}' END::jsonb
    || pg_temp.profiles('cell' || j, 200 + 4000 * power(pg_temp.chance(j, 1), 4))`;

/** Of the label number `k`. */
export const LABEL_DOCUMENT = `
  CASE WHEN k % 5 = 0 THEN jsonb_build_object('tier', k % 10) ELSE '{}' END
    || CASE WHEN k % 10 <> 3 THEN '{}' ELSE '{"zone": "zone-label"}' END::jsonb
    || CASE WHEN k % 10 <> 3 THEN '{}' WHEN k % 40 = 3 THEN '{"ntp_server": "ntp-1"}'
      ELSE '{"ntp_server": "ntp-label"}' END::jsonb
    || pg_temp.profiles('label' || k, 10000 * power(pg_temp.chance(k, 2), 8))`;

/** Of the device number `n`: ten variables, most often 400 bytes, one in five thousand 70 kB. */
export const deviceDocument = (devices: number) => `
  jsonb_build_object(
    'serial', 'S' || lpad(n::text, 7, '0'),
    'os', CASE WHEN n >= ${devices} * 49 / 50 THEN 'debian-13' WHEN pg_temp.chance(n, 3) < 0.6 THEN 'debian-12'
      ELSE 'debian-' || 9 + n % 3 END,
    'rack', jsonb_build_object('row', n / 40 % 30, 'unit', n % 40 + 1),
    'asset', jsonb_build_object('order', n % 1000, 'batch', n / 10),
    'tags', jsonb_build_array('t' || n % 100, 'u' || n % 7),
    'owner', 'team-' || floor(500 * pg_temp.chance(n / 40, 4)),
    'role', 'role-' || floor(300 * pg_temp.chance(n, 5)))
  || jsonb_build_object('nics', jsonb_build_object('eth0', lpad(to_hex(n), 12, '0'))
    || CASE WHEN n % 10 <> 7 THEN '{}' ELSE pg_temp.filling('device' || n,
      CASE WHEN n % 5000 = 7 THEN 70000 WHEN n % 200 = 7 THEN 8000 ELSE 1500 END) END)
  || CASE WHEN n % 33 = 0 THEN '{"bond": true}' ELSE '{"mtu": 1500}' END::jsonb
  || CASE WHEN n % 20 <> 4 THEN jsonb_build_object('cores', CASE WHEN n % 3 = 0 THEN 16.0 ELSE 16 * (1 + n % 4) END)
    WHEN n % 100 = 4 THEN '{"ntp_server": "ntp-1"}' ELSE '{"ntp_server": "ntp-own"}' END::jsonb`;
