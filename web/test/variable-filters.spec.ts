import {
  filtersIn,
  filtersInLines,
  searchOf,
  variableFiltersOf,
  withAdded,
  withReplaced,
} from '../src/components/variable-filters';

const vars = (text: string) => ({ parameter: 'vars', text }) as const;
const where = (text: string) => ({ parameter: 'where', text }) as const;

describe('filters by variables', () => {
  it('in the search parameters are one each', () => {
    const search = { vars: 'kernel:"6.8",rack.row:4', where: ['mac = "a:b,c"', 'x missing'] };
    const filters = variableFiltersOf(search);
    expect(filters).toEqual([
      ...[where('kernel = "6.8"'), where('rack.row = 4')],
      ...[where('mac = "a:b,c"'), where('x missing')],
    ]);
    expect(searchOf(filters)).toEqual({
      where: ['kernel = "6.8"', 'rack.row = 4', 'mac = "a:b,c"', 'x missing'],
    });
    expect(searchOf([])).toEqual({});
  });

  it('of both parameters are in the notation of conditions, each once', () => {
    const search = { vars: '"x=1" : 2,interfaces.*.up:true,a:1', where: ['a = 1'] };
    expect(variableFiltersOf(search).map(({ text }) => text)).toEqual([
      ...['"x=1" = 2', 'interfaces.*.up = true', 'a = 1'],
    ]);
    // What the service rejects stays as it is.
    expect(variableFiltersOf({ vars: 'nonsense' })).toEqual([vars('nonsense')]);
  });

  it.each(['kernel:"6.8"', 'disks[*].size:480', '"bgp-asn":64512', '"x=1":2', 'interfaces.*.up:true', 'a:'])(
    'are typed as vars: %s',
    (text) => {
      expect(filtersIn(` ${text} `)).toEqual([vars(text)]);
    },
  );

  it.each(['mac = "a:b,c"', '"x:y"=1', 'x in ["a:b"]', 'x ~= ":"', 'kernel < "6.12"', 'nonsense', '"open:'])(
    'are typed as a condition: %s',
    (text) => {
      expect(filtersIn(text)).toEqual([where(text)]);
    },
  );

  it('are typed as several of vars', () => {
    expect(filtersIn('a:1,b:2')).toEqual([vars('a:1'), vars('b:2')]);
    expect(filtersIn('  ')).toEqual([]);
  });

  it('are typed one on each line', () => {
    expect(filtersInLines('a:1\n\n b in [1, 2]\r\n')).toEqual([vars('a:1'), where('b in [1, 2]')]);
  });

  it('are added once', () => {
    expect(withAdded({ vars: 'a:1', where: ['b exists'] }, [vars('a:1'), where('c missing')])).toEqual({
      where: ['a = 1', 'b exists', 'c missing'],
    });
  });

  it('are replaced in their places, also by those of the other parameter', () => {
    const search = { vars: 'a:1,b:2', where: ['c exists', 'd exists'] };
    expect(withReplaced(search, where('c exists'), [vars('c:1')])).toEqual({
      where: ['a = 1', 'b = 2', 'c = 1', 'd exists'],
    });
    expect(withReplaced(search, where('a = 1'), [where('a > 1')])).toEqual({
      where: ['a > 1', 'b = 2', 'c exists', 'd exists'],
    });
    expect(withReplaced({ where: ['c exists'] }, where('c exists'), [])).toEqual({});
  });
});
