import type { EffectGroup } from '../changes/impact-assessor';
import type { Visibility } from '../core/context/variable-keys';
import { JsonText } from '../core/json/json-text';
import type { Queryable } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { type ChangedDevice, effectDifference } from './effect-difference';
import { type Effects, type ResourceEffect, visibleEffects } from './impact-digest';

type Sides = Pick<EffectGroup, 'before' | 'after'>;

/** Both sides as members of an object, as JSON text; a side that is not set is left out. */
export const sidesText = (
  { before, after }: Sides,
  names: readonly [string, string] = ['before', 'after'],
): string[] => [
  ...(before === undefined ? [] : [`"${names[0]}":${before}`]),
  ...(after === undefined ? [] : [`"${names[1]}":${after}`]),
];

interface DeviceRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly kind: string;
  readonly name: string;
}

/**
 * What is different from the approved impact, as the caller may see it.
 * @param devices how many devices the caller sees affected now
 */
export async function impactChange(
  on: Queryable,
  projectId: string,
  { approved, now }: Readonly<Record<'approved' | 'now', Effects>>,
  visibility: Visibility,
  devices: number,
): Promise<JsonText> {
  const shown = visibleEffects(now, visibility);
  const difference = effectDifference(visibleEffects(approved, visibility), shown);
  const ids = difference.devices.map(({ id }) => id);
  const rows = await on.rows<DeviceRow>(sql`SELECT d.id, d.kind, d.name FROM devices d
    WHERE d.project_id = ${projectId} AND d.id = ANY(${arrayParameter(ids)}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const { came, went, other } = difference;
  const members = [
    `"devices":${String(devices)}`,
    ...JSON.stringify({ came, went, other }).slice(1, -1).split(','),
    `"items":[${limited(difference.devices, (device) => deviceText(device, byId.get(device.id))).join(',')}]`,
    `"resources":[${limited(difference.resources, resourceText).join(',')}]`,
  ];
  return new JsonText(`{${members.join(',')}}`);
}

/** How many characters of items a response has. Values can be long. */
const MAX_ITEMS_LENGTH = 1024 * 1024;

/** The texts of the first items that are together not too long. */
function limited<T>(items: readonly T[], textOf: (item: T) => string): string[] {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = textOf(item);
    length += text.length;
    if (length > MAX_ITEMS_LENGTH) break;
    texts.push(text);
  }
  return texts;
}

function deviceText({ id, approved, now }: ChangedDevice, row: DeviceRow | undefined): string {
  const head = JSON.stringify({ kind: row?.kind ?? null, id, name: row?.name ?? null });
  return `${head.slice(0, -1)},"approved":${changesText(approved)},"now":${changesText(now)}}`;
}

const changesText = (groups: readonly EffectGroup[]): string =>
  groups.length === 0
    ? 'null'
    : `{${groups.map((group) => `${group.key}:{${sidesText(group).join(',')}}`).join(',')}}`;

function resourceText({
  approved,
  now,
}: Readonly<Record<'approved' | 'now', ResourceEffect | undefined>>): string {
  const { kind = '', id = 0, name = '', field = '' } = now ?? approved ?? {};
  const head = JSON.stringify({ kind, id: id > 0 ? id : null, name, field });
  const textOf = (effect: ResourceEffect | undefined) =>
    effect ? `{${sidesText(effect).join(',')}}` : 'null';
  return `${head.slice(0, -1)},"approved":${textOf(approved)},"now":${textOf(now)}}`;
}
