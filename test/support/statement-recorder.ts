import { startDatabaseProxy, type DatabaseProxy } from './database-proxy';
import { createTestDatabase, type TestDatabase } from './test-database';

/** A statement as the service sent it. Parameters in PostgreSQL's binary format are bytes. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | Buffer | null)[];
}

/**
 * A database whose statements are recorded. Start a service on `database`, and read the statements of a request's
 * project: each has the project's ID as a parameter. Statements of the service's background work have none.
 */
export class StatementRecorder {
  private constructor(
    private readonly proxy: DatabaseProxy,
    /** All statements so far, including background work. */
    readonly sent: readonly Statement[],
  ) {}

  /** An empty migrated database. */
  get database(): TestDatabase {
    return this.proxy.database;
  }

  static async create(): Promise<StatementRecorder> {
    const sent: Statement[] = [];
    const proxy = await startDatabaseProxy(await createTestDatabase(), () => connectionObserver(sent));
    return new StatementRecorder(proxy, sent);
  }

  /** Resets each connection that sends a statement with these words, until it is called with undefined. */
  cutAt(words: string | undefined): void {
    this.proxy.resetAt(words);
  }

  /** All statements that the service sends while `work` runs, including background work. */
  async all(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    const before = this.sent.length;
    await work();
    return this.sent.slice(before);
  }

  /**
   * The statements with this project's id that the service sends while `work` runs, without those that read API keys and the
   * policy of the project: these are cached for a few seconds, so they are sent now and then.
   */
  async during(projectId: string, work: () => Promise<unknown>): Promise<readonly Statement[]> {
    const statements = await this.all(work);
    return statements.filter(
      ({ text, values }) =>
        values.some((value) => value?.includes(projectId) === true) &&
        !/FROM (api_keys k|projects p (WHERE p.id = ANY|LEFT JOIN project_settings))/.test(text),
    );
  }
}

/** Reads what a client sends on one connection, by PostgreSQL's frontend protocol. */
function connectionObserver(sent: Statement[]): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The first message has no type.
      const header = isStarted ? 1 : 0;
      if (rest.length < header + 4) return;
      const end = header + rest.readInt32BE(header);
      if (rest.length < end) return;
      const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : '';
      const body = rest.subarray(header + 4, end);
      rest = rest.subarray(end);
      isStarted = true;
      if (type === 'P') {
        const [name = '', text = ''] = strings(body, 2);
        prepared.set(name, text);
      } else if (type === 'B') {
        sent.push(boundStatement(body, prepared));
      } else if (type === 'Q') {
        sent.push({ text: strings(body, 1)[0] ?? '', values: [] });
      }
    }
  };
}

/** The first `count` strings of a message; each ends with a zero byte. */
function strings(body: Buffer, count: number): string[] {
  const found: string[] = [];
  for (let at = 0; found.length < count;) {
    const end = body.indexOf(0, at);
    found.push(body.toString('utf8', at, end));
    at = end + 1;
  }
  return found;
}

/** The code of the binary format. Without codes, all parameters are texts. */
const BINARY = 1;

function boundStatement(body: Buffer, prepared: ReadonlyMap<string, string>): Statement {
  const [portal = '', name = ''] = strings(body, 2);
  let at = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
  const formats = Array.from({ length: body.readInt16BE(at) }, (_, i) => body.readInt16BE(at + 2 + 2 * i));
  at += 2 + 2 * formats.length;
  const count = body.readInt16BE(at);
  at += 2;
  const values = Array.from({ length: count }, (_, i) => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    const bytes = body.subarray(at - length, at);
    return formats[i] === BINARY ? Buffer.from(bytes) : bytes.toString();
  });
  return { text: prepared.get(name) ?? '', values };
}
