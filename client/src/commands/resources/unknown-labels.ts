import { asObject } from '../../api/exact-json';
import { say } from '../../output/streams';
import type { Session } from '../session';

/** Nothing has these labels: says of those that do not even exist that they do not. */
export async function tellUnknownLabels(
  { muster, project }: Session,
  asked: string | readonly string[] | undefined,
): Promise<void> {
  if (asked === undefined) return;
  const labels = [...new Set(typeof asked === 'string' ? [asked] : asked)];
  const isThere = await Promise.all(
    labels.map(async (label) => {
      const query = { label, project_id: project, fields: ['label'] };
      const { items } = await muster.firstPage('/v1/labels', { query });
      return items.some((item) => asObject(item)['label'] === label);
    }),
  );
  for (const [at, label] of labels.entries())
    if (!isThere[at]) say(`There is no label ${JSON.stringify(label)}.`);
}
