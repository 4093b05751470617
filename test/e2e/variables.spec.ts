import { startApp, type TestApp } from '../support/app';

describe('variables', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('keeps every digit of a number, and __proto__ as a key like any other', async () => {
    const admin = await app.project();
    const { id } = await admin.region();
    const path = `/v1/regions/${String(id)}/variables`;
    await admin.put(path, '{"n": 9007199254740993, "__proto__": {"x": 1.50}}').expect(200);
    const { text } = await admin.get(path).expect(200);
    expect(text).toBe('{"variables":{"n": 9007199254740993, "__proto__": {"x": 1.50}}}');
  });
});
