import { integer, optional } from './setting-parsers';

/** What clients may ask of a process, and how long they may keep it waiting. */
export const trafficSettings = {
  /** Twelve for each connection of the usual pool: more would wait in line for longer than it takes to ask again. */
  MAX_IN_FLIGHT: optional(integer(1, 100_000).default(256)),
  /** Room for those in flight, those who wait for changes, and many more that rest between two requests. */
  MAX_CONNECTIONS: optional(integer(1, 1_000_000).default(4_096)),
  URL_LIMIT_BYTES: optional(integer(1024, 64 * 1024).default(8 * 1024)),
  /** The first line of a request and its headers, together. */
  HEADER_LIMIT_BYTES: optional(integer(4096, 256 * 1024).default(16 * 1024)),
  HEADER_SECONDS: optional(integer(1, 600).default(15)),
  BODY_SECONDS: optional(integer(1, 3600).default(300)),
  CLIENT_STALL_SECONDS: optional(integer(1, 3600).default(60)),
  /** In bytes a second. */
  CLIENT_PACE_BYTES: optional(integer(1, 1024 * 1024).default(1024)),
  /** A million devices take minutes. For as long the database keeps old row versions for an export. */
  EXPORT_SECONDS: optional(integer(1, 86_400).default(3_600)),
  /** In requests a second, by key; 0 for none: how much is too much, only a deployment knows. */
  RATE_LIMIT: optional(integer(0, 1_000_000).default(0)),
  /** In a minute. A person who mistypes has seen it by then; nobody guesses a key of 256 random bits. */
  WRONG_CREDENTIALS_LIMIT: optional(integer(1, 1_000_000).default(10)),
};
