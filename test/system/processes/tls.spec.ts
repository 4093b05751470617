import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, eventually } from '../embedded/processes';
import { makeCertificate } from '../../support/certificates';
import { createTestDatabase } from '../../support/test-database';
import { describeWithPeers } from '../../support/peers';
import { temporaryFolder } from '../../support/shell';
import { Load } from './load';
import { startServiceProcess } from '../../support/service-process';

// It starts processes, and the machine may be busy.
jest.setTimeout(240_000);
afterAll(cleanUp);

describeWithPeers('processes that speak TLS', ['openssl'], () => {
  it('are renewed and stopped as others are: no request fails', async () => {
    const folder = temporaryFolder();
    const { cert, key } = makeCertificate(folder, 'muster');
    const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    writeFileSync(files.TLS_CERT_FILE, cert);
    writeFileSync(files.TLS_KEY_FILE, key);
    const database = await createTestDatabase();
    try {
      const service = startServiceProcess({ DATABASE_URL: database.url, WORKERS: '2', ...files });
      const root = await service.root();
      expect(root.url).toMatch(/^https:/);
      const load = new Load(root, cert);
      await eventually(() => load.answered > 50, 'some answers', 90_000);
      service.kill('SIGHUP');
      await service.said(/the workers are renewed/);
      const before = load.answered;
      await eventually(() => load.answered > before + 50, 'answers of the new ones', 90_000);
      await load.end();
      expect(load.failures).toEqual([]);
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
    } finally {
      await database.drop();
    }
  });
});
