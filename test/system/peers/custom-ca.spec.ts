import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/external-programs';
import { muster, musterProcess, temporaryFolder } from '../../support/shell';

describeWithPeers('a certificate of a private authority', ['openssl'], () => {
  let certificate: string;
  let server: Server;
  let caller: Caller;

  beforeAll(async () => {
    const folder = temporaryFolder();
    const key = join(folder, 'key.pem');
    certificate = join(folder, 'certificate.pem');
    await promisify(execFile)('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...[
        '-keyout',
        key,
        '-out',
        certificate,
        '-subj',
        '/CN=muster',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
      ],
    ]);
    // A server that terminates TLS for a Muster without hosts.
    server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const credentials = {
      token: 'mst_a_key',
      user: 'admin',
      project: '00000000-0000-0000-0000-000000000000',
    };
    caller = new Caller(`https://127.0.0.1:${String(port)}`, credentials);
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('is rejected with a hint on how to trust it', async () => {
    const { code, stdout, stderr } = await muster(caller, ['host', 'list']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('The URL comes from MUSTER_URL.\n');
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS=');
  });

  it('is trusted through NODE_EXTRA_CA_CERTS', async () => {
    const env = { NODE_EXTRA_CA_CERTS: certificate };
    // Node reads this variable only when it starts.
    expect(await musterProcess(caller, ['host', 'list', '-o', 'json'], { env })).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});
