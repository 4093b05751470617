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

/** A line of anything, about few names, so that many meet. */
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

/** Does with single writes what a line says. @returns the status */
async function writeSingly(caller: Caller, line: Line): Promise<number> {
  const { kind, region, cell, parent, ...rest } = line as Record<string, string | null>;
  const collection = `${String(kind)}s`;
  /** -1 for what is not there, which no write takes either. */
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
  const answer =
    id === -1 ? caller.post(`/v1/${collection}`, body) : caller.put(`/v1/${collection}/${String(id)}`, body);
  return (await answer).status;
}

/** All that there is, whatever its ids. */
const state = async (caller: Caller): Promise<string[]> => (await exportTexts(caller)).sort();

it.each(seeds(4))(
  'leaves what the same lines leave that are written singly, and refuses the same ones: seed %i',
  async (seed) => {
    const roll = randomGenerator(seed);
    const [imported, single] = [await app.project(), await app.project()];
    for (let step = 0; step < 25; step++) {
      const line = randomLine(roll);
      const text = `seed ${String(seed)}, step ${String(step)}: ${JSON.stringify(line)}`;
      const status = await writeSingly(single, line);
      const answer = await sendImport(imported, asLines([line]));
      expect([text, answer.status]).toEqual([text, status === 201 ? 200 : status]);
    }
    expect([seed, await state(imported)]).toEqual([seed, await state(single)]);
  },
  60_000,
);

it.each(seeds(6))(
  'leaves the same for many lines at once as for one after the other: seed %i',
  async (seed) => {
    const roll = randomGenerator(seed);
    const [together, apart] = [await app.project(), await app.project()];
    for (let step = 0; step < 4; step++) {
      // Of each thing one line: what is first is for lines of one import to say.
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
      const summary = (await sendImport(together, asLines(all), '?mode=partial').expect(200))
        .body as ImportSummary;
      const refused = new Set(summary.errors.map(({ line }) => line));
      // In the order in which they could be: as often as one more of them can.
      let waiting = all.filter((_, i) => !refused.has(i + 1));
      while (waiting.length > 0) {
        const left: Line[] = [];
        for (const line of waiting)
          if ((await sendImport(apart, asLines([line]))).status !== 200) left.push(line);
        if (left.length === waiting.length)
          throw new Error(`seed ${String(seed)}: singly refused: ${asLines(left)} of ${asLines(all)}`);
        waiting = left;
      }
    }
    expect([seed, await state(together)]).toEqual([seed, await state(apart)]);
  },
  60_000,
);
