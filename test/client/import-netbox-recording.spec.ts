import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { hasRecording, recordedItems, unpackRecording } from '../support/netbox/recording';
import { NetBoxServer } from '../support/netbox/server';
import { muster, temporaryFolder } from '../support/shell';

const LISTS = [
  ...['dcim/regions', 'dcim/site-groups', 'dcim/sites', 'dcim/locations', 'dcim/device-roles'],
  ...['dcim/platforms', 'dcim/devices', 'dcim/interfaces', 'virtualization/clusters'],
  ...['virtualization/virtual-machines', 'extras/config-contexts'],
];

/** Keys that Muster does not accept. */
const REFUSED = ['', 'a key with spaces', 'café ☕'];

interface Rendered {
  readonly name: string | null;
  readonly config_context: Readonly<Record<string, unknown>>;
}

const app = sharedService();

(hasRecording() ? describe : describe.skip)('the recorded NetBox with its 58 config contexts', () => {
  let recording: ReturnType<typeof unpackRecording>;
  let rendered: readonly Rendered[];

  beforeAll(() => {
    recording = unpackRecording();
    rendered = ['dcim/devices', 'virtualization/virtual-machines']
      .flatMap((path) => recordedItems(recording.folder, path))
      .map((text) => JSON.parse(text) as Rendered);
  });
  afterAll(() => {
    recording.remove();
  });

  const resolvedBy = async (admin: Caller): Promise<ReadonlyMap<unknown, unknown>> =>
    new Map(
      (await exportLines(admin, '?kind=host&kind=network-device&resolved-values=true')).map(
        ({ name, variables }) => [name, variables],
      ),
    );

  /** What a device has to resolve, without the keys that are refused. */
  const expectedOf = ({ config_context }: Rendered): object =>
    Object.fromEntries(Object.entries(config_context).filter(([key]) => !REFUSED.includes(key)));

  const NO_CUSTOM_FIELDS = 'variables: { skip_custom_fields: ["*"] }\n';

  it.each([
    ['the defaults', ''],
    [
      'racks as cells of sites, without machines without a site',
      'regions: { from: site }\ncells: { from: rack }\n',
    ],
    [
      'site groups, locations and labels',
      'regions: { from: site_group, name: top }\ncells: { from: location }\n' +
        'config_contexts: { labels: true }\nlabels: { ancestors: true }\n',
    ],
    [
      'top regions, no cells and uplinks',
      'regions: { name: top }\ncells: { from: none }\n' +
        'parents: { uplinks: [router, core-switch, switch] }\n',
    ],
  ])('resolves to the same values on all 256 devices with %s', async (_, mapping) => {
    const admin = await app.project();
    const file = join(temporaryFolder(), 'mapping.yaml');
    writeFileSync(file, NO_CUSTOM_FIELDS + mapping);
    const args = ['import', '--from', 'netbox', '--files', recording.folder, '--mapping', file];
    const ended = await muster(admin, args);
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'Verified: Muster resolves what NetBox renders, 5623 values of 256 devices.',
      ),
    });
    const resolved = await resolvedBy(admin);
    expect(resolved.size).toBe(256);
    // Numbers are rounded here; the program compares all digits.
    for (const device of rendered)
      if (device.name !== null && device.name !== 'PP:MDF')
        expect([device.name, resolved.get(device.name)]).toEqual([device.name, expectedOf(device)]);
    // The mapping does not matter to what is unchanged.
    if (mapping === '')
      expect(await muster(admin, args)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^0 created, 0 updated, \d+ unchanged\n$/),
      });
  });

  it('is read page by page from a server', async () => {
    const lists = new Map(LISTS.map((path) => [path, recordedItems(recording.folder, path)]));
    const server = await NetBoxServer.start(lists);
    try {
      const env = server.environment;
      const live = ['import', '--from', 'netbox', '--print'];
      const printed = await muster(app.root, [...live, '--page-size', '25'], { env });
      expect(printed.code).toBe(0);
      const files = await muster(app.root, [...live, '--files', recording.folder]);
      // The files are in the default order of NetBox, which is by name.
      const sorted = (text: string): string[] => text.split('\n').sort();
      expect(sorted(printed.stdout)).toEqual(sorted(files.stdout));
      expect(
        server.requests.filter((path) => path.startsWith('/api/virtualization/virtual-machines/')),
      ).toHaveLength(9);
    } finally {
      await server.stop();
    }
  });

  it('needs fewer settings than values', async () => {
    const { stderr } = await muster(app.root, [
      'import',
      '--from',
      'netbox',
      '--files',
      recording.folder,
      '--print',
    ]);
    expect(stderr).toContain(
      '5623 values of devices from 817 settings: 205 on regions, 39 on cells, 573 on devices.',
    );
    for (const key of REFUSED)
      expect(stderr).toContain(`Not imported: the key ${JSON.stringify(key)} of 2 devices`);
  });
});
