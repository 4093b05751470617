import { itOnOneServer } from '../support/citus';
import { exportLines } from '../support/export-reader';
import type { Caller } from '../support/caller';
import { asLines, importLines, sendImport } from '../support/importing';
import { lockProjectOf, SecondConnection } from '../support/second-connection';
import { sharedService } from '../support/service';

const app = sharedService();
let caller: Caller;
let secondConnection: SecondConnection;

beforeAll(async () => {
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});

afterAll(() => secondConnection.close());

beforeEach(async () => {
  caller = await app.project();
});

interface Reported {
  readonly message: string;
  readonly missing?: readonly object[];
}

/** The faulty lines of an import that is rejected. */
const faultsOf = async (lines: readonly (object | string)[], status: number, by = caller) =>
  ((await sendImport(by, asLines(lines)).expect(status)).body as { errors: Reported[] }).errors;

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
  const errors = await faultsOf(lines, 400);
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

it('a line also says which earlier line names the same resource', async () => {
  const lines = [
    region,
    host,
    { ...host, note: 7 },
    { ...host, region: 'r2', ip_address: 1 },
    { ...host, region: 'r2' },
    { kind: 'label', label: 'web', variables: 7 },
    { kind: 'label', label: 'web', variables: 8 },
  ];
  const errors = await faultsOf(lines, 400);
  const [same, none] = [
    'name: line 2 names the same device',
    'region: there is no region "r2" in this project',
  ];
  const begin = (member: string) => expect.stringMatching(new RegExp(`^${member}: `)) as string;
  expect(errors.map(({ message }) => message.split('; '))).toEqual([
    [begin('note'), same],
    [begin('ip_address'), same, none],
    [same, none],
    [begin('variables')],
    [begin('variables'), 'label: line 6 names the same label'],
  ]);
});

it('of a duplicate of another kind, an earlier line is said to name the same device', async () => {
  const errors = await faultsOf([region, host, { kind: 'network-device', name: 'h1' }], 409);
  expect(errors.map(({ message }) => message)).toEqual(['name: line 2 names the same device']);
});

it('a duplicate is not compared with what its earlier line did, or failed to do', async () => {
  await importLines(caller, [
    region,
    { kind: 'region', name: 'r2' },
    { kind: 'cell', name: 'c1', region: 'r1' },
  ]);
  await importLines(caller, [host]);
  const lines = [
    { kind: 'host', name: 'h1', region: 'r1', cell: 'c1' },
    { kind: 'host', name: 'h1', region: 'r2' },
    { ...host, name: 'h2', note: 7 },
    { kind: 'host', name: 'h2', parent: 'nobody' },
    { kind: 'host', name: 'h2', note: 7 },
  ];
  const errors = await faultsOf(lines, 409);
  const begin = expect.stringMatching(/^note: [^;]*/) as string;
  expect(errors.map(({ message }) => message.split('; '))).toEqual([
    ['name: line 1 names the same device'],
    [begin],
    ['name: line 3 names the same device', 'parent: there is no device "nobody" in this project'],
    [begin, 'name: line 3 names the same device'],
  ]);
});

it('an import of one faulty line, and a partial import, report all that is wrong with it', async () => {
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
    created: 1,
    failed: 1,
    errors: expected,
  });
  const { text } = await sendImport(caller, asLines([line]), '?mode=partial', {
    Accept: 'application/x-ndjson',
  }).expect(200);
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ message: expected[0]?.message as unknown });
});

it('a partial import does not change the resource of an invalid line', async () => {
  await importLines(caller, [region, host]);
  const present = await exportLines(caller);
  const lines = [{ ...host, ip_address: '10.0.0.2', note: 7 }];
  expect(await importLines(caller, lines, '?mode=partial')).toMatchObject({ updated: 0, failed: 1 });
  expect(await exportLines(caller)).toEqual(present);
});

it('a cell that an unreadable line may create is not among those to create', async () => {
  const lines = [
    { kind: 'cell', region: 'r2', name: 7 },
    { ...host, region: 'r2', cell: 'c2' },
  ];
  const [, fault] = await faultsOf(lines, 400);
  expect(fault).toMatchObject({ missing: [{ kind: 'region', name: 'r2' }] });
});

it('an invalid line also says which role its caller lacks to create its resource', async () => {
  await importLines(caller, [region]);
  const limited = await caller.user({ roles: ['kernel'] });
  const [fault] = await faultsOf(
    [{ kind: 'host', name: 'h2', variables: { kernel: 1 }, if_version: 'x' }],
    400,
    limited,
  );
  expect(fault?.message).toMatch(/^if_version: .*; .*hosts:write/);
});

it('what an invalid line names is looked up in its own project only', async () => {
  const other = await app.project();
  await importLines(other, [region, host]);
  const [fault] = await faultsOf([{ ...host, parent: 'h1', name: 'h2', note: 7 }], 400);
  expect(fault?.message.split('; ').slice(1)).toEqual([
    'region: there is no region "r1" in this project',
    'parent: there is no device "h1" in this project',
  ]);
});

it('an import without valid lines does not wait for other imports of the project', async () => {
  const release = await secondConnection.acquire(lockProjectOf(caller.projectId));
  const [fault] = await faultsOf([{ ...host, note: 7 }], 400);
  await release();
  expect(fault?.message).toMatch(/^note: .*; region: there is no region "r1"/);
});

it('invalid lines are reported even if the others cannot be written', async () => {
  const release = await secondConnection.acquire(lockProjectOf(caller.projectId));
  const done = sendImport(caller, asLines([region, { ...host, note: 7 }])).then((response) => response);
  await secondConnection.waiting(1);
  await secondConnection.terminate(await secondConnection.blockedPids());
  const { status, body } = await done;
  await release();
  expect(status).toBe(400);
  expect(body).toMatchObject({ failed: 1, unchecked: 1, errors: [{ line: 2 }] });
});

itOnOneServer('it adds a trigger')('a retried import reports what is wrong then', async () => {
  const { projectId } = caller;
  const lock = 'SELECT pg_advisory_xact_lock(hashtext($1))';
  // The first attempt fails at its end, after another transaction has created the region.
  await secondConnection.rows(`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (SELECT FROM regions WHERE project_id = NEW.project_id AND name = 'r2') THEN
      PERFORM pg_advisory_xact_lock(hashtext(NEW.project_id::text));
      RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN NEW;
  END $$`);
  await secondConnection.rows(`CREATE TRIGGER conflict BEFORE INSERT ON change_impacts FOR EACH ROW
    WHEN (NEW.project_id = '${projectId}') EXECUTE FUNCTION conflict()`);
  const release = await secondConnection.acquire({ text: lock, values: [projectId] });
  const done = importLines(caller, [region, { ...host, region: 'r2', note: 7 }], '?mode=partial');
  await secondConnection.waiting(1);
  await secondConnection.rows('INSERT INTO regions (project_id, name) VALUES ($1, $2)', [projectId, 'r2']);
  await release();
  const summary = await done;
  await secondConnection.rows('DROP FUNCTION conflict CASCADE');
  expect(summary).toMatchObject({ created: 1, failed: 1 });
  expect(summary.errors).toEqual([
    { line: 2, code: 'invalid_request', message: expect.stringMatching(/^note: [^;]*$/) as string },
  ]);
});
