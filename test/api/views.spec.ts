import { FEED_TIMEOUT, FeedReader } from '../support/feed-reader';
import { doRevert, lastChange, restoreProject } from '../support/reverts';
import { sharedService } from '../support/service';

jest.setTimeout((FEED_TIMEOUT + 30) * 1000);

describe('views', () => {
  const app = sharedService();

  it.each([
    ['another site', 'https://example.com'],
    ['another site without a scheme', '//example.com'],
    ['a backslash', '/\\\\example.com'],
    ['a relative path', 'devices'],
    ['a control character', '/devices?where=a\u0001'],
    ['an invisible character', '/devices?where=a\u200B'],
    ['a space', '/devices?where=a = 1'],
    ['a path that is too long', `/devices?where=${'a'.repeat(8_000)}`],
    ['a number', 1],
  ])('do not lead to %s', async (_, address) => {
    const admin = await app.project();
    const { body } = await admin.post('/v1/views', { name: 'a', address }).expect(400);
    expect((body as { details: { field: string }[] }).details).toMatchObject([{ field: 'address' }]);
  });

  it('are read by all users, and written with a role for them', async () => {
    const admin = await app.project();
    const address = '/devices?where=kernel+%3C+%226.12%22&columns=var%3Akernel';
    const body = { name: 'old-kernels', address };
    const reader = await admin.user();
    await reader.post('/v1/views', body).expect(403);
    await (await admin.user({ roles: ['views:write'] })).post('/v1/views', body).expect(201);
    expect((await reader.get('/v1/views').expect(200)).body).toMatchObject([{ ...body, description: null }]);
  });

  describe('of a user', () => {
    const PATH = '/v1/session/views';
    const view = { name: 'my-racks', address: '/devices?where=rack+exists' };

    it('are saved without a role, and shown to nobody else', async () => {
      const admin = await app.project();
      const [user, other] = [await admin.user(), await admin.user({ roles: ['*:write', '*'] })];
      expect((await user.get(PATH).expect(200)).body).toEqual({ views: [] });
      const changes = (await admin.get('/v1/changes').expect(200)).body as unknown[];
      for (const views of [[view], [{ ...view, name: 'b' }, view], [view]])
        expect((await user.put(PATH, { views }).expect(200)).body).toEqual({ views });
      expect((await user.get(PATH).expect(200)).body).toEqual({ views: [view] });
      for (const caller of [other, admin, app.root.in(admin.projectId)]) {
        expect((await caller.get(PATH).expect(200)).body).toEqual({ views: [] });
        await caller.put(PATH, { views: [] }).expect(200);
        for (const path of ['/v1/views', '/v1/search?q=my-racks', '/v1/export'])
          expect((await caller.get(path).expect(200)).text).not.toContain(view.name);
      }
      expect((await admin.get('/v1/changes').expect(200)).body).toHaveLength(changes.length);
      await admin.cloud();
      const feed = new FeedReader(admin);
      await feed.toEnd();
      expect(feed.ids).toHaveLength(changes.length + 1);
      expect((await user.get(PATH).expect(200)).body).toEqual({ views: [view] });
    });

    it('are replaced only if they are those that were read, if the request says so', async () => {
      const admin = await app.project();
      const put = (tag: string | undefined, ...views: object[]) =>
        admin.put(PATH, { views }, { 'If-Match': tag ?? '' });
      const tagOf = async () => (await admin.get(PATH).expect(200)).headers['etag'];
      const none = await tagOf();
      const first = await put(none, view).expect(200);
      expect(first.headers['etag']).toBe('"1"');
      for (const tag of [none, '"7"'])
        expect((await put(tag).expect(412)).body).toMatchObject({ code: 'version_mismatch' });
      const read = await tagOf();
      await admin.get(PATH, { 'If-None-Match': read ?? '' }).expect(304);
      const simultaneous = await Promise.all(['b', 'c'].map((name) => put(read, view, { ...view, name })));
      expect(simultaneous.map(({ status }) => status).toSorted()).toEqual([200, 412]);
      await put('*').expect(200);
    });

    it('belong to one project, and are deleted with the user and with the project', async () => {
      const admin = await app.project();
      const [here, there] = [app.root.in(admin.projectId), app.root.in((await app.project()).projectId)];
      await here.put(PATH, { views: [view] }).expect(200);
      expect((await there.get(PATH).expect(200)).body).toEqual({ views: [] });
      const user = await admin.user();
      await user.put(PATH, { views: [view] }).expect(200);
      const users = await here.get(`/v1/users?username=${user.credentials.user}`).expect(200);
      const ofUser = `/v1/users/${String((users.body as { id: number }[])[0]?.id)}`;
      await here.delete(ofUser).expect(204);
      // What is restored has its former id, so it would have the views that are left.
      await doRevert(here, (await lastChange(here)).id);
      const { body } = await here.post(`${ofUser}/api-key`).expect(201);
      const { api_key: token } = body as { api_key: string };
      const restored = user.as({ ...user.credentials, token });
      expect((await restored.get(PATH).expect(200)).body).toEqual({ views: [] });
      expect((await here.get(PATH).expect(200)).body).toEqual({ views: [view] });
      for (const { id } of (await here.get(`/v1/users?project_id=${admin.projectId}`).expect(200)).body as {
        id: number;
      }[])
        await here.delete(`/v1/users/${String(id)}`).expect(204);
      await app.root.delete(`/v1/projects/${admin.projectId}`).expect(204);
      await restoreProject(app.root, admin.projectId);
      expect((await here.get(PATH).expect(200)).body).toEqual({ views: [] });
    });

    it.each([
      ['another site', [{ ...view, address: '//example.com' }], 'invalid_format'],
      ['two views of one name', [view, view], 'duplicate'],
      ['a name of several lines', [{ ...view, name: 'a\nb' }], 'invalid_format'],
      ['other members', [{ ...view, id: 1 }], 'unknown_member'],
      ['what is no view', [null], 'invalid_type'],
      ['more than 50', Array.from({ length: 51 }, (_, i) => ({ ...view, name: String(i) })), 'too_long'],
    ])('do not accept %s', async (_, views, code) => {
      const admin = await app.project();
      const { body } = await admin.put(PATH, { views }).expect(400);
      expect(body).toMatchObject({ details: [{ field: 'views', code }] });
    });
  });
});
