import type { Failure } from '../src/api/audits';
import { devicesWithOwnValue, planOwnRemediation } from '../src/pages/audits/own-remediation';

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

  it('is one import with a line for each device, named by its id, too', () => {
    const { title, request } = planOwnRemediation(
      { name: 'a' },
      [own('1'), own('5')],
      'k',
      '{\n  "big": 12\n}',
    );
    expect(title).toBe('Remediate a on 2 devices');
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
