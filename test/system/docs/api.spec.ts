import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp } from '../embedded/processes';
import { PROJECT } from '../../support/service';
import { Caller } from '../../support/caller';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { startServiceProcess } from '../../support/service-process';
import { codeBlocks, normal, tableRows } from '../../support/markdown';

const FOLDER = join(PROJECT, 'docs/api');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The pages, in the order of the table on the first one. */
const pages = [...read('README.md').matchAll(/^\|.*\]\(([a-z-]+\.md)\) *\|$/gm)].map(([, name = '']) => name);

const PAGES_PROJECT = '717e9a21-6e2d-44e0-bc84-8398563bda06';

let database: TestDatabase;
let root: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  root = await startServiceProcess({ DATABASE_URL: database.url }).root();
});
afterAll(async () => {
  await cleanUp();
  await database.drop();
});

/** An example: a request, and the response that the page shows for it. */
interface Example {
  readonly request: string;
  readonly answer: string;
}

const blocks = pages.flatMap((name) => codeBlocks(read(name)));
const examples: Example[] = blocks.flatMap(({ language, text }, i) =>
  language === 'http' && !text.startsWith('HTTP/')
    ? [{ request: text, answer: blocks[i + 1]?.text ?? '' }]
    : [],
);

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g;

/** The actual times, by the times that the page shows. */
const times = new Map<string, string>();

function rememberTimes(shown: string, got: string): void {
  const found = got.match(TIME) ?? [];
  for (const [i, time] of (shown.match(TIME) ?? []).entries()) times.set(time, found[i] ?? time);
}

/** Sends a request as the page writes it: a line with method and path, headers, and a line with a body, or several. */
async function send({ request }: Example): Promise<Response> {
  const [first = '', ...rest] = request.trimEnd().split('\n');
  const [method = '', path = ''] = first.split(' ');
  const { project, user, token } = root.credentials;
  const headers = new Headers({ 'X-Auth-Project': project, 'X-Auth-User': user, 'X-Auth-Token': token });
  const lines = rest.filter((line) => /^[[{]/.test(line));
  const body = lines.length === 0 ? undefined : lines.join('\n');
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  for (const line of rest) {
    const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.set(name, value);
  }
  // The page shows a different project ID and other times.
  const target = path.replace(PAGES_PROJECT, project).replace(TIME, (time) => times.get(time) ?? time);
  return fetch(root.url + target, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** A response as the page writes it: status, the documented headers, and the body. */
async function asWritten(response: Response): Promise<string> {
  const headers = ['Location', 'ETag', 'Idempotency-Replayed'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const status = `HTTP/1.1 ${String(response.status)} ${response.statusText}`;
  const answer = [status, ...headers, await response.text()].join('\n');
  return answer.replaceAll(root.url, 'http://127.0.0.1:7780');
}

describe('docs/api', () => {
  it('lists all of its pages once in its README', () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
    expect(pages.toSorted()).toEqual(files.toSorted());
  });

  // The test compiler emits other type metadata than the service's compiler, and it would show in the description.
  it('documents a service whose description has only its own types', async () => {
    const { components } = (await root.get('/openapi.json').expect(200)).body as {
      components: { schemas: object };
    };
    expect(Object.keys(components.schemas)).toContain('Host');
    for (const name of ['Function', 'Object', 'JsonInput'])
      expect(Object.keys(components.schemas)).not.toContain(name);
  });

  it('shows the actual responses to its examples', async () => {
    expect(examples.length).toBeGreaterThan(20);
    const shown: string[] = [];
    const got: string[] = [];
    for (const example of examples) {
      shown.push(example.request + normal(example.answer));
      const answer = await asWritten(await send(example));
      rememberTimes(example.answer, answer);
      got.push(example.request + normal(answer));
    }
    expect(got).toEqual(shown);
  });

  it('names the filters of each list', async () => {
    const { paths } = (await root.get('/openapi.json').expect(200)).body as {
      paths: Record<string, { get?: { parameters: { name: string; in: string }[] } }>;
    };
    const rows = tableRows(read('lists.md'));
    const lists = rows.filter(([first]) => first?.startsWith('`/v1/'));
    const common = rows.flatMap(([first = '']) => (/^`[a-z_-]+`$/.test(first) ? [first.slice(1, -1)] : []));
    const documented = Object.fromEntries(
      lists.flatMap(([names = '', filters = '']) =>
        words(names).map((path) => [path, words(filters).toSorted()] as const),
      ),
    );
    const actual = Object.fromEntries(
      Object.entries(paths).flatMap(([path, { get }]) => {
        if (!get || !/^\/v1\/[a-z-]+$/.test(path)) return [];
        const names = get.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
        // An endpoint without parameters is not a list.
        if (names.length === 0) return [];
        // The list across kinds has only some common parameters. The page repeats them in its row.
        const own = path === '/v1/devices' ? names : names.filter((name) => !common.includes(name));
        return [[path, own.toSorted()] as const];
      }),
    );
    expect(documented).toEqual(actual);
  });
});

const words = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
