import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  await admin.host({ name: 'web-1' });
});

it.each([
  [
    ['vars', 'host', 'web-1', 'password=secret'],
    "muster: unknown command 'host'\n(The verb comes first: muster vars set host web-1 password=...)\nSee --help.\n",
  ],
  [
    ['vars', 'host', 'web-1', 'password:="secret"', 'set'],
    "muster: unknown command 'host'\n(The verb comes first: muster vars set host web-1 password:=...)\nSee --help.\n",
  ],
  [['vars', 'password=secret'], "muster: unknown command 'password=...'\nSee --help.\n"],
  [
    ['--tokne=secret', 'host', 'list'],
    "muster: unknown option '--tokne=...'\n(Did you mean --token?)\nSee --help.\n",
  ],
  [
    ['vars', 'set', 'host', 'web-1', '-p=secret'],
    "muster: unknown option '-p=...'\n(If it is no option, put -- before it: -- -p=...)\nSee --help.\n",
  ],
  [
    ['host', 'list', 'password=secret'],
    "muster: too many arguments for 'list'. Expected 0 arguments but got 1.\n(To show one: muster host show password=...)\nSee --help.\n",
  ],
])('%j is answered without the value, which may be a secret', async (args, message) => {
  expect(await muster(admin, args)).toEqual({ code: 2, stdout: '', stderr: message });
});

it.each([
  ['host', 'show', 'password=secret'],
  ['host', 'update', 'web-1', 'password=secret', '--note', 'x'],
  ['vars', 'set', 'host', 'password=secret', 'token=abc'],
])('%s %s with an assignment instead of a name does not print its value', async (...args) => {
  const { code, stderr } = await muster(admin, args);
  expect(code).toBe(3);
  expect(stderr).toContain('"password=..."');
});
