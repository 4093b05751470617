import { writeFile } from 'node:fs/promises';
import { exactJson, canonicalJson, toMembers } from '../../../api/exact-json';
import { fileWriteError } from '../../../files/file-access';
import { print, printStatus } from '../../../output/console';
import { pluralize } from '../../../text';
import { printOne, type OutputFormat } from '../../../output/formats';
import { listText } from '../skipped-objects';
import type { Conversion } from './convert';
import { describeDevices, describeVariables, sumSettings } from './plan-lines';
import type { AssignedVariables } from './variable-levels';
import type { PlannedDevice } from './plan';
import type { Muster } from '../../../api/muster';
import { exportLines } from '../../long-requests';
import { cellId, parseCellId } from '../../../hoist/fleet';
import { displayKind } from '../../../lookup/resource-finder';
import type { ExistingInventory } from './existing';
import { deviceKinds } from './read-existing';

/** Prints what is imported, what is skipped, and why. @param pruned the kinds of `--prune` */
export function printPlan(conversion: Conversion, pruned: readonly string[]): void {
  printStatus(
    ...describeDevices(conversion),
    ...kindChangeLines(conversion.plan.devices, conversion.existing),
    ...describeVariables(conversion),
    ...leftoverLines(leftovers(conversion), pruned),
  );
}

/** Lines about devices whose kind in Muster differs: it cannot be changed there. */
function kindChangeLines(devices: readonly PlannedDevice[], { deviceKinds }: ExistingInventory): string[] {
  const changed = devices.flatMap(({ name, kind }) => {
    const present = deviceKinds.get(name);
    return present === undefined || present === kind ? [] : [{ name, kind, present }];
  });
  const [first] = changed;
  if (!first) return [];
  const kinds = changed.map(
    ({ name, kind, present }) =>
      `${name} (${displayKind(present)} in Muster, ${displayKind(kind)} by its role)`,
  );
  return [
    `${pluralize(changed.length, 'device')} of another kind, which an import cannot change: ${listText(kinds)}.`,
    `  Delete them in Muster first, as with "muster ${first.present} delete ${first.name}", which also deletes the variables that Muster alone has.`,
    '  Or keep their kinds: devices.network_device_roles in the mapping says which roles are network devices.',
  ];
}

/** What only Muster has, by kind. */
type Leftovers = Readonly<Record<'device' | 'cell' | 'region', readonly string[]>>;

/** What Muster has and NetBox does not, or no longer. */
function leftovers({ plan: { devices }, existing, mapping }: Conversion): Leftovers {
  const names = new Set(devices.map(({ name }) => name));
  const regions = new Set(devices.map(({ region }) => region));
  const cells = new Set(
    devices.flatMap(({ region, cell }) => (cell === undefined ? [] : [cellId(region, cell)])),
  );
  const others = (present: ReadonlyMap<string, unknown>, found: ReadonlySet<string>): string[] =>
    [...present.keys()].filter((name) => !found.has(name));
  return {
    device: others(existing.devices, names),
    cell:
      mapping.cells.from === 'none'
        ? []
        : others(existing.cells, cells).map((id) => parseCellId(id).join('/')),
    region: others(existing.regions, regions),
  };
}

/** @param pruned the kinds of `--prune` */
function leftoverLines(found: Leftovers, pruned: readonly string[]): string[] {
  const kinds = (['device', 'cell', 'region'] as const).filter(
    (kind) => found[kind].length > 0 && !pruned.includes(kind),
  );
  if (kinds.length === 0) return [];
  return [
    ...kinds.map(
      (kind) => `${pluralize(found[kind].length, kind)} only in Muster: ${listText(found[kind])}.`,
    ),
    `  --prune ${kinds.join(',')} deletes what NetBox does not have.`,
  ];
}

/** A variable that a device resolves differently than NetBox renders it. */
interface Difference {
  readonly device: string;
  readonly key: string;
  /** JSON; undefined if NetBox renders no such key. */
  readonly netbox: string | undefined;
  /** JSON; undefined if the device resolves no such variable. */
  readonly muster: string | undefined;
}

/** The comparison of all devices. */
export interface Proof {
  /** How many devices were compared. */
  readonly devices: number;
  /** How many values were compared: those that NetBox renders, and those that only Muster has. */
  readonly values: number;
  readonly differences: readonly Difference[];
  /** Devices that are not in Muster. */
  readonly missing: readonly string[];
}

export const isProven = ({ differences, missing }: Proof): boolean =>
  differences.length === 0 && missing.length === 0;

/**
 * Compares what the imported devices resolve in Muster with what NetBox renders.
 * @param names of the imported devices
 * @param owned the keys that are compared
 * @throws ApiError, NetworkError
 */
