import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { sharedService } from '../support/service';
import { refusingUrl } from '../support/free-port';
import type { Caller } from '../support/caller';
import { muster, temporaryFolder } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
});

const listing = (env: Record<string, string> = {}, ...args: string[]) =>
  muster(admin, ['host', 'list', ...args], { env });

/** Runs a server other than Muster while a callback uses it. */
async function withServer<T>(handler: RequestListener, run: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await run(`http://127.0.0.1:${String(port)}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('an error from the service', () => {
  it('is printed with the request id, and with details that add information', async () => {
    const { code, stdout, stderr } = await muster(admin, ['host', 'list', '--vars', 'a:b']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^muster: --vars: [^\n]+\n {2}request id: [\w-]+\n$/);
  });

  it('is printed with details that are missing in the message', async () => {
    const details = [
      { field: 'name', message: 'is missing' },
      { field: 'note', message: 'is \u001b[2Jtoo long' },
    ];
    const rejectRequest: RequestListener = (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ code: 'invalid_request', message: 'name: is missing', details, request_id: 'r-1' }),
      );
    };
    const { code, stderr } = await withServer(rejectRequest, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'muster: name: is missing\n  note: is \\u001b[2Jtoo long\n  request id: r-1\n',
    });
  });

  it('about the key names the source of each setting, and never contains the key', async () => {
    const key = 'mst_wrong_key';
    const { code, stderr } = await listing({ MUSTER_TOKEN: key });
    expect(code).toBe(4);
    expect(stderr).toContain('The API key comes from MUSTER_TOKEN.\n');
    expect(stderr).toContain('The user comes from MUSTER_USER.\n');
    expect(stderr).toContain('The project comes from MUSTER_PROJECT.\n');
    expect(stderr).not.toContain(key);
    const flagged = await listing({}, '--token', key);
    expect(flagged.stderr).toContain('The API key comes from --token.\n');
    expect(flagged.stderr).not.toContain('The user comes');
  });

  it('about the key of a profile names the profile', async () => {
    const file = join(temporaryFolder(), 'profiles.json');
    const { user, project } = admin.credentials;
    const lab = { url: app.url, user, project, token: 'mst_wrong_key' };
    writeFileSync(file, JSON.stringify({ lab }), { mode: 0o600 });
    const unset = { MUSTER_URL: '', MUSTER_TOKEN: '', MUSTER_USER: '', MUSTER_PROJECT: '' };
    const { stderr } = await listing({ ...unset, MUSTER_CONFIG: file }, '--profile', 'lab');
    expect(stderr).toContain('The API key comes from the profile "lab".\n');
    expect(stderr).not.toContain(lab.token);
  });
});

describe('a connection error', () => {
  it('names the source of the URL, and how to start Muster', async () => {
    const url = await refusingUrl();
    const { code, stdout, stderr } = await listing({ MUSTER_URL: url });
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(`muster: Cannot connect to Muster at ${url}: connect ECONNREFUSED`);
    expect(stderr).toContain('The URL comes from MUSTER_URL.\n');
    expect(stderr).toContain('"npm start"');
  });

  it('suggests http:// if the server does not use TLS', async () => {
    const { code, stderr } = await withServer(
      (_, response) => response.end(),
      (url) => listing({}, '--url', url.replace('http:', 'https:')),
    );
    expect(code).toBe(5);
    expect(stderr).toContain('The URL comes from --url.\n');
    expect(stderr).toContain('try http:// instead of https://');
  });

  it('reports that the server is not Muster, without printing its control characters', async () => {
    const page: RequestListener = (_, response) => {
      response.end('<html>\u001b[2J</html>');
    };
    const { code, stderr } = await withServer(page, (url) => listing({ MUSTER_URL: url }));
    expect(code).toBe(5);
    expect(stderr).toMatch(/^muster: The server at http:\S+ is not Muster: /);
    expect(stderr).not.toContain('\u001b');
  });

  it('is reported after repeated 429 responses', async () => {
    const later: RequestListener = (_, response) => {
      response.writeHead(429, { 'retry-after': '0' }).end();
    };
    const { code, stdout } = await withServer(later, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });

  it('reports a truncated response', async () => {
    const truncated: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('[{"id":1', () => response.destroy());
    };
    const { code, stdout, stderr } = await withServer(truncated, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^muster: .*(?:was lost in the middle of a response|Cannot connect)/m);
  });
});

describe('an unexpected error in the program', () => {
  // Muster never returns a list of numbers, so the client does not expect one.
  const wrong: RequestListener = (_, response) => {
    response.setHeader('link', '</v1/hosts>; rel="self"');
    response.end('[1]');
  };

  it('is printed in one line, with how to report it', async () => {
    const { code, stderr } = await withServer(wrong, (url) => listing({ MUSTER_URL: url }));
    expect(code).toBe(1);
    expect(stderr).toContain('MUSTER_DEBUG=1');
    expect(stderr).not.toContain('.js:');
  });

  it('is printed with its stack trace if MUSTER_DEBUG is set', async () => {
    const { stderr } = await withServer(wrong, (url) => listing({ MUSTER_URL: url, MUSTER_DEBUG: '1' }));
    expect(stderr).toContain('.js:');
  });
});

describe('an invalid command line', () => {
  it.each([
    [
      ['host', 'list', '--fields', 'id,nmae'],
      'Invalid member "nmae". Did you mean name? Allowed choices are id, ',
    ],
    [['host', 'list', '--sort-key', 'ip_adress'], 'Invalid sort key "ip_adress". Did you mean ip_address? '],
    [
      ['device', 'counts', '--group-by', 'regoin'],
      'Invalid --group-by "regoin". Did you mean region? Allowed choices are ',
    ],
    [['host', 'list', '--sort-key', 'kernel'], 'version. Lists cannot be sorted by variables.\n'],
    [
      ['host', 'list', '-o', 'jsno'],
      "argument 'jsno' is invalid. Did you mean json? Allowed choices are table",
    ],
    [['completion', 'bsh'], "value 'bsh' is invalid for argument 'shell'. Did you mean bash?"],
    [['import', 'a.csv', '--prune', 'hots'], "argument 'hots' is invalid. Did you mean host? The kinds are "],
  ])('%j is rejected with the choice that is near', async (args, message) => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it.each([
    [['hots', 'list'], "unknown command 'hots'", 'Did you mean'],
    [['host', 'lsit'], "unknown command 'lsit'", '(Did you mean list?)'],
    [['host', 'list', '--limt', '3'], "unknown option '--limt'", '(Did you mean --limit?)'],
    [['host', 'list', '-o', 'xml'], "argument 'xml' is invalid", 'table, json, yaml, csv, name, terraform'],
  ])('%j is rejected with a suggestion', async (args, message, hint) => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^muster: /);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it.each([
    [
      ['host', 'create', '--name', 'web-1'],
      "muster: unknown option '--name': it is an argument.\nUsage: muster host create <name> --region <region> --ip-address <text> --device-type <text> [options]\nSee --help.\n",
    ],
    [
      ['host', 'create'],
      "muster: missing required argument 'name'\nUsage: muster host create <name> --region <region> --ip-address <text> --device-type <text> [options]\nSee --help.\n",
    ],
    [
      ['device', 'create', 'a'],
      "muster: required option '--kind <kind>' not specified\nUsage: muster device create <name> --kind <kind> --region <region> --ip-address <text> --device-type <text> [options]\nSee --help.\n",
    ],
    [
      ['vars', 'get', 'host'],
      "muster: missing required argument 'name'\nUsage: muster vars get [options] <kind> <name> [keys...]\nSee --help.\n",
    ],
    [
      ['host', 'list', '--columns', 'name'],
      "muster: unknown option '--columns'\n(Did you mean --fields?)\nSee --help.\n",
    ],
    [['host', 'show', 'web-1', '--jsno'], "muster: unknown option '--jsno'\nSee --help.\n"],
    [['host', 'list', '--json'], "muster: unknown option '--json'\n(Did you mean -o json?)\nSee --help.\n"],
    [
      ['host', 'delete', 'web-1', '--name', 'x'],
      `muster: unknown option '--name': it is an option of "muster host list", "muster host update".\nSee --help.\n`,
    ],
    [
      ['host', 'list', '--format', 'json'],
      "muster: unknown option '--format'\n(Did you mean --output?)\nSee --help.\n",
    ],
    [
      ['host', 'update', 'web-1', '--active=false'],
      "muster: unknown option '--active=...': --active takes no value: use --active or --no-active.\nSee --help.\n",
    ],
    [
      ['host', 'delete', 'web-1', '--yes=true'],
      "muster: unknown option '--yes=...': --yes takes no value.\nSee --help.\n",
    ],
    [
      ['host', 'list', '--limt=3'],
      "muster: unknown option '--limt=...'\n(Did you mean --limit?)\nSee --help.\n",
    ],
    [['host', 'list', '-x', '--limt'], "muster: unknown option '-x'\nSee --help.\n"],
    [['host', 'list', '--hepl'], "muster: unknown option '--hepl'\n(Did you mean --help?)\nSee --help.\n"],
    [
      ['host', 'show', '-web'],
      "muster: unknown option '-web'\n(If it is no option, put -- before it: -- -web)\nSee --help.\n",
    ],
    [['host', 'rm', 'web-1'], "muster: unknown command 'rm'\n(Did you mean delete?)\nSee --help.\n"],
    [
      ['edit', 'host', 'web-1'],
      "muster: unknown command 'edit'\n(The kind comes first: muster host update)\nSee --help.\n",
    ],
    [
      ['vars', 'rm', 'host', 'web-1', 'kernel'],
      "muster: unknown command 'rm'\n(Did you mean unset?)\nSee --help.\n",
    ],
    [['undo', '5'], "muster: unknown command 'undo'\n(Did you mean change revert?)\nSee --help.\n"],
    [
      ['vars', 'hosts', 'web-1'],
      "muster: unknown command 'hosts'\n(The verb comes first: muster vars get hosts web-1)\nSee --help.\n",
    ],
    [
      ['hosts', 'web 1', 'show'],
      "muster: unknown command 'web 1'\n(The verb comes first: muster host show 'web 1')\nSee --help.\n",
    ],
    [
      ['vars', 'host', 'set', 'web-1', 'password=secret'],
      "muster: unknown command 'host'\n(The verb comes first: muster vars set host)\nSee --help.\n",
    ],
    [['host', 's'], "muster: unknown command 's'\nSee --help.\n"],
    [['vars', 'list'], "muster: unknown command 'list'\nSee --help.\n"],
    [
      ['list', 'cell'],
      "muster: unknown command 'list'\n(The kind comes first: muster cell list)\nSee --help.\n",
    ],
    [
      ['show', 'web-1'],
      "muster: unknown command 'show'\n(The kind comes first: muster host show)\nSee --help.\n",
    ],
    [
      ['explain', 'host', 'web-1', 'kernel'],
      "muster: unknown command 'explain'\n(Did you mean vars explain?)\nSee --help.\n",
    ],
    [['host', 'ls'], "muster: unknown command 'ls'\n(Did you mean list?)\nSee --help.\n"],
    [
      ['host', 'create', 'a', '--notes', 'x'],
      "muster: unknown option '--notes'\n(Did you mean --note?)\nSee --help.\n",
    ],
    [
      ['--porject', 'x', 'host', 'list'],
      "muster: unknown option '--porject'\n(Did you mean --project?)\nSee --help.\n",
    ],
    // A part of a name, and an option of lists.
    [
      ['host', 'create', 'a', '--ip', '10.0.0.1'],
      `muster: unknown option '--ip': it is an option of "muster host list".\n(Did you mean --ip-address?)\nSee --help.\n`,
    ],
    [
      ['host', 'show', 'a', '--ip', '10.0.0.1'],
      `muster: unknown option '--ip': it is an option of "muster host list".\nSee --help.\n`,
    ],
    [
      ['hosts', 'list', '--own'],
      `muster: unknown option '--own': it is an option of "muster host show".\nSee --help.\n`,
    ],
    [
      ['vars', 'get', 'host', 'a', '--from-file=x'],
      `muster: unknown option '--from-file=...': it is an option of "muster vars set".\nSee --help.\n`,
    ],
    [
      ['host', 'update', 'a', '--secret', '1'],
      "muster: unknown option '--secret'\n(Did you mean --access-secret?)\nSee --help.\n",
    ],
    [
      ['host', 'list', '--has'],
      "muster: unknown option '--has'\n(Did you mean --has-labels?)\nSee --help.\n",
    ],
  ])('%j is answered with what is near, or an argument, or neither', async (args, message) => {
    expect(await muster(admin, args)).toEqual({ code: 2, stdout: '', stderr: message });
  });

  it.each([
    [
      ['vars', 'explain', 'region', 'coast', 'kernel'],
      'Invalid kind "region" in "muster vars explain region coast kernel": regions inherit no variables.',
      [
        '"muster vars get region coast kernel" shows their own.',
        'usage: muster vars explain [options] <kind> <name> [keys...]',
        'kinds: cell, host, network-device, device',
      ],
    ],
    [
      ['vars', 'explain', 'labels', 'a b'],
      `Invalid kind "labels" in "muster vars explain labels 'a b'": labels inherit no variables.`,
      [`"muster vars get labels 'a b'" shows their own.`],
    ],
    [
      ['vars', 'get', 'cloud', 'a'],
      'Invalid kind "cloud" in "muster vars get cloud a": clouds have no variables.',
      ['usage: muster vars get [options] <kind> <name> [keys...]'],
    ],
    [
      ['vars', 'get', 'hsot', 'a', '--own'],
      'Invalid kind "hsot" in "muster vars get hsot a". Did you mean host?',
      ['for example: muster vars get host a'],
    ],
    [
      ['vars', 'get', 'web-1', 'kernel'],
      'Invalid kind "web-1" in "muster vars get web-1 kernel". The kind comes before the name.',
      ['for example: muster vars get host web-1 kernel'],
    ],
    [
      ['vars', 'set', 'coast', 'region', 'password=secret'],
      `Invalid kind "coast" in "muster vars set coast region password=...". The kind comes before the name.`,
      [
        'for example: muster vars set region coast password=...',
        'usage: muster vars set [options] <kind> <name> [assignments...]',
      ],
    ],
    [
      ['vars', 'set', 'password=secret', 'token=abc'],
      'Invalid kind "password=..." in "muster vars set password=... token=...". The kind comes before the name.',
      ['for example: muster vars set host password=... token=...'],
    ],
    [
      ['vars', 'explain', 'region', 'coast', 'password=secret'],
      'Invalid kind "region" in "muster vars explain region coast password=...": regions inherit no variables.',
      ['"muster vars get region coast password=..." shows their own.'],
    ],
  ])('%j is answered with what is wrong, and a command line that is right', async (args, message, lines) => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n').slice(0, 1 + lines.length)).toEqual([
      `muster: ${message}`,
      ...lines.map((line) => `  ${line}`),
    ]);
  });

  it.each([
    [
      ['host', 'list', '--where', 'kernel', '<', '6.12'],
      [
        "too many arguments for 'list'. Expected 0 arguments but got 2.",
        "Quote the whole condition: muster host list --where 'kernel < 6.12'",
        `To compare with a text: muster host list --where 'kernel < "6.12"'`,
      ],
    ],
    [
      ['device', 'counts', '--where', 'kernel', '=', '6.12.4', '--where', 'rack', '=', '4'],
      [
        "too many arguments for 'counts'. Expected 0 arguments but got 4.",
        `Quote the whole condition: muster device counts --where 'kernel = "6.12.4"'`,
      ],
    ],
    [
      ['vars', 'values', 'kernel', '--where', 'rack.row', 'in', '[3,', '4]'],
      [
        "too many arguments for 'values'. Expected 1 argument but got 4.",
        "Quote the whole condition: muster vars values --where 'rack.row in [3, 4]'",
      ],
    ],
    [
      ['export', '--where', 'serial', '^=', '7'],
      [
        "too many arguments for 'export'. Expected 1 argument but got 2.",
        `Quote the whole condition: muster export --where 'serial ^= "7"'`,
      ],
    ],
    [
      ['host', 'list', '--where', 'backup_server', 'exists'],
      [
        "too many arguments for 'list'. Expected 0 arguments but got 1.",
        "Quote the whole condition: muster host list --where 'backup_server exists'",
      ],
    ],
    [
      ['host', 'list', 'web 1'],
      [
        "too many arguments for 'list'. Expected 0 arguments but got 1.",
        "(To show one: muster host show 'web 1')",
      ],
    ],
    [
      ['change', 'list', '5'],
      [
        "too many arguments for 'list'. Expected 0 arguments but got 1.",
        '(To show one: muster change show 5)',
      ],
    ],
    [
      ['change', 'list', 'web-1'],
      [
        "too many arguments for 'list'. Expected 0 arguments but got 1.",
        'Usage: muster change list [options]',
      ],
    ],
    [
      ['host', 'create', 'web-1', '--active', 'false'],
      [
        "too many arguments for 'create'. Expected 1 argument but got 2.",
        'The option --active takes no value: use --active or --no-active.',
      ],
    ],
    [
      ['vars', 'where', 'kernel', 'rack'],
      [
        "too many arguments for 'where'. Expected 1 argument but got 2.",
        'Usage: muster vars where [options] <key>',
      ],
    ],
  ])('%j is answered with what to write instead of so many arguments', async (args, lines) => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout, lines: stderr.split('\n') }).toEqual({
      code: 2,
      stdout: '',
      lines: [`muster: ${lines[0] ?? ''}`, ...lines.slice(1), 'See --help.', ''],
    });
  });

  it('a resource named true can be updated with --no-active', async () => {
    await admin.host({ name: 'true' });
    expect(await muster(admin, ['host', 'update', 'true', '--no-active', '-o', 'name'])).toMatchObject({
      code: 0,
      stdout: 'true\n',
    });
    const { stderr } = await muster(admin, ['host', 'create', 'true', 'web-1', '--active']);
    expect(stderr).toContain('\nUsage: muster host create <name> ');
  });

  it.each([
    [
      ['host', 'update', 'web-1', '--active', 'false'],
      'The option --active takes no value: use --active or --no-active.\n',
    ],
    [
      ['change', 'list', '--reason', 'CHG-1'],
      '--reason is for the reason of a new change: --because finds changes by their reason.\n',
    ],
    [['import', 'a.csv', '--region', 'north'], '--region is only for --from ansible.\n'],
    [['import', 'a.csv', '--mapping', 'map.yaml'], '--mapping is only for --from.\n'],
    [['export', '/nonexistent/a.csv'], '/nonexistent/a.csv cannot be written: its folder does not exist.\n'],
    [
      ['vars', 'get', 'host', 'web-1', 'rack.row'],
      'Invalid key "rack.row": use letters, digits, _ and -; the first character must be a letter or _. Paths into values, such as rack.row, are for --vars, --where and "muster vars values --path" only.\n',
    ],
  ])('%j is answered with what to do', async (args, message) => {
    expect(await muster(admin, args)).toEqual({ code: 2, stdout: '', stderr: `muster: ${message}` });
  });

  it.each([
    [
      ['change', 'list', '--since', 'yesterdy'],
      /^muster: --since: must be a time such as [^;]*; or relative to now: yesterday, or '2h ago' in quotes\n {2}request id: \S+\n$/,
    ],
    [['host', 'list', '--label', 'web,db'], /, repeat the option: --label web --label db\n/],
    [['host', 'list', '--ip', 'web-1'], /^muster: --ip: must be an IP address/],
    [['change', 'show', '999999'], /^muster: There is no change 999999\.\n {2}request id: \S+\n$/],
  ])('the answer of the service to %j names options', async (args, message) => {
    expect((await muster(admin, args)).stderr).toMatch(message);
  });

  // The shell has taken the rest of `--where kernel > 6.12` as a redirection.
  it('a condition without an operator is rejected with a condition in quotes', async () => {
    expect(await muster(admin, ['host', 'list', '--where', 'kernel'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `muster: --where kernel has no operator. Quote the whole condition, or the shell takes < and > as redirections: --where 'kernel < "6.12"', or --where 'kernel exists'.\n`,
    });
  });

  it.each([
    ['name,kernel', '--fields name,variables', 'kernel'],
    ['name,vars.kernel', '--fields name,variables', 'kernel'],
    ['variables.kernel,name,rack', '--fields variables,name', 'kernel'],
  ])('--fields %s is answered with how variables are shown', async (fields, shown, key) => {
    const { code, stderr } = await muster(admin, ['host', 'list', '--fields', fields]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `\n  For a variable: ${shown} shows all of them, and "muster vars get host NAME ${key}" shows one.\n`,
    );
  });
});
