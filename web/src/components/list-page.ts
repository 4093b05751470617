import type { QueryKey } from '@tanstack/react-query';

/** The number of rows of a page, unless a list has large rows. */
export const PAGE_SIZE = 250;

/**
 * The key of a page in the cache.
 * @param list identifies the list
 * @param start the id of the row before the page; undefined for the first one
 */
export const pageKey = (list: QueryKey, page: number, start?: string | number): QueryKey => [
  ...list,
  'page',
  page,
  start ?? null,
];
