import type { RequestContext } from './request-context';

/**
 * A time as the response shows it: with `Z` if the client prefers that.
 * @param time UTC without a zone, as `timestampText` renders it
 */
export const shownTime = <T extends string | null>(
  { timesHaveZone = false }: Pick<RequestContext, 'timesHaveZone'>,
  time: T,
): T | string => (timesHaveZone && time !== null ? `${time}Z` : time);
