import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { describedOperations, type DescribedOperation } from '../support/description';
import { ABSENT, ABSENT_PROJECT } from '../support/two-projects';

const PRECONDITIONS = { 'If-Match': '"1"', 'If-None-Match': '*' } as const;

/** A path to a resource that does not exist, so that no operation revokes a key in use. */
const pathOf = ({ path, collection }: DescribedOperation): string =>
  path
    .replace('{id}', collection === 'projects' ? ABSENT_PROJECT : String(ABSENT))
    .replace('{key}', 'a')
    .replace('{key_id}', '0123456789abcdef');

/** A conditional write must never be executed unconditionally. */
describe('preconditions', () => {
  const app = sharedService();
  let writes: DescribedOperation[];
  let admin: Caller;
  let host: Resource;
  beforeAll(async () => {
    writes = (await describedOperations(app)).filter(({ method }) => method !== 'get');
  });
  beforeAll(async () => {
    admin = await app.project();
    host = await admin.host();
  });

  it.each(Object.entries(PRECONDITIONS))(
    '%s is rejected by exactly the writes that do not document it',
    async (name, value) => {
      const rejecting: DescribedOperation[] = [];
      for (const operation of writes) {
        const { method, headers } = operation;
        const response = await app.root.send(method, pathOf(operation), undefined, { [name]: value });
        const details = (response.body as { details?: unknown }).details;
        const rejection = [
          { field: name, code: 'unsupported', message: 'is not supported by this endpoint' },
        ];
        const isRejected = response.status === 400 && JSON.stringify(details) === JSON.stringify(rejection);
        expect([method, operation.path, isRejected]).toEqual([
          method,
          operation.path,
          !headers.includes(name),
        ]);
        if (isRejected) rejecting.push(operation);
      }
      expect(rejecting.map(({ method }) => method)).toContain('post');
    },
  );

  it('prevent the write where they are not supported', async () => {
    const name = 'only-once';
    const body = { name };
    await admin.post('/v1/regions', body, { 'If-None-Match': '*' }).expect(400);
    expect((await admin.get(`/v1/regions?name=${name}`).expect(200)).body).toEqual([]);
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { note: 'n' }, { 'If-None-Match': '*' }).expect(400);
    await admin.delete(path, undefined, { 'If-None-Match': '"7"' }).expect(400);
    expect((await admin.get(path).expect(200)).body).toEqual(host);
  });

  it('never prevent a read, because browsers and proxies send them; If-None-Match saves its body', async () => {
    for (const [name, value] of Object.entries(PRECONDITIONS))
      await admin
        .get(`/v1/hosts/${String(host.id)}`, { [name]: value })
        .expect(name === 'If-None-Match' ? 304 : 200);
  });
});
