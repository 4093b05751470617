import { sharedService } from '../support/service';

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
});
