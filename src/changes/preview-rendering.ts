import { ChangePreview } from '../core/write-result';
import { hasHiddenMembers, visibleMembersOf } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { sql } from '../database/sql';
import { diffText, type ChangeDiff, type ObjectDiff } from './change-diff';
import type { PreviewedImpact } from './impact-assessor';
import type { Snapshot } from './row-statements';

/** Renders the preview of a change: the record that it would store, and its impact. */
export async function renderPreview(
  change: ChangeDiff,
  { devices, body }: PreviewedImpact,
  warnings: readonly string[],
): Promise<ChangePreview> {
  const record = await recordText(change, devices);
  return new ChangePreview(`{"dry_run":true,"change":${record},"impact":${body}}`, warnings);
}

/** A change record as JSON text, as the caller may see it. It has no id and no time, because it is never stored. */
async function recordText(change: ChangeDiff, devices: number): Promise<string> {
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

async function objectText(change: ChangeDiff, object: ObjectDiff): Promise<string> {
  const { mapping, id, name, action, variables } = object;
  const { ctx, projectId } = change;
  const head = JSON.stringify({ kind: mapping.kind, id: id || projectId, name, action });
  const before = await sideText(change, mapping, object.before);
  const after = await sideText(change, mapping, object.after);
  const visible = variables.filter(({ key }) => ctx.visibility.sees(JSON.parse(key) as string));
  return `${head.slice(0, -1)},"before":${before},"after":${after},"variables":${diffText(visible)}}`;
}

/** A resource before or after the change, as the caller may see it. */
async function sideText(
  { ctx, tx }: ChangeDiff,
  mapping: ResourceMapping,
  side: Snapshot | undefined,
): Promise<string> {
  if (!side) return 'null';
  if (ctx.visibility.seesEverything || !hasHiddenMembers(mapping)) return side.members;
  const visible = visibleMembersOf(mapping, ctx, sql`s.members`);
  const [row] = await tx.rows<{ text: string }>(
    sql`SELECT ${visible}::text AS text FROM (SELECT ${side.members}::jsonb AS members) s`,
  );
  if (!row) throw new Error('the query for one side of a record returned no row');
  return row.text;
}
