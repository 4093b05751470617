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
  ['host', 'kernel in [6.8, 7]', 'No host meets kernel in [6.8, 7]; 2 meet kernel in ["6.8", "7"].\n'],
  ['host', 'kernel missing', ''],
  ['host', 'kernel in ["6.9"]', ''],
])('the empty list of %ss where %s is explained', async (kind, condition, stderr) => {
  expect(await list(kind, '--where', condition, '--fields', 'name')).toEqual({
    code: 0,
    stdout: 'NAME\n',
    stderr,
  });
});

it.each([
  ['name', ''],
  ['json', '[]\n'],
  ['csv', 'name\n'],
])('an empty list in the format %s is explained beside the output', async (format, stdout) => {
  expect(await list('host', '--where', 'kernel = 6.8', '-o', format, '--fields', 'name')).toEqual({
    code: 0,
    stdout,
    stderr: 'kernel: no host has the number 6.8; 2 have the text "6.8".\n',
  });
});

it.each([
  [['device', 'counts'], 'kernel: no device has the number 6.8; 2 have the text "6.8".\n'],
  [
    ['device', 'counts', '--group-by', 'region', '-o', 'json'],
    'kernel: no device has the number 6.8; 2 have the text "6.8".\n',
  ],
  [
    ['vars', 'values', 'kernel', '--kind', 'host'],
    'kernel: no host has the number 6.8; 2 have the text "6.8".\n',
  ],
])('%j of no device are explained', async (args, stderr) => {
  expect((await muster(admin, [...args, '--where', 'kernel = 6.8'])).stderr).toBe(stderr);
});

it.each([
  [
    ['--where', 'kernel < 6.8-rc'],
    '--where: at character 10: expected a JSON string, number, true, false or null: a text wants quotes: kernel < "6.8-rc"',
  ],
  [
    ['--where', 'a exists and b exists'],
    '--where: at character 10: expected the end: write each condition as a --where of its own',
  ],
  [
    ['--vars', 'kernel<6.12'],
    '--vars: at character 7: expected ".", "[" or ":" and a value: this is a condition of --where',
  ],
  [
    ['--vars', 'mac:"aa:bb"'],
    '--vars: at character 5: ":" and "," cannot be used in a value, but --where accepts them',
  ],
])('an error in %j names the option', async (args, message) => {
  const { code, stderr } = await list('host', ...args);
  expect([code, stderr.split('\n')[0]]).toEqual([4, `muster: ${message}`]);
});

it('the help shows each operator', async () => {
  const { stdout } = await list('host', '--help');
  const help = stdout.replace(/\s+/g, ' ');
  for (const operator of ['=', '!=', '<', '<=', '>', '>=', '^=', '~=', 'in [', 'exists', 'missing'])
    expect(help).toContain(operator);
  expect(help).toContain(`'kernel < "6.12"'`);
});

it('hosts without any label are listed', async () => {
  await admin.host({ name: 'labelled', labels: ['web'] });
  const names = async (value: string) =>
    (await list('host', '--has-labels', value, '-o', 'name')).stdout.split('\n').includes('labelled');
  expect([await names('true'), await names('false')]).toEqual([true, false]);
});
