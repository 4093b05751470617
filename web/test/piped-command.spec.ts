import { pipedCommand } from '../src/api/piped-command';

describe('the muster command of a write without one of its own', () => {
  it('is a batch or an import of what is written', () => {
    expect(pipedCommand({ method: 'POST', path: '/v1/batch', body: '{"operations": []}' })).toEqual({
      input: '{"operations": []}',
      words: ['muster', 'batch', '-', '--format', 'json', '--yes'],
    });
    expect(pipedCommand({ method: 'POST', path: '/v1/import', body: '{"kind":"host"}\n' })).toEqual({
      input: '{"kind":"host"}',
      words: ['muster', 'import', '-', '--yes'],
    });
  });

  it('writes an audit in a batch, with its condition and every digit', () => {
    const request = { method: 'PUT', path: '/v1/audits/3', headers: { 'If-Match': '"2"' } } as const;
    const body = '{"vars": "a:12345678901234567890"}';
    expect(pipedCommand({ ...request, body })?.input).toBe(
      `{"operations": [{"method": "PUT", "path": "/v1/audits/3", "body": ${body}, "if_match": "\\"2\\""}]}`,
    );
    expect(pipedCommand({ method: 'DELETE', path: '/v1/audits/3' })?.input).toBe(
      '{"operations": [{"method": "DELETE", "path": "/v1/audits/3"}]}',
    );
  });

  it('does not exist where the client cannot write', () => {
    const body = '{}';
    expect(pipedCommand({ method: 'POST', path: '/v1/variable-definitions', body })).toBeUndefined();
    expect(pipedCommand({ method: 'POST', path: '/v1/audits/3/remediate', body })).toBeUndefined();
    expect(pipedCommand({ method: 'POST', path: '/v1/import', body: new Blob([body]) })).toBeUndefined();
  });
});
