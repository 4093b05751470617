import { sharedService } from '../support/service';
import type { Resource } from '../support/caller';
import { muster } from '../support/shell';

const app = sharedService();

it('--reason accepts any text, and the change record contains it unchanged', async () => {
  const admin = await app.project();
  const reason = 'Größe – 5 €, naïve, 日本語 🚀';
  const { code, stderr } = await muster(admin, ['region', 'create', 'north', '--reason', reason]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { body } = await admin.get('/v1/changes?sort_dir=desc&limit=10').expect(200);
  expect((body as Resource[]).map((change) => change['reason'])).toContain(reason);
});

it('the user name accepts any text', async () => {
  const admin = await app.project();
  const user = await admin.user({ username: 'zoë–€', is_admin: true });
  expect(await muster(user, ['region', 'list', '-o', 'name'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('--reason rejects several lines and control characters', async () => {
  const admin = await app.project();
  for (const reason of ['two\nlines', 'a\u001b[2J']) {
    const { code, stderr } = await muster(admin, ['region', 'create', 'north', '--reason', reason]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'muster: --reason must be a single line, without control characters.\n',
    });
  }
});
