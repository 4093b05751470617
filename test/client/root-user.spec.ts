import { sharedService } from '../support/service';
import { muster } from '../support/shell';

const app = sharedService();

it('root accesses resources by id only in the selected project', async () => {
  const [one, other] = [await app.project(), await app.project()];
  const { id } = await other.host({ name: 'web-1' });
  const root = app.root.in(one.projectId);
  for (const args of [
    ['host', 'delete', String(id)],
    ['device', 'show', String(id)],
    ['vars', 'set', 'host', String(id), 'a:=1', '--yes'],
  ]) {
    const { code, stdout } = await muster(root, args);
    expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: '' });
  }
  await other.get(`/v1/hosts/${String(id)}`).expect(200);
  // The UUID is accepted in any notation.
  const project = other.projectId.replaceAll('-', '').toUpperCase();
  expect(await muster(root, ['host', 'show', String(id), '-o', 'name', '--project', project])).toMatchObject({
    code: 0,
    stdout: 'web-1\n',
  });
});
