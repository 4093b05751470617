import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { exportTexts } from '../support/export-reader';
import { asLines, sendImport, type ImportSummary } from '../support/importing';
import { seeds } from '../support/seeds';
import { randomGenerator } from '../support/concurrent-writers';

const app = sharedService();
type Line = Record<string, unknown>;
type Roll = (sides: number) => number;

const REGIONS = ['r1', 'r2'];
const CELLS = ['c1', 'c2'];
const DEVICES = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
const LABELS = ['red', 'green', 'blue'];

/** A random line with one of few names, so that lines refer to the same resources. */
function randomLine(roll: Roll): Line {
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
  const maybe = (name: string, value: () => unknown): Line => (roll(3) === 0 ? { [name]: value() } : {});
  const common = (): Line => ({
    ...maybe('note', () => pick(['x', 'y', null])),
    ...maybe('labels', () => LABELS.filter(() => roll(2) === 0)),
    ...maybe('variables', () =>
      Object.fromEntries([[pick(['a', 'b']), pick([1, 1.5, 'x', null, { y: [] }])]]),
    ),
  });
  switch (roll(8)) {
    case 0:
      return { kind: 'region', name: pick(REGIONS), ...common() };
    case 1:
      return { kind: 'cell', region: pick([...REGIONS, 'r3']), name: pick(CELLS), ...common() };
    case 2:
      return { kind: 'label', label: pick(LABELS), ...maybe('variables', () => ({ a: roll(3) })) };
    default:
      return {
        kind: pick(['host', 'host', 'host', 'network-device']),
        name: pick(DEVICES),
        ...(roll(4) > 0
          ? { region: pick(REGIONS), ip_address: `10.0.0.${String(roll(3))}`, device_type: 'server' }
          : {}),
        ...maybe('cell', () => pick([...CELLS, null])),
        ...maybe('parent', () => pick([...DEVICES, null])),
        ...common(),
      };
  }
}

/** Performs the write of a line on the single resource. @returns the status */
async function writeSingly(caller: Caller, line: Line): Promise<number> {
  const { kind, region, cell, parent, ...rest } = line as Record<string, string | null>;
  const collection = `${String(kind)}s`;
  /** -1 for an absent resource, which every write rejects. */
  const idOf = async (of: string, query: string): Promise<number> => {
    const { status, body } = await caller.get(`/v1/${of}?${query}`);
    return status === 200 ? ((body as Resource[])[0]?.id ?? -1) : -1;
  };
  const body: Line = { ...rest };
  const regionId = region === undefined ? undefined : await idOf('regions', `name=${String(region)}`);
  if (regionId !== undefined) body['region_id'] = regionId;
  if (parent !== undefined)
    body['parent_id'] =
      parent === null
        ? null
        : Math.max(await idOf('hosts', `name=${parent}`), await idOf('network-devices', `name=${parent}`));
  const found =
    kind === 'cell'
      ? `name=${String(line['name'])}&region_id=${String(regionId)}`
      : `name=${String(line['name'] ?? line['label'])}`;
  const id = regionId === -1 && kind === 'cell' ? -1 : await idOf(collection, found);
  if (cell !== undefined) {
    const at =
      regionId ??
      (id === -1
        ? undefined
        : ((await caller.get(`/v1/${collection}/${String(id)}`)).body as Resource)['region_id']);
    body['cell_id'] =
      cell === null
        ? null
        : at === undefined
          ? -1
          : await idOf('cells', `name=${cell}&region_id=${JSON.stringify(at)}`);
  }
  const response =
    id === -1 ? caller.post(`/v1/${collection}`, body) : caller.put(`/v1/${collection}/${String(id)}`, body);
  return (await response).status;
}

/** The whole inventory, without ids. */
const state = async (caller: Caller): Promise<string[]> => (await exportTexts(caller)).sort();

it.each(seeds(2))(
  'an import has the same effect as single writes of its lines, and rejects the same lines: seed %i',
  async (seed) => {
    const roll = randomGenerator(seed);
    const [imported, single] = [await app.project(), await app.project()];
    for (let step = 0; step < 12; step++) {
      const line = randomLine(roll);
      const text = `seed ${String(seed)}, step ${String(step)}: ${JSON.stringify(line)}`;
      const status = await writeSingly(single, line);
      const response = await sendImport(imported, asLines([line]));
      expect([text, response.status]).toEqual([text, status === 201 ? 200 : status]);
    }
    expect([seed, await state(imported)]).toEqual([seed, await state(single)]);
  },
  60_000,
);

it.each(seeds(2))(
  'an import of many lines has the same effect as imports of single lines: seed %i',
  async (seed) => {
    const roll = randomGenerator(seed);
    const [combined, separate] = [await app.project(), await app.project()];
    for (let step = 0; step < 2; step++) {
      // One line per resource, because an import rejects duplicates.
      const lines = new Map<string, Line>();
      for (let n = 0; n < 12; n++) {
        const line = randomLine(roll);
        const key =
          line['kind'] === 'cell'
            ? `cell ${String(line['region'])} ${String(line['name'])}`
            : `${['region', 'label'].includes(String(line['kind'])) ? String(line['kind']) : 'device'} ${String(line['name'] ?? line['label'])}`;
        if (!lines.has(key)) lines.set(key, line);
      }
      const all = [...lines.values()];
      const summary = (await sendImport(combined, asLines(all), '?mode=partial').expect(200))
        .body as ImportSummary;
      const refused = new Set(summary.errors.map(({ line }) => line));
      // Import the lines in a possible order: retry rejected lines while others succeed.
      let pending = all.filter((_, i) => !refused.has(i + 1));
      while (pending.length > 0) {
        const rejected: Line[] = [];
        for (const line of pending)
          if ((await sendImport(separate, asLines([line]))).status !== 200) rejected.push(line);
        if (rejected.length === pending.length)
          throw new Error(
            `seed ${String(seed)}: rejected individually: ${asLines(rejected)} of ${asLines(all)}`,
          );
        pending = rejected;
      }
    }
    expect([seed, await state(combined)]).toEqual([seed, await state(separate)]);
  },
  60_000,
);
