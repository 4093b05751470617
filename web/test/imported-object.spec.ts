import { importedObject } from '../src/components/imported-object';

describe('a line of the result of an import', () => {
  it('that creates a resource has all its members on one side', () => {
    const after = {
      ...{ kind: 'host', name: 'web-1', region: 'north', labels: ['b', 'web'], note: null },
      variables: { kernel: '6.8' },
    };
    const line = { line: 2, result: 'created', kind: 'host', id: null, name: 'web-1', after };
    expect(importedObject(line)).toEqual({
      kind: 'host',
      // No other line has it.
      id: -2,
      name: 'web-1',
      action: 'create',
      before: null,
      after: { name: 'web-1', region: 'north', labels: 'b,web', note: null },
      variables: { kernel: { after: '6.8' } },
    });
  });

  it('that updates a resource has the variables that change', () => {
    const line: unknown = JSON.parse(`{"line":1,"result":"updated","kind":"label","id":7,"name":"web",
      "before":{"kind":"label","label":"web","variables":{"port":443,"serial":12,"old":null}},
      "after":{"kind":"label","label":"web","variables":{"port":443,"serial":13}}}`);
    expect(importedObject(line)).toMatchObject({
      ...{ id: 7, action: 'update', before: {}, after: {} },
      variables: { serial: { before: 12, after: 13 }, old: { before: null } },
    });
    expect(Object.keys(importedObject(line)?.variables ?? {})).toEqual(['serial', 'old']);
  });

  it.each([
    ['changes nothing', { line: 1, result: 'unchanged', kind: 'host', id: 1, name: 'web-1' }],
    ['is the summary', { dry_run: true, created: 1, updated: 0, unchanged: 0, failed: 0, errors: [] }],
  ])('that %s has none', (_, line) => {
    expect(importedObject(line)).toBeUndefined();
  });
});
