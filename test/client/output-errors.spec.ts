import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, temporaryFolder } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
});

const listing = (env: Record<string, string> = {}, ...args: string[]) =>
  muster(admin, ['host', 'list', ...args], { env });

/** Something else than Muster at an address of its own, while it is asked. */
async function instead<T>(answer: RequestListener, ask: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await ask(`http://127.0.0.1:${String(port)}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('what the service refuses', () => {
  it('is told with the request id, and details only where they say more', async () => {
    const { code, stdout, stderr } = await muster(admin, ['host', 'list', '--vars', 'a:b']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^muster: vars: [^\n]+\n {2}request id: [\w-]+\n$/);
  });

  it('has its details below it where the message leaves them out', async () => {
    const details = [
      { field: 'name', message: 'is missing' },
      { field: 'note', message: 'is \u001b[2Jtoo long' },
    ];
    const refuse: RequestListener = (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ code: 'invalid_request', message: 'name: is missing', details, request_id: 'r-1' }),
      );
    };
    const { code, stderr } = await instead(refuse, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'muster: name: is missing\n  note: is \\u001b[2Jtoo long\n  request id: r-1\n',
    });
  });

  it('for the key, is told with where each setting comes from, and never with the key', async () => {
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

  it('for the key of a profile, names the profile', async () => {
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

describe('where nothing answers', () => {
  it('says where the URL comes from, and how Muster is started', async () => {
    // What was listening there is gone.
    const url = await instead(
      () => undefined,
      (address) => Promise.resolve(address),
    );
    const { code, stdout, stderr } = await listing({ MUSTER_URL: url });
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(`muster: Cannot connect to Muster at ${url}: connect ECONNREFUSED`);
    expect(stderr).toContain('The URL comes from MUSTER_URL.\n');
    expect(stderr).toContain('"npm start"');
  });

  it('says so where there is no TLS', async () => {
    const { code, stderr } = await instead(
      (_, response) => response.end(),
      (url) => listing({}, '--url', url.replace('http:', 'https:')),
    );
    expect(code).toBe(5);
    expect(stderr).toContain('The URL comes from --url.\n');
    expect(stderr).toContain('try http:// instead of https://');
  });

  it('says so where something else answers, which says nothing to the terminal', async () => {
    const page: RequestListener = (_, response) => {
      response.end('<html>\u001b[2J</html>');
    };
    const { code, stderr } = await instead(page, (url) => listing({ MUSTER_URL: url }));
    expect(code).toBe(5);
    expect(stderr).toMatch(/^muster: The server at http:\S+ is not Muster: /);
    expect(stderr).not.toContain('\u001b');
  });

  it('ends likewise where it says later, again and again', async () => {
    const later: RequestListener = (_, response) => {
      response.writeHead(429, { 'retry-after': '0' }).end();
    };
    const { code, stdout } = await instead(later, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });

  it('says so where an answer breaks off', async () => {
    const half: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('[{"id":1', () => response.destroy());
    };
    const { code, stdout, stderr } = await instead(half, (url) => listing({ MUSTER_URL: url }));
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^muster: .*(?:was lost in the middle of a response|Cannot connect)/m);
  });
});

describe('a fault of the program', () => {
  // A page without items is nothing that Muster answers, and nothing that the client looks for.
  const wrong: RequestListener = (_, response) => {
    response.end('[1]');
  };

  it('is told in a line, with how to report it', async () => {
    const { code, stderr } = await instead(wrong, (url) => listing({ MUSTER_URL: url }));
    expect(code).toBe(1);
    expect(stderr).toContain('MUSTER_DEBUG=1');
    expect(stderr).not.toContain('.js:');
  });

  it('shows where it was to who asks for that', async () => {
    const { stderr } = await instead(wrong, (url) => listing({ MUSTER_URL: url, MUSTER_DEBUG: '1' }));
    expect(stderr).toContain('.js:');
  });
});

describe('a command that is wrong', () => {
  it.each([
    [['hots', 'list'], "unknown command 'hots'", 'Did you mean'],
    [['host', 'lsit'], "unknown command 'lsit'", '(Did you mean list?)'],
    [['host', 'list', '--limt', '3'], "unknown option '--limt'", '(Did you mean --limit?)'],
    [['host', 'list', '-o', 'xml'], "argument 'xml' is invalid", 'table, json, yaml, csv, name, terraform'],
  ])('%j is told with what may be meant', async (args, fault, hint) => {
    const { code, stdout, stderr } = await muster(admin, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^muster: /);
    expect(stderr).toContain(fault);
    expect(stderr).toContain(hint);
  });
});
