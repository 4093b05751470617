import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  await admin.host({ variables: { kernel: '6.8', cores: 4 } });
  await admin.host({ variables: { kernel: '6.8' } });
});

const list = (kind: string, ...args: string[]) => muster(admin, [kind, 'list', ...args]);

it.each([
  ['host', 'kernel:6.8', 'kernel: no host has the number 6.8; 2 have the text "6.8".\n'],
  ['device', 'cores:"4"', 'cores: no device has the text "4"; 1 has the number 4.\n'],
  ['host', 'kernell:"6.8"', 'No variable kernell (did you mean kernel?).\n'],
  ['host', 'colour:"red"', 'No variable colour.\n'],
  ['host', 'kernel:"6.9"', ''],
  ['host', 'kernel:"6.8",cores:5', ''],
])('the empty list of %ss with %s is explained', async (kind, filter, stderr) => {
  expect(await list(kind, '--vars', filter, '--fields', 'name')).toEqual({
    code: 0,
    stdout: 'NAME\n',
    stderr,
  });
});

it.each([
  ['host', 'kernel = 6.8', 'kernel: no host has the number 6.8; 2 have the text "6.8".\n'],
  ['host', 'kernel < 6.12', 'No host meets kernel < 6.12; 2 meet kernel < "6.12".\n'],
  ['device', 'cores >= "4"', 'No device meets cores >= "4"; 1 meets cores >= 4.\n'],
  ['host', 'kernell ^= "6"', 'No variable kernell (did you mean kernel?).\n'],
  ['host', '"colour" exists', 'No variable colour.\n'],
  ['host', 'kernel missing', ''],
  ['host', 'kernel in ["6.9"]', ''],
])('the empty list of %ss where %s is explained', async (kind, condition, stderr) => {
  expect(await list(kind, '--where', condition, '--fields', 'name')).toEqual({
    code: 0,
    stdout: 'NAME\n',
    stderr,
  });
});

it('only tables are explained if standard error is no terminal', async () => {
  expect(await list('host', '--vars', 'kernel:6.8', '-o', 'name')).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});