export async function compareWithMuster(
  muster: Muster,
  names: readonly string[],
  { expected }: Pick<AssignedVariables, 'expected'>,
  owned: ReadonlySet<string>,
): Promise<Proof> {
  const missing = new Set(names);
  const differences: Difference[] = [];
  let values = 0;
  for await (const line of exportLines(muster, { kind: deviceKinds(), 'resolved-values': true })) {
    const device = String(line['name']);
    if (!missing.delete(device)) continue;
    const resolved = toMembers(line['variables']) ?? new Map<string, unknown>();
    const rendered = expected.get(device) ?? new Map<string, string>();
    for (const [key, netbox] of rendered) {
      const muster = resolved.has(key) ? canonicalJson(resolved.get(key)) : undefined;
      if (muster !== netbox) differences.push({ device, key, netbox, muster });
    }
    const extra = [...resolved].filter(([key]) => owned.has(key) && !rendered.has(key));
    for (const [key, value] of extra)
      differences.push({ device, key, netbox: undefined, muster: canonicalJson(value) });
    values += rendered.size + extra.length;
  }
  return { devices: names.length - missing.size, values, differences, missing: [...missing] };
}

/** How many differences are shown in a terminal. */
const MAX_SHOWN_DIFFERENCES = 20;

/** The result of the comparison as lines. */
export function proofLines(proof: Proof): string[] {
  const { devices, values, differences, missing } = proof;
  const compared = `${pluralize(values, 'value')} of ${pluralize(devices, 'device')}`;
  if (isProven(proof)) return [`Verified: Muster resolves what NetBox renders, ${compared}.`];
  const omitted = differences.length - MAX_SHOWN_DIFFERENCES;
  return [
    ...(differences.length === 0 ? [] : [`${String(differences.length)} of ${compared} differ:`]),
    ...differences
      .slice(0, MAX_SHOWN_DIFFERENCES)
      .map(
        ({ device, key, netbox, muster }) =>
          `  ${device}  ${key}: NetBox ${netbox ?? '(not set)'}, Muster ${muster ?? '(not set)'}`,
      ),
    ...(omitted > 0 ? [`  and ${String(omitted)} more (use -o json or --report to show all)`] : []),
    ...(missing.length === 0
      ? []
      : [`${pluralize(missing.length, 'device')} of NetBox not in Muster: ${listText(missing)}.`]),
  ];
}

/** Prints the result of `--verify`. */
export async function printProof(format: OutputFormat, proof: Proof): Promise<void> {
  if (format === 'table') await print(`${proofLines(proof).join('\n')}\n`);
  else await printOne(format, proofMembers(proof), 'values');
}

const proofMembers = ({ devices, values, differences, missing }: Proof) => ({
  devices,
  values,
  differences: differences.map(toRow),
  missing,
});

/** Values are shown as they are; a value that is not set has no member. */
const toRow = ({ device, key, netbox, muster }: Difference) => ({
  device,
  key,
  ...(netbox === undefined ? {} : { netbox: exactJson.parse(netbox) }),
  ...(muster === undefined ? {} : { muster: exactJson.parse(muster) }),
});

/** Writes a report with all objects. @throws CliError if the file cannot be written */
export async function writeReport(
  file: string,
  conversion: Conversion,
  proof: Proof | undefined,
): Promise<void> {
  const { inventory, plan, assigned, removedKeys } = conversion;
  const { device, cell, region } = leftovers(conversion);
  const { contextSettings, contextValues, ownSettings, refused } = assigned;
  const report = {
    netbox_version: inventory.version ?? null,
    devices: plan.devices.map(({ name, kind, region, cell, source }) => ({
      name,
      kind,
      region,
      cell: cell ?? null,
      netbox_type: source.type,
      netbox_id: source.id,
      netbox_name: source.name ?? null,
      has_address: source.address !== undefined,
    })),
    skipped: plan.skipped,
    config_contexts: { values: contextValues, settings: sumSettings(contextSettings.values()) },
    keys: [...contextSettings].map(([key, settings]) => ({ key, ...settings })),
    custom_fields_and_members: ownSettings,
    refused_keys: refused,
    removed_keys: removedKeys,
    renamed_places: [...plan.renamedLocations].map(([netbox, muster]) => ({ netbox, muster })),
    only_in_muster: { devices: device, cells: cell, regions: region },
    verification: proof === undefined ? null : proofMembers(proof),
  };
  // Differences contain values, which may be secret.
  await writeFile(file, `${exactJson.stringify(report, 2)}\n`, { mode: 0o600 }).catch((error: unknown) => {
    throw fileWriteError(file, error);
  });
}
