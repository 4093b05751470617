import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Caller } from './caller';
import { authHeaders } from './http-exchange';

/** A line of an export. */
export type ExportedLine = Readonly<Record<string, unknown>>;

/** The lines of an export, as texts. */
export async function exportTexts(caller: Caller, query = ''): Promise<string[]> {
  const { text } = await caller.get(`/v1/export${query}`).expect(200);
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no newline');
  return text.split('\n').slice(0, -1);
}

/** The lines of an export. */
export const exportLines = async (caller: Caller, query = ''): Promise<ExportedLine[]> =>
  (await exportTexts(caller, query)).map((line) => JSON.parse(line) as ExportedLine);

/** An export as CSV text. */
export async function exportTable(caller: Caller, query = ''): Promise<string> {
  const response = await caller.get(`/v1/export${query}`, { Accept: 'text/csv' }).expect(200);
  return response.text;
}

/** A client that reads the start of a long response, and the rest only on demand. */
export class PausingReader {
  private constructor(
    private readonly request: ClientRequest,
    private readonly response: IncomingMessage,
    private readonly first: Buffer,
  ) {}

  static async of(caller: Caller, query = '', path = '/v1/export'): Promise<PausingReader> {
    const request = get(`${caller.url}${path}${query}`, {
      headers: authHeaders(caller.credentials),
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${path} responded with ${String(response.statusCode)}`);
    const [first] = (await once(response, 'data')) as [Buffer];
    response.pause();
    // `rest` reports an aborted response.
    for (const one of [request, response]) one.on('error', () => undefined);
    return new PausingReader(request, response, first);
  }

  /** Reads to the end. @throws Error if the response is aborted */
  async rest(): Promise<string> {
    const parts = [this.first];
    for await (const part of this.response) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }

  /** Closes the connection. */
  leave(): void {
    this.request.destroy();
  }
}
