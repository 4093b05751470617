import { absencesIn, withAbsences, withIdReplaced, withIds, withRegions } from '../src/components/id-filters';
import { filtersOf, listSearchEntries } from '../src/components/list-search';
import { textsOf, withText, withTextReplaced, type TextFilter } from '../src/components/text-filters';
import * as v from 'valibot';

const read = (search: Readonly<Record<string, unknown>>) => v.parse(v.object(listSearchEntries), search);

describe('the search parameters of a list', () => {
  it('are read as the URL has them', () => {
    expect(
      read({
        region_id: ['1', '2'],
        cell_id: 'null',
        parent_id: ['3', 'null'],
        has_labels: 'false',
        device_type: 'server',
      }),
    ).toEqual({
      region_id: [1, 2],
      cell_id: ['null'],
      parent_id: [3, 'null'],
      has_labels: false,
      device_type: ['server'],
    });
  });

  it.each([
    { region_id: 'null' },
    { cell_id: ['1', 'x'] },
    { has_labels: 'no' },
    { region_id: Array(101).fill('1') },
    { name_prefix: ['a', 'b'] },
  ])('are no filters if the service would reject them, nor are they ignored: %j', (search) => {
    expect(v.is(v.object(listSearchEntries), search)).toBe(false);
  });

  it('are absent if they are empty, or the order cannot be read', () => {
    expect(filtersOf(read({ name_prefix: '', vars: '', sort: ['name', 'id'], dir: 'up' }))).toEqual({});
  });

  it('select resources, apart from those of the view', () => {
    expect(filtersOf(read({ sort: 'name', columns: 'name', name_contains: 'a', other: 'x' }))).toEqual({
      name_contains: 'a',
    });
  });
});

describe('filters by texts', () => {
  const filter = (parameter: TextFilter['parameter']): TextFilter => ({ parameter, title: '', words: '' });
  const [prefix, label] = [filter('name_prefix'), filter('label')];

  it('are added to those that can be repeated, and replace others', () => {
    expect(withText({ label: ['a'] }, label, ' b ')).toEqual({ label: ['a', 'b'] });
    expect(withText({ label: ['a'] }, label, 'a')).toEqual({ label: ['a'] });
    expect(withText({ name_prefix: 'a' }, prefix, 'b')).toEqual({ name_prefix: 'b' });
    expect(textsOf({ label: ['a', 'a'] }, label)).toEqual(['a']);
  });

  it('are replaced in their places, or removed', () => {
    expect(withTextReplaced({ label: ['a', 'b'] }, label, 'a', 'c')).toEqual({ label: ['c', 'b'] });
    expect(withTextReplaced({ label: ['a'] }, label, 'a', ' ')).toEqual({ label: undefined });
    expect(withTextReplaced({ name_prefix: 'a' }, prefix, 'a', '')).toEqual({ name_prefix: undefined });
  });
});

describe('filters by ids', () => {
  it('find devices without something beside those with one', () => {
    const search = withAbsences({ cell_id: [3], parent_id: ['null'] }, ['cell', 'labels']);
    expect(search).toEqual({
      cell_id: [3, 'null'],
      parent_id: undefined,
      access_secret_id: undefined,
      has_labels: false,
    });
    expect(absencesIn(search)).toEqual(['cell', 'labels']);
    expect(withAbsences({ has_labels: true }, [])).toMatchObject({ has_labels: true });
  });

  it('have no more values than a URL may have, and keep the last ones', () => {
    const ids = Array.from({ length: 100 }, (_, i) => i);
    const full = { cell_id: ids };
    const values = [...ids.slice(1), 'null'];
    for (const search of [
      withAbsences(full, ['cell']),
      withIds({ cell_id: ['null' as const] }, 'cell_id', ids),
      withIdReplaced({ cell_id: [...ids.slice(0, -1), 'null' as const] }, 'cell_id', undefined, 99),
    ]) {
      expect(search).toMatchObject({ cell_id: values });
      expect(read(search)).toMatchObject({ cell_id: values });
    }
    expect(withIdReplaced(full, 'cell_id', undefined, 100)).toEqual({ cell_id: [...ids.slice(1), 100] });
  });

  it('have no cells of other regions', () => {
    const cells = [
      { id: 3, region_id: 1 },
      { id: 4, region_id: 2 },
    ];
    const search = { cell_id: [3, 4, 5, 'null' as const] };
    expect(withRegions(search, [2], cells)).toEqual({ region_id: [2], cell_id: [4, 5, 'null'] });
    expect(withRegions(search, [], cells)).toEqual({ region_id: undefined, ...search });
    expect(withRegions({ cell_id: [3] }, [2], cells)).toEqual({ region_id: [2], cell_id: undefined });
  });
});
