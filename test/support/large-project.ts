/**
 * Fills the project $1 with $2 hosts in 20 regions and 200 cells; each has up to two of 50 labels, and eight variables.
 * @param step the distance from one host's id to the next; lists read blocks of ids, so few hosts can fill many blocks
 */
export const fill = (step = 1): string => `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    VALUES ($1, now(), 'loader', 'loading') RETURNING id
  ), r AS (
    INSERT INTO regions (project_id, name, variables)
    SELECT $1, 'region-' || i, jsonb_build_object('ntp', 'ntp-' || i % 4, 'dns', 'dns-' || i, 'site', 'everywhere')
    FROM generate_series(0, 19) i ORDER BY i RETURNING id, variables
  ), region AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM r
  ), c AS (
    INSERT INTO cells (project_id, region_id, name, variables)
    SELECT $1, region.id, 'cell-' || i, jsonb_build_object('gateway', 'gw-' || i % 40)
      || CASE WHEN i % 10 = 0 THEN '{"ntp": "of the cell"}' ELSE '{}' END::jsonb
    FROM generate_series(0, 199) i JOIN region ON region.n = i % 20 ORDER BY i RETURNING id, region_id, variables
  ), cell AS (SELECT id, region_id, row_number() OVER (ORDER BY id) - 1 AS n FROM c
  ), l AS (
    INSERT INTO labels (project_id, label, variables)
    SELECT $1, 'label-' || i, CASE WHEN i % 5 = 0 THEN jsonb_build_object('tier', i % 10) ELSE '{}' END
    FROM generate_series(0, 49) i ORDER BY i RETURNING id, variables
  ), label AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM l
  ), reserved AS MATERIALIZED (
    -- In a shared database, other connections may take a few ids between nextval and setval.
    SELECT setval(sequence, nextval(sequence) + ${step > 1 ? '1000' : '0'} + $2::integer * ${String(step)}) - $2::integer * ${String(step)} AS start
    FROM pg_get_serial_sequence('devices', 'id') AS sequence
  ), d AS (
    INSERT INTO devices (id, project_id, kind, name, region_id, cell_id, ip_address, device_type, variables) OVERRIDING SYSTEM VALUE
    SELECT reserved.start + i * ${String(step)}, $1, 'host', 'host-' || i, cell.region_id, cell.id, '10.0.0.0'::inet + i, 'server',
      jsonb_build_object('serial', 'S' || i, 'os', CASE WHEN i % 10 < 6 THEN 'common' ELSE 'other' END,
        'late', i >= $2::integer * 49 / 50, 'early', i < $2::integer * 3 / 4, 'newer', i >= $2::integer * 3 / 5, 'tags', jsonb_build_array('t' || i % 100),
        'asset', jsonb_build_object('order', i % 1000, 'batch', i / 10))
      || CASE WHEN i % 20 = 1 THEN '{}' ELSE '{"dns": "mine"}' END::jsonb
    FROM reserved, generate_series(0, $2::integer - 1) i JOIN cell ON cell.n = i % 200 ORDER BY i
    RETURNING id, variables
  ), device AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM d
  ), assigned AS (
    INSERT INTO device_labels (project_id, device_id, label_id)
    SELECT $1, device.id, label.id FROM device JOIN label ON label.n IN (device.n % 50, device.n / 50 % 50)
  ), owner AS (
    SELECT 'host' AS kind, id, variables FROM d
    UNION ALL SELECT 'region', id, variables FROM r
    UNION ALL SELECT 'cell', id, variables FROM c
    UNION ALL SELECT 'label', id, variables FROM l
  ), stored AS (
    INSERT INTO variable_values (project_id, value_hash, key, is_long, number, text)
    SELECT $1, jsonb_hash_extended(v.value, hashtextextended(v.key, 0)), v.key, false,
      CASE WHEN jsonb_typeof(v.value) = 'number' THEN v.value::numeric END,
      CASE WHEN jsonb_typeof(v.value) = 'string' THEN v.value #>> '{}' END
    FROM (SELECT DISTINCT e.key, e.value FROM owner, jsonb_each(variables) e) v
    WHERE jsonb_typeof(v.value) NOT IN ('array', 'object')
  )
  INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
  SELECT $1, kind, owner.id, v.key, change.id,
    CASE WHEN jsonb_typeof(v.value) IN ('array', 'object') THEN 0 ELSE jsonb_hash_extended(v.value, hashtextextended(v.key, 0)) END
  FROM owner, change, jsonb_each(variables) v`;

