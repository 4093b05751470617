import type { Caller } from './caller';
import { groupsOf, groupTexts, impactOf, type ImpactGroup, type State } from './impact-oracle';
import { canonical } from './naive-resolver';
import { type Dice, KEYS } from './random-changes';

/** A change, by its request, and all resources before and after it. */
export interface PastStep {
  readonly request: string;
  readonly before: State;
  readonly after: State;
}

type RecordedStep = PastStep & { readonly id: number; readonly created_at: string };

interface ResolvedChange {
  readonly id: number;
  readonly changes: Readonly<
    Record<string, { readonly before?: unknown; readonly after?: unknown; readonly level?: object }>
  >;
}

interface Page {
  readonly items: readonly ResolvedChange[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** Of steps, those that left a record. The others altered nothing. */
async function recordedSteps(admin: Caller, steps: readonly PastStep[]): Promise<RecordedStep[]> {
  const { body } = await admin.get('/v1/changes?limit=10000').expect(200);
  const records = new Map(
    (body as { id: number; created_at: string; request_id: string }[]).map((one) => [one.request_id, one]),
  );
  return steps.flatMap((step) => {
    const record = records.get(step.request);
    return record ? [{ ...step, id: record.id, created_at: record.created_at }] : [];
  });
}

/** Reads all pages. */
async function readAll(caller: Caller, path: string, limit: number): Promise<ResolvedChange[]> {
  const items: ResolvedChange[] = [];
  for (let url: string | undefined = `${path}&limit=${String(limit)}`; url !== undefined;) {
    const page: Page = (await caller.get(url).expect(200)).body as Page;
    items.push(...page.items);
    const next = page.links.find(({ rel }) => rel === 'next');
    url = next && next.href.replace(/^https?:\/\/[^/]+/, '');
  }
  return items;
}

const withoutLevels = ({ id, changes }: ResolvedChange): object => ({
  id,
  changes: Object.fromEntries(
    Object.entries(changes).map(([key, { level, ...sides }]) => {
      expect(level).toEqual({
        kind: expect.any(String) as string,
        id: expect.any(Number) as number,
        name: expect.any(String) as string,
      });
      return [key, sides];
    }),
  ),
});

/** Compares the changes of the resolved variables of every device that ever existed with the differences between states. */
export async function expectResolvedChanges(
  admin: Caller,
  caller: Caller,
  all: readonly PastStep[],
  dice: Dice,
  sees: (key: string) => boolean = () => true,
): Promise<void> {
  const steps = await recordedSteps(admin, all);
  const expected = new Map<string, object[]>();
  const filtered = new Map<string, object[]>();
  const key = dice.oneOf(KEYS);
  for (const { before, after } of steps)
    for (const { kind, id } of [...before.devices, ...after.devices])
      for (const map of [expected, filtered]) map.set(`${kind}s/${String(id)}`, []);
  for (const { id: change, before, after } of steps.toReversed())
    for (const [map, isCounted] of [
      [expected, sees],
      [filtered, (one: string) => sees(one) && one === key],
    ] as const)
      for (const { kind, id, changes } of impactOf(before, after, isCounted).items)
        map.get(`${String(kind)}s/${String(id)}`)?.push({ id: change, changes });
  for (const [device, changes] of expected) {
    const path = `/v1/${device}/changes/resolved`;
    // In four pages at most.
    const limit = Math.max(dice.oneOf([1, 3, 1000]), Math.ceil(changes.length / 4));
    const listed = await readAll(caller, `${path}?`, limit);
    expect(canonical([device, listed.map(withoutLevels)])).toBe(canonical([device, changes]));
    const ofKey = await readAll(caller, `${path}?key=${encodeURIComponent(key)}`, 1000);
    expect(canonical([device, key, ofKey.map(withoutLevels)])).toBe(
      canonical([device, key, filtered.get(device)]),
    );
  }
}

/** Compares the net effect of some periods with the differences between the states at their ends. */
export async function expectNetEffects(admin: Caller, all: readonly PastStep[], dice: Dice): Promise<void> {
  const steps = await recordedSteps(admin, all);
  for (let i = 0; i < 6; i++) {
    const first = i === 0 ? 0 : dice.below(steps.length);
    const last = first + dice.below(steps.length - first + 1);
    const [begin, end] = [steps[first], steps[last]];
    const [before, after] = [begin?.before, end?.before ?? steps.at(-1)?.after];
    if (!begin || !before || !after) continue;
    const until = end ? `&until=${end.created_at}` : '';
    const { body } = await admin.get(`/v1/changes/impact?since=${begin.created_at}${until}`).expect(200);
    const { devices, groups, changes } = body as { devices: number; groups: ImpactGroup[]; changes: number };
    const expected = impactOf(before, after);
    expect([first, last, devices, changes]).toEqual([first, last, expected.devices, last - first]);
    expect(groupTexts(groups)).toEqual(groupsOf(before, after, expected));
  }
}
