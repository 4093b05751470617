import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { lastChange, revertHint } from '../support/reverts';
import { muster } from '../support/shell';

const app = sharedService();

it('--reason accepts any text, and the change record contains it unchanged', async () => {
  const admin = await app.project();
  const reason = 'Größe – 5 €, naïve, 日本語 🚀';
  const { code, stderr } = await muster(admin, ['region', 'create', 'north', '--reason', reason]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Created region north. ${await revertHint(admin)}\n`,
  });
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

describe('in a project that requires a reason', () => {
  const PATTERN = '^CHG-\\d+';
  const REQUIRED = `Changes in this project need a reason that matches ${PATTERN}`;
  const requireReason = async (admin: Caller): Promise<void> => {
    const settings = { change_reason: { required: true, pattern: PATTERN } };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
  };
  /** In the errors of the service, not in those of previews. */
  const REQUEST_ID = / {2}request id: \S+\n/;
  const error = async (admin: Caller, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    return stderr.replace(REQUEST_ID, '');
  };

  it('errors name the pattern and --reason, and no header', async () => {
    const admin = await app.project();
    await admin.region({ name: 'north', variables: { a: 1 } });
    await requireReason(admin);
    const required = `muster: ${REQUIRED}\n  Give one with --reason.\n`;
    expect(await error(admin, 'vars', 'unset', 'region', 'north', 'a', '--yes')).toBe(required);
    expect(await error(admin, 'vars', 'unset', 'region', 'north', 'a')).toBe(required);
    expect(await error(admin, 'region', 'delete', 'north')).toBe(required);
    expect(await error(admin, 'region', 'create', 'south', '--reason', 'because')).toBe(
      `muster: The reason of a change in this project must be one that matches ${PATTERN}\n  Give one with --reason.\n`,
    );
    const done = await muster(admin, ['region', 'create', 'south', '--reason', 'CHG-1: a site']);
    expect(done).toMatchObject({
      code: 0,
      stderr: `Created region south. ${await revertHint(admin)}\n`,
    });
  });

  it('a note is not a reason', async () => {
    const admin = await app.project();
    await admin.host({ name: 'web-5' });
    const update = ['host', 'update', 'web-5', '--note', 'see CHG-77'];
    const reasonOf = async () => (await lastChange(admin)).reason;
    expect(await muster(admin, update)).toMatchObject({ code: 0 });
    expect(await reasonOf()).toBeNull();
    await requireReason(admin);
    expect(await error(admin, ...update)).toContain(REQUIRED);
    expect(await error(admin, ...update, '--reason', '')).toContain(REQUIRED);
    expect(await error(admin, 'region', 'create', 'south', '--note', 'CHG-77')).toContain(REQUIRED);
    expect(await muster(admin, [...update, '--name', 'web-6', '--reason', 'CHG-78'])).toMatchObject({
      code: 0,
    });
    expect(await reasonOf()).toBe('CHG-78');
  });

  it('errors of several updates name --reason, too', async () => {
    const admin = await app.project();
    for (const name of ['web-1', 'web-2']) await admin.host({ name });
    await requireReason(admin);
    const { code, stderr } = await muster(admin, ['host', 'update', 'web-1', 'web-2', '--no-active']);
    expect(code).toBe(4);
    expect(stderr).toContain(
      '  host web-1: changes in this project need a reason that matches ^CHG-\\d+; give one with --reason (request id: ',
    );
    expect(stderr).not.toContain('X-Change-Reason');
  });
});
