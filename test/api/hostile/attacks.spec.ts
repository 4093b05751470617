import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sharedService, startService, type OwnService } from '../../support/service';
import type { Caller, Resource } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';
import { MARK, fullProject } from '../../support/two-projects';
import { Api } from './api';
import {
  CATASTROPHIC_PATTERNS,
  EXPONENT_BOMB,
  HUNDRED_THOUSAND_DIGITS,
  JSON_BOMBS,
  JSONPATH,
  NEARLY_MATCHING,
  POLLUTION,
  WIDE_OBJECT,
} from './catalogue';
import { Promises, secretsOf } from './response-invariants';
import { State } from './state';
import { Client, type WireResponse } from './wire';

/** In milliseconds. Linear processing takes less than a second, and everything else takes hours. */
const TIMEOUT = 60_000;

jest.setTimeout(3 * TIMEOUT);

/** Requests that are cheap to send but expensive to process. The service must respond in time, also to others. */
describe('known attacks', () => {
  let app: OwnService;
  let api: Api;
  let admin: Caller;
  let region: Resource;
  let host: Resource;
  let client: Client;
  let state: State;
  let promises: Promises;
  beforeAll(async () => {
    app = await startService({ IMPORT_LIMIT_BYTES: String(4 * 1024 * 1024) });
    const hidden = await fullProject(app, MARK);
    admin = await app.project();
    region = await admin.region();
    host = await admin.host({ region_id: region.id });
    api = await Api.of(sharedService());
    state = await State.of(app.databaseUrl);
    client = new Client(app.url);
    promises = new Promises(api, await state.namesWithin(api), secretsOf(hidden.inventory));
  });
  afterAll(async () => {
    client.close();
    await state.close();
    await app.stop();
  });

  /** Sends the request and a health check at the same time. Both must get a valid response in time. */
  async function attack(
    method: string,
    path: string,
    body?: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<WireResponse> {
    const health = {
      method: 'GET',
      path: '/healthz',
      headers: [['Host', 'muster']],
      body: undefined,
      note: '',
    } as const;
    const [response, healthy] = await Promise.all([send(method, path, body, more), client.send(health)]);
    expect(healthy.status).toBe(200);
    return response;
  }

  /** Sends a request, which must get a response in time that matches the OpenAPI document. */
  async function send(
    method: string,
    path: string,
    body?: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<WireResponse> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const headers = Object.entries({
      Host: 'muster',
      ...authHeaders(admin.credentials),
      ...(bytes ? { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) } : {}),
      ...more,
    });
    const sent = { method, path, headers, body: bytes, note: 'admin' };
    const startedAt = Date.now();
    const response = await client.send(sent);
    expect([path, Date.now() - startedAt < TIMEOUT]).toEqual([path, true]);
    expect([path, response.status, promises.brokenBy(sent, response)]).toEqual([path, response.status, []]);
    return response;
  }

  const idsIn = (path: string): string =>
    path
      .replace(
        '{id}',
        path.includes('/hosts')
          ? String(host.id)
          : path.includes('projects')
            ? admin.projectId
            : String(region.id),
      )
      .replace('{key}', 'a')
      .replace('{key_id}', '0123456789abcdef');

  it('JSON bombs: every kind of route with a body responds in time', async () => {
    // Routes that differ only in the collection share their code.
    const kindOf = (path: string): string => path.replace(/^\/v1\/[a-z-]+/, '/v1/*');
    const seen = new Set<string>();
    const routes = api.operations.filter(({ requestBody, method, path }) => {
      if (!requestBody || seen.has(`${method} ${kindOf(path)}`)) return false;
      return seen.add(`${method} ${kindOf(path)}`);
    });
    // WIDE_OBJECT has two hundred thousand faults, which take the service a second per request.
    const bombs = Object.values(JSON_BOMBS).filter((bomb) => bomb !== WIDE_OBJECT);
    expect(routes.length).toBeGreaterThan(10);
    for (let i = 0; i < Math.max(routes.length, bombs.length); i++) {
      const { method, path } = routes[i % routes.length]!;
      await attack(method, `${idsIn(path)}?dry_run=true`, bombs[i % bombs.length]);
    }
    await attack('PUT', `/v1/regions/${String(region.id)}/variables?dry_run=true`, WIDE_OBJECT);
  }, 300_000);

  // The values of variables are processed, and elsewhere a bomb is parsed and rejected: these two places take turns.
  it.each([
    ['variables', (bomb: string) => `{"name":"bombed","variables":{"k":${bomb}}}`],
    ['a member', (bomb: string) => `{"name":${bomb}}`],
    ['one of many', (bomb: string) => `[{"name":"a"},{"name":"b","labels":${bomb}}]`],
  ])(
    'JSON bombs within %s',
    async (place, within) => {
      const isTurn = (i: number) => place === 'variables' || (place === 'a member') === (i % 2 === 0);
      for (const bomb of Object.values(JSON_BOMBS).filter((_, i) => isTurn(i)))
        await attack('POST', '/v1/regions?dry_run=true', within(bomb));
    },
    120_000,
  );

  it('numbers that expand: a hundred thousand digits, and huge exponents', async () => {
    for (const number of [
      HUNDRED_THOUSAND_DIGITS,
      EXPONENT_BOMB,
      '1e131071',
      '1e-16383',
      `1e${'9'.repeat(5_000)}`,
    ])
      for (const [path, body] of [
        [`/v1/regions/${String(region.id)}/variables`, `{"k":${number}}`],
        [`/v1/regions/${String(region.id)}`, `{"cloud_id":${number}}`],
        [`/v1/regions/${String(region.id)}/variables/k`, `{"value":[${`${number},`.repeat(9)}0]}`],
      ] as const)
        await attack('PUT', `${path}?dry_run=true`, body);
  }, 120_000);

  it.each(['gzip', 'br', 'deflate'])(
    'a compressed bomb (%s) is rejected',
    async (encoding) => {
      // Four times the import limit, which is the largest limit.
      const zeros = Buffer.alloc(16 * 1024 * 1024, '0');
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 1 };
      const bomb = encoding === 'br' ? brotliCompressSync(zeros, { params: quality }) : gzipSync(zeros);
      const headers = { 'Content-Encoding': encoding };
      const expected = encoding === 'deflate' ? 400 : 413;
      expect((await attack('POST', '/v1/regions', bomb, headers)).status).toBe(expected);
      const lines = { ...headers, 'Content-Type': 'application/x-ndjson' };
      expect((await attack('POST', '/v1/import', bomb, lines)).status).toBe(expected);
      expect(
        (await attack('POST', '/v1/import', bomb, { ...headers, 'Content-Type': 'text/csv' })).status,
      ).toBe(expected);
    },
    120_000,
  );

  it('a doubly compressed bomb is rejected', async () => {
    const twice = gzipSync(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
    const headers = { 'Content-Encoding': 'gzip, gzip', 'Content-Type': 'application/x-ndjson' };
    expect((await attack('POST', '/v1/import', twice, headers)).status).toBe(415);
  });

  it('NDJSON and CSV bombs', async () => {
    const lines = { 'Content-Type': 'application/x-ndjson' };
    for (const bomb of [
      ...Object.values(JSON_BOMBS),
      '{}\n'.repeat(20_000),
      '\n'.repeat(1_000_000),
      '['.repeat(100),
    ])
      await attack('POST', '/v1/import?mode=partial', bomb, lines);
    const table = { 'Content-Type': 'text/csv' };
    const wide = Array.from({ length: 50_000 }, (_, i) => `variables.v${String(i)}`).join(',');
    for (const bomb of [
      `name,region,${wide}\n${','.repeat(50_000)}\n`,
      `name\n${'"'.repeat(500_001)}`,
      ','.repeat(500_000),
    ])
      await attack('POST', '/v1/import?mode=partial', bomb, table);
  }, 120_000);

  it.each(CATASTROPHIC_PATTERNS)(
    'ReDoS: %s',
    async (pattern) => {
      // A project of its own, because no change reason may match this pattern.
      const ownProject = await app.project();
      const settings = `/v1/projects/${ownProject.projectId}/settings`;
      const own = authHeaders(ownProject.credentials);
      const json = JSON.stringify(pattern);
      // As the pattern of change reasons.
      const taken = await attack(
        'PUT',
        settings,
        `{"change_reason":{"required":false,"pattern":${json}}}`,
        own,
      );
      if (taken.status === 200) {
        await attack('POST', '/v1/labels?dry_run=true', '{"label":"l"}', {
          ...own,
          'X-Change-Reason': NEARLY_MATCHING.slice(-2_000),
        });
        const text = JSON.stringify(NEARLY_MATCHING.slice(-10_000));
        await attack('POST', '/v1/regions?dry_run=true', `{"name":"r","note":${text}}`, own);
      }
      // As patterns in the schemas of variables.
      for (const schema of [
        `{"pattern":${json},"patternProperties":{${json}:{"type":"string","pattern":${json}}}}`,
        `{"propertyNames":{"pattern":${json}}}`,
      ]) {
        const key = 'redos';
        const made = await attack('POST', '/v1/variable-definitions', `{"key":"${key}","schema":${schema}}`);
        if (made.status !== 201) continue;
        const near = JSON.stringify(NEARLY_MATCHING);
        for (const value of [near, `{${near}:${near}}`])
          await attack(
            'PUT',
            `/v1/regions/${String(region.id)}/variables?dry_run=true`,
            `{"${key}":${value}}`,
          );
        const { id } = JSON.parse(made.text) as { id: number };
        await attack('DELETE', `/v1/variable-definitions/${String(id)}`);
      }
      // In parameters that take no pattern, such as filters and key names. The patterns take turns.
      const turn = CATASTROPHIC_PATTERNS.indexOf(pattern);
      const parameters = ['name_prefix', 'name', 'vars', 'where', 'label', 'sort_keys', 'fields'];
      for (const name of parameters.filter((_, i) => i % 3 === turn % 3))
        await attack('GET', `/v1/hosts?${name}=${encodeURIComponent(pattern)}`);
    },
    120_000,
  );

  it('filters that are long, deep, or contain injections', async () => {
    for (const filter of [
      ...JSONPATH,
      NEARLY_MATCHING,
      `a:"${'\\'.repeat(5_000)}`,
      `a${'.b'.repeat(7_000)}:1`,
    ])
      for (const parameter of ['vars', 'where'])
        await attack(
          'GET',
          `/v1/hosts?${parameter}=${encodeURIComponent(filter).slice(0, 12_000).replace(/%.?$/, '')}`,
        );
    const operators = ['=', '!=', '<', '>=', '^=', '~=', 'in [1, ', 'in', 'like', ':'];
    const operands = [...JSONPATH, NEARLY_MATCHING, '\u0000', '\ud800', '\uffff', '%', '\u0130'.repeat(900)];
    // The parser reads operators and operands separately (unit/where-parser.spec.ts), so they take turns.
    for (const [turn, operand] of operands.entries())
      for (const operator of operators.filter((_, i) => (i + turn) % 3 === 0))
        await attack(
          'GET',
          `/v1/hosts?where=${encodeURIComponent(`a.*[*] ${operator} ${JSON.stringify(operand)}`)
            .slice(0, 12_000)
            .replace(/%.?$/, '')}`,
        );
    for (const filter of JSONPATH)
      await attack(
        'POST',
        '/v1/audits?dry_run=true',
        JSON.stringify({ name: 'a', vars: filter, expectation: { vars: filter } }),
      );
  }, 120_000);

  it('headers that are expensive to parse', async () => {
    const long = [
      `${'"1",'.repeat(2_500)}x`,
      'W/'.repeat(5_000),
      `"${','.repeat(10_000)}`,
      'a;q=0,'.repeat(1_600),
      ' '.repeat(10_000),
    ];
    for (const value of long)
      for (const name of [
        'If-Match',
        'Accept',
        'Content-Type',
        'X-Request-Id',
        'X-Consistency-Token',
        'Authorization',
        'X-Change-Reason',
      ])
        await attack('PUT', `/v1/regions/${String(region.id)}?dry_run=true`, '{}', { [name]: value });
  }, 120_000);

  it('prototype pollution by bodies, queries, keys and lines has no effect', async () => {
    const payloads = [
      `{"__proto__":{"${POLLUTION}":true}}`,
      `{"constructor":{"prototype":{"${POLLUTION}":true}}}`,
      `{"variables":{"__proto__":{"${POLLUTION}":true},"constructor":{"prototype":{"${POLLUTION}":true}}}}`,
      `{"name":"p","__proto__":{"is_root":true}}`,
    ];
    // Bodies are parsed in one place, so each route gets only one of the payloads.
    for (const [i, { method, path }] of api.operations.filter(({ requestBody }) => requestBody).entries())
      await send(method, idsIn(path), payloads[i % payloads.length]);
    const lines = payloads.map((payload) => payload.replace('{', '{"kind":"region","name":"p",')).join('\n');
    await attack('POST', '/v1/import?mode=partial', lines, { 'Content-Type': 'application/x-ndjson' });
    const table = `name,region,__proto__.${POLLUTION},variables.__proto__\nx,y,true,"{""${POLLUTION}"":true}"\n`;
    await attack('POST', '/v1/import', table, { 'Content-Type': 'text/csv' });
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const path = `/v1/hosts/${String(host.id)}/variables/${key}`;
      expect((await attack('PUT', path, `{"value":{"${POLLUTION}":true}}`)).status).toBe(200);
      expect((await attack('GET', path)).text).toContain(POLLUTION);
      await attack('GET', `/v1/hosts?${key}[${POLLUTION}]=true`);
      await attack('GET', `/v1/hosts?fields=${key}&sort_keys=${key}`);
      await attack('GET', `/v1/hosts/${String(host.id)}/variables/explain?key=${key}`);
    }
    expect(POLLUTION in {}).toBe(false);
    expect(({} as { is_root?: boolean }).is_root).toBeUndefined();
  }, 120_000);

  it('an endless body without credentials is not read', async () => {
    const { hostname, port } = new URL(app.url);
    const endless = httpRequest({
      host: hostname,
      port,
      method: 'POST',
      path: '/v1/regions',
      headers: { 'Content-Type': 'application/json' },
    });
    // The service closes the connection, which raises an error here.
    endless.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = (): void => {
      if (!endless.destroyed) endless.write(chunk, more);
    };
    const responseEvent = once(endless, 'response');
    more();
    const [response] = (await responseEvent) as [{ statusCode?: number }];
    expect(response.statusCode).toBe(401);
    endless.destroy();
  });
});
