import { canBeProposed } from '../src/api/proposable';
import type { Operation, ProposalConflict } from '../src/api/proposals';
import { bodyText, canTakeTheirs, resolved, withBodyText, withoutField } from '../src/pages/proposal/amend';

const operation = (method: Operation['method'], path: string, body?: unknown): Operation => ({
  method,
  path,
  ...(body === undefined ? {} : { body }),
});

describe('an operation without what a conflict is about', () => {
  const variables = operation('PUT', '/v1/regions/3/variables', { ntp: 1, dns: 2 });
  const region = operation('PUT', '/v1/regions/3', { name: 'a', variables: { ntp: 1, dns: 2 } });

  it.each([
    [variables, 'variables.ntp', { ...variables, body: { dns: 2 } }],
    [operation('PUT', '/v1/regions/3/variables', { ntp: 1 }), 'variables.ntp', 'nothing'],
    [operation('PUT', '/v1/regions/3/variables/ntp', { value: 1 }), 'variables.ntp', 'nothing'],
    [operation('DELETE', '/v1/regions/3/variables/ntp'), 'variables.ntp', 'nothing'],
    [
      operation('DELETE', '/v1/regions/3/variables', ['ntp', 'dns']),
      'variables.ntp',
      operation('DELETE', '/v1/regions/3/variables', ['dns']),
    ],
    [operation('DELETE', '/v1/regions/3/variables', ['ntp']), 'variables.ntp', 'nothing'],
    [region, 'name', operation('PUT', '/v1/regions/3', { variables: { ntp: 1, dns: 2 } })],
    [region, 'variables.ntp', operation('PUT', '/v1/regions/3', { name: 'a', variables: { dns: 2 } })],
    [operation('PUT', '/v1/hosts/3', { variables: { ntp: 1 } }), 'variables.ntp', 'nothing'],
    [operation('DELETE', '/v1/hosts/3'), 'name', 'nothing'],
  ])('%j, %s', (from, field, to) => {
    expect(withoutField(from, field)).toEqual(to);
  });

  it.each([
    // What writes it cannot be told.
    [operation('POST', '/v1/import', '{"kind": "host"}\n'), 'variables.ntp'],
    [operation('PUT', '/v1/hosts/variables?region_id=3', { ntp: 1 }), 'variables.ntp'],
    [operation('POST', '/v1/hosts', { name: 'a' }), 'name'],
    [operation('PUT', '/v1/hosts/3/labels', { labels: ['a'] }), 'labels'],
    [operation('PUT', '/v1/regions/3/variables/ntp', { value: 1 }), 'variables.dns'],
    [variables, 'name'],
    [{ ...variables, path: null }, 'variables.ntp'],
  ])('is not known for %j, %s', (from, field) => {
    expect(withoutField(from, field)).toBeUndefined();
  });

  it('leaves out a field that a later operation on the same resource writes', () => {
    const conflict: ProposalConflict = {
      ...{ operation: 0, kind: 'region', resource_id: 3, name: 'north', field: 'variables.dns' },
    };
    const ntp = operation('PUT', '/v1/regions/3/variables/ntp', { value: 1 });
    const dns = operation('PUT', '/v1/regions/3/variables/dns', { value: 2 });
    const other = operation('PUT', '/v1/regions/33/variables/dns', { value: 2 });
    expect(canTakeTheirs([ntp, dns, other], conflict)).toBe(true);
    expect(resolved([ntp, dns, other], [conflict])).toEqual([ntp, other]);
    expect(canTakeTheirs([ntp, other], conflict)).toBe(false);
  });

  it('is without preconditions once the conflicts are answered', () => {
    const conflict = (index: number, field: string): ProposalConflict => ({
      ...{ operation: index, kind: 'region', resource_id: 3, name: 'north', field },
    });
    const operations = [
      { ...variables, if_match: '"4"' },
      { ...operation('PUT', '/v1/regions/4/variables/ntp', { value: 1 }), if_none_match: '*' },
    ];
    expect(resolved(operations, [conflict(0, 'variables.ntp'), conflict(1, 'variables.ntp')])).toEqual([
      { ...variables, body: { dns: 2 } },
    ]);
    expect(resolved(operations, [conflict(0, 'variables.ntp'), conflict(0, 'variables.dns')])).toEqual([
      operation('PUT', '/v1/regions/4/variables/ntp', { value: 1 }),
    ]);
    expect(canTakeTheirs(operations, conflict(0, 'variables.ntp'))).toBe(true);
    expect(canTakeTheirs(operations, conflict(2, 'variables.ntp'))).toBe(false);
  });
});

describe('the body of an operation as text', () => {
  it('is the same body again', () => {
    const variables = operation('PUT', '/v1/regions/3/variables', { serial: 12 });
    expect(bodyText(variables)).toBe('{\n  "serial": 12\n}');
    expect(withBodyText(variables, bodyText(variables))).toEqual(variables);
    expect(withBodyText(operation('DELETE', '/v1/regions/3'), '')).toEqual(
      operation('DELETE', '/v1/regions/3'),
    );
  });

  it('is that of NDJSON as it is', () => {
    const lines = operation('POST', '/v1/import', '{"kind": "host"}\n');
    expect(bodyText(lines)).toBe('{"kind": "host"}\n');
    expect(withBodyText(lines, 'x').body).toBe('x');
  });

  it('is rejected if it is no JSON', () => {
    expect(() => withBodyText(operation('PUT', '/v1/regions/3', {}), 'x')).toThrow(SyntaxError);
  });
});

describe('writes', () => {
  it.each([
    ['/v1/regions/3/variables/ntp', true],
    ['/v1/import', true],
    ['/v1/changes/3/revert', true],
    ['/v1/projects/7/settings', true],
    ['/v1/projects', false],
    ['/v1/projects/7', false],
    ['/v1/users', false],
    ['/v1/users/3/keys', false],
    ['/v1/access-secrets/3', false],
    ['/v1/variable-definitions', false],
  ])('%s can be proposed: %s', (path, expected) => {
    expect(canBeProposed({ path })).toBe(expected);
  });
});
