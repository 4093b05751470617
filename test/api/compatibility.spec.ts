import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges, type Description } from '../support/description-changes';
import { sharedService } from '../support/service';

// docs/api/versioning.md promises this. `npm run generate:release` renews the file at a release, and only then.
const released = JSON.parse(
  readFileSync(join(__dirname, 'released-description.json'), 'utf8'),
) as Description;

describe('the description of the API', () => {
  const app = sharedService();

  it('changes nothing that clients of the last release depend on', async () => {
    const { body } = await app.root.get('/openapi.json').expect(200);
    expect(Object.keys(released.paths).length).toBeGreaterThan(50);
    expect(breakingChanges(released, body as Description)).toEqual([]);
  });

  it('marks deprecated operations, whose responses say since when and until when', async () => {
    const { body } = await app.root.get('/openapi.json').expect(200);
    const { paths } = body as { paths: Record<string, Record<string, { deprecated?: boolean }>> };
    const deprecated = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operation.deprecated ? [`${method} ${path}`] : [],
      ),
    );
    expect(deprecated).toEqual(['post /v1/region']);
    const admin = await app.project();
    for (const [members, status] of [
      [{ name: 'north' }, 201],
      [{ name: '' }, 400],
    ] as const) {
      const { headers } = await admin.post('/v1/region', members).expect(status);
      const [, since = ''] = /^@(\d+)$/.exec(String(headers['deprecation'])) ?? [];
      const sunset = Date.parse(String(headers['sunset']));
      const YEAR = 365 * 24 * 3_600_000;
      expect(sunset - Number(since) * 1_000).toBeGreaterThanOrEqual(YEAR);
      expect(headers['link']).toBe('</v1/regions>; rel="successor-version"');
    }
    expect((await admin.post('/v1/regions', { name: 'south' }).expect(201)).headers).not.toHaveProperty(
      'deprecation',
    );
  });
});
