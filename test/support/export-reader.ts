import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Caller } from './caller';
import { authHeaders } from './http-exchange';

/** A line of an export. */
export type ExportedLine = Readonly<Record<string, unknown>>;

/** The lines of an export, as texts. */
export async function exportTexts(caller: Caller, query = ''): Promise<string[]> {
  const { text } = await caller.get(`/v1/export${query}`).expect(200);
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  return text.split('\n').slice(0, -1);
}

/** The lines of an export. */
export const exportLines = async (caller: Caller, query = ''): Promise<ExportedLine[]> =>
  (await exportTexts(caller, query)).map((line) => JSON.parse(line) as ExportedLine);

/** A table, as text. */
export async function exportTable(caller: Caller, query = ''): Promise<string> {
  const answer = await caller.get(`/v1/export${query}`, { Accept: 'text/csv' }).expect(200);
  return answer.text;
}

/** A client that begins to read an export, or another long answer, and then reads nothing until it is told to. */
export class PausingReader {
  private constructor(
    private readonly request: ClientRequest,
    private readonly answer: IncomingMessage,
    private readonly first: Buffer,
  ) {}

  static async of(caller: Caller, query = '', path = '/v1/export'): Promise<PausingReader> {
    const request = get(`${caller.url}${path}${query}`, {
      headers: authHeaders(caller.credentials),
      agent: false,
    });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${path} is answered with ${String(answer.statusCode)}`);
    const [first] = (await once(answer, 'data')) as [Buffer];
    answer.pause();
    // An answer that is cut off before the rest is read is for the reading to tell.
    for (const one of [request, answer]) one.on('error', () => undefined);
    return new PausingReader(request, answer, first);
  }

  /** Reads on to the end. @throws Error if the answer is cut off */
  async rest(): Promise<string> {
    const parts = [this.first];
    for await (const part of this.answer) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }

  /** Is gone, without a word. */
  leave(): void {
    this.request.destroy();
  }
}
