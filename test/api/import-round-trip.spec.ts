import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportTable, exportTexts } from '../support/export-reader';
import { importLines, sendImport } from '../support/importing';
import { RandomInventory } from '../support/random-inventory';

const app = sharedService();
/** Ids follow the order of an export, so another project may return the same lines in another order. */
const sorted = (lines: readonly string[]): string[] => [...lines].sort();

async function requireRoundTrip(from: Caller, note: string): Promise<void> {
  const lines = await exportTexts(from);
  const to = await app.project();
  expect([note, await importLines(to, lines)]).toMatchObject([note, { created: lines.length, failed: 0 }]);
  expect(sorted(await exportTexts(to))).toEqual(sorted(lines));
  for (const again of [from, to])
    expect([note, await importLines(again, lines)]).toMatchObject([
      note,
      { created: 0, updated: 0, unchanged: lines.length },
    ]);
  const backwards = await app.project();
  await importLines(backwards, [...lines].reverse());
  expect(sorted(await exportTexts(backwards))).toEqual(sorted(lines));
}

describe('an export', () => {
  it('recreates the same inventory, and a second import changes nothing', async () => {
    for (let round = 0; round < 2; round++) {
      const caller = await app.project();
      const inventory = new RandomInventory(caller);
      await inventory.grow();
      for (let n = 0; n < 25; n++) await inventory.change();
      await requireRoundTrip(caller, `seed ${String(inventory.seed)}`);
    }
  });

  it('as CSV changes nothing in its own project', async () => {
    const caller = await app.project();
    const inventory = new RandomInventory(caller);
    await inventory.grow();
    const lines = await exportTexts(caller);
    const hosts = await exportTable(caller);
    const summary = await sendImport(caller, hosts, '', { 'Content-Type': 'text/csv' }).expect(200);
    expect([inventory.seed, summary.body]).toMatchObject([
      inventory.seed,
      { created: 0, updated: 0, failed: 0 },
    ]);
    expect(await exportTexts(caller)).toEqual(lines);
  });
});
