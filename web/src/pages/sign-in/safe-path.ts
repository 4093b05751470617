/** Only a path of this application: a link must not lead elsewhere after the sign-in. */
export const safePath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/';
