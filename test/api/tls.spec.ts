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
import { describeWithPeers } from '../support/external-programs';
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
    app = await startService({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, HEADER_SECONDS: '3' });
    root = app.root.credentials;
    port = Number(new URL(app.url).port);
  });
  afterAll(() => app.stop());

  async function secure(options: ConnectionOptions = {}): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port, ca: [first.cert, second.cert], ...options });
    await once(socket, 'secureConnect');
    return socket;
  }

  interface TlsResponse {
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
  }

  const get = (path: string, headers: Record<string, string> = authHeaders(root)) =>
    new Promise<TlsResponse>((resolve, reject) => {
      const options = { ca: [first.cert, second.cert], headers, agent: false };
      const clientRequest = request(`${app.url}${path}`, options, (response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
      });
      clientRequest.once('error', reject);
      clientRequest.end();
    });

  it('is used on the service port and in links', async () => {
    expect(app.url).toMatch(/^https:/);
    const { status, headers } = await get('/v1/regions');
    expect(status).toBe(200);
    expect(headers['link']).toContain(`<https://127.0.0.1:${String(port)}/v1/regions>`);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('requires version 1.2 or later', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(secure(old)).rejects.toThrow(/alert protocol version/);
    const socket = await secure({ maxVersion: 'TLSv1.2' });
    expect(socket.getProtocol()).toBe('TLSv1.2');
    socket.destroy();
  });

  it('returns 400 for malformed HTTP', async () => {
    const socket = await secure();
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    socket.write('FETCH / HTTP/1.1\r\n\r\n');
    await once(socket, 'end');
    expect(text).toMatch(/^HTTP\/1.1 400 .*"code":"invalid_request"/s);
    socket.destroy();
  });

  // See the same test of malformed-http.spec.ts.
  it('closes a connection on which nothing has arrived, without a response', async () => {
    const socket = await secure();
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    await once(socket, 'end');
    expect(text).toBe('');
    socket.destroy();
  });

  it('closes connections that do not use it', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write('GET /healthz HTTP/1.1\r\nHost: muster\r\n\r\n');
    await once(socket, 'close');
    expect(text).not.toContain('HTTP/1.1');
    expect((await get('/healthz')).status).toBe(200);
  });

  it('resets a truncated response, so that no client takes it as complete', async () => {
    const ca = first.cert;
    const long = { name: aName('region'), variables: { long: 'x'.repeat(600_000) } };
    const region = (await app.root.post('/v1/regions', long).ca(ca).expect(201)).body as Resource;
    const host = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    // The export exceeds the buffers between the service and a client that does not read.
    const hosts = Array.from({ length: 20 }, () => ({ ...host, name: aName('host') }));
    await app.root.post('/v1/hosts', hosts).ca(ca).expect(201);
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    const clientRequest = request(`${app.url}/v1/export?resolved-values=true`, {
      ca,
      headers: authHeaders(root),
      agent: false,
    }).end();
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    const exporting = await secondConnection.servicePids('streaming');
    expect(exporting).toHaveLength(1);
    await secondConnection.terminate(exporting);
    await secondConnection.close();
    await expect(once(response.resume(), 'end')).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
  });

  it('uses a new certificate as soon as both files are replaced', async () => {
    const existing = await secure();
    const healthOn = async (socket: TLSSocket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: muster\r\n\r\n');
      const [part] = (await once(socket, 'data')) as [Buffer];
      expect(part.toString()).toMatch(/^HTTP\/1.1 200 /);
    };
    await healthOn(existing);
    const certificateName = async () => {
      const socket = await secure();
      const name = socket.getPeerCertificate().subject.CN;
      socket.destroy();
      return name;
    };
    expect(await certificateName()).toBe('first');
    writeFileSync(certFile, second.cert);
    // The key still belongs to the first certificate.
    expect(await certificateName()).toBe('first');
    writeFileSync(keyFile, second.key);
    await until('the new certificate is used', 90, async () => (await certificateName()) === 'second');
    // Existing connections stay open.
    await healthOn(existing);
    existing.destroy();
  });

  it('fails at startup with the reason if the key does not match the certificate', async () => {
    const environment = {
      TLS_CERT_FILE: certFile.replace('cert.pem', 'second-cert.pem'),
      TLS_KEY_FILE: certFile.replace('cert.pem', 'first-key.pem'),
    };
    const program = startProgram(app.databaseUrl, environment);
    expect(await program.ended).toBe(1);
    expect(program.errorOutput).toMatch(/the key does not match the certificate/);
  });
});
