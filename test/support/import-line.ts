import { type ImportLine, lineKinds } from '../../src/bulk/import/line-kinds';

/** A line of an import as it is read again. By default it describes a host. */
export function importLine(body: Readonly<Record<string, unknown>>): ImportLine {
  const kind = lineKinds.get(String(body['kind'] ?? 'host'));
  if (!kind) throw new Error(`there is no kind ${String(body['kind'])}`);
  return { line: 2, text: '', kind, body };
}
