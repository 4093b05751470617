import type { Caller } from '../support/caller';
import { asLines, importLines, sendImport } from '../support/importing';
import { sharedService } from '../support/service';

const app = sharedService();
let caller: Caller;

beforeEach(async () => {
  caller = await app.project();
});

const region = { kind: 'region', name: 'r1' };
const host = { kind: 'host', name: 'h1', region: 'r1', ip_address: '10.0.0.1', device_type: 'server' };

it('a faulty line is reported with all that is wrong with it and with what it references', async () => {
  await importLines(caller, [region, { kind: 'cell', name: 'c1', region: 'r1' }, { ...host, cell: 'c1' }]);
  const lines = [
    // It is invalid by itself.
    { ...host, name: 'h2', region: 'r2', cell: 'c2', ip_address: '10.0.0.300', note: 7 },
    { kind: 'host', name: 'h3', region: 'r2', parent: 'nobody', device_type: 1 },
    // Nothing more is said of what is invalid.
    { ...host, name: 'h4', region: 4, cell: 'c2', parent: 'h2' },
    { kind: 'host', name: 'h5', region: 'r3', parent: 'nobody' },
    // The cell of a device that moves.
    { kind: 'host', name: 'h1', region: 'r2', parent: 'nobody' },
    { kind: 'region', name: 'r4', cloud: 'nowhere', note: 7 },
    { ...host, name: 'h6', region: 'r4', parent: 'nobody' },
  ];
  const { body } = await sendImport(caller, asLines(lines)).expect(400);
  const { errors } = body as { errors: { message: string; missing?: object[] }[] };
  const given = (member: string) => `${member}: must be given: there is no host with this name`;
  const none = (member: string, what: string) => `${member}: there is no ${what} in this project`;
  expect(errors.map(({ message, missing }) => [message.split('; '), missing])).toEqual([
    [
      [
        expect.stringMatching(/^note: /),
        expect.stringMatching(/^ip_address: /),
        none('region', 'region "r2"'),
      ],
      [
        { kind: 'region', name: 'r2' },
        { kind: 'cell', region: 'r2', name: 'c2' },
      ],
    ],
    [
      [
        expect.stringMatching(/^device_type: /),
        given('ip_address'),
        none('region', 'region "r2"'),
        none('parent', 'device "nobody"'),
      ],
      [{ kind: 'region', name: 'r2' }],
    ],
    [[expect.stringMatching(/^region: must be /)], undefined],
    [
      [
        given('ip_address'),
        given('device_type'),
        none('region', 'region "r3"'),
        none('parent', 'device "nobody"'),
      ],
      [{ kind: 'region', name: 'r3' }],
    ],
    [
      [
        none('region', 'region "r2"'),
        none('parent', 'device "nobody"'),
        expect.stringMatching(/^cell: must be given, or null/),
      ],
      [{ kind: 'region', name: 'r2' }],
    ],
    [[expect.stringMatching(/^note: /), none('cloud', 'cloud "nowhere"')], undefined],
    [[none('parent', 'device "nobody"')], undefined],
  ]);
});

it('so is the only line, and one of a partial import', async () => {
  const line = { ...host, region: 'r2', ip_address: '10.0.0.300' };
  const expected = [
    {
      line: 1,
      code: 'invalid_request',
      message: expect.stringMatching(/^ip_address: .*; region: there is no region "r2" in this project$/),
      missing: [{ kind: 'region', name: 'r2' }],
    },
  ];
  const { body } = await sendImport(caller, asLines([line])).expect(400);
  expect(body).toMatchObject({ failed: 1, errors: expected });
  expect(await importLines(caller, [line, region], '?mode=partial')).toMatchObject({
    ...{ created: 1, failed: 1, errors: expected },
  });
  const { text } = await sendImport(caller, asLines([line]), '?mode=partial', {
    Accept: 'application/x-ndjson',
  }).expect(200);
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ message: expected[0]?.message as unknown });
});
