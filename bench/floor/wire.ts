import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A statement as it went to PostgreSQL, and what came back. */
export interface SentStatement {
  readonly text: string;
  /** As text, for that is how the driver sends them; binary ones in base64. */
  readonly values: readonly (string | { readonly binary: string } | null)[];
  /** Whether it was prepared once for its connection. */
  readonly prepared: boolean;
  readonly rows: (string | null)[][];
  /** PostgreSQL's word for what was done, with the number of rows: `UPDATE 1`. */
  outcome: string;
}

/** A line to a PostgreSQL that listens in: what the service sends through it can be read statement by statement. */
export interface Wire {
  readonly port: number;
  /** Forgets what was heard, connection by connection. */
  reset(): void;
  /** What went over each connection, in order. */
  heard(): readonly (readonly SentStatement[])[];
  close(): Promise<void>;
}

/** Opens a line to the server whose socket is in this folder. */
export async function openWire(socket: { readonly host: string; readonly port: string }): Promise<Wire> {
  const conversations = new Set<Conversation>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(`${socket.host}/.s.PGSQL.${socket.port}`);
    const conversation = new Conversation();
    conversations.add(conversation);
    const question = new Messages(true, (type, body) => conversation.asked(type, body));
    const answer = new Messages(false, (type, body) => conversation.answered(type, body));
    client.on('data', (chunk) => question.read(chunk)).pipe(upstream);
    upstream.on('data', (chunk) => answer.read(chunk)).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      // The other end learns of it by its own line's end.
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    port: (server.address() as AddressInfo).port,
    reset: () => {
      for (const conversation of conversations) conversation.statements = [];
    },
    heard: () => [...conversations].map(({ statements }) => statements),
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        for (const one of sockets) one.destroy();
      }),
  };
}

/** Cuts a stream into PostgreSQL's messages: a letter, a length, a body. */
class Messages {
  private rest = Buffer.alloc(0);
  private hasBegun: boolean;

  constructor(
    fromClient: boolean,
    private readonly message: (type: string, body: Buffer) => void,
  ) {
    // A client's first message has no letter.
    this.hasBegun = !fromClient;
  }

  read(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const head = this.hasBegun ? 1 : 0;
      if (this.rest.length < head + 4) return;
      const end = head + this.rest.readUInt32BE(head);
      if (this.rest.length < end) return;
      if (this.hasBegun) this.message(this.rest.toString('latin1', 0, 1), this.rest.subarray(5, end));
      this.hasBegun = true;
      this.rest = this.rest.subarray(end);
    }
  }
}

/** What is said over one connection. */
class Conversation {
  statements: SentStatement[] = [];
  private readonly prepared = new Map<string, string>();
  /** Sent and not answered yet; they are answered in order. */
  private readonly open: SentStatement[] = [];

  asked(type: string, body: Buffer): void {
    if (type === 'P') this.parsed(new Fields(body));
    else if (type === 'B') this.bound(new Fields(body));
    else if (type === 'Q') this.sent(new Fields(body).text(), [], false);
  }

  private parsed(fields: Fields): void {
    const name = fields.text();
    this.prepared.set(name, fields.text());
  }

  private bound(fields: Fields): void {
    fields.text();
    const name = fields.text();
    const formats = Array.from({ length: fields.int16() }, () => fields.int16());
    const values = Array.from({ length: fields.int16() }, (_, i) => {
      const value = fields.value();
      if (value === null) return null;
      const isBinary = (formats[formats.length === 1 ? 0 : i] ?? 0) === 1;
      return isBinary ? { binary: value.toString('base64') } : value.toString();
    });
    this.sent(this.prepared.get(name) ?? '', values, name !== '');
  }

  private sent(text: string, values: SentStatement['values'], prepared: boolean): void {
    const statement: SentStatement = { text, values, prepared, rows: [], outcome: '' };
    this.statements.push(statement);
    this.open.push(statement);
  }

  answered(type: string, body: Buffer): void {
    const statement = this.open[0];
    if (!statement) return;
    const fields = new Fields(body);
    if (type === 'D')
      statement.rows.push(Array.from({ length: fields.int16() }, () => fields.value()?.toString() ?? null));
    else if (type === 'C') statement.outcome = fields.text();
    // One command, ready for the next; or it was refused.
    if (type === 'C' || type === 'I' || type === 'E') this.open.shift();
  }
}

/** Reads the body of a message from its beginning. */
class Fields {
  private at = 0;

  constructor(private readonly body: Buffer) {}

  text(): string {
    const end = this.body.indexOf(0, this.at);
    const text = this.body.toString('utf8', this.at, end);
    this.at = end + 1;
    return text;
  }

  int16(): number {
    this.at += 2;
    return this.body.readUInt16BE(this.at - 2);
  }

  value(): Buffer | null {
    const length = this.body.readInt32BE(this.at);
    this.at += 4;
    if (length < 0) return null;
    this.at += length;
    return this.body.subarray(this.at - length, this.at);
  }
}
