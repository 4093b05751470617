import { ChangePreview } from '../core/write-result';
import { hasHiddenMembers, visibleMembersOf, withShownTimes } from '../database/resource-sql';
import { arrayParameter, sql } from '../database/sql';
import { withRules, type PreviewedRules } from './approval-check';
import { recordedProposal } from './change-record-store';
import { diffText, type ChangeDiff, type ObjectDiff } from './change-diff';
import type { PreviewedImpact } from './impact-assessor';
import { membersIn, type SnapshotOrCreated } from './resource-snapshot';

/** Renders the preview of a change: the record that it would store, and its impact. */
export async function renderPreview(
  change: ChangeDiff,
  { devices, body }: PreviewedImpact,
  rules: PreviewedRules,
  warnings: readonly string[],
): Promise<ChangePreview> {
  const record = await renderChange(change, devices);
  return new ChangePreview(
    withRules(`{"dry_run":true,"change":${record},"impact":${body}}`, rules),
    warnings,
  );
}

/** A change record as JSON text, as the caller of the context may see it. It has no id and no time, because it is never stored. */
export async function renderChange(change: ChangeDiff, devices: number): Promise<string> {
  const { ctx, projectId, reason, objects, override, proposal, reverts } = change;
  const { userId, username } = ctx.principal;
  const head = JSON.stringify({
    id: null,
    project_id: projectId,
    created_at: null,
    actor: { id: userId || null, username },
    request_id: ctx.requestId,
    reason: reason ?? null,
    override: override ?? null,
    proposal: proposal ? recordedProposal(proposal) : null,
    reverts: reverts ?? [],
    impact: { devices },
    objects_total: objects.length,
  });
  const members = await shownMembers(change);
  const texts = objects.map((object) => objectText(change, object, members));
  return `${head.slice(0, -1)},"objects":[${texts.join(',')}]}`;
}

function objectText(
  change: ChangeDiff,
  object: ObjectDiff,
  members: ReadonlyMap<SnapshotOrCreated, string>,
): string {
  const { mapping, id, name, action, variables } = object;
  const { ctx, projectId } = change;
  const head = JSON.stringify({ kind: mapping.kind, id: id || projectId, name, action });
  const textOf = (side: SnapshotOrCreated | undefined) =>
    side ? (members.get(side) ?? membersIn(side)) : 'null';
  const visible = variables.filter(({ key }) => ctx.visibility.sees(JSON.parse(key) as string));
  return `${head.slice(0, -1)},"before":${textOf(object.before)},"after":${textOf(object.after)},"variables":${diffText(visible)}}`;
}

/** The members of resources before and after the change that the caller sees differently, with a query for each kind. */
async function shownMembers({
  ctx,
  tx,
  objects,
}: ChangeDiff): Promise<ReadonlyMap<SnapshotOrCreated, string>> {
  const shown = new Map<SnapshotOrCreated, string>();
  for (const mapping of new Set(objects.map((object) => object.mapping))) {
    const hidesMembers = !ctx.visibility.seesEverything && hasHiddenMembers(mapping);
    if (!hidesMembers && ctx.timesHaveZone !== true) continue;
    const sides = objects.flatMap(({ mapping: of, before, after }) =>
      of === mapping ? [before, after].filter((side) => side !== undefined) : [],
    );
    const members = withShownTimes(mapping, ctx, sql`s.members::jsonb`);
    const visible = hidesMembers ? visibleMembersOf(mapping, ctx, members) : members;
    const rows = await tx.rows<{ text: string }>(sql`
      SELECT (${visible})::text AS text
      FROM unnest(${arrayParameter(sides.map(membersIn))}::text[]) WITH ORDINALITY AS s (members, position)
      ORDER BY s.position`);
    for (const [i, side] of sides.entries()) {
      const text = rows[i]?.text;
      if (text === undefined) throw new Error('the query for the sides of a record returned too few rows');
      shown.set(side, text);
    }
  }
  return shown;
}
