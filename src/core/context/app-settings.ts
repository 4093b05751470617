import type { ListBody } from '../../list/list-query';

/** What of the environment the answers depend on. */
export interface Settings {
  /** Scheme and authority that absolute links begin with; undefined: as the client addressed the service. */
  readonly publicUrl: string | undefined;
  readonly listBody: ListBody;
  /** So many may wait for the feed at a time. */
  readonly mostWaiting: number;
}

/** The injection token of `Settings`. */
export const SETTINGS = Symbol('settings');
