import type { Failure } from '../src/api/audits';
import { devicesWithOwnValue, findOwnValues, planOwnRemediation } from '../src/pages/audits/own-remediation';

describe('the remediation of own values', () => {
  const failure = (name: string, key: string, source: Failure['source']): Failure => ({
    ...{ kind: 'host', id: Number(name), name, key },
    ...{ value: 1, source, message: 'is not k = 2' },
  });
  const own = (name: string) => ({ kind: 'host' as const, id: Number(name), name });

  it('is of the failing devices that set the variable themselves', () => {
    const failures = [
      failure('1', 'k', own('1')),
      failure('2', 'k', { kind: 'region', id: 2, name: 'north' }),
      failure('3', 'k', null),
      failure('4', 'other', own('4')),
      failure('5', 'k', own('5')),
    ];
    expect(devicesWithOwnValue(failures, 'k').map(({ id }) => id)).toEqual([1, 5]);
  });

  describe('reads failing devices', () => {
    const inherited = failure('1', 'k', { kind: 'region', id: 2, name: 'north' });
    const ofItself = failure('2', 'k', own('2'));
    const PAGE = 1_000;
    const page = (owns: number) => Array.from({ length: PAGE }, (_, i) => (i < owns ? ofItself : inherited));

    it.each([
      ['all, if they are few', [page(0).slice(0, 3)], { devices: 0, read: 3, hasMore: false }],
      [
        'also those after many that inherit the value',
        [page(0), page(0), page(2)],
        { devices: 2, read: 3 * PAGE, hasMore: false },
      ],
      [
        'until enough set it themselves',
        [page(400), page(600), page(5)],
        { devices: 1_000, read: 2 * PAGE, hasMore: true },
      ],
      [
        'of ten pages at most',
        Array.from({ length: 11 }, () => page(0)),
        { devices: 0, read: 10 * PAGE, hasMore: true },
      ],
    ])('%s', async (_, pages, expected) => {
      const markers: (string | undefined)[] = [];
      const { devices, ...rest } = await findOwnValues('k', (marker) => {
        markers.push(marker);
        const index = Number(marker ?? 0);
        const next = index + 1 < pages.length ? String(index + 1) : undefined;
        return Promise.resolve({ items: pages[index] ?? [], marker: next });
      });
      expect({ devices: devices.length, ...rest }).toEqual(expected);
      expect(markers).toEqual([undefined, ...[...markers.keys()].slice(1).map(String)]);
    });
  });

  it('is one import with a line for each device, named by its id, too', () => {
    const { title, request, lines } = planOwnRemediation(
      { name: 'a' },
      [own('1'), own('5')],
      'k',
      '{\n  "big": 12\n}',
    );
    expect(title).toBe('Remediate a on 2 devices');
    // Errors name the device, not the line: there is no file.
    expect([lines?.noun, lines?.titleOf(2)]).toEqual(['host', '5']);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/import',
      contentType: 'application/x-ndjson',
    });
    expect(request.body).toBe(
      ['1', '5']
        .map((id) => `{"kind":"host","name":"${id}","if_id":${id},"variables":{"k":{"big":12}}}\n`)
        .join(''),
    );
  });
});
