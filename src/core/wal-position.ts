/**
 * A position in a cluster's write-ahead log. All is in hexadecimal digits, always as many, so that of two positions in
 * one log the later one is the greater text.
 */
export interface WalPosition {
  /** The cluster's identifier and its timeline, which is another one after a replica has become the primary. */
  readonly log: string;
  readonly at: string;
}

/** A position that no log has: what is read after it is read from the primary. */
export const NO_POSITION: WalPosition = { log: `${'0'.repeat(16)}-${'0'.repeat(8)}`, at: '0'.repeat(16) };

const TOKEN = /^([0-9a-f]{16}-[0-9a-f]{8})-([0-9a-f]{16})$/;

/** A position as clients hold it. */
export const consistencyToken = ({ log, at }: WalPosition): string => `${log}-${at}`;

/** The position that a client holds; undefined for what is no token. */
export function parseConsistencyToken(token: string): WalPosition | undefined {
  const [, log, at] = TOKEN.exec(token) ?? [];
  return log === undefined || at === undefined ? undefined : { log, at };
}
