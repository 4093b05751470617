import type { LookupResult } from '../../src/bulk/import/existing-resources';
import {
  assertPreconditions,
  inconsistencies,
  missingMembers,
  type References,
  wouldCreate,
} from '../../src/bulk/import/line-conflicts';
import { importLine } from '../support/import-line';

const none: LookupResult = { id: null, version: null };
const host: LookupResult = { id: 5, version: 3, kind: 'host', in_region: 1, in_cell: 2 };
const messages = (errors: readonly Error[]) => errors.map(({ message }) => message);

describe('the preconditions of a line', () => {
  it.each<[string, object, LookupResult, string | undefined]>([
    ['the version', { if_version: 3 }, host, undefined],
    ['another version', { if_version: 2 }, host, 'if_version: the host is at version 3 now'],
    ['a version of a new host', { if_version: 1 }, none, 'if_version: there is no host with this name'],
    ['the id', { if_id: 5 }, host, undefined],
    ['another id', { if_id: 6, if_version: 2 }, host, 'if_id: the host has the id 5 now'],
    ['an id of a new host', { if_id: 5 }, none, 'if_id: there is no host with this name'],
    ['no precondition', {}, none, undefined],
  ])('hold, or are a version_mismatch: %s', (_, body, found, message) => {
    const check = () => assertPreconditions(importLine({ name: 'h', ...body }), found);
    if (message === undefined) check();
    else
      expect(check).toThrow(
        expect.objectContaining({
          ...{ code: 'version_mismatch', message },
          details: [expect.objectContaining({ field: message.split(':')[0], code: 'version_mismatch' })],
        }) as Error,
      );
  });
});

describe('a line of a new resource', () => {
  it.each([
    ['host', { name: 'h' }, ['region', 'ip_address', 'device_type']],
    ['host', { name: 'h', region: 'r', ip_address: '10.0.0.1', device_type: 's' }, []],
    ['region', { name: 'r' }, []],
    ['cell', { name: 'c', region: 'r' }, []],
  ])('needs the members of a %s: of %j it lacks %j', (kind, body, lacking) => {
    const text = `must be given: there is no ${kind} with this name`;
    expect(messages(missingMembers(importLine({ kind, ...body })))).toEqual(
      lacking.length === 0 ? [] : [lacking.map((member) => `${member}: ${text}`).join('; ')],
    );
  });

  it.each<[string, LookupResult, boolean]>([
    ['host', none, true],
    ['host', host, false],
    ['network-device', host, true],
    ['region', { id: 5, version: 3 }, false],
  ])('is one that finds none of its kind: %s, %j', (kind, found, expected) => {
    expect(wouldCreate(importLine({ kind, name: 'h' }), found)).toBe(expected);
  });
});

describe('a line contradicts its resource', () => {
  const CELL = 'cell: must be given, or null: the current cell of the device is not in this region';
  const OWN_PARENT = 'parent: a device cannot be its own parent';

  it.each<[string, object, LookupResult, References, string[]]>([
    ['nothing of a new one', {}, none, { parent_id: null }, []],
    ['nothing', { note: 'n' }, host, { region_id: null, parent_id: null }, []],
    ['its own parent', { parent: 'h' }, host, { parent_id: 5 }, [OWN_PARENT]],
    [
      'the name of another kind',
      { kind: 'network-device', parent: 'h' },
      host,
      { parent_id: 5 },
      ['name: a host has this name already'],
    ],
    ['a region without its cell', { region: 'r' }, host, { region_id: 7, parent_id: null }, [CELL]],
    [
      'a missing region without its cell',
      { region: 'r', parent: 'h' },
      host,
      { region_id: null, parent_id: 5 },
      [OWN_PARENT, CELL],
    ],
    ['its present region', { region: 'r' }, host, { region_id: 1 }, []],
    ['a region with a cell', { region: 'r', cell: 'c' }, host, { region_id: 7, cell_id: 8 }, []],
    ['a region without any cell', { region: 'r', cell: null }, host, { region_id: 7 }, []],
    ['a region, and has no cell', { region: 'r' }, { ...host, in_cell: null }, { region_id: 7 }, []],
  ])('%s', (_, body, found, references, expected) => {
    expect(messages(inconsistencies(importLine({ name: 'h', ...body }), found, references))).toEqual(
      expected,
    );
  });
});
