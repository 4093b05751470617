/** How a list is answered: as an array with links in a header, or as a page object with links inside. */
export type ListBody = 'array' | 'page';

/** What of the environment the answers depend on. */
export interface Settings {
  /** Scheme and authority that absolute links begin with; undefined: as the client addressed the service. */
  readonly publicUrl: string | undefined;
  readonly listBody: ListBody;
  /** So many may wait for the feed at a time. */
  readonly maxWaiting: number;
}

/** The injection token of `Settings`. */
export const SETTINGS = Symbol('settings');
