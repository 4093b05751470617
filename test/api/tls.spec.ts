import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { SecondConnection } from '../support/second-connection';
import { startProgram, startService, type OwnService } from '../support/service';
import { aName, type Credentials, type Resource } from '../support/caller';
import { makeCertificate, type TestCertificate } from '../support/certificates';
import { authHeaders } from '../support/http-exchange';
import { describeWithPeers } from '../support/peers';
import { temporaryFolder } from '../support/shell';
import { until } from '../support/until';

describeWithPeers('TLS', ['openssl'], () => {
  let first: TestCertificate;
  let second: TestCertificate;
  let certFile: string;
  let keyFile: string;
  let app: OwnService;
  let root: Credentials;
  let port: number;

  beforeAll(async () => {
    const folder = temporaryFolder();
    [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    first = makeCertificate(folder, 'first');
    second = makeCertificate(folder, 'second');
    writeFileSync(certFile, first.cert);
    writeFileSync(keyFile, first.key);
    app = await startService({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
    root = app.root.credentials;
    port = Number(new URL(app.url).port);
  });
  afterAll(() => app.stop());

  async function secure(options: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port, ca: [first.cert, second.cert], ...options });
    await once(socket, 'secureConnect');
    return socket;
  }

  interface Answered {
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
  }

  const get = (path: string, headers: Record<string, string> = authHeaders(root)) =>
    new Promise<Answered>((resolve, reject) => {
      const options = { ca: [first.cert, second.cert], headers, agent: false };
      const sent = request(`${app.url}${path}`, options, (answer) => {
        let text = '';
        answer.on('data', (part) => (text += String(part)));
        answer.once('error', reject);
        answer.once('end', () => {
          resolve({ status: answer.statusCode, headers: answer.headers, text });
        });
      });
      sent.once('error', reject);
      sent.end();
    });

  it('is what the port speaks, and links say so', async () => {
    expect(app.url).toMatch(/^https:/);
    const { status, headers } = await get('/v1/regions');
    expect(status).toBe(200);
    expect(headers['link']).toContain(`<https://127.0.0.1:${String(port)}/v1/regions>`);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('is not older than 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(secure(old)).rejects.toThrow(/alert protocol version/);
    const socket = await secure({ maxVersion: 'TLSv1.2' });
    expect(socket.getProtocol()).toBe('TLSv1.2');
    socket.destroy();
  });

  it('has what is no HTTP answered as ever', async () => {
    const socket = await secure();
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    socket.write('FETCH / HTTP/1.1\r\n\r\n');
    await once(socket, 'end');
    expect(text).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
    socket.destroy();
  });

  it('ends the connection of who does not speak it', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write('GET /healthz HTTP/1.1\r\nHost: muster\r\n\r\n');
    await once(socket, 'close');
    expect(text).not.toContain('HTTP/1.1');
    expect((await get('/healthz')).status).toBe(200);
  });

  it('cuts an answer so that nobody takes the part for the whole', async () => {
    const ca = first.cert;
    const long = { name: aName('region'), variables: { long: 'x'.repeat(600_000) } };
    const region = (await app.root.post('/v1/regions', long).ca(ca).expect(201)).body as Resource;
    const host = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    // Together more than lies between the service and a client that reads nothing.
    const hosts = Array.from({ length: 20 }, () => ({ ...host, name: aName('host') }));
    await app.root.post('/v1/hosts', hosts).ca(ca).expect(201);
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    const sent = request(`${app.url}/v1/export?resolved-values=true`, {
      ca,
      headers: authHeaders(root),
      agent: false,
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    // The export loses its connection to the database.
    const cut = await secondConnection.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`,
    );
    expect(cut).toHaveLength(1);
    await secondConnection.close();
    await expect(once(answer.resume(), 'end')).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
  });

  it('goes on with the next certificate as soon as its files are both there', async () => {
    const keeps = await secure();
    const shown = async () => {
      const socket = await secure();
      const name = socket.getPeerCertificate().subject.CN;
      socket.destroy();
      return name;
    };
    expect(await shown()).toBe('first');
    writeFileSync(certFile, second.cert);
    // It still is the key of the former one.
    expect(await shown()).toBe('first');
    writeFileSync(keyFile, second.key);
    await until('the next one is used', 90, async () => (await shown()) === 'second');
    // Who came before stays.
    keeps.write('GET /healthz HTTP/1.1\r\nHost: muster\r\n\r\n');
    const [part] = (await once(keeps, 'data')) as [Buffer];
    expect(part.toString()).toMatch(/^HTTP\/1.1 200 /);
    keeps.destroy();
  });

  it('is refused at the start, with the reason, when it is that of another key', async () => {
    const environment = {
      TLS_CERT_FILE: certFile.replace('cert.pem', 'second-cert.pem'),
      TLS_KEY_FILE: certFile.replace('cert.pem', 'first-key.pem'),
    };
    const program = startProgram(app.databaseUrl, environment);
    expect(await program.ended).toBe(1);
    expect(program.errorOutput).toMatch(/the key is not that of the certificate/);
  });
});
