import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

describe.each(['hosts', 'network-devices'])('labels of %s', (collection) => {
  const app = sharedService();
  let admin: Caller;
  let device: Resource;
  let path: string;
  beforeEach(async () => {
    admin = await app.project();
    const members = { labels: 'b,a' };
    device = await (collection === 'hosts' ? admin.host(members) : admin.networkDevice(members));
    path = `/v1/${collection}/${String(device.id)}/labels`;
  });

  it('are returned sorted, with the entity tag of the device', async () => {
    const response = await admin.get(path).expect(200);
    expect(response.body).toEqual({ labels: ['a', 'b'] });
    expect(response.headers['etag']).toMatch(/^"1-/);
  });

  it('are added to the existing labels', async () => {
    const response = await admin.put(path, { labels: ['c', 'a'] }).expect(200);
    expect(response.body).toEqual({ labels: ['a', 'b', 'c'] });
    expect(response.headers['etag']).toBe('"2"');
    expect((await admin.put(path, { labels: 'd,e' }).expect(200)).body.labels).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect((await admin.put(path, { labels: [] }).expect(200)).body.labels).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect((await admin.get(path.replace(/\/labels$/, '')).expect(200)).body).toMatchObject({
      labels: 'a,b,c,d,e',
      version: 3,
      updated_at: expect.any(String),
    });
  });

  it('are removed; an absent label is no error, and the labels themselves remain', async () => {
    expect((await admin.delete(path, { labels: ['a', 'never'] }).expect(204)).text).toBe('');
    expect((await admin.get(path).expect(200)).body).toEqual({ labels: ['b'] });
    expect((await admin.get('/v1/labels?fields=label').expect(200)).body).toEqual([
      { label: 'a' },
      { label: 'b' },
    ]);
    await admin.delete(path, { labels: 'b' }).expect(204);
    expect((await admin.get(path).expect(200)).body).toEqual({ labels: [] });
  });

  // The rest is the same code for both kinds.
  if (collection !== 'hosts') return;

  it('are sorted by code point', async () => {
    await admin.put(path, { labels: ['Z', 'ä', '_', '10', '9'] }).expect(200);
    const sorted = ['10', '9', 'Z', '_', 'a', 'b', 'ä'];
    expect((await admin.get(path).expect(200)).body.labels).toEqual(sorted);
    const { body } = await admin.get(path.replace(/\/labels$/, '')).expect(200);
    expect(body.labels).toBe(sorted.join(','));
  });

  it('add and remove the variables of the label', async () => {
    await admin.label({ label: 'gpu', variables: { driver: 'x' } });
    const shown = async () =>
      (await admin.get(path.replace(/\/labels$/, '')).expect(200)).body.variables as unknown;
    expect(await shown()).toEqual({});
    await admin.put(path, { labels: ['gpu'] }).expect(200);
    expect(await shown()).toEqual({ driver: 'x' });
    await admin.delete(path, { labels: ['gpu'] }).expect(204);
    expect(await shown()).toEqual({});
  });

  it('refuse other bodies', async () => {
    for (const body of [
      {},
      { labels: null },
      { labels: 1 },
      { labels: [1] },
      { labels: [''] },
      { labels: ['a,b'] },
      { labels: ['a\nb'] },
      { labels: ['x'.repeat(256)] },
      { labels: ['a'], more: 1 },
      ['a'],
      'a',
    ])
      for (const method of ['put', 'delete'] as const) {
        const { status } = await admin.send(method, path, JSON.stringify(body));
        expect([method, body, status]).toEqual([method, body, 400]);
      }
    expect((await admin.get(path).expect(200)).body).toEqual({ labels: ['a', 'b'] });
  });

  it('require a body for PUT and DELETE', async () => {
    await admin.put(path).expect(400);
    await admin.delete(path).expect(400);
  });

  it('belong to the device: another project gets 404, and a user without the role gets 403', async () => {
    const stranger = await app.project();
    for (const call of [
      stranger.get(path),
      stranger.put(path, { labels: ['c'] }),
      stranger.delete(path, { labels: ['a'] }),
      admin.get(`/v1/${collection}/987654321/labels`),
    ])
      await call.expect(404);
    await admin.get(`/v1/${collection}/abc/labels`).expect(400);
    const user = await admin.user({ roles: ['labels:write', 'cells:write'] });
    await user.put(path, { labels: ['c'] }).expect(403);
    await user.delete(path, { labels: ['a'] }).expect(403);
    await (await admin.user({ roles: [`${collection}:write`] })).put(path, { labels: ['c'] }).expect(200);
    expect((await admin.get(path).expect(200)).body).toEqual({ labels: ['a', 'b', 'c'] });
  });
});