/** The same, with consecutive ids. */
export const INSERT_DEVICES = fill();

/** A filter, and the minimum number of hosts that it finds. */
export const filters: readonly (readonly [string, string, number])[] = [
  ['a value of one host', 'serial:"S777"', 1],
  ['a value of most hosts', 'os:"common"', 10_000],
  ['a value of the last hosts alone', 'late:true', 400],
  ['a value of all but the last hosts', 'early:true', 10_000],
  ['a value in an array', 'tags:"t7"', 200],
  ['a nested value', 'asset.order:77', 10],
  ['any member of an object', 'asset.*:77', 30],
  ['any member of an object, which no host has', 'asset.*:"none"', 0],
  ['a value of no host', 'os:"nobody\'s"', 0],
  ['a region’s value', 'ntp:"ntp-1"', 1_000],
  ['a region’s value that nearly every host overrides', 'dns:"dns-1"', 10],
  ['the value that they override it with', 'dns:"mine"', 10_000],
  ['a value of every region', 'site:"everywhere"', 20_000],
  ['a value of some cells', 'ntp:"of the cell"', 1_000],
  ['a value that only cells set', 'gateway:"gw-7"', 100],
  ['a label’s value', 'tier:5', 1_000],
  ['an unknown variable', 'unknown:1', 0],
  ['two values, one of them rare', 'site:"everywhere",serial:"S777"', 1],
  ['two values that are frequent', 'os:"common",ntp:"ntp-1"', 1_000],
];

/** Combined filters whose values are frequent alone, and the minimum number of hosts that meet both. */
export const combinedFilters: typeof filters = [
  ['two values that are rare together', 'late:true,gateway:"gw-7"', 10],
  ['a value of devices and one of labels', 'late:true,tier:5', 50],
  ['values of devices, labels and cells', 'tier:5,late:true,gateway:"gw-7"', 1],
  ['a frequent value and one of cells', 'os:"other",gateway:"gw-7"', 100],
  ['values of cells and labels', 'tier:5,gateway:"gw-7"', 50],
  ['two frequent values of hosts in the middle', 'newer:true,early:true', 4_000],
  ['two frequent values that no host has both of', 'early:true,late:true', 0],
  ['two values of one variable', 'os:"common",os:"other"', 0],
  ['two elements of an array', 'tags:"t7",tags:"t8"', 0],
];

/** Conditions of `where`, and the minimum number of hosts that they find. */
export const whereConditions: typeof filters = [
  ['regions’ values that compare', 'ntp < "ntp-2"', 5_000],
  ['cells’ values that begin with a text', 'gateway ^= "gw-3"', 1_000],
  ['cells’ values that contain a text', 'gateway ~= "W-7"', 100],
  ['one of several values of cells', 'gateway in ["gw-7", "gw-9"]', 200],
  ['labels’ values that compare', 'tier >= 5', 1_000],
  ['another value than the labels’', 'tier != 5', 1_000],
  ['the absence of a variable that labels set', 'tier missing', 10_000],
  ['the absence of a variable that nobody sets', 'unknown missing', 20_000],
  ['the absence of a variable of every region', 'site missing', 0],
  ['the absence of a member', 'asset.none missing', 20_000],
  ['the presence of a variable that cells set', 'gateway exists', 20_000],
  ['the presence of a variable of all hosts', 'serial exists', 20_000],
  ['one of two values of two hosts', 'serial in ["S777", "S19000"]', 2],
  ['another value than that of most hosts', 'os != "common"', 5_000],
  ['a prefix of a frequent value', 'os ^= "com"', 10_000],
];

/** A filter for two fifths of the hosts, the last ones. */
export const newerHosts = 'newer:true';
