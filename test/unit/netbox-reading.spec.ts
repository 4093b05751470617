import { connectionFailure } from '../../client/src/commands/import/netbox/netbox-errors';
import { readList, type Answer, type NetBoxAnswers } from '../../client/src/commands/import/netbox/answers';
import { cleanName, uniqueNames } from '../../client/src/commands/import/netbox/names';
import { ReadingProgress } from '../../client/src/commands/import/netbox/reading-progress';
import { startProgress } from '../../client/src/output/progress';

describe('a NetBox that answers slowly', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is waited for with a line from time to time, for the list that is read', async () => {
    const printed: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    const pending: ((answer: Answer) => void)[] = [];
    const answers: NetBoxAnswers = {
      readVersion: () => Promise.resolve(undefined),
      assertReadable: () => Promise.resolve(),
      async *pages() {
        yield await new Promise<Answer>((done) => pending.push(done));
      },
    };
    const progress = await startProgress({ total: undefined, verb: 'read', unit: 'objects', isQuiet: false });
    const list = readList(answers, 'dcim/devices', (item) => item, new ReadingProgress(progress));
    await jest.advanceTimersByTimeAsync(25_000);
    expect(printed).toEqual([
      'waiting for NetBox to answer dcim/devices… 10 s\n',
      'waiting for NetBox to answer dcim/devices… 20 s\n',
    ]);
    pending.shift()?.({ text: '', body: { results: [] }, origin: 'test' });
    expect(await list).toEqual([]);
    progress.end();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a failed connection', () => {
  const failure = (code: string) =>
    connectionFailure('https://netbox.example', { cause: Object.assign(new Error('failed'), { code }) });

  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'no answer for five minutes.', '--page-size', true],
    ['UND_ERR_BODY_TIMEOUT', 'no answer for five minutes.', '--page-size', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'failed.', 'NODE_EXTRA_CA_CERTS=', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'failed.', 'NODE_EXTRA_CA_CERTS=', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'failed.', 'try http://', true],
  ])('with %s says %s and %s', (code, message, hint, isTemporary) => {
    const { reason, ...rest } = failure(code);
    expect(reason.message).toBe(`Cannot read from NetBox at https://netbox.example: ${message}`);
    expect(reason.lines.join('\n')).toContain(hint);
    expect(rest).toEqual({ isTemporary, isClosed: false });
  });

  it('is known as one that the server has closed', () => {
    for (const code of ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']) expect(failure(code).isClosed).toBe(true);
  });
});

describe('names', () => {
  it.each([
    ['web-1', 'web-1'],
    ['web\t1\n', 'web_1_'],
    ['\u0000\u0007\u007f\u0085', '____'],
    ['a\u200bb\ufeff\u202ec', 'a_b__c'],
    ['\u2028\u00ad', '__'],
    [' web 1\u00a0', 'web 1'],
    ['\u00a0', '_'],
    ['Zürich 東京 😀', 'Zürich 東京 😀'],
  ])('%j become %j', (name, expected) => {
    expect(cleanName(name)).toBe(expected);
  });

  it('are unique after that, and have at most 255 characters', () => {
    const long = `${'😀'.repeat(250)}/Berlin`;
    const names = uniqueNames([
      { id: '1', name: 'a\tb' },
      { id: '2', name: 'a_b' },
      { id: '1', name: 'a\tb' },
      { id: '3', name: long },
      { id: '4', name: 'x'.repeat(255) },
      { id: '5', name: 'y'.repeat(253) },
      { id: '6', name: 'y'.repeat(253) },
    ]);
    expect([names.get('1'), names.get('2')]).toEqual(['a_b (1)', 'a_b (2)']);
    expect(names.get('3')).toBe(`…${'😀'.repeat(243)}/Berlin (3)`);
    expect(names.get('4')).toBe('x'.repeat(255));
    expect([...names.values()].every((name) => Array.from(name).length <= 255)).toBe(true);
    expect(new Set(names.values()).size).toBe(6);
  });
});
