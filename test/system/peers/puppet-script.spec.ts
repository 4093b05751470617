import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from '../../support/markdown';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/peers';
import { ended, temporaryFolder } from '../../support/shell';

const ENVIRONMENT = '/etc/puppetlabs/muster.env';

describeWithPeers("the classifier's script for Puppet, as its page shows it,", ['curl'], () => {
  const app = sharedService();
  let admin: Caller;
  const folder = temporaryFolder();
  const script = join(folder, 'muster-enc');
  beforeAll(async () => {
    admin = await app.project();
    const page = readFileSync(join(__dirname, '../../../docs/integrations.md'), 'utf8');
    const block = codeBlocks(page).find(({ text }) => text.includes(ENVIRONMENT));
    const environment = join(folder, 'muster.env');
    writeFileSync(script, String(block?.text).replace(ENVIRONMENT, environment), { mode: 0o755 });
    writeFileSync(environment, `MUSTER_URL=${app.url}\nMUSTER_TOKEN=${admin.credentials.token}\n`);
  });
  const classify = (node: string) => ended(spawn(script, [node], { stdio: ['pipe', 'pipe', 'pipe'] }));

  it('classifies a node', async () => {
    await admin.host({ name: 'node & one', variables: { puppet_classes: ['ntp'], row: 4 } });
    const { code, stdout, stderr } = await classify('node & one');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ classes: ['ntp'], parameters: { row: 4 } });
  });

  it('fails at a node that is none, and at one that cannot be classified', async () => {
    await admin.host({ name: 'senseless', variables: { puppet_classes: 7 } });
    for (const node of ['nobody', 'senseless']) {
      const { code, stdout } = await classify(node);
      expect({ node, code, stdout }).toEqual({ node, code: 22, stdout: '' });
    }
  });
});
