/**
 * A position in a cluster's write-ahead log. Both parts have a fixed number of hexadecimal digits, so positions in one
 * log compare as texts.
 */
export interface WalPosition {
  /** The cluster's identifier and its timeline. A promotion of a replica begins a new timeline. */
  readonly log: string;
  readonly at: string;
}

/** A position that no log has. Reads after it go to the primary. */
export const NO_POSITION: WalPosition = { log: `${'0'.repeat(16)}-${'0'.repeat(8)}`, at: '0'.repeat(16) };

const TOKEN = /^([0-9a-f]{16}-[0-9a-f]{8})-([0-9a-f]{16})$/;

/** The token of a position, for clients. */
export const consistencyToken = ({ log, at }: WalPosition): string => `${log}-${at}`;

/** The position of a token; undefined if the token is malformed. */
export function parseConsistencyToken(token: string): WalPosition | undefined {
  const [, log, at] = TOKEN.exec(token) ?? [];
  return log === undefined || at === undefined ? undefined : { log, at };
}
