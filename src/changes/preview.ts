import { Answer } from '../shared/http/answer';
import type { DescribedChange, DescribedObject } from './described-change';
import { diffText } from './variable-diff';

/**
 * What a change would do, as the answer to a dry run: the record that it would leave, and its impact.
 * @param impact JSON text
 */
export function previewAnswer(change: DescribedChange, devices: number, impact: string): Answer {
  return Answer.ok(`{"dry_run":true,"change":${recordText(change, devices)},"impact":${impact}}`);
}

/** A change record as JSON text, as it looks to whoever makes the change. It has no id and no time: it never is. */
function recordText({ ctx, projectId, reason, objects }: DescribedChange, devices: number): string {
  const { userId, username } = ctx.principal;
  const head = JSON.stringify({
    id: null,
    project_id: projectId,
    created_at: null,
    actor: { id: userId || null, username },
    request_id: ctx.requestId,
    reason: reason ?? null,
    impact: { devices },
  });
  const texts = objects.map((object) => objectText(object, projectId, (key) => ctx.visibility.sees(key)));
  return `${head.slice(0, -1)},"objects":[${texts.join(',')}]}`;
}

function objectText(object: DescribedObject, projectId: string, sees: (key: string) => boolean): string {
  const { shape, id, name, action, before, after, variables } = object;
  const head = JSON.stringify({ kind: shape.kind, id: id || projectId, name, action });
  const visible = variables.filter(({ key }) => sees(JSON.parse(key) as string));
  return `${head.slice(0, -1)},"before":${before?.members ?? 'null'},"after":${after?.members ?? 'null'},"variables":${diffText(visible)}}`;
}
