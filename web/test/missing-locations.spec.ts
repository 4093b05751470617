import { missingLocationsWrite } from '../src/components/missing-locations';

const region = (name: string) => ({ kind: 'region', name });
const cell = (name: string) => ({ kind: 'cell', region: 'north', name });

describe('the import of locations that lines name and that do not exist', () => {
  it.each([
    // The locations that each faulty line misses, and the title and lines of the import.
    [[[region('north')]], 'Create region north', [region('north')]],
    [[[cell('rack-1')], [cell('rack-1')]], 'Create cell north / rack-1', [cell('rack-1')]],
    [
      [[region('north'), cell('a')], undefined, [region('north'), cell('b')]],
      'Create region north and 2 cells',
      [region('north'), cell('a'), cell('b')],
    ],
  ])('%j: %s', (missing, title, lines) => {
    const write = missingLocationsWrite({ errors: missing.map((one) => (one ? { missing: one } : {})) });
    expect(write).toMatchObject({ title, request: { method: 'POST', path: '/v1/import' } });
    expect(write?.request.body).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });

  it('is none if lines have other faults', () => {
    expect(missingLocationsWrite({ errors: [{}] })).toBeUndefined();
  });
});
