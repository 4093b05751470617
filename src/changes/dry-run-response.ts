import { ChangePreview } from '../core/change-preview';
import { sql } from '../database/sql';
import { isSeenApart, seenMembers } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import type { DescribedChange, DescribedObject } from './change-diff';
import type { Snapshot } from './tracked-resource';
import { diffText } from './variable-diff';

/**
 * The preview of a change: the record that it would leave, and its impact.
 * @param impact JSON text
 */
export async function previewOf(
  change: DescribedChange,
  devices: number,
  impact: string,
): Promise<ChangePreview> {
  const record = await recordText(change, devices);
  return new ChangePreview(`{"dry_run":true,"change":${record},"impact":${impact}}`);
}

/** A change record as JSON text, as it looks to whoever makes the change. It has no id and no time: it never is. */
async function recordText(change: DescribedChange, devices: number): Promise<string> {
  const { ctx, projectId, reason, objects } = change;
  const { userId, username } = ctx.principal;
  const head = JSON.stringify({
    id: null,
    project_id: projectId,
    created_at: null,
    actor: { id: userId || null, username },
    request_id: ctx.requestId,
    reason: reason ?? null,
    impact: { devices },
    objects_total: objects.length,
  });
  const texts: string[] = [];
  for (const object of objects) texts.push(await objectText(change, object));
  return `${head.slice(0, -1)},"objects":[${texts.join(',')}]}`;
}

async function objectText(change: DescribedChange, object: DescribedObject): Promise<string> {
  const { shape, id, name, action, variables } = object;
  const { ctx, projectId } = change;
  const head = JSON.stringify({ kind: shape.kind, id: id || projectId, name, action });
  const before = await sideText(change, shape, object.before);
  const after = await sideText(change, shape, object.after);
  const visible = variables.filter(({ key }) => ctx.visibility.sees(JSON.parse(key) as string));
  return `${head.slice(0, -1)},"before":${before},"after":${after},"variables":${diffText(visible)}}`;
}

/** A resource as it was or is, as far as it may be seen by whoever makes the change. */
async function sideText(
  { ctx, tx }: DescribedChange,
  shape: ResourceShape,
  side: Snapshot | undefined,
): Promise<string> {
  if (!side) return 'null';
  if (ctx.visibility.isWhole || !isSeenApart(shape)) return side.members;
  const seen = seenMembers(shape, ctx, sql`s.members`);
  const [row] = await tx.rows<{ text: string }>(
    sql`SELECT ${seen}::text AS text FROM (SELECT ${side.members}::jsonb AS members) s`,
  );
  if (!row) throw new Error('a side of a record that is not there');
  return row.text;
}
