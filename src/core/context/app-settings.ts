/** The body of lists: an array with links in a header, or a page object that contains the links. */
export type ListBody = 'array' | 'page';

/** The settings that affect responses. */
export interface AppSettings {
  /** Scheme and authority of absolute links; undefined: those of the request. */
  readonly publicUrl: string | undefined;
  readonly listBody: ListBody;
}

/** The injection token of `AppSettings`. */
export const APP_SETTINGS = Symbol('settings');
