import { jsonText, parseJson } from '../../api/exact-json';
import { deviceKind } from '../../api/kinds';
import { counted } from '../../components/counted';
import type { DeviceLocation } from '../../components/device-location';
import { planImport } from '../../components/import-write';
import type { PlannedWrite } from '../../components/previewed-write';

/** A device that was selected, as it was read. */
export interface SelectedDevice {
  readonly id: number;
  readonly name: string;
  /** Names joined by commas. */
  readonly labels: string;
  readonly version: number;
}

/** What is done to all selected devices. */
export type BulkChange =
  | { readonly action: 'set'; readonly key: string; readonly text: string }
  | { readonly action: 'unset'; readonly key: string }
  | { readonly action: 'add-label' | 'remove-label'; readonly label: string }
  | { readonly action: 'activate' | 'deactivate' }
  | { readonly action: 'move'; readonly location: DeviceLocation; readonly names: LocationNames }
  | { readonly action: 'delete' };

/** The names of a location, by which imports refer to it. */
export interface LocationNames {
  readonly region: string;
  /** Null for the region itself. */
  readonly cell: string | null;
}

/** With more devices, the command would be too long to read. */
const MAX_NAMES = 10;

/**
 * The plan to change many devices at once: one import, so that all of them are changed, or none. Each line names its device by
 * the id, too: another one can have the name by then, and without one, the line would create a device.
 */
export function planBulkChange(
  kind: string,
  devices: readonly SelectedDevice[],
  change: BulkChange,
): PlannedWrite {
  if (change.action === 'delete') return planBulkDelete(kind, devices);
  const resources = devices.map((device) => ({
    ...{ kind, name: device.name, if_id: device.id },
    ...membersOf(device, change),
  }));
  const options = optionsOf(change);
  return {
    ...planImport(`${titleOf(change)} ${counted(devices.length, 'device')}`, resources),
    resources: devices.map(({ id, name }) => ({ kind, id, name })),
    ...(options && devices.length <= MAX_NAMES
      ? { command: ['muster', kind, 'update', ...devices.map(({ name }) => name), ...options] }
      : {}),
  };
}

/** The largest number of operations of a batch. */
export const MAX_DELETED = 1_000;

/** The plan to delete devices as they were read: all of them, or none. */
function planBulkDelete(kind: string, devices: readonly SelectedDevice[]): PlannedWrite {
  const operations = devices.map(({ id, version }) => ({
    method: 'DELETE',
    path: `/v1/${deviceKind(kind)?.collection ?? kind}/${id}`,
    if_match: `"${version}"`,
  }));
  return {
    title: `Delete ${counted(devices.length, 'device')}`,
    request: { method: 'POST', path: '/v1/batch', body: jsonText({ operations }) },
    itemTitle: ({ index }) => devices[index]?.name ?? '',
    ...(devices.length <= MAX_NAMES
      ? { command: ['muster', kind, 'delete', ...devices.map(({ name }) => name)] }
      : {}),
  };
}

type ImportedChange = Exclude<BulkChange, { action: 'delete' }>;

/** The members of a device's line in the import. */
function membersOf(
  { labels, version }: SelectedDevice,
  change: ImportedChange,
): Readonly<Record<string, unknown>> {
  switch (change.action) {
    case 'set':
      return { variables: { [change.key]: parseJson(change.text) } };
    case 'unset':
      return { unset_variables: [change.key] };
    case 'add-label':
    case 'remove-label': {
      const others = labels.split(',').filter((name) => name !== '' && name !== change.label);
      // The line has all labels, so it must not overwrite those that somebody else has set meanwhile.
      return {
        labels: change.action === 'add-label' ? [...others, change.label] : others,
        if_version: version,
      };
    }
    case 'activate':
      return { active: true };
    case 'deactivate':
      return { active: false };
    case 'move':
      return { ...change.names };
  }
}

/** The options of `muster … update`; undefined if the command cannot do it for several devices. */
function optionsOf(change: ImportedChange): readonly string[] | undefined {
  switch (change.action) {
    case 'set':
      return ['--set', `${change.key}:=${change.text}`];
    case 'unset':
      return undefined;
    case 'add-label':
      return ['--add-label', change.label];
    case 'remove-label':
      return ['--remove-label', change.label];
    case 'activate':
      return ['--active'];
    case 'deactivate':
      return ['--no-active'];
    case 'move': {
      const { region_id, cell_id } = change.location;
      const cell = cell_id === null ? ['--clear', 'cell'] : ['--cell', String(cell_id)];
      return ['--region', String(region_id), ...cell];
    }
  }
}

function titleOf(change: ImportedChange): string {
  switch (change.action) {
    case 'set':
      return `Set ${change.key} on`;
    case 'unset':
      return `Unset ${change.key} on`;
    case 'add-label':
      return `Add the label ${change.label} to`;
    case 'remove-label':
      return `Remove the label ${change.label} from`;
    case 'activate':
      return 'Activate';
    case 'deactivate':
      return 'Deactivate';
    case 'move': {
      const { region, cell } = change.names;
      return `Move to ${cell === null ? region : `${region}/${cell}`}:`;
    }
  }
}
