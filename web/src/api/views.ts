import { queryOptions } from '@tanstack/react-query';
import { deviceKinds, type components } from '@muster/api-types';
import { api, unwrap, unwrapResponse } from './client';
import { VIEWS } from './query-keys';
import { readPage } from './pages';

/** A list with its filters, columns and order, under a name: one's own, or one that the users of a project share. */
export type SavedView = Pick<components['schemas']['SavedView'], 'name' | 'address'>;

/** The navigation shows at most so many. */
export const MAX_VIEWS = 50;

/** How long (ms) they and their numbers are shown before they are read again: each number is a request. */
const VIEWS_LIFETIME = 300_000;

/** The views that the users of a project share, by name. */
export const sharedViewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: [VIEWS, project_id],
    queryFn: async ({ signal }) =>
      (
        await readPage<components['schemas']['SavedView']>(
          '/v1/views',
          { project_id, sort_keys: 'name', limit: MAX_VIEWS },
          signal,
        )
      ).body,
    staleTime: VIEWS_LIFETIME,
  });

/** The views that the user saved for themselves. */
interface OwnViews {
  readonly views: readonly SavedView[];
  readonly etag: string;
}

/** A proxy that compresses responses makes tags weak, which match nothing. */
const ownViewsOf = ({
  data: { views },
  response,
}: {
  readonly data: Pick<OwnViews, 'views'>;
  readonly response: Response;
}): OwnViews => ({
  views,
  etag: (response.headers.get('etag') ?? '*').replace(/^W\//, ''),
});

/** The views that the user saved for themselves in the project of the page. */
export const ownViewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: [VIEWS, project_id, 'own'],
    queryFn: async ({ signal }) => ownViewsOf(await unwrapResponse(api.GET('/v1/session/views', { signal }))),
    staleTime: VIEWS_LIFETIME,
  });

/** Replaces the views that the user saved for themselves. @throws ApiError 412 if they are not those with the tag */
export const replaceOwnViews = async (etag: string, views: readonly SavedView[]): Promise<OwnViews> =>
  ownViewsOf(
    await unwrapResponse(
      api.PUT('/v1/session/views', {
        params: { header: { 'If-Match': etag } },
        body: { views: [...views] },
      }),
    ),
  );

/** The pages that are lists with filters. */
const LISTS = /^\/(devices|inventory\/(regions|cells|labels|clouds)|changes|variables|proposals)$/;

/** Whether the page at an address can be saved as a view. */
export const isListAddress = (address: string): boolean => LISTS.test(address.split('?', 1)[0] ?? '');

/** Of rows other than devices, more are not counted. */
export const MAX_COUNTED = 1_000;

/** What an address shows, for counting. */
export interface CountedList {
  readonly collection: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** The number of rows that a list shows: of devices exactly, of other collections up to 1,000. */
export const viewCountQuery = (project_id: string, { collection, filters }: CountedList) =>
  queryOptions({
    queryKey: [VIEWS, project_id, 'count', collection, filters],
    queryFn: async ({ signal }) => {
      const kind = deviceKinds.find((known) => known.collection === collection)?.kind;
      if (kind !== undefined) {
        const query = { ...filters, project_id, kind };
        return (await unwrap(api.GET('/v1/devices/counts', { params: { query }, signal }))).devices;
      }
      const query = { ...filters, project_id, fields: 'id', limit: MAX_COUNTED };
      return (await readPage<object>(`/v1/${collection}`, query, signal)).body.length;
    },
    staleTime: VIEWS_LIFETIME,
    retry: false,
  });
