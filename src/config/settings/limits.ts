import { integer, optional } from './setting-parsers';

/** How much, and for how long. */
export const limitSettings = {
  /** Each has a connection open and is remembered; more are better spread over several processes. */
  FEED_WAITERS: optional(integer(1, 100_000).default(1_000)),
  /** An export keeps a connection to the database while it waits for its client. */
  EXPORT_STALL_SECONDS: optional(integer(1, 3600).default(60)),
  SHUTDOWN_SECONDS: optional(integer(1, 600).default(10)),
  /** For balancers that ask now and then whether they should still send clients here. */
  SHUTDOWN_NOTICE_SECONDS: optional(integer(0, 600).default(0)),
  /** A change of everything that a hundred thousand devices inherit takes a few seconds. */
  STATEMENT_SECONDS: optional(integer(1, 86_400).default(60)),
  TRANSACTION_SECONDS: optional(integer(1, 86_400).default(120)),
  /** 8 MiB: one resource's variables may take 1 MiB, which escapes can make several times as long on the wire. */
  BODY_LIMIT_BYTES: optional(integer(1024, 1024 * 1024 * 1024).default(8 * 1024 * 1024)),
  /** Of a user in a project, within 24 hours. */
  IDEMPOTENCY_MAX_ANSWERS: optional(integer(1, 1_000_000).default(10_000)),
  /** 256 MiB: a few thousand hosts with resolved variables of 70 kB, created one by one. */
  IDEMPOTENCY_MAX_BYTES: optional(integer(1024, 1024 ** 4).default(256 * 1024 ** 2)),
  /** 4 GiB: a million devices with ten variables each take a quarter of that. */
  IMPORT_LIMIT_BYTES: optional(integer(1024, 1024 ** 4).default(4 * 1024 ** 3)),
};
