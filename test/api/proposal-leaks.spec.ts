import type { Response } from 'supertest';
import type { Caller, Resource } from '../support/caller';
import {
  amend,
  applyProposal,
  approve,
  expectStatus,
  previewProposal,
  propose,
  review,
  showProposal,
} from '../support/proposals';
import { sharedService } from '../support/service';

const KEY = 'zq9key';
const SECRET = 'zq9value';

const app = sharedService();
let admin: Caller;
/** Sees the private variable. */
let insider: Caller;
/** Has all roles for collections, but does not see the private variable. */
let outsider: Caller;
let north: Resource;
let south: Resource;
let host: Resource;
beforeEach(async () => {
  admin = await app.project();
  await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: [KEY] }).expect(200);
  insider = await admin.user({ roles: ['*:write', KEY] });
  outsider = await admin.user({ roles: ['*:write'] });
  north = await admin.region({ name: 'north', variables: { [KEY]: SECRET, open: 1 } });
  south = await admin.region({ name: 'south', variables: { [KEY]: `${SECRET} 2`, open: 2 } });
  host = await admin.host({ name: 'web', region_id: north.id });
});
const setIn = (region: Resource, variables: object) => ({
  method: 'PUT' as const,
  path: `/v1/regions/${String(region.id)}/variables`,
  body: variables,
});
const moveHost = () => ({
  method: 'PUT' as const,
  path: `/v1/hosts/${String(host.id)}`,
  body: { region_id: south.id },
});
const expectNoSecret = (...responses: Response[]) => {
  for (const { text } of responses) expect(text).not.toMatch(/zq9/);
};

describe('a private variable', () => {
  it('cannot be proposed by who does not see it, whether it is set or not', async () => {
    for (const operation of [setIn(north, { [KEY]: 'x' }), setIn(await admin.region(), { [KEY]: 'x' })]) {
      const response = await outsider.post('/v1/batch?propose=t', { operations: [operation] });
      expectStatus(response, 403);
    }
  });

  it('hides a proposal that writes it, with all that belongs to it', async () => {
    const visible = await propose(insider, [setIn(north, { open: 3 })]);
    const { id } = await propose(insider, [setIn(north, { [KEY]: SECRET, open: 3 })]);
    const path = `/v1/proposals/${String(id)}`;
    const all = await outsider.get('/v1/proposals').expect(200);
    expect((all.body as Resource[]).map((one) => one.id)).toEqual([visible.id]);
    expect((await outsider.get(`/v1/proposals?key=${KEY}`).expect(200)).body).toEqual([]);
    for (const suffix of ['', '/preview', '/revisions', '/revisions/1', '/comments'])
      expectStatus(await outsider.get(`${path}${suffix}`), 404);
    for (const [suffix, body] of [
      ['/comments', { text: 'x' }],
      ['/reviews', { verdict: 'reject', revision: 1 }],
      ['/apply', undefined],
      ['/withdraw', undefined],
    ] as const)
      expectStatus(await outsider.post(`${path}${suffix}`, body), 404);
    const changes = await outsider.get('/v1/changes?kind=proposal').expect(200);
    expect(changes.text).not.toContain(SECRET);
  });

  it('hides a proposal whose operations name it, such as in a filter', async () => {
    const filter = encodeURIComponent(`${KEY}:"${SECRET}"`);
    const proposed = await insider.put(`/v1/hosts/variables?vars=${filter}&propose=t`, {
      variables: { a: 1 },
    });
    const { id } = expectStatus(proposed, 202).body as Resource;
    expectStatus(await outsider.get(`/v1/proposals/${String(id)}`), 404);
    expectStatus(await outsider.get(`/v1/proposals/${String(id)}/preview`), 404);
    expect(await previewProposal(admin, { id })).toMatchObject({ impact: { devices: 1 } });
  });

  it('matches nothing in a filter of an author who does not see it, for every reader', async () => {
    const filter = encodeURIComponent(`${KEY}:"${SECRET}"`);
    const proposed = await outsider.put(`/v1/hosts/variables?vars=${filter}&propose=t`, {
      variables: { a: 1 },
    });
    const { id } = expectStatus(proposed, 202).body as Resource;
    for (const caller of [admin, insider])
      expect(await previewProposal(caller, { id })).toMatchObject({ impact: { devices: 0 } });
  });

  it('is not in previews of who does not see it, nor in their digests', async () => {
    const proposal = await propose(outsider, [moveHost()]);
    const preview = await outsider.get(`/v1/proposals/${String(proposal.id)}/preview`).expect(200);
    expectNoSecret(preview);
    const own = preview.body as { impact_digest: string };
    expect(preview.body).toMatchObject({ impact: { devices: 1, keys: ['open'], groups_total: 1 } });
    const full = await previewProposal(admin, proposal);
    expect(full.impact?.keys).toEqual(['open', KEY]);
    expect(full.impact_digest).not.toBe(own.impact_digest);
    // The hidden value changes: only who sees it notices.
    await admin.put(`/v1/regions/${String(south.id)}/variables`, { [KEY]: 'another' }).expect(200);
    expect((await previewProposal(outsider, proposal)).impact_digest).toBe(own.impact_digest);
    expect((await previewProposal(admin, proposal)).impact_digest).not.toBe(full.impact_digest);
    await approve(insider, proposal);
    const shown = await showProposal(outsider, proposal);
    expect(shown.reviews).toMatchObject([{ verdict: 'approve', impact_digest: null }]);
  });

  it('changes the approved impact, and the difference shows nothing of it', async () => {
    const proposal = await propose(outsider, [moveHost()]);
    await approve(insider, proposal);
    await admin.put(`/v1/regions/${String(south.id)}/variables`, { [KEY]: 'another' }).expect(200);
    const response = expectStatus(await applyProposal(outsider, proposal), 409);
    expect(response.body).toMatchObject({
      code: 'impact_changed',
      now: { came: 0, went: 0, other: 0, items: [] },
    });
    expectNoSecret(response);
    const seen = expectStatus(await applyProposal(insider, proposal), 409);
    expect(seen.body).toMatchObject({ now: { other: 1, items: [{ name: 'web' }] } });
  });

  it('that became private later hides operations, and keeps callers from judging them', async () => {
    const proposal = await propose(insider, [
      {
        method: 'PUT',
        path: `/v1/hosts/variables?vars=${encodeURIComponent('open:1')}`,
        body: { variables: { a: 1 } },
      },
    ]);
    const reader = await admin.user({ roles: ['*:write'] });
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['open', KEY] }).expect(200);
    expect(await showProposal(reader, proposal)).toMatchObject({
      operations: [{ id: null, method: 'PUT', path: null, body: null, hidden: true }],
    });
    expectStatus(await reader.get(`/v1/proposals/${String(proposal.id)}/preview`), 403);
    expectStatus(await review(reader, proposal, { verdict: 'reject', revision: 1 }), 403);
    expectStatus(await applyProposal(reader, proposal), 403);
    expect(await showProposal(insider, proposal)).toMatchObject({ operations: [{ method: 'PUT' }] });
    expectStatus(await amend(insider, proposal, { title: 'x' }), 200);
  });
});
