/** The length of a date without a time, which means midnight UTC. */
export const DATE_LENGTH = 10;

/** The time zone at the end of a time. */
export const ZONE = /(Z|[+-]\d{2}:\d{2})$/;

/** A time of the API or of a URL as a date: UTC if it has no zone. Digits beyond milliseconds are only shown. */
export const dateOf = (time: string): Date =>
  new Date(ZONE.test(time) || time.length === DATE_LENGTH ? time : `${time.slice(0, 23)}Z`);
