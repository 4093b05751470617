import type { Audit, Failure } from '../../api/audits';
import { parseJson } from '../../api/exact-json';
import { counted } from '../../components/counted';
import { planImport } from '../../components/import-write';
import { levelOf } from '../../components/levels';
import type { PlannedWrite } from '../../components/planned-write';

/** The failing devices that set a variable themselves. */
export const devicesWithOwnValue = (failures: readonly Failure[], key: string): readonly Failure[] =>
  failures.filter(
    ({ key: failing, source }) => failing === key && source && levelOf(source.kind) === 'device',
  );

/** How many devices are changed at once, about. */
const ENOUGH_DEVICES = 1_000;
/** The number of pages that are read: each may take seconds. */
const MAX_PAGES = 10;

/** The devices that set a variable themselves, among the failing ones that were read. */
export interface OwnValues {
  readonly devices: readonly Failure[];
  /** The number of failing devices that were read. */
  readonly read: number;
  /** Whether more devices fail than were read. */
  readonly hasMore: boolean;
}

interface FailuresPage {
  readonly items: readonly Failure[];
  /** That of the next page. */
  readonly marker: string | undefined;
}

/** Reads failing devices until enough of them set a variable themselves: those that inherit its value may come first. */
export async function findOwnValues(
  key: string,
  readPage: (marker: string | undefined) => Promise<FailuresPage>,
): Promise<OwnValues> {
  const devices: Failure[] = [];
  let read = 0;
  let marker: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, marker: next } = await readPage(marker);
    devices.push(...devicesWithOwnValue(items, key));
    read += items.length;
    marker = next;
    if (marker === undefined || devices.length >= ENOUGH_DEVICES) break;
  }
  return { devices, read, hasMore: marker !== undefined };
}

/**
 * The plan to set a value on devices: one import, so that all of them are changed, or none. Each line names its device by the id,
 * too: another one can have the name by then.
 * @param text the value as JSON
 */
export function planOwnRemediation(
  { name }: Pick<Audit, 'name'>,
  devices: readonly Pick<Failure, 'kind' | 'id' | 'name'>[],
  key: string,
  text: string,
): PlannedWrite {
  const variables = { [key]: parseJson(text) };
  return planImport(
    `Remediate ${name} on ${counted(devices.length, 'device')}`,
    devices.map((device) => ({ kind: device.kind, name: device.name, if_id: device.id, variables })),
  );
}
