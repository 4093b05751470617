import { toMembers } from '../../../api/exact-json';
import { cellId } from '../../../hoist/fleet';

/** Keys of variables by the names of resources; cells by `cellId`. */
type KeysByName = ReadonlyMap<string, readonly string[]>;

/** What Muster has before an import. */
export interface ExistingInventory {
  readonly regions: KeysByName;
  readonly cells: KeysByName;
  readonly labels: KeysByName;
  readonly devices: KeysByName;
  /** The kinds of devices, by name. */
  readonly deviceKinds: ReadonlyMap<string, string>;
  /** The labels of devices. */
  readonly deviceLabels: ReadonlyMap<string, readonly string[]>;
  /** The keys of the last import. */
  readonly importedKeys: readonly string[];
}

/** Nothing: for a new project. */
export const NOTHING_EXISTS: ExistingInventory = {
  regions: new Map(),
  cells: new Map(),
  labels: new Map(),
  devices: new Map(),
  deviceKinds: new Map(),
  deviceLabels: new Map(),
  importedKeys: [],
};

/** The variable of the import's label that stores the keys of the last import. */
export const KEYS_VARIABLE = 'netbox_keys';

/**
 * What an export contains.
 * @param lines of labels, regions, cells and devices
 * @param importLabel the label that stores the keys of the last import
 */
export async function existingOf(
  lines: AsyncIterable<Readonly<Record<string, unknown>>>,
  importLabel: string,
): Promise<ExistingInventory> {
  const keys = {
    region: new Map<string, readonly string[]>(),
    cell: new Map<string, readonly string[]>(),
    label: new Map<string, readonly string[]>(),
    device: new Map<string, readonly string[]>(),
  };
  const kinds = new Map<string, string>();
  const deviceLabels = new Map<string, readonly string[]>();
  let importedKeys: readonly string[] = [];
  for await (const line of lines) {
    const variables = toMembers(line['variables']) ?? new Map<string, unknown>();
    const set = [...variables.keys()];
    const name = String(line['name']);
    switch (line['kind']) {
      case 'label': {
        const label = String(line['label']);
        keys.label.set(label, set);
        if (label === importLabel) importedKeys = texts(variables.get(KEYS_VARIABLE));
        break;
      }
      case 'region':
        keys.region.set(name, set);
        break;
      case 'cell':
        keys.cell.set(cellId(String(line['region']), name), set);
        break;
      default:
        keys.device.set(name, set);
        kinds.set(name, String(line['kind']));
        deviceLabels.set(name, texts(line['labels']));
    }
  }
  return {
    regions: keys.region,
    cells: keys.cell,
    labels: keys.label,
    devices: keys.device,
    deviceKinds: kinds,
    deviceLabels,
    importedKeys,
  };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
