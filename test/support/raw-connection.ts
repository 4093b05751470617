import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** A raw connection to the service, with control over writes and reads. */
export class RawConnection {
  private readonly parts: Buffer[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('data', (part: Buffer) => this.parts.push(part));
    // Resets are expected: see `isEnded`.
    socket.on('error', () => undefined);
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** The complete responses. Each needs a Content-Length. */
  get answers(): RawResponse[] {
    const responses: RawResponse[] = [];
    // One character for each byte, as lengths are in bytes.
    for (let rest = Buffer.concat(this.parts).toString('latin1'); ;) {
      const end = rest.indexOf('\r\n\r\n');
      const headers = rest.slice(0, end);
      const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (end < 0 || body.length < length) return responses;
      const status = Number(headers.split(' ')[1]);
      responses.push({ status, headers, body: Buffer.from(body, 'latin1').toString() });
      rest = rest.slice(end + 4 + length);
    }
  }

  /** The number of received bytes. */
  get received(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** The number of written bytes that the operating system has not accepted yet. */
  get unsent(): number {
    return this.socket.writableLength;
  }

  get isEnded(): boolean {
    return this.socket.destroyed || this.socket.readableEnded;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Stops reading. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Reads slowly, some data a few times per second. */
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

  /** Closes the connection. */
  cut(): void {
    this.socket.destroy();
  }
}

/** The bytes of a request, as text. */
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
