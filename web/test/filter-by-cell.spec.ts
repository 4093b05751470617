import type { ListRow } from '../src/components/member-columns';
import { variableColumn } from '../src/components/variable-column';
import { filterByCell } from '../src/pages/devices/filter-by-cell';

const source = {
  ...{ kind: 'region', id: 1, name: 'north', value: null, shadowed: false },
  ...{ set_by: null, set_at: '', reason: null, change_id: null },
};

const resolved = (value: unknown): ListRow => ({
  id: 1,
  explain: { rack: { value, source, levels: [] } },
});

describe('the value of a cell', () => {
  it.each<[string, unknown, readonly string[] | undefined]>([
    ['rack', 'a', ['rack = "a"']],
    ['rack.row', { row: 4, unit: 1 }, ['rack.row = 4']],
    ['rack."u-height"', { 'u-height': null }, ['rack."u-height" = null']],
    ['rack[1]', ['a', 'b'], ['rack[1] = "b"']],
    ['rack.row', { unit: 1 }, undefined],
    ['rack', {}, undefined],
    ['other', 'a', undefined],
  ])('%s of %j is a condition: %j', (path, value, where) => {
    expect(filterByCell(resolved(value), variableColumn(path))).toEqual(where && { where });
  });

  it.each<[string, Omit<ListRow, 'id'>, object | undefined]>([
    ['region_id', { region_id: 3 }, { region_id: [3] }],
    ['cell_id', { cell_id: 4 }, { cell_id: [4] }],
    ['cell_id', { cell_id: null }, undefined],
    ['active', { active: false }, { active: false }],
    ['device_type', { device_type: 'blade' }, { device_type: ['blade'] }],
    ['labels', { labels: 'a,b' }, { label: ['a', 'b'] }],
    ['labels', { labels: '' }, undefined],
    ['note', { note: 'spare' }, undefined],
  ])('%s of %j is the filter %j', (column, row, search) => {
    expect(filterByCell({ id: 1, ...row }, column)).toEqual(search);
  });
});
