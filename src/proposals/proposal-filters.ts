import type { Principal } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { sql, type Sql } from '../database/sql';
import { textsFilter } from '../lists/column-filters';
import { type ListFilter, parseStorableText } from '../lists/list-filter';
import { PROPOSAL_STATES } from './proposal-states';

/** The value of filters by a user that stands for the caller. */
const ME = 'me';

/** Whether a review of the present revision by the caller exists. */
const hasReviewed = ({ userId }: Principal): Sql => sql`EXISTS (SELECT FROM proposal_reviews r
  WHERE r.project_id = t.project_id AND r.proposal_id = t.id AND r.revision = t.revision
    AND r.reviewer_id = ${userId} OFFSET 0)`;

const filterBy = (
  name: string,
  description: string,
  example: string,
  condition: ListFilter['condition'],
): ListFilter => ({ name, description, type: 'string', example, condition });

const RESOURCE = /^([a-z][a-z-]{0,63})s\/([0-9]{1,15})$/;

interface Resource {
  readonly kind: string;
  readonly id: number;
}

function parseResource(text: string): Resource {
  const [, kind = '', id = ''] = RESOURCE.exec(text) ?? [];
  if (kind === '')
    throw InventoryError.invalid(
      'resource',
      'invalid_format',
      'must be a collection and an id, such as regions/3',
    );
  return { kind, id: Number(id) };
}

/** Whether the resources of a proposal contain one like this. */
const hasResource = (resource: Partial<Resource>): Sql =>
  sql`t.resources @> ${JSON.stringify([resource])}::jsonb`;

/** The filters of lists of proposals. */
export const proposalFilters: readonly ListFilter[] = [
  { ...textsFilter('state', 'The state. Can be repeated: one of them.', 'open'), values: PROPOSAL_STATES },
  filterBy('author', 'The username of the author; `me` for the caller.', ME, (value, _given, { principal }) =>
    value === ME
      ? sql`t.author_id = ${principal.userId}`
      : sql`t.author_username = ${parseStorableText('author', value)}`,
  ),
  filterBy(
    'waiting_for',
    'With the value `me`: open proposals of others whose present revision the caller has not reviewed or has approved with another impact, and own ones that are approved or rejected.',
    ME,
    (value, _given, { principal }) => {
      if (value !== ME) throw InventoryError.invalid('waiting_for', 'invalid_value', `must be ${ME}`);
      const isOwn = sql`t.author_id = ${principal.userId}`;
      // An open one without approvals that the caller has reviewed was approved with another impact.
      return sql`((t.state = 'open' AND NOT ${isOwn} AND (t.approvals_given = 0 OR NOT ${hasReviewed(principal)}))
        OR (${isOwn} AND t.state IN ('approved', 'rejected')))`;
    },
  ),
  filterBy('kind', 'Proposals that write a resource of this kind.', 'region', (value) =>
    hasResource({ kind: parseStorableText('kind', value) }),
  ),
  filterBy(
    'key',
    'Proposals that write this variable.',
    'ntp_servers',
    (value) => sql`t.keys @> ARRAY[${parseStorableText('key', value)}]::text[]`,
  ),
  filterBy(
    'resource',
    'Proposals that write this resource: its collection and its id.',
    'regions/3',
    (value) => hasResource(parseResource(value)),
  ),
];
