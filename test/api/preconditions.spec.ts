import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { describedOperations, type DescribedOperation } from '../support/description';
import { ABSENT, ABSENT_PROJECT } from '../support/two-projects';

const PRECONDITIONS = { 'If-Match': '"1"', 'If-None-Match': '*' } as const;

/** Where an operation would be done to what is not there: nobody's key is to end by it. */
const pathOf = ({ path, collection }: DescribedOperation): string =>
  path
    .replace('{id}', collection === 'projects' ? ABSENT_PROJECT : String(ABSENT))
    .replace('{key}', 'a')
    .replace('{key_id}', '0123456789abcdef');

/** Whoever makes a write conditional must not get one that is not. */
describe('preconditions', () => {
  const app = sharedService();
  let writes: DescribedOperation[];
  let admin: Caller;
  let host: Resource;
  beforeAll(async () => {
    writes = (await describedOperations(app)).filter(({ method }) => method !== 'get');
  });
  beforeEach(async () => {
    admin = await app.project();
    host = await admin.host();
  });

  it.each(Object.entries(PRECONDITIONS))(
    '%s is refused by every write that does not describe it, and by no other',
    async (name, value) => {
      const refusing: DescribedOperation[] = [];
      for (const operation of writes) {
        const { method, headers } = operation;
        const answer = await app.root.send(method, pathOf(operation), undefined, { [name]: value });
        const details = (answer.body as { details?: unknown }).details;
        const refusal = [{ field: name, message: 'is not taken here' }];
        const isRefused = answer.status === 400 && JSON.stringify(details) === JSON.stringify(refusal);
        expect([method, operation.path, isRefused]).toEqual([
          method,
          operation.path,
          !headers.includes(name),
        ]);
        if (isRefused) refusing.push(operation);
      }
      expect(refusing.map(({ method }) => method)).toContain('post');
    },
  );

  it('leave nothing behind where they are not taken', async () => {
    const name = 'only-once';
    const body = { name };
    await admin.post('/v1/regions', body, { 'If-None-Match': '*' }).expect(400);
    expect((await admin.get(`/v1/regions?name=${name}`).expect(200)).body).toEqual([]);
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { note: 'n' }, { 'If-None-Match': '*' }).expect(400);
    await admin.delete(path, undefined, { 'If-None-Match': '"7"' }).expect(400);
    expect((await admin.get(path).expect(200)).body).toEqual(host);
  });

  it('are passed over by what writes nothing, as browsers and proxies send them', async () => {
    for (const [name, value] of Object.entries(PRECONDITIONS))
      await admin.get(`/v1/hosts/${String(host.id)}`, { [name]: value }).expect(200);
  });
});
