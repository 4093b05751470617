import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  const region = await admin.region({ name: 'north', variables: { domain: 'north.example' } });
  await admin.host({ name: 'web-1', region_id: region.id, variables: { kernel: '6.8' } });
  await admin.host({ name: 'db-1', region_id: region.id, variables: { anchor: 1 } });
});

const vars = (...args: string[]) => muster(admin, ['vars', ...args]);

it.each([
  [['get', 'host', 'web-1', 'kernl'], 'muster: kernl is not set for host web-1.\n  Did you mean kernel?\n'],
  [
    ['get', 'host', 'web-1', 'kernl', 'domian'],
    'muster: kernl, domian are not set for host web-1.\n  Did you mean kernel?\n  Did you mean domain?\n',
  ],
  [['get', 'host', 'web-1', 'ancor'], 'muster: ancor is not set for host web-1.\n'],
  [
    ['explain', 'host', 'web-1', 'kernl'],
    'muster: No level sets kernl for host web-1.\n  Did you mean kernel?\n',
  ],
  [
    ['explain', 'host', 'web-1', 'domian', '--at', 'now'],
    'muster: No level sets domian for host web-1.\n  Did you mean domain?\n',
  ],
  [['explain', 'host', 'web-1', 'colour'], 'muster: No level sets colour for host web-1.\n'],
])('%j suggests a key that the resource resolves', async (args, message) => {
  const { code, stderr } = await vars(...args);
  expect({ code, stderr }).toEqual({ code: 3, stderr: message });
});

it('unset suggests a key that is set on the resource itself', async () => {
  expect(await vars('unset', 'host', 'web-1', 'kernl', 'domian')).toMatchObject({
    code: 0,
    stderr: 'Nothing to do: kernl (did you mean kernel?), domian are not set on host web-1 itself.\n',
  });
});

it.each([
  [['where', 'kernl'], 'No variable kernl (did you mean kernel?).\n'],
  [['where', 'colour'], 'No variable colour.\n'],
  [['where', 'col*'], ''],
  [['keys', 'kernl'], 'No variable kernl (did you mean kernel?).\n'],
  [['keys', 'kernl', '-o', 'json'], 'No variable kernl (did you mean kernel?).\n'],
  [['keys', 'kernl*'], ''],
  [['values', 'kernl'], 'No variable kernl (did you mean kernel?).\n'],
  [['values', 'kernl', '-o', 'json'], 'No variable kernl (did you mean kernel?).\n'],
  [['values', 'anchor', '--name-contains', 'web'], ''],
  [['history', 'host', 'web-1', 'kernl'], 'No variable kernl (did you mean kernel?).\n'],
  [['history', 'host', 'web-1', 'anchor'], ''],
  [['history', 'region', 'north', 'domian'], 'No variable domian (did you mean domain?).\n'],
])('%j explains that no resource sets the key', async (args, message) => {
  const { code, stderr } = await vars(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: message });
});

it('a list of changes explains that none of the resources whose keys are known sets the key', async () => {
  expect(await muster(admin, ['change', 'list', '--key', 'kernl', '-o', 'name'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No region, cell, label or device sets kernl (did you mean kernel?).\n',
  });
});

// The variables of users are not among the keys in use.
it.each([[['vars', 'history', 'user']], [['change', 'list', '--kind', 'user', '-o', 'name', '--key']]])(
  '%j says nothing about a key of which it cannot be known',
  async (args) => {
    const { user } = admin.credentials;
    const named = args[0] === 'vars' ? [...args, user, '-o', 'name'] : args;
    expect(await muster(admin, [...named, 'theme'])).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);
