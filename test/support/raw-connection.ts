import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer, as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** A connection to the service on which a test writes what it likes, and reads when it likes. */
export class RawConnection {
  private readonly parts: Buffer[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('data', (part: Buffer) => this.parts.push(part));
    // Who is cut off expects it: `isEnded` tells.
    socket.on('error', () => undefined);
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** The answers that have come to their ends; each has to tell its length. */
  get answers(): RawAnswer[] {
    const answers: RawAnswer[] = [];
    // One character for each byte, as lengths are in bytes.
    for (let rest = Buffer.concat(this.parts).toString('latin1'); ;) {
      const end = rest.indexOf('\r\n\r\n');
      const headers = rest.slice(0, end);
      const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (end < 0 || body.length < length) return answers;
      const status = Number(headers.split(' ')[1]);
      answers.push({ status, headers, body: Buffer.from(body, 'latin1').toString() });
      rest = rest.slice(end + 4 + length);
    }
  }

  /** In bytes. */
  get received(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** In bytes: what was written and the operating system has not taken yet. */
  get unsent(): number {
    return this.socket.writableLength;
  }

  get isEnded(): boolean {
    return this.socket.destroyed || this.socket.readableEnded;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Reads no more: what comes stays where it is. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Reads on as slowly as this: so many times a second for a moment, until it has ended. */
  trickle(timesPerSecond: number): void {
    this.socket.pause();
    const timer = setInterval(() => {
      this.socket.once('data', () => this.socket.pause());
      this.socket.resume();
    }, 1000 / timesPerSecond);
    this.socket.once('close', () => {
      clearInterval(timer);
    });
  }

  /** Is gone, without a word. */
  cut(): void {
    this.socket.destroy();
  }
}

/** A request as it stands on the wire. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const length: Record<string, string> = body === '' ? {} : { 'Content-Length': String(body.length) };
  const all = Object.entries({ Host: 'muster', ...length, ...headers });
  return [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );
}
