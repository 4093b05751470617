import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A statement sent to PostgreSQL, and its result. */
export interface SentStatement {
  readonly text: string;
  /** Text values, as the driver sends them, and binary values in base64. */
  readonly values: readonly (string | { readonly binary: string } | null)[];
  /** Whether it was prepared once for its connection. */
  readonly prepared: boolean;
  readonly rows: (string | null)[][];
  /** The command tag with the number of rows: `UPDATE 1`. */
  outcome: string;
}

/** A proxy to PostgreSQL that records the statements. */
export interface Wire {
  readonly port: number;
  /** Clears the recorded statements. */
  reset(): void;
  /** The statements of each connection, in order. */
  statements(): readonly (readonly SentStatement[])[];
  close(): Promise<void>;
}

/** Starts a proxy to the server with this socket. */
export async function openWire(socket: { readonly host: string; readonly port: string }): Promise<Wire> {
  const connections = new Set<RecordedConnection>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(`${socket.host}/.s.PGSQL.${socket.port}`);
    const recorded = new RecordedConnection();
    connections.add(recorded);
    const requests = new Messages(true, (type, body) => recorded.onRequest(type, body));
    const responses = new Messages(false, (type, body) => recorded.onResponse(type, body));
    client.on('data', (chunk) => requests.read(chunk)).pipe(upstream);
    upstream.on('data', (chunk) => responses.read(chunk)).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      // Closing one side closes the other.
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    port: (server.address() as AddressInfo).port,
    reset: () => {
      for (const recorded of connections) recorded.statements = [];
    },
    statements: () => [...connections].map(({ statements }) => statements),
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        for (const one of sockets) one.destroy();
      }),
  };
}

/** Splits a stream into PostgreSQL messages: a type byte, a length and a body. */
class Messages {
  private rest = Buffer.alloc(0);
  private hasBegun: boolean;

  constructor(
    fromClient: boolean,
    private readonly message: (type: string, body: Buffer) => void,
  ) {
    // A client's first message has no type byte.
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

/** Records the statements of one connection. */
class RecordedConnection {
  statements: SentStatement[] = [];
  private readonly prepared = new Map<string, string>();
  /** Pending statements. Responses come in order. */
  private readonly open: SentStatement[] = [];

  onRequest(type: string, body: Buffer): void {
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

  onResponse(type: string, body: Buffer): void {
    const statement = this.open[0];
    if (!statement) return;
    const fields = new Fields(body);
    if (type === 'D')
      statement.rows.push(Array.from({ length: fields.int16() }, () => fields.value()?.toString() ?? null));
    else if (type === 'C') statement.outcome = fields.text();
    // The command is complete, empty or failed.
    if (type === 'C' || type === 'I' || type === 'E') this.open.shift();
  }
}

/** Reads the fields of a message body. */
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
