import type { ImportLine, LineKind } from '../../src/bulk/import/line-kinds';

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  host: ['region', 'ip_address', 'device_type'],
  cell: ['region'],
};

/** A line of an import as it is read again, with what conflicts and missing references are found by. By default it describes a host. */
export function importLine(body: Readonly<Record<string, unknown>>): ImportLine {
  const name = typeof body['kind'] === 'string' ? body['kind'] : 'host';
  const kind = { mapping: { kind: name }, required: REQUIRED[name] ?? [] } as unknown as LineKind;
  return { line: 2, text: '', kind, body };
}
