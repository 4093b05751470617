import { isVariableRole } from '../auth/access';
import type { ProjectPolicy } from '../auth/project-policies';
import type { Approver, Principal } from '../core/context/request-context';
import type { Queryable } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { visibilityOf } from './author-visibility';
import type { StoredReview } from './stored-reviews';

const [ADMIN, ROOT] = ['admin', 'root'];

/** What a user is allowed, as it is stored with a review. No role has these two names. */
export const rightsOf = ({
  isAdmin,
  isRoot,
  roles,
}: Omit<Principal, 'userId' | 'username' | 'homeProjectId'>): string[] => [
  ...(isRoot ? [ROOT] : []),
  ...(isAdmin ? [ADMIN] : []),
  ...roles,
];

interface UserRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly username: string;
  readonly is_admin: boolean;
  readonly is_root: boolean;
  readonly roles: readonly string[];
  /** Whether an identity provider asserts the roles, so that they are not stored. */
  readonly is_external: boolean;
}

/**
 * The reviewers who still may what they might when they reviewed: a review ends with the roles that it was made with. Of a
 * user of an identity provider, only the provider knows the roles, so those of the review count.
 * @param policy of the project, whose private variables may be others now
 * @param keys the variables that the proposal writes
 * @returns by the ids of the reviews
 */
export async function ableReviewers(
  on: Queryable,
  reviews: readonly StoredReview[],
  policy: ProjectPolicy | undefined,
  keys: readonly string[],
): Promise<ReadonlyMap<number, Approver>> {
  const users = new Map<number, UserRow>();
  for (const project of new Set(reviews.map(({ reviewer_project: home }) => home))) {
    const ids = reviews
      .filter((review) => review.reviewer_project === project)
      .map((review) => review.reviewer_id);
    for (const row of await on.rows<UserRow>(sql`
      SELECT u.id, u.username, u.is_admin, u.is_root, u.roles,
        (u.keystone_id IS NOT NULL OR u.oidc_subject IS NOT NULL) AS is_external
      FROM users u WHERE u.project_id = ${project} AND u.id = ANY(${arrayParameter(ids)}::bigint[])`))
      users.set(row.id, row);
  }
  const able = new Map<number, Approver>();
  for (const review of reviews) {
    const user = users.get(review.reviewer_id);
    const reviewer = user && presentReviewer(user, review);
    if (!reviewer) continue;
    const visibility = visibilityOf(
      policy,
      isAboveRoles(reviewer) ? null : reviewer.roles.filter(isVariableRole),
    );
    if (keys.every((key) => visibility.sees(key))) able.set(review.id, reviewer);
  }
  return able;
}

const isAboveRoles = ({ isAdmin, isRoot }: Approver): boolean => isAdmin || isRoot;

/** @returns undefined if the user has lost a right that the review was made with */
function presentReviewer(user: UserRow, { reviewer_rights: rights }: StoredReview): Approver | undefined {
  const { id, username } = user;
  const former = {
    isAdmin: rights.includes(ADMIN),
    isRoot: rights.includes(ROOT),
    roles: rights.filter((right) => right !== ADMIN && right !== ROOT),
  };
  if (user.is_external) return { id, username, ...former };
  const { is_admin: isAdmin, is_root: isRoot, roles } = user;
  const present = { id, username, isAdmin, isRoot, roles };
  if (isRoot) return present;
  if (former.isRoot) return undefined;
  if (isAdmin) return present;
  return former.isAdmin || former.roles.some((role) => !roles.includes(role)) ? undefined : present;
}
