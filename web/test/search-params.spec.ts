import * as v from 'valibot';
import { parseSearch, unreadableParameters } from '../src/app/search-params';
import { auditSearch, auditsSearch } from '../src/pages/audits/audit-search';
import { changesSearch } from '../src/pages/changes/changes-search';
import { compareSearch } from '../src/pages/compare/compare-search';
import { deviceSearch } from '../src/pages/device/device-search';
import { deviceListSearch } from '../src/pages/devices/device-list-search';
import { mapSearch } from '../src/pages/map/map-search';
import { netImpactSearch } from '../src/pages/net-impact/net-impact-search';
import { proposalSearch } from '../src/pages/proposal/proposal-search';
import { proposalsSearch } from '../src/pages/proposals/proposals-search';
import { inventoryListSearch, inventorySearch } from '../src/pages/inventory/inventory-search';
import { variableSearch } from '../src/pages/variable/variable-search';
import { variablesSearch } from '../src/pages/variables/variables-search';

const EXAMPLE = 'A time looks like 2026-11-20 or 2026-11-20T14:37:06Z.';

/** Those of a URL, as the error of the router has them. */
const unreadable = (schema: v.GenericSchema, search: object) =>
  unreadableParameters({ cause: v.safeParse(schema, search) });

describe('the parameters of a URL', () => {
  it.each<[string, v.GenericSchema, string | readonly string[]]>([
    ['collection', deviceListSearch, 'routers'],
    ['region_id', deviceListSearch, 'north'],
    ['cell_id', deviceListSearch, ['1', 'x', 'y']],
    ['active', deviceListSearch, 'yes'],
    ['name_contains', deviceListSearch, ['a', 'b']],
    ['region_id', inventoryListSearch, ['1', '2']],
    ['region', mapSearch, '-1'],
    ['kind', changesSearch, 'router'],
    ['override', changesSearch, '1'],
    ['view', proposalsSearch, 'others'],
    ['state', proposalsSearch, 'done'],
    ['revision', proposalSearch, 'first'],
  ])('names a parameter that selects and cannot be read: %s', (name, schema, value) => {
    expect(unreadable(schema, { [name]: value })).toEqual([
      { name, text: String(value), example: undefined },
    ]);
  });

  it.each<[string, v.GenericSchema]>([
    ['regoin', deviceListSearch],
    ['region', deviceListSearch],
    ['nmae', inventoryListSearch],
    ['kye', variablesSearch],
    ['user', changesSearch],
    ['kye', proposalsSearch],
    ['regoin', mapSearch],
    ['rigth', compareSearch],
    ['kind', auditsSearch],
    ['regoin', auditSearch],
    ['utnil', netImpactSearch],
    ['att', deviceSearch],
    ['att', inventorySearch],
    ['lable', variableSearch],
    ['toString', deviceListSearch],
  ])('names a parameter that may select and is unknown: %s', (name, schema) => {
    expect(unreadable(schema, { [name]: '1' })).toEqual([
      { name, text: '1', example: `This page has no “${name}”.` },
    ]);
  });

  it('are not those that mail and chat programs add to links', () => {
    const search = parseSearch('name_prefix=web&utm_source=mail&utm_campaign=a&utm_campaign=b&gclid=1');
    expect(search).toEqual({ name_prefix: 'web' });
  });

  it('have an example of a time, if one cannot be read', () => {
    expect(unreadable(changesSearch, { since: 'yesterday', until: '2026-13-01' })).toEqual([
      { name: 'since', text: 'yesterday', example: EXAMPLE },
      { name: 'until', text: '2026-13-01', example: EXAMPLE },
    ]);
  });

  it.each(['2026-11-31', '2026-02-29T10:00:00Z', '2026-04-31 00:30+01:00'])(
    'are no time on a date that does not exist: %s',
    (since) => {
      expect(unreadable(changesSearch, { since })).toEqual([
        { name: 'since', text: since, example: EXAMPLE },
      ]);
    },
  );

  it.each(['2026-11-30', '2028-02-29T23:59:59.123456Z', '2026-05-01 00:30+14:00'])(
    'are a time: %s',
    (since) => {
      expect(v.parse(changesSearch, { since })).toEqual({ since });
    },
  );

  it.each<[string, v.GenericSchema, object]>([
    ['an order', deviceListSearch, { sort: ['name', 'id'], dir: 'up' }],
    ['a part of the page', deviceListSearch, { tree: 'yes', create: '1' }],
    ['a tab', proposalSearch, { tab: 'reviews' }],
    ['the colours of the map', mapSearch, { show: 'colours', table: 'yes' }],
  ])('are absent if one only says how something is shown: %s', (_, schema, search) => {
    expect(v.parse(schema, search)).toEqual({});
  });

  it.each<[v.GenericSchema, string]>([
    [deviceListSearch, '?collection=&region_id=&cell_id=&cloud_id=&active=&label=&where=&vars=&columns='],
    [changesSearch, '?kind=&since=&override='],
    [compareSearch, '?collection=&left=&left_at='],
  ])('are absent if they are empty', (schema, query) => {
    expect(v.parse(schema, parseSearch(query))).toEqual({});
    expect(parseSearch(`${query}&note=a&note=&note=b`)).toEqual({ note: ['a', 'b'] });
  });

  it('are no reason for any other failure of a page', () => {
    expect(unreadableParameters(new Error('x', { cause: new TypeError('y') }))).toEqual([]);
  });
});
