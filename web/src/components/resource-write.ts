import { jsonText } from '../api/exact-json';
import { send, type PlainRequest } from '../api/request';
import { membersSide } from './conflict';
import type { PlannedWrite } from './previewed-write';

/** Members of a resource. */
type Members = Readonly<Record<string, unknown>>;

/** What a plan says besides the request. */
type Description = Pick<
  PlannedWrite,
  'title' | 'command' | 'itemTitle' | 'extraPreview' | 'hasSecretResponse'
>;

const etagOf = (version: number): string => `"${version}"`;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Those of the members that differ from the resource's. */
export function changedMembers<T extends object>(base: object, members: T): Partial<T> {
  const former = new Map<string, unknown>(Object.entries(base));
  const changed = Object.entries(members).filter(
    ([name, value]) => jsonText(value) !== jsonText(former.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

/** The plan to create a resource. @param path of the collection */
export const planCreate = (description: Description, path: string, members: object): PlannedWrite => ({
  ...description,
  request: { method: 'POST', path, body: jsonText(members) },
});

/**
 * The plan to change members of a resource that can be read at the same path. A conflict shows these members.
 * @param base the resource when the editing began
 */
export function planUpdate(
  description: Description,
  path: string,
  base: { readonly version: number },
  members: object,
): PlannedWrite {
  const names = Object.keys(members);
  const sideOf = (resource: object) =>
    membersSide(Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name))));
  const request = (etag: string): PlainRequest => ({
    method: 'PUT',
    path,
    headers: { 'If-Match': etag },
    body: jsonText(members),
  });
  return {
    ...description,
    request: request(etagOf(base.version)),
    conflict: {
      base: sideOf(base),
      mine: sideOf(members),
      read: async (signal) => {
        const { body, response } = await send({ method: 'GET', path }, signal);
        return {
          theirs: isMembers(body) ? sideOf(body) : undefined,
          request: request(response.headers.get('etag') ?? '*'),
        };
      },
    },
  };
}

/** The plan to delete a resource, if it still has the version that is shown. */
export const planDelete = (description: Description, path: string, version: number): PlannedWrite => ({
  ...description,
  request: { method: 'DELETE', path, headers: { 'If-Match': etagOf(version) } },
});
