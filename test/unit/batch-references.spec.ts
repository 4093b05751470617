import { hasOtherBraces, isUsableAs, referencesIn, replaceReferences } from '../../src/batch/references';
import type { ResourceMapping } from '../../src/database/resource-mapping';

const path = '/v1/cells';
const ids: Readonly<Record<string, number>> = { a: 7, 'b-2': 8 };
const replaced = (body: string) =>
  replaceReferences({ path, body }, (name) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`unknown: ${name}`);
    return id;
  }).body;

describe('references of operations', () => {
  it.each([
    ['{"region_id":{"$ref":"a.id"}}', '{"region_id":7}'],
    ['[ { "$ref" : "a.id" } , {\n"$ref":"b-2.id"}]', '[ 7 , 8]'],
    ['{"$ref":"a.id"}', '7'],
    ['{"n":9007199254740993,"r":{"$ref":"a.id"}}', '{"n":9007199254740993,"r":7}'],
  ])('are replaced in %s', (body, expected) => {
    expect(replaced(body)).toBe(expected);
  });

  it.each([
    ['a text', JSON.stringify({ text: '{"$ref":"a.id"}' })],
    ['a text with a quote before', JSON.stringify({ text: '\\"{"$ref":"a.id"}' })],
    ['a pointer of a JSON Schema', '{"items":{"$ref":"#/$defs/a.id"}}'],
    ['a further member', '{"x":{"$ref":"a.id","y":1}}'],
    ['another member of the resource', '{"x":{"$ref":"a.uuid"}}'],
    ['no name', '{"x":{"$ref":"7.id"}}'],
    ['an array', '["$ref","a.id"]'],
  ])('are not seen in %s', (_, body) => {
    expect(referencesIn({ path, body })).toEqual([]);
    expect(replaced(body)).toBe(body);
  });

  it('are found and replaced in paths, as whole segments and values', () => {
    const operation = { path: '/v1/hosts/{a.id}/variables?cell_id={a.id}&x={b.uuid}', body: undefined };
    expect(referencesIn(operation)).toEqual([
      { field: 'path', name: 'a', usedAs: 'hosts' },
      { field: 'path', name: 'a', usedAs: 'cell_id' },
    ]);
    expect(replaceReferences(operation, () => 5)).toEqual({
      path: '/v1/hosts/5/variables?cell_id=5&x={b.uuid}',
      body: undefined,
    });
  });

  it.each(['/v1/hosts/1{a.id}', '/v1/hosts/{a.id}1', '/v1/hosts/{a}', '/v1/hosts/{a.uuid}'])(
    'have a brace that is no reference in %s',
    (other) => {
      expect(referencesIn({ path: other, body: undefined })).toEqual([]);
      expect(hasOtherBraces(other)).toBe(true);
    },
  );

  it.each([
    ['/v1/regions/{a.id}', undefined, true],
    ['/v1/hosts/{a.id}', undefined, false],
    ['/v1/hosts/variables?region_id={a.id}', undefined, true],
    ['/v1/hosts/variables?cell_id={a.id}', undefined, false],
    [path, '{"region_id":{"$ref":"a.id"}}', true],
    [path, '{"cell_id": {"$ref":"a.id"}}', false],
    [path, '{"ids":[{"$ref":"a.id"}],"any":{"$ref":"a.id"}}', true],
  ])('of a region in %s with %s: %s', (used, body, isUsable) => {
    const references = referencesIn({ path: used, body });
    expect(references.length).toBeGreaterThan(0);
    const region = { collection: 'regions', table: 'regions' } as ResourceMapping;
    expect(references.every((reference) => isUsableAs(region, reference))).toBe(isUsable);
  });
});
