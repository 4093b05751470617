import { diffText, type VariableChange } from '../changes/change-diff';
import type { PreviewPage } from '../core/context/request-context';
import { appendMembers } from '../core/json/json-text';
import { compareCodePoints } from '../core/code-points';
import type { GroupCounts } from './group-counts';

/** A device whose resolved variables change, with the changes. */
export interface AffectedDevice {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly changes: readonly VariableChange[];
  /** Whether the change creates it, and does not restore it: in a dry run, its id is then valid for this run only. */
  readonly hasTemporaryId?: boolean;
  /** Whether the change creates it, or restores it. */
  readonly isCreated?: boolean;
  /** Its region after the change; before it, if the change deletes it. */
  readonly region?: number | null | undefined;
}

/** The impact of a change: the number of affected devices, the changed keys, and some of the devices in id order. */
export interface DeviceImpact {
  readonly devices: number;
  /** How many of the devices the change creates. */
  readonly newDevices: number;
  readonly keys: Iterable<string>;
  readonly items: readonly AffectedDevice[];
}

/**
 * Renders the `impact` of a preview as JSON text. The impact has one item more than the page if another page follows.
 * @param groups the changes of values, if the page has them
 */
export function renderImpact(
  { devices, keys, items }: DeviceImpact,
  page: PreviewPage,
  base: string,
  groups?: GroupCounts,
): string {
  const shown = items.slice(0, page.limit);
  const last = items.length > shown.length ? shown.at(-1) : undefined;
  // The id of a created device cannot be a marker, because the next dry run assigns another id.
  const next = last?.hasTemporaryId === true ? undefined : last?.id;
  const head = JSON.stringify({ devices, keys: [...keys].sort(compareCodePoints) });
  return appendMembers(head, [
    ...(groups?.members ?? []),
    `"items":[${shown.map(renderPreviewedDevice).join(',')}]`,
    `"links":${renderLinks(page, base, next)}`,
  ]);
}

/** Renders a device of a preview as JSON text, and says if it does not exist yet. */
const renderPreviewedDevice = (device: AffectedDevice): string =>
  appendMembers(renderAffectedDevice(device), device.isCreated === true ? ['"created":true'] : []);

/** Renders a device with its changes as JSON text. */
export function renderAffectedDevice({ kind, id, name, changes }: AffectedDevice): string {
  const head = JSON.stringify({ kind, id, name });
  return `${head.slice(0, -1)},"changes":${diffText(changes)}}`;
}

function renderLinks({ marker, path, query }: PreviewPage, base: string, next: number | undefined): string {
  const hrefAfter = (id: number | undefined) => {
    const parameters = new URLSearchParams(query);
    if (id === undefined) parameters.delete('marker');
    else parameters.set('marker', String(id));
    return `${base}${path}?${parameters.toString()}`;
  };
  return JSON.stringify([
    { rel: 'self', href: hrefAfter(marker) },
    ...(marker === undefined ? [] : [{ rel: 'first', href: hrefAfter(undefined) }]),
    ...(next === undefined ? [] : [{ rel: 'next', href: hrefAfter(next) }]),
  ]);
}
