import { parseConditions, parseWhere, valueOfOtherType, type WhereCondition } from '@muster/api-types';
import type { Muster, RequestOptions } from '../../api/muster';
import type { ResourceDescription } from '../../api/resource-description';
import { readOptional } from '../../api/optional-read';
import { describeKinds, displayKind } from '../../lookup/resource-finder';
import { describeUnknownKey } from '../../lookup/unknown-key';
import { printStatus } from '../../output/console';
import type { Session } from '../session';

/**
 * Prints why the conditions on variables match nothing: an unknown key, or a value of another type. Errors are ignored,
 * because the list itself was read.
 * @param query the query of the list
 */
export async function explainEmptyResult(
  { muster: sessionMuster, project }: Session,
  resource: ResourceDescription,
  query: NonNullable<RequestOptions['query']>,
): Promise<void> {
  const textsOf = (name: 'vars' | 'where') => [query[name] ?? []].flat().map(String);
  const conditions: WhereCondition[] = [
    ...textsOf('vars').flatMap(parseConditions),
    ...textsOf('where').flatMap((text) => parseWhere(text) ?? []),
  ];
  await readOptional(sessionMuster, async (muster) => {
    for (const condition of conditions) {
      const text =
        (await describeUnknownKey({ muster, project }, condition.key)) ??
        (await describeOtherType(muster, resource, query, condition));
      if (text !== undefined) printStatus(text);
    }
  });
}

async function describeOtherType(
  muster: Muster,
  resource: ResourceDescription,
  query: NonNullable<RequestOptions['query']>,
  { path, value, operator }: WhereCondition,
): Promise<string | undefined> {
  const other = valueOfOtherType(value, operator);
  if (other === undefined) return undefined;
  const written = (sought: string) => `${path} ${operator ?? '='} ${sought}`;
  const count = async (sought: string) => {
    const pages = await Promise.all(
      describeKinds(resource.kind).map(({ collection }) =>
        muster.firstPage(`/v1/${collection}`, {
          query: {
            ...query,
            ...(operator === undefined
              ? { vars: `${path}:${sought}`, where: undefined }
              : { vars: undefined, where: [written(sought)] }),
            fields: ['id'],
            limit: undefined,
            sort_keys: undefined,
          },
        }),
      ),
    );
    const total = pages.reduce((sum, { items }) => sum + items.length, 0);
    return { total, isAll: pages.every(({ isLast }) => isLast) };
  };
  const { total, isAll } = await count(other);
  // With several conditions, the value may exist, and another condition exclude it.
  if (total === 0 || (await count(value)).total > 0) return undefined;
  const number = `${String(total)}${isAll ? '' : ' or more'}`;
  if (operator !== undefined && operator !== '=')
    return `No ${displayKind(resource.kind)} meets ${written(value)}; ${number} ${total === 1 ? 'meets' : 'meet'} ${written(other)}.`;
  const found = `${number} ${total === 1 ? 'has' : 'have'}`;
  return `${path}: no ${displayKind(resource.kind)} has ${describeValue(value)}; ${found} ${describeValue(other)}.`;
}

function describeValue(value: string): string {
  if (value.startsWith('"')) return `the text ${value}`;
  return /^[-\d]/.test(value) ? `the number ${value}` : `the value ${value}`;
}
