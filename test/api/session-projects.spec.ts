import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { Browser } from '../support/browser';
import type { HttpResponse } from '../support/http-exchange';

interface Session {
  readonly user: Resource;
  readonly project: { readonly id: string };
}

/** The headers of a tab that shows a project. */
const from = (project: string) => ({ 'Sec-Fetch-Site': 'same-origin', 'X-Auth-Project': project });

const sessionOf = ({ body }: HttpResponse): Session => body as Session;

describe('a session goes on in the projects of its other tabs', () => {
  const app = sharedService();

  /** What tabs that show a project can do in it. */
  async function expectWorksIn({ projectId }: Caller, browser: Browser): Promise<void> {
    expect((await browser.get('/v1/whoami', from(projectId))).body).toMatchObject({ project_id: projectId });
    const write = await browser.send('POST', '/v1/regions', { name: aName('region') }, from(projectId));
    expect(write.status).toBe(201);
  }

  /** A tab that shows the project learns where else the session can work, and leads there. */
  async function expectLeadsFrom(project: string, home: string, browser: Browser): Promise<void> {
    expect(await browser.get('/v1/regions', from(project))).toMatchObject({
      status: 409,
      body: { details: [{ field: 'X-Auth-Project' }] },
    });
    expect((await browser.get('/v1/whoami')).body).toMatchObject({ project_id: home });
    const shown = await browser.get('/v1/session', from(project));
    expect([shown.status, sessionOf(shown).project.id]).toEqual([200, home]);
    const entered = await browser.send('PUT', '/v1/session', { project_id: home }, from(project));
    expect([entered.status, sessionOf(entered).project.id]).toEqual([200, home]);
  }

  it('if the entered one is deleted', async () => {
    const shown = await app.project();
    const created = await app.root.post('/v1/projects', { name: aName('short') }).expect(201);
    const { id } = created.body as { id: string };
    const browser = await Browser.signIn(app.root);
    expect((await browser.send('PUT', '/v1/session', { project_id: id })).status).toBe(200);
    expect((await browser.send('DELETE', `/v1/projects/${id}`)).status).toBe(204);
    await expectWorksIn(shown, browser);
    await expectLeadsFrom(id, app.root.projectId, browser);
  });

  it('if it cannot enter the entered one any more', async () => {
    const home = await app.project();
    const { projectId } = await app.project();
    const browser = await Browser.signIn(await home.user({ roles: ['*:write'] }));
    const root = app.root.in(home.projectId);
    const path = `/v1/users/${String(sessionOf(await browser.get('/v1/session')).user.id)}`;
    await root.put(path, { is_root: true }).expect(200);
    expect((await browser.send('PUT', '/v1/session', { project_id: projectId })).status).toBe(200);
    await root.put(path, { is_root: false }).expect(200);
    await expectWorksIn(home, browser);
    await expectLeadsFrom(projectId, home.projectId, browser);
  });
});
